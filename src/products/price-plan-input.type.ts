import { Field, ID, InputType, Int, ObjectType } from "type-graphql";
import {
  AdditionalBillingType,
  AggregateUsageType,
  ClaimMethodType,
  PricePlanType,
  RecurringInterval,
  SetupOptionType,
  UsageType,
  WhenToClaimType,
} from "../../schema/vocabulary.ts";
import {
  CurrencyAmountsScalar,
  DecimalScalar,
  LineScalar,
  NameScalar,
  NonNegativeIntScalar,
  PositiveIntScalar,
  TextScalar,
} from "../graphql/scalars.ts";
import type { Amount } from "../kernel/amounts.ts";
import { PricePlan } from "./price-plan.type.ts";

/** What creating and changing a plan's presentation have in common. */
@InputType({ description: "How a price plan presents itself, but for its name." })
abstract class PresentationInput {
  @Field(() => TextScalar, { nullable: true, description: "What it is, in a line or two." })
  description?: string | null;

  @Field(() => TextScalar, { nullable: true, description: "What it is, at length." })
  detailDescription?: string | null;

  @Field(() => Boolean, { nullable: true, description: "Whether the shop hides it." })
  isHiddenFromShop?: boolean | null;

  @Field(() => LineScalar, { nullable: true, description: "What the merchant's staff calls it." })
  adminName?: string | null;
}

@InputType({ description: "How a new price plan presents itself; what is not told is empty." })
export class NewPlanPresentationInput extends PresentationInput {
  @Field(() => NameScalar, { description: "Name of the plan." })
  name!: string;
}

@InputType({ description: "How a price plan presents itself; absent fields stay." })
export class PlanPresentationInput extends PresentationInput {
  @Field(() => NameScalar, { nullable: true, description: "Name of the plan." })
  name?: string | null;
}

@InputType({ description: "What is taken off the price on a customer's first purchase; set whole." })
export class FirstSaleInput {
  @Field(() => Boolean, { description: "Whether the discount applies." })
  enabled!: boolean;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: "What is taken off in the base currency: at most the price. Nothing unless told.",
  })
  price?: Amount | null;

  @Field(() => CurrencyAmountsScalar, {
    nullable: true,
    description: "What is taken off in other currencies: those of currencyPrice, and at most the price there.",
  })
  currencyPrice?: Record<string, string> | null;
}

@InputType({ description: "When a plan is charged; set whole." })
export class ClaimInput {
  @Field(() => ClaimMethodType, { description: "Before its period, or after. What is charged once is prepaid." })
  methodType!: ClaimMethodType;

  @Field(() => WhenToClaimType, {
    nullable: true,
    description: "On which day a postpaid plan is charged: postpaid plans need it, prepaid ones have none.",
  })
  whenToClaimType?: WhenToClaimType | null;

  @Field(() => PositiveIntScalar, {
    nullable: true,
    description: "Day of the following month, 1 to 31: needed where whenToClaimType is DATE, and nowhere else.",
  })
  billingDate?: number | null;

  @Field(() => PositiveIntScalar, {
    nullable: true,
    description: "Day of the month on which service starts, 1 to 31; at once unless told.",
  })
  provideStartDay?: number | null;
}

@InputType({ description: "A base or set-up fee; set whole." })
export class SetupOptionInput {
  @Field(() => NameScalar, { description: "Name of the fee, as its order line shows it." })
  name!: string;

  @Field(() => SetupOptionType, {
    description: "Whether it is charged once or each period; a plan that is charged once has no periods.",
  })
  type!: SetupOptionType;

  @Field(() => DecimalScalar, { description: "The fee in the base currency." })
  price!: Amount;

  @Field(() => CurrencyAmountsScalar, { nullable: true, description: "The fee in other currencies." })
  currencyPrice?: Record<string, string> | null;

  @Field(() => ClaimMethodType, { nullable: true, description: "Before or after its period; PRE unless told." })
  claimMethodType?: ClaimMethodType | null;
}

