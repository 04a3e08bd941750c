import { Field, Int, ObjectType } from "type-graphql";
import {
  AdditionalBillingType,
  AggregateUsageType,
  ClaimMethodType,
  ProductType,
  RecurringInterval,
  SetupOptionType,
  UsageType,
  WhenToClaimType,
} from "../../../schema/vocabulary.ts";
import { CurrencyAmountsScalar, DecimalScalar, GraphQLBigInt } from "../../graphql/scalars.ts";

@ObjectType({ description: "Presentation of a price plan.", simpleResolvers: true })
export class PlanPresentation {
  @Field(() => String, { description: "Name of the plan." })
  name!: string;

  @Field(() => String, { description: "Short description. An empty string if there is none." })
  description!: string;

  @Field(() => String, { description: "Long description. An empty string if there is none." })
  detailDescription!: string;

  @Field(() => Boolean, { description: "True if the shop hides the plan." })
  isHiddenFromShop!: boolean;

  @Field(() => String, { description: "Internal name for the merchant's staff. An empty string if there is none." })
  adminName!: string;
}

@ObjectType({
  description: "Discount on a customer's first purchase of the plan.",
  simpleResolvers: true,
})
export class FirstSale {
  @Field(() => Boolean, { description: "True if the discount applies." })
  enabled!: boolean;

  @Field(() => DecimalScalar, { description: "Discount in the base currency." })
  price!: string;

  @Field(() => CurrencyAmountsScalar, { description: "Discounts in other currencies." })
  currencyPrice!: Record<string, string>;
}

@ObjectType({ description: "Time at which a plan is charged.", simpleResolvers: true })
export class Claim {
  @Field(() => ClaimMethodType, { description: "Before or after its period." })
  methodType!: ClaimMethodType;

  @Field(() => WhenToClaimType, {
    nullable: true,
    description: "Day on which a postpaid plan is charged. Null for prepaid plans.",
  })
  whenToClaimType!: WhenToClaimType | null;

  @Field(() => Int, {
    nullable: true,
    description: "Day of the following month on which the plan is charged. Null if none is fixed.",
  })
  billingDate!: number | null;

  @Field(() => Int, {
    nullable: true,
    description: "Day of the month on which the service starts. Null for an immediate start.",
  })
  provideStartDay!: number | null;
}

@ObjectType({ description: "A base or set-up fee.", simpleResolvers: true })
export class SetupOption {
  @Field(() => GraphQLBigInt, { description: "Number of the fee, which is the number of its plan." })
  databaseId!: number;

  @Field(() => String, { description: "Name of the fee. It is shown in the order line." })
  name!: string;

  @Field(() => SetupOptionType, { description: "Frequency of the fee: once or in each period." })
  type!: SetupOptionType;

  @Field(() => DecimalScalar, { description: "Amount of the fee, in the base currency." })
  price!: string;

  @Field(() => CurrencyAmountsScalar, { description: "Amounts of the fee in other currencies." })
  currencyPrice!: Record<string, string>;

  @Field(() => ClaimMethodType, {
    nullable: true,
    description: "Claim method of the fee: before or after its period. Null if none is set.",
  })
  claimMethodType!: ClaimMethodType | null;
}

@ObjectType({ description: "Billing cycle of a plan, and the aggregation of its usage.", simpleResolvers: true })
export class Recurrence {
  @Field(() => GraphQLBigInt, { description: "Number of the recurrence, which is the number of its plan." })
  databaseId!: number;

  @Field(() => RecurringInterval, { description: "Unit of the period." })
  interval!: RecurringInterval;

  @Field(() => Int, { description: "Number of units in a period." })
  intervalCount!: number;

  @Field(() => AggregateUsageType, {
    nullable: true,
    description: "Aggregation of the usage of a period. Null if none is set.",
  })
  aggregateUsageType!: AggregateUsageType | null;

  @Field(() => UsageType, {
    nullable: true,
    description: "Quantity that is charged: the licensed or the used one. Null if none is set.",
  })
  usageType!: UsageType | null;
}

@ObjectType({ description: "An option of a plan. It can add a plan of another product.", simpleResolvers: true })
export class PriceOption {
  @Field(() => GraphQLBigInt, { description: "Number of the option. REST uses it as the id." })
  databaseId!: number;

  @Field(() => String, { description: "Name of the option." })
  name!: string;

  @Field(() => SetupOptionType, { description: "Frequency of the charge: once or in each period." })
  type!: SetupOptionType;

  @Field(() => DecimalScalar, { description: "Price of the option, in the base currency." })
  price!: string;

  @Field(() => String, { nullable: true, description: "Code of the plan that the option adds. Null if it adds none." })
  priceCode!: string | null;

  @Field(() => String, { nullable: true, description: "Name of the plan that the option adds. Null if it adds none." })
  priceName!: string | null;

  @Field(() => String, {
    nullable: true,
    description: "Code of the product of the added plan. Null if the option adds none.",
  })
  productCode!: string | null;

  @Field(() => ProductType, {
    nullable: true,
    description: "Type of the product of the added plan. Null if the option adds none.",
  })
  productType!: ProductType | null;

  @Field(() => Recurrence, {
    nullable: true,
    description: "Billing cycle of the added plan. Null if it is charged once.",
  })
  recurring!: Recurrence | null;
}

@ObjectType({
  description: "A range of quantities with one unit price. Both ends are included.",
  simpleResolvers: true,
})
export class PriceVolume {
  id!: number;

  @Field(() => Int, { description: "Smallest quantity of the range." })
  min!: number;

  @Field(() => Int, { nullable: true, description: "Largest quantity of the range. Null for no end." })
  max!: number | null;

  @Field(() => DecimalScalar, { description: "Price of one unit for the whole quantity, in the base currency." })
  price!: string;
}

@ObjectType({
  description: "A range of units, which starts after the end of the previous range.",
  simpleResolvers: true,
})
export class PriceRange {
  id!: number;

  @Field(() => Int, { nullable: true, description: "Last unit of the range. Null for no end." })
  until!: number | null;

  @Field(() => DecimalScalar, { description: "Price of one unit, or of the whole range, in the base currency." })
  price!: string;
}

@ObjectType({ description: "Prices of units by ranges.", simpleResolvers: true })
export class AdditionalBilling {
  @Field(() => GraphQLBigInt, { description: "Number of the ranges, which is the number of their plan." })
  databaseId!: number;

  @Field(() => AdditionalBillingType, {
    description: "Meaning of a range's price: a price for each unit, or one price for the whole range.",
  })
  type!: AdditionalBillingType;

  @Field(() => [PriceRange], { description: "Ranges in rising order. The last one has no end." })
  ranges!: PriceRange[];
}
