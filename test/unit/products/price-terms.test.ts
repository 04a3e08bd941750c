import { expect, test } from "vitest";
import type { pricePlans } from "../../../schema/tables/index.ts";
import { toAmount } from "../../../src/kernel/amounts.ts";
import { toPlanTerms } from "../../../src/products/price-plans/price.terms.ts";

const row: typeof pricePlans.$inferSelect = {
  vendorId: 1,
  id: 2,
  code: "price_123456789",
  productId: 3,
  type: "USAGE_BASED",
  price: toAmount(9_900),
  currencyPrice: { USD: "9.99" },
  unit: "MB",
  planName: "Plan",
  planDescription: "",
  planDetailDescription: "",
  planIsHiddenFromShop: false,
  planAdminName: "",
  firstSaleEnabled: true,
  firstSalePrice: toAmount(1_000),
  firstSaleCurrencyPrice: { USD: "1" },
  claimMethodType: "POST",
  whenToClaimType: "DATE",
  billingDate: 5,
  provideStartDay: 1,
  maximumPurchaseQuantity: 10,
  membershipExpirationDate: 1,
  membershipExpirationDateType: "YEAR",
  expiryRecurringCount: 12,
  setupOptionName: "Installation",
  setupOptionType: "INITIALLY",
  setupOptionPrice: toAmount(5_000),
  setupOptionCurrencyPrice: { USD: "5.5" },
  setupOptionClaimMethodType: "PRE",
  volumes: [{ id: 1, min: 1, max: null, price: "0.5" }],
  additionalBillingType: "USAGE_BASED_WITH_RANGE",
  additionalBillingRanges: [{ id: 1, until: null, price: "10" }],
  recurringInterval: "MONTH",
  recurringIntervalCount: 3,
  aggregateUsageType: "SUM",
  usageType: "METERED",
  basicServing: 100,
  onetimeBundlePrice: toAmount(0),
  order: 0,
  isRepresentative: false,
  createdAt: new Date(0),
  modifiedAt: new Date(0),
};

test("a stored plan has terms", () => {
  expect(toPlanTerms(row)).toEqual({
    type: "USAGE_BASED",
    price: toAmount(9_900),
    currencyPrice: { USD: toAmount("9.99") },
    volumes: [{ min: 1, max: null, price: toAmount("0.5") }],
    additionalBilling: { type: "USAGE_BASED_WITH_RANGE", ranges: [{ until: null, price: toAmount(10) }] },
    setupOption: {
      name: "Installation",
      type: "INITIALLY",
      price: toAmount(5_000),
      currencyPrice: { USD: toAmount("5.5") },
      claimMethodType: "PRE",
    },
    firstSale: { enabled: true, price: toAmount(1_000), currencyPrice: { USD: toAmount(1) } },
    claim: { methodType: "POST", whenToClaimType: "DATE", billingDate: 5, provideStartDay: 1 },
    basicServing: 100,
    maximumPurchaseQuantity: 10,
    onetimeBundlePrice: toAmount(0),
    recurring: { interval: "MONTH", intervalCount: 3, aggregateUsageType: "SUM", usageType: "METERED" },
  });
});

test("fields that a stored plan lacks are absent from its terms", () => {
  const bare = {
    ...row,
    setupOptionType: null,
    setupOptionName: null,
    setupOptionPrice: null,
    additionalBillingType: null,
    recurringInterval: null,
    recurringIntervalCount: null,
  };
  expect(toPlanTerms(bare)).toMatchObject({ setupOption: null, additionalBilling: null, recurring: null });
});
