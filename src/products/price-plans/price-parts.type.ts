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

@ObjectType({ description: "How a price plan presents itself.", simpleResolvers: true })
export class PlanPresentation {
  @Field(() => String, { description: "Name of the plan." })
  name!: string;

  @Field(() => String, { description: "What it is, in a line or two; empty where nothing is told." })
  description!: string;

  @Field(() => String, { description: "What it is, at length; empty where nothing is told." })
  detailDescription!: string;

  @Field(() => Boolean, { description: "Whether the shop hides it." })
  isHiddenFromShop!: boolean;

  @Field(() => String, { description: "What the merchant's staff calls it; empty where it has no name of its own." })
  adminName!: string;
}

@ObjectType({
  description: "What is taken off the plan's price on a customer's first purchase.",
  simpleResolvers: true,
})
export class FirstSale {
  @Field(() => Boolean, { description: "Whether the discount applies." })
  enabled!: boolean;

  @Field(() => DecimalScalar, { description: "What is taken off, in the base currency." })
  price!: string;

  @Field(() => CurrencyAmountsScalar, { description: "What is taken off in other currencies." })
  currencyPrice!: Record<string, string>;
}

@ObjectType({ description: "When a plan is charged.", simpleResolvers: true })
export class Claim {
  @Field(() => ClaimMethodType, { description: "Before or after its period." })
  methodType!: ClaimMethodType;

  @Field(() => WhenToClaimType, {
    nullable: true,
    description: "On which day a postpaid plan is charged; null for prepaid.",
  })
  whenToClaimType!: WhenToClaimType | null;

  @Field(() => Int, {
    nullable: true,
    description: "Day of the following month on which it is charged; null without one.",
  })
  billingDate!: number | null;

  @Field(() => Int, { nullable: true, description: "Day of the month on which service starts; null for at once." })
  provideStartDay!: number | null;
}

@ObjectType({ description: "A base or set-up fee.", simpleResolvers: true })
export class SetupOption {
  @Field(() => GraphQLBigInt, { description: "Number of the fee: that of its plan." })
  databaseId!: number;

  @Field(() => String, { description: "Name of the fee, as its order line shows it." })
  name!: string;

  @Field(() => SetupOptionType, { description: "Whether it is charged once or each period." })
  type!: SetupOptionType;

  @Field(() => DecimalScalar, { description: "The fee in the base currency." })
  price!: string;

  @Field(() => CurrencyAmountsScalar, { description: "The fee in other currencies." })
  currencyPrice!: Record<string, string>;

  @Field(() => ClaimMethodType, { nullable: true, description: "Whether it is charged before or after its period." })
  claimMethodType!: ClaimMethodType | null;
}

@ObjectType({ description: "How often a plan is charged, and how use is counted.", simpleResolvers: true })
export class Recurrence {
  @Field(() => GraphQLBigInt, { description: "Number of the recurrence: that of its plan." })
  databaseId!: number;

  @Field(() => RecurringInterval, { description: "Unit of the period." })
  interval!: RecurringInterval;

  @Field(() => Int, { description: "How many units a period has." })
  intervalCount!: number;

  @Field(() => AggregateUsageType, { nullable: true, description: "How the use of a period becomes one number." })
  aggregateUsageType!: AggregateUsageType | null;

  @Field(() => UsageType, { nullable: true, description: "Whether what is licensed or what is used is charged." })
  usageType!: UsageType | null;
}

@ObjectType({ description: "A choice that a plan offers; it may be a plan of another product.", simpleResolvers: true })
export class PriceOption {
  @Field(() => GraphQLBigInt, { description: "Number of the option: the id that REST uses." })
  databaseId!: number;

  @Field(() => String, { description: "Name of the option." })
  name!: string;

  @Field(() => SetupOptionType, { description: "Whether it is charged once or each period." })
  type!: SetupOptionType;

  @Field(() => DecimalScalar, { description: "What it costs, in the base currency." })
  price!: string;

  @Field(() => String, { nullable: true, description: "Code of the plan that it is; null where it is none." })
  priceCode!: string | null;

  @Field(() => String, { nullable: true, description: "Name of the plan that it is." })
  priceName!: string | null;

  @Field(() => String, { nullable: true, description: "Code of that plan's product." })
  productCode!: string | null;

  @Field(() => ProductType, { nullable: true, description: "Type of that plan's product." })
  productType!: ProductType | null;

  @Field(() => Recurrence, { nullable: true, description: "How often that plan is charged; null for once." })
  recurring!: Recurrence | null;
}

@ObjectType({
  description: "A range of quantities with one price of a piece. Both ends are in it.",
  simpleResolvers: true,
})
export class PriceVolume {
  id!: number;

  @Field(() => Int, { description: "The least quantity." })
  min!: number;

  @Field(() => Int, { nullable: true, description: "The largest quantity; null without an end." })
  max!: number | null;

  @Field(() => DecimalScalar, { description: "The price of one piece of the whole quantity, in the base currency." })
  price!: string;
}

@ObjectType({ description: "A range of units, from the end of the one before.", simpleResolvers: true })
export class PriceRange {
  id!: number;

  @Field(() => Int, { nullable: true, description: "The last unit of the range; null without an end." })
  until!: number | null;

  @Field(() => DecimalScalar, { description: "What a unit, or the whole range, costs in the base currency." })
  price!: string;
}

@ObjectType({ description: "What units cost by ranges.", simpleResolvers: true })
export class AdditionalBilling {
  @Field(() => GraphQLBigInt, { description: "Number of the ranges: that of their plan." })
  databaseId!: number;

  @Field(() => AdditionalBillingType, { description: "Whether each unit or each range has the price." })
  type!: AdditionalBillingType;

  @Field(() => [PriceRange], { description: "The ranges, in rising order; the last one has no end." })
  ranges!: PriceRange[];
}
