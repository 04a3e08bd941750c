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

/** The presentation fields shared by the creation and the update of a plan. */
@InputType({ description: "Presentation of a price plan, without its name." })
abstract class PresentationInput {
  @Field(() => TextScalar, { nullable: true, description: "Short description." })
  description?: string | null;

  @Field(() => TextScalar, { nullable: true, description: "Long description." })
  detailDescription?: string | null;

  @Field(() => Boolean, { nullable: true, description: "True if the shop hides the plan." })
  isHiddenFromShop?: boolean | null;

  @Field(() => LabelScalar, { nullable: true, description: "Internal name for the merchant's staff." })
  adminName?: string | null;
}

@InputType({ description: "Presentation of a new price plan. Absent fields are empty." })
export class NewPlanPresentationInput extends PresentationInput {
  @Field(() => NameScalar, { description: "Name of the plan." })
  name!: string;
}

@InputType({ description: "Presentation of a price plan. Absent fields keep their values." })
export class PlanPresentationInput extends PresentationInput {
  @Field(() => NameScalar, { nullable: true, description: "Name of the plan." })
  name?: string | null;
}

@InputType({ description: "Fields that creating and changing a price plan have in common." })
abstract class PricePlanInput {
  @Field(() => CurrencyAmountsScalar, {
    nullable: true,
    description: "Prices of one unit in currencies other than the base currency. Replaces all stored prices.",
  })
  currencyPrice?: Record<string, string> | null;

  @Field(() => LabelScalar, { nullable: true, description: "Name of one unit, such as seat or GB." })
  unit?: string | null;

  @Field(() => FirstSaleInput, { nullable: true, description: "Discount on the first purchase." })
  firstSale?: FirstSaleInput | null;

  @Field(() => ClaimInput, { nullable: true, description: "Time at which the plan is charged. Defaults to prepaid." })
  claim?: ClaimInput | null;

  @Field(() => NonNegativeIntScalar, {
    nullable: true,
    description: "Largest quantity in one order. 0 for no limit.",
  })
  maximumPurchaseQuantity?: number | null;

  @Field(() => NonNegativeIntScalar, {
    nullable: true,
    description: "Length of a membership, in its unit. 0 for no end.",
  })
  membershipExpirationDate?: number | null;

  @Field(() => RecurringInterval, {
    nullable: true,
    description: "Unit of the membership's length. Required if the membership has an end.",
  })
  membershipExpirationDateType?: RecurringInterval | null;

  @Field(() => PositiveIntScalar, {
    nullable: true,
    description: "Largest number of renewals before the end. Null for no end.",
  })
  expiryRecurringCount?: number | null;

  @Field(() => SetupOptionInput, { nullable: true, description: "The base or set-up fee. Null for none." })
  setupOption?: SetupOptionInput | null;

  @Field(() => [PriceVolumeInput], {
    nullable: true,
    description:
      "Unit prices by the whole quantity, for a VOLUME_BASED plan. In rising order without gaps, at most 100. Replaces all stored ranges.",
  })
  volumes?: PriceVolumeInput[] | null;

  @Field(() => AdditionalBillingInput, {
    nullable: true,
    description: "Unit prices by ranges, for a UNIT_BASED or USAGE_BASED plan. Null for none.",
  })
  additionalBilling?: AdditionalBillingInput | null;

  @Field(() => RecurrenceInput, {
    nullable: true,
    description:
      "Billing cycle. Null for a single charge. Required for FLAT, UNIT_BASED and USAGE_BASED plans, and refused for ONE_TIME plans.",
  })
  recurring?: RecurrenceInput | null;

  @Field(() => NonNegativeIntScalar, {
    nullable: true,
    description: "Number of units that the price includes, for a UNIT_BASED or USAGE_BASED plan.",
  })
  basicServing?: number | null;

  @Field(() => [BundlePriceInput], {
    nullable: true,
    description: "Plan of each member of the bundle, for a BUNDLE plan. Replaces all stored plans.",
  })
  bundlePrices?: BundlePriceInput[] | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: "Amount that is added to the first payment of a BUNDLE plan, in the base currency.",
  })
  onetimeBundlePrice?: Amount | null;

  @Field(() => Int, {
    nullable: true,
    description: "Position among the product's plans, the smallest first. Defaults to 0.",
  })
  order?: number | null;

  @Field(() => Boolean, {
    nullable: true,
    description:
      "True makes this plan the product's main plan, whose price is shown if there is room for one. It replaces the current main plan.",
  })
  isRepresentative?: boolean | null;
}

@InputType({ description: "A price plan to create." })
export class CreatePricePlanInput extends PricePlanInput {
  @Field(() => ID, { description: "Global id or number of the product that the plan belongs to." })
  productId!: string;

  @Field(() => PricePlanType, {
    description: "Type of the plan. It cannot be changed later. Bundles require BUNDLE, and other products refuse it.",
  })
  type!: PricePlanType;

  @Field(() => NewPlanPresentationInput, { description: "Presentation of the plan." })
  plan!: NewPlanPresentationInput;

  @Field(() => [NewPriceOptionInput], { nullable: true, description: "Options of the plan in order, at most 50." })
  options?: NewPriceOptionInput[] | null;

  @Field(() => DecimalScalar, { description: "Price of one unit, in the base currency." })
  price!: Amount;
}

@InputType({ description: "Changes of a price plan. Absent fields keep their values." })
export class UpdatePricePlanInput extends PricePlanInput {
  @Field(() => ID, { description: "Global id or number of the plan." })
  id!: string;

  @Field(() => PlanPresentationInput, { nullable: true, description: "Presentation of the plan." })
  plan?: PlanPresentationInput | null;

  @Field(() => [PriceOptionInput], {
    nullable: true,
    description:
      "Options of the plan in order, at most 50. Replaces all stored options; options whose id is sent stay.",
  })
  options?: PriceOptionInput[] | null;

  @Field(() => DecimalScalar, { nullable: true, description: "Price of one unit, in the base currency." })
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