@InputType({ description: "How often a plan is charged, and how use is counted; set whole." })
export class RecurrenceInput {
  @Field(() => RecurringInterval, { description: "Unit of the period." })
  interval!: RecurringInterval;

  @Field(() => PositiveIntScalar, { nullable: true, description: "How many units a period has; 1 unless told." })
  intervalCount?: number | null;

  @Field(() => AggregateUsageType, {
    nullable: true,
    description: "How the use of a period becomes one number; SUM unless told.",
  })
  aggregateUsageType?: AggregateUsageType | null;

  @Field(() => UsageType, {
    nullable: true,
    description:
      "Whether what is licensed or what is used is charged; METERED for a usage-based plan unless told, else LICENSED.",
  })
  usageType?: UsageType | null;
}

@InputType({ description: "A new choice to offer with the plan." })
export class NewPriceOptionInput {
  @Field(() => NameScalar, { description: "Name of the option." })
  name!: string;

  @Field(() => SetupOptionType, { description: "Whether it is charged once or each period." })
  type!: SetupOptionType;

  @Field(() => DecimalScalar, { description: "What it costs, in the base currency." })
  price!: Amount;

  @Field(() => ID, {
    nullable: true,
    description: "Global id or number of the plan that the option is: one of another product.",
  })
  optionPriceId?: string | null;
}

@InputType({ description: "A choice to offer with the plan: one that stays, or a new one." })
export class PriceOptionInput extends NewPriceOptionInput {
  @Field(() => ID, { nullable: true, description: "Number of the plan's option that stays; none for a new one." })
  id?: string | null;
}

@InputType({ description: "A range of quantities with one price of a piece. Both ends are in it." })
export class PriceVolumeInput {
  @Field(() => PositiveIntScalar, { description: "The least quantity: one more than the most of the range before." })
  min!: number;

  @Field(() => PositiveIntScalar, { nullable: true, description: "The largest quantity; only the last has no end." })
  max?: number | null;

  @Field(() => DecimalScalar, { description: "The price of one piece of the whole quantity, in the base currency." })
  price!: Amount;
}

@InputType({ description: "A range of units, from the end of the one before." })
export class PriceRangeInput {
  @Field(() => PositiveIntScalar, {
    nullable: true,
    description: "The last unit; the last range, and no other, has none.",
  })
  until?: number | null;

  @Field(() => DecimalScalar, { description: "What a unit, or the whole range, costs in the base currency." })
  price!: Amount;
}

@InputType({ description: "What units beyond the included ones cost; set whole." })
export class AdditionalBillingInput {
  @Field(() => AdditionalBillingType, { description: "Whether each unit or each range has the price." })
  type!: AdditionalBillingType;

  @Field(() => [PriceRangeInput], { description: "The ranges, rising: 1 to 100." })
  ranges!: PriceRangeInput[];
}

@InputType({ description: "The plan that a member of a bundle has in this plan." })
export class BundlePriceInput {
  @Field(() => ID, { description: "Global id or number of the member." })
  productId!: string;

  @Field(() => ID, { description: "Global id or number of a plan of the member." })
  priceId!: string;
}

@InputType({ description: "What creating and changing a price plan have in common." })
abstract class PricePlanInput {
  @Field(() => CurrencyAmountsScalar, {
    nullable: true,
    description: "The price of one in other currencies than the base; set whole.",
  })
  currencyPrice?: Record<string, string> | null;

  @Field(() => LineScalar, { nullable: true, description: "What one is called: seat, GB." })
  unit?: string | null;

  @Field(() => FirstSaleInput, { nullable: true, description: "What is taken off on the first purchase." })
  firstSale?: FirstSaleInput | null;

  @Field(() => ClaimInput, { nullable: true, description: "When it is charged; prepaid unless told." })
  claim?: ClaimInput | null;

  @Field(() => NonNegativeIntScalar, {
    nullable: true,
    description: "The most that can be bought at once; 0 is no limit.",
  })
  maximumPurchaseQuantity?: number | null;

  @Field(() => NonNegativeIntScalar, { nullable: true, description: "How long a membership lasts; 0 is no end." })
  membershipExpirationDate?: number | null;

