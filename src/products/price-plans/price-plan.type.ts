import { Field, InputType, Int, ObjectType, ID } from "type-graphql";
import { ClaimMethodType, PricePlanType, RecurringInterval, WhenToClaimType } from "../../../schema/vocabulary.ts";
import { connectionType, PeriodInput, sortInputType } from "../../graphql/connection.ts";
import { Node } from "../../graphql/node.ts";
import { CurrencyAmountsScalar, DateTimeScalar, DecimalScalar } from "../../graphql/scalars.ts";
import {
  AdditionalBilling,
  Claim,
  FirstSale,
  PlanPresentation,
  PriceOption,
  PriceVolume,
  Recurrence,
  SetupOption,
} from "./price-parts.type.ts";

@ObjectType("PricePlan", {
  description: "A price plan: the price of a product, and the time at which it is charged.",
  implements: Node,
  simpleResolvers: true,
})
export class PricePlan extends Node {
  @Field(() => String, { description: 'Code of the plan: "price_" and nine letters or digits.' })
  code!: string;

  @Field(() => PricePlanType, { description: "Formula by which the plan computes its charge." })
  type!: PricePlanType;

  @Field(() => DecimalScalar, { description: "Price of one unit, in the base currency." })
  price!: string;

  @Field(() => CurrencyAmountsScalar, { description: "Prices of one unit in other currencies." })
  currencyPrice!: Record<string, string>;

  @Field(() => String, { description: "Name of one unit, such as seat or GB. An empty string if there is none." })
  unit!: string;

  @Field(() => PlanPresentation, { description: "Presentation of the plan." })
  plan!: PlanPresentation;

  @Field(() => FirstSale, { description: "Discount on the first purchase." })
  firstSale!: FirstSale;

  @Field(() => Claim, { description: "Time at which the plan is charged." })
  claim!: Claim;

  @Field(() => String, { description: "Same as `plan.name`, as in the REST contract." })
  planName!: string;

  @Field(() => String, { description: "Same as `plan.description`." })
  planDescription!: string;

  @Field(() => Boolean, {
    description: "True if the discount on the first purchase applies. Same as `firstSale.enabled`.",
  })
  enabledFirstSalePrice!: boolean;

  @Field(() => DecimalScalar, { description: "Same as `firstSale.price`." })
  firstSalePrice!: string;

  @Field(() => ClaimMethodType, { description: "Same as `claim.methodType`." })
  claimMethodType!: ClaimMethodType;

  @Field(() => WhenToClaimType, {
    nullable: true,
    description: "Same as `claim.whenToClaimType`. Null for prepaid plans.",
  })
  whenToClaimType!: WhenToClaimType | null;

  @Field(() => Int, { nullable: true, description: "Same as `claim.billingDate`. Null if none is fixed." })
  billingDate!: number | null;

  @Field(() => Int, { description: "Largest quantity in one order. 0 for no limit." })
  maximumPurchaseQuantity!: number;

  @Field(() => Int, { description: "Length of a membership, in its unit. 0 for no end." })
  membershipExpirationDate!: number;

  @Field(() => RecurringInterval, {
    nullable: true,
    description: "Unit of the membership's length. Null without an end.",
  })
  membershipExpirationDateType!: RecurringInterval | null;

  @Field(() => Int, { nullable: true, description: "Largest number of renewals before the end. Null for no end." })
  expiryRecurringCount!: number | null;

  @Field(() => SetupOption, { nullable: true, description: "Base or set-up fee. Null if there is none." })
  setupOption!: SetupOption | null;

  @Field(() => [PriceOption], { description: "Options of the plan, in order." })
  options!: PriceOption[];

  @Field(() => [PriceVolume], { description: "Unit prices by the whole quantity, in rising order." })
  volumes!: PriceVolume[];

  @Field(() => AdditionalBilling, {
    nullable: true,
    description: "Unit prices by ranges. Null if there are none.",
  })
  additionalBilling!: AdditionalBilling | null;

  @Field(() => Recurrence, { nullable: true, description: "Billing cycle. Null for a single charge." })
  recurring!: Recurrence | null;

  @Field(() => Int, { description: "Number of units that the price includes." })
  basicServing!: number;

  @Field(() => DecimalScalar, {
    description: "Amount that is added to the first payment of a bundle, in the base currency.",
  })
  onetimeBundlePrice!: string;

  @Field(() => Int, { description: "Position among the product's plans, the smallest first." })
  order!: number;

  @Field(() => Boolean, {
    description: "True if this is the product's main plan, whose price is shown if there is room for one.",
  })
  isRepresentative!: boolean;

  @Field(() => DateTimeScalar, { description: "Time of the creation." })
  createdAt!: Date;

  @Field(() => DateTimeScalar, { description: "Time of the last change." })
  modifiedAt!: Date;
}

@InputType({ description: "Filter of price plans. All conditions must hold." })
export class PricePlanFilterInput {
  @Field(() => ID, { nullable: true, description: "Returns only plans of this product: global id or number." })
  productId?: string | null;

  @Field(() => PricePlanType, { nullable: true, description: "Returns only records of this type." })
  type?: PricePlanType | null;

  @Field(() => PeriodInput, { nullable: true, description: "Returns only records that were created in this period." })
  createdAt?: PeriodInput | null;
}

export const PricePlanSortInput = sortInputType("PricePlan", { CREATED_AT: "By the time of the creation." });
export type PricePlanSortInput = InstanceType<typeof PricePlanSortInput>;

export const PricePlanConnection = connectionType(() => PricePlan, "PricePlan");
