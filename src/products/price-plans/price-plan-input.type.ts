import { Field, ID, InputType, Int, ObjectType } from "type-graphql";
import { PricePlanType, RecurringInterval } from "../../../schema/vocabulary.ts";
import {
  CurrencyAmountsScalar,
  DecimalScalar,
  LabelScalar,
  NameScalar,
  NonNegativeIntScalar,
  PositiveIntScalar,
  TextScalar,
} from "../../graphql/scalars.ts";
import type { Amount } from "../../kernel/amounts.ts";
import {
  AdditionalBillingInput,
  BundlePriceInput,
  ClaimInput,
  FirstSaleInput,
  NewPriceOptionInput,
  PriceOptionInput,
  PriceVolumeInput,
  RecurrenceInput,
  SetupOptionInput,
} from "./price-parts-input.type.ts";
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

  @Field(() => LabelScalar, { nullable: true, description: "What the merchant's staff calls it." })
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

@InputType({ description: "What creating and changing a price plan have in common." })
abstract class PricePlanInput {
  @Field(() => CurrencyAmountsScalar, {
    nullable: true,
    description: "The price of one in other currencies than the base; set whole.",
  })
  currencyPrice?: Record<string, string> | null;

  @Field(() => LabelScalar, { nullable: true, description: "What one is called: seat, GB." })
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
