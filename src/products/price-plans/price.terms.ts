import type {
  AdditionalBillingType,
  AggregateUsageType,
  ClaimMethodType,
  PricePlanType,
  RecurringInterval,
  SetupOptionType,
  UsageType,
  WhenToClaimType,
} from "../../../schema/vocabulary.ts";
import { toAmount, ZERO, type Amount } from "../../kernel/amounts.ts";

/** Amounts by ISO 4217 code, for currencies other than the base. */
export type CurrencyPrice = Readonly<Record<string, Amount>>;

/** A range of quantities; both ends are in it, null is no end. */
export interface VolumeRange {
  min: number;
  max: number | null;
  price: Amount;
}

/** A range of units, from the end of the one before; null is no end. */
export interface UnitRange {
  until: number | null;
  price: Amount;
}

/** The prices of a plan, and when they are due. Amounts without a currency are in the vendor's base currency. */
export interface PlanTerms {
  type: PricePlanType;
  price: Amount;
  currencyPrice: CurrencyPrice;
  volumes: readonly VolumeRange[];
  additionalBilling: { type: AdditionalBillingType; ranges: readonly UnitRange[] } | null;
  setupOption: {
    name: string;
    type: SetupOptionType;
    price: Amount;
    currencyPrice: CurrencyPrice;
    claimMethodType: ClaimMethodType;
  } | null;
  firstSale: { enabled: boolean; price: Amount; currencyPrice: CurrencyPrice };
  claim: {
    methodType: ClaimMethodType;
    whenToClaimType: WhenToClaimType | null;
    billingDate: number | null;
    provideStartDay: number | null;
  };
  /** Units that the price includes. */
  basicServing: number;
  /** 0 is no limit. */
  maximumPurchaseQuantity: number;
  onetimeBundlePrice: Amount;
  recurring: {
    interval: RecurringInterval;
    intervalCount: number;
    aggregateUsageType: AggregateUsageType | null;
    usageType: UsageType | null;
  } | null;
}

type StoredAmounts = Readonly<Record<string, string>>;

/** A plan as stored: flat, with amounts within JSON as decimal strings. */
export interface StoredPlan {
  type: PricePlanType;
  price: Amount;
  currencyPrice: StoredAmounts;
  volumes: readonly { min: number; max: number | null; price: string }[];
  additionalBillingType: AdditionalBillingType | null;
  additionalBillingRanges: readonly { until: number | null; price: string }[];
  setupOptionName: string | null;
  setupOptionType: SetupOptionType | null;
  setupOptionPrice: Amount | null;
  setupOptionCurrencyPrice: StoredAmounts;
  setupOptionClaimMethodType: ClaimMethodType | null;
  firstSaleEnabled: boolean;
  firstSalePrice: Amount;
  firstSaleCurrencyPrice: StoredAmounts;
  claimMethodType: ClaimMethodType;
  whenToClaimType: WhenToClaimType | null;
  billingDate: number | null;
  provideStartDay: number | null;
  basicServing: number;
  maximumPurchaseQuantity: number;
  onetimeBundlePrice: Amount;
  recurringInterval: RecurringInterval | null;
  recurringIntervalCount: number | null;
  aggregateUsageType: AggregateUsageType | null;
  usageType: UsageType | null;
}

/** The terms of a stored plan. */
export function toPlanTerms(plan: StoredPlan): PlanTerms {
  return {
    type: plan.type,
    price: plan.price,
    currencyPrice: toAmounts(plan.currencyPrice),
    volumes: plan.volumes.map(({ min, max, price }) => ({ min, max, price: toAmount(price) })),
    additionalBilling: plan.additionalBillingType && {
      type: plan.additionalBillingType,
      ranges: plan.additionalBillingRanges.map(({ until, price }) => ({ until, price: toAmount(price) })),
    },
    setupOption: plan.setupOptionType && {
      name: plan.setupOptionName ?? "",
      type: plan.setupOptionType,
      price: plan.setupOptionPrice ?? ZERO,
      currencyPrice: toAmounts(plan.setupOptionCurrencyPrice),
      claimMethodType: plan.setupOptionClaimMethodType ?? "PRE",
    },
    firstSale: {
      enabled: plan.firstSaleEnabled,
      price: plan.firstSalePrice,
      currencyPrice: toAmounts(plan.firstSaleCurrencyPrice),
    },
    claim: {
      methodType: plan.claimMethodType,
      whenToClaimType: plan.whenToClaimType,
      billingDate: plan.billingDate,
      provideStartDay: plan.provideStartDay,
    },
    basicServing: plan.basicServing,
    maximumPurchaseQuantity: plan.maximumPurchaseQuantity,
    onetimeBundlePrice: plan.onetimeBundlePrice,
    recurring: plan.recurringInterval && {
      interval: plan.recurringInterval,
      intervalCount: plan.recurringIntervalCount ?? 1,
      aggregateUsageType: plan.aggregateUsageType,
      usageType: plan.usageType,
    },
  };
}

const toAmounts = (stored: StoredAmounts): CurrencyPrice =>
  Object.fromEntries(Object.entries(stored).map(([currency, amount]) => [currency, toAmount(amount)]));
