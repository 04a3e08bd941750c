import { toAmount, toPlainString } from "../../src/kernel/amounts.ts";
import type { ChargeSettings } from "../../src/orders/pricing/order.extra-lines.ts";
import type { PricedItem } from "../../src/orders/pricing/order.line.ts";
import { buildOrderLines } from "../../src/orders/pricing/order.line-builder.ts";
import type { PlanTerms } from "../../src/products/price-plans/price.terms.ts";
import { currencyTerms, chargeSettings } from "./pricing-fixtures.ts";

const krwTerms = currencyTerms();
/** Delivery costs 3000 won. */
export const fixedDelivery = { useDeliveryCharge: true, deliveryChargeType: "FIXED" } as const;

/** The lines of an order of these items. */
export const priceLines = (
  items: PricedItem[],
  overrides: Partial<ChargeSettings> = {},
  discount: number | null = null,
  paid = krwTerms,
) => buildOrderLines(items, chargeSettings(overrides), paid, discount === null ? null : toAmount(discount));

/** Type and amount of each line, with the line that it reduces or taxes. */
export const formatLines = (...asked: Parameters<typeof priceLines>): string[] =>
  priceLines(...asked).map(
    ({ type, amount, related }) => `${type} ${toPlainString(amount)}${related === null ? "" : ` of ${related}`}`,
  );

/** A discount for the first purchase. */
export const firstSaleDiscount = (price: number, enabled = true): Partial<PlanTerms> => ({
  firstSale: { enabled, price: toAmount(price), currencyPrice: {} },
});
/** A fee of a plan. */
export const setupFee = (
  type: "INITIALLY" | "PERIODIC",
  claimMethodType: "PRE" | "POST" = "PRE",
  price = 5_000,
): Partial<PlanTerms> => ({
  setupOption: { name: "Installation", type, price: toAmount(price), currencyPrice: {}, claimMethodType },
});
/** Makes a plan postpaid: it is charged after its period. */
export const postpaid: Partial<PlanTerms> = {
  claim: { methodType: "POST", whenToClaimType: null, billingDate: null, provideStartDay: null },
};
