import type { AdditionalBillingType } from "../../schema/vocabulary.ts";
import type { ChargeSettings } from "../../src/orders/pricing/order.extra-lines.ts";
import type { PricedItem } from "../../src/orders/pricing/order.line.ts";
import { amountOf } from "../../src/kernel/amounts.ts";
import { Refusal } from "../../src/kernel/refusals.ts";
import { moneyOf, type Money } from "../../src/products/price-plans/price.currency.ts";
import type { PlanTerms } from "../../src/products/price-plans/price.terms.ts";

/** The terms of a monthly plan at 10000, with what is told besides. */
export const plan = (told: Partial<PlanTerms> = {}): PlanTerms => ({
  type: "FLAT",
  price: amountOf(10_000),
  currencyPrice: {},
  volumes: [],
  additionalBilling: null,
  setupOption: null,
  firstSale: { enabled: false, price: amountOf(0), currencyPrice: {} },
  claim: { methodType: "PRE", whenToClaimType: null, billingDate: null, provideStartDay: null },
  basicServing: 0,
  maximumPurchaseQuantity: 0,
  onetimeBundlePrice: amountOf(0),
  recurring: { interval: "MONTH", intervalCount: 1, aggregateUsageType: null, usageType: null },
  ...told,
});

/** Ranges by their ends (null for none) and prices. */
const ranges = (
  type: AdditionalBillingType,
  ...list: [until: number | null, price: string | number][]
): NonNullable<PlanTerms["additionalBilling"]> => ({
  type,
  ranges: list.map(([until, price]) => ({ until, price: amountOf(price) })),
});

export const graduated = ranges.bind(null, "USAGE_BASED_WITH_RANGE");
export const fixed = ranges.bind(null, "USAGE_BASED_WITH_RANGE_AND_FIXED_PRICE");

/** An item of one, with what is told besides. */
export const item = (terms: Partial<PlanTerms> = {}, told: Partial<PricedItem> = {}): PricedItem => ({
  terms: plan(terms),
  productName: "Journal",
  productType: "SOFTWARE",
  quantity: 1,
  ...told,
});

/** Money in the base currency, or in another by a rate. */
export const money = (currency = "KRW", rate: string | null = null, baseCurrency = "KRW"): Money =>
  moneyOf(
    { currency: baseCurrency, paymentAmountScale: null, rates: rate === null ? {} : { [currency]: amountOf(rate) } },
    currency,
  );

/** A vendor whose prices include tax, and who charges nothing for delivery. */
export const settings = (told: Partial<ChargeSettings> = {}): ChargeSettings => ({
  vatIncluded: true,
  vatRate: amountOf(10),
  useDeliveryCharge: false,
  deliveryChargeType: "FREE",
  defaultDeliveryCharge: amountOf(3_000),
  freeShipOverAmount: amountOf(50_000),
  ...told,
});

/** The code that a call is refused with; "none" where it is not. */
export function refusalOf(call: () => unknown): string {
  try {
    call();
    return "none";
  } catch (error) {
    if (error instanceof Refusal) return error.code;
    throw error;
  }
}
