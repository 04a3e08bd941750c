import type { AdditionalBillingType } from "../../schema/vocabulary.ts";
import type { ChargeSettings } from "../../src/orders/pricing/order.extra-lines.ts";
import type { PricedItem } from "../../src/orders/pricing/order.line.ts";
import { toAmount } from "../../src/kernel/amounts.ts";
import { Refusal } from "../../src/kernel/refusals.ts";
import { toPaymentCurrency, type PaymentCurrency } from "../../src/products/price-plans/price.currency.ts";
import type { PlanTerms } from "../../src/products/price-plans/price.terms.ts";

/** The terms of a monthly plan at 10000, with the given overrides. */
export const planTerms = (overrides: Partial<PlanTerms> = {}): PlanTerms => ({
  type: "FLAT",
  price: toAmount(10_000),
  currencyPrice: {},
  volumes: [],
  additionalBilling: null,
  setupOption: null,
  firstSale: { enabled: false, price: toAmount(0), currencyPrice: {} },
  claim: { methodType: "PRE", whenToClaimType: null, billingDate: null, provideStartDay: null },
  basicServing: 0,
  maximumPurchaseQuantity: 0,
  onetimeBundlePrice: toAmount(0),
  recurring: { interval: "MONTH", intervalCount: 1, aggregateUsageType: null, usageType: null },
  ...overrides,
});

/** Ranges by their ends (null for none) and prices. */
const billingRanges = (
  type: AdditionalBillingType,
  ...list: [until: number | null, price: string | number][]
): NonNullable<PlanTerms["additionalBilling"]> => ({
  type,
  ranges: list.map(([until, price]) => ({ until, price: toAmount(price) })),
});

export const graduatedRanges = billingRanges.bind(null, "USAGE_BASED_WITH_RANGE");
export const fixedPriceRanges = billingRanges.bind(null, "USAGE_BASED_WITH_RANGE_AND_FIXED_PRICE");

/** An item of quantity one, with the given overrides. */
export const pricedItem = (terms: Partial<PlanTerms> = {}, overrides: Partial<PricedItem> = {}): PricedItem => ({
  terms: planTerms(terms),
  productName: "Journal",
  productType: "SOFTWARE",
  quantity: 1,
  ...overrides,
});

/** Money in the base currency, or in another by a rate. */
export const currencyTerms = (currency = "KRW", rate: string | null = null, baseCurrency = "KRW"): PaymentCurrency =>
  toPaymentCurrency(
    { currency: baseCurrency, paymentAmountScale: null, rates: rate === null ? {} : { [currency]: toAmount(rate) } },
    currency,
  );

/** A vendor whose prices include tax, and who charges nothing for delivery. */
export const chargeSettings = (overrides: Partial<ChargeSettings> = {}): ChargeSettings => ({
  vatIncluded: true,
  vatRate: toAmount(10),
  useDeliveryCharge: false,
  deliveryChargeType: "FREE",
  defaultDeliveryCharge: toAmount(3_000),
  freeShipOverAmount: toAmount(50_000),
  ...overrides,
});

/** The code of a call's refusal; "none" if it succeeds. */
export function thrownRefusalCode(call: () => unknown): string {
  try {
    call();
    return "none";
  } catch (error) {
    if (error instanceof Refusal) return error.code;
    throw error;
  }
}