  @Field(() => RecurringInterval, {
    nullable: true,
    description: "The unit of the membership's length: needed where it has an end.",
  })
  membershipExpirationDateType?: RecurringInterval | null;

  @Field(() => PositiveIntScalar, {
    nullable: true,
    description: "Largest number of renewals before the end; null is no end.",
  })
  expiryRecurringCount?: number | null;

  @Field(() => SetupOptionInput, { nullable: true, description: "The base or set-up fee; null for none." })
  setupOption?: SetupOptionInput | null;

  @Field(() => [PriceVolumeInput], {
    nullable: true,
    description: "Of a VOLUME_BASED plan: prices by the whole quantity, rising, without gaps, at most 100; set whole.",
  })
  volumes?: PriceVolumeInput[] | null;

  @Field(() => AdditionalBillingInput, {
    nullable: true,
    description: "Of a UNIT_BASED or USAGE_BASED plan: prices of units by ranges; null for none.",
  })
  additionalBilling?: AdditionalBillingInput | null;

  @Field(() => RecurrenceInput, {
    nullable: true,
    description:
      "How often it is charged; null for once. FLAT, UNIT_BASED and USAGE_BASED plans need it, ONE_TIME plans have none.",
  })
  recurring?: RecurrenceInput | null;

  @Field(() => NonNegativeIntScalar, {
    nullable: true,
    description: "Of a UNIT_BASED or USAGE_BASED plan: units that the price includes.",
  })
  basicServing?: number | null;

  @Field(() => [BundlePriceInput], {
    nullable: true,
    description: "Of a BUNDLE plan: the plan of each member of the bundle; set whole.",
  })
  bundlePrices?: BundlePriceInput[] | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: "Of a BUNDLE plan: what is added to the first payment, in the base currency.",
  })
  onetimeBundlePrice?: Amount | null;

  @Field(() => Int, { nullable: true, description: "Place among the product's plans, smallest first; 0 unless told." })
  order?: number | null;

  @Field(() => Boolean, {
    nullable: true,
    description: "Whether it stands for the product where one price is shown, instead of the one that did.",
  })
  isRepresentative?: boolean | null;
}

@InputType({ description: "A price plan to create." })
export class CreatePricePlanInput extends PricePlanInput {
  @Field(() => ID, { description: "Global id or number of the product that it is a plan of." })
  productId!: string;

  @Field(() => PricePlanType, { description: "How it is charged: for good. BUNDLE is for bundles, and only that." })
  type!: PricePlanType;

  @Field(() => NewPlanPresentationInput, { description: "How it presents itself." })
  plan!: NewPlanPresentationInput;

  @Field(() => [NewPriceOptionInput], { nullable: true, description: "Choices that it offers, in order, at most 50." })
  options?: NewPriceOptionInput[] | null;

  @Field(() => DecimalScalar, { description: "The price of one, in the base currency." })
  price!: Amount;
}

@InputType({ description: "What changes of a price plan: absent fields stay as they are." })
export class UpdatePricePlanInput extends PricePlanInput {
  @Field(() => ID, { description: "Global id or number of the plan." })
  id!: string;

  @Field(() => PlanPresentationInput, { nullable: true, description: "How it presents itself." })
  plan?: PlanPresentationInput | null;

  @Field(() => [PriceOptionInput], {
    nullable: true,
    description: "Choices that it offers, in order, at most 50; set whole. Options whose id is sent stay.",
  })
  options?: PriceOptionInput[] | null;

  @Field(() => DecimalScalar, { nullable: true, description: "The price of one, in the base currency." })
  price?: Amount | null;
}

@ObjectType({ description: "The price plan after its creation.", simpleResolvers: true })
export class CreatePricePlanPayload {
  @Field(() => PricePlan, { description: "The plan." })
  pricePlan!: PricePlan;
}

@ObjectType({ description: "The price plan after the change.", simpleResolvers: true })
export class UpdatePricePlanPayload {
  @Field(() => PricePlan, { description: "The plan." })
  pricePlan!: PricePlan;
}
