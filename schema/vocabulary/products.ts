import { enumOf } from "./words.ts";

/** Kinds of product. */
export const ProductType = enumOf("BOX", "SOFTWARE", "BUNDLE", "INVOICE", "DRAFT");
export type ProductType = keyof typeof ProductType;

/** States of a product. */
export const ProductStatus = enumOf("SALE", "OUT_OF_STOCK", "UNSOLD", "WAITING_APPROVAL", "REJECTED");
export type ProductStatus = keyof typeof ProductStatus;

/** The pricing model of a price plan. */
export const PricePlanType = enumOf("ONE_TIME", "FLAT", "UNIT_BASED", "USAGE_BASED", "VOLUME_BASED", "BUNDLE");
export type PricePlanType = keyof typeof PricePlanType;

/** Whether a plan is charged before or after its period. */
export const ClaimMethodType = enumOf("PRE", "POST");
export type ClaimMethodType = keyof typeof ClaimMethodType;

/** On which day a postpaid plan is charged. */
export const WhenToClaimType = enumOf("FIRST_PAYMENT", "DATE");
export type WhenToClaimType = keyof typeof WhenToClaimType;

/** The frequency of a set-up or base fee, or a priced option. */
export const SetupOptionType = enumOf("INITIALLY", "PERIODIC");
export type SetupOptionType = keyof typeof SetupOptionType;

/** The counting of a usage price's ranges. */
export const AdditionalBillingType = enumOf("USAGE_BASED_WITH_RANGE", "USAGE_BASED_WITH_RANGE_AND_FIXED_PRICE");
export type AdditionalBillingType = keyof typeof AdditionalBillingType;

/** The aggregation of a cycle's usage records. */
export const AggregateUsageType = enumOf("SUM", "MAX", "LAST_DURING_PERIOD", "LAST_EVER");
export type AggregateUsageType = keyof typeof AggregateUsageType;

/** Whether a plan is charged for allowed units or for used units. */
export const UsageType = enumOf("LICENSED", "METERED");
export type UsageType = keyof typeof UsageType;
