import { amountOf, plain } from "../../src/kernel/amounts.ts";
import type { ChargeSettings } from "../../src/orders/pricing/order.extra-lines.ts";
import type { PricedItem } from "../../src/orders/pricing/order.line.ts";
import { orderLines } from "../../src/orders/pricing/order.line-builder.ts";
import type { PlanTerms } from "../../src/products/price-plans/price.terms.ts";
import { money, settings } from "./pricing-fixtures.ts";

const won = money();
/** Delivery costs 3000 won. */
export const won3000 = { useDeliveryCharge: true, deliveryChargeType: "FIXED" } as const;

/** The lines of an order of these items. */
export const linesOf = (
  items: PricedItem[],
  told: Partial<ChargeSettings> = {},
  discount: number | null = null,
  paid = won,
) => orderLines(items, settings(told), paid, discount === null ? null : amountOf(discount));

/** Type and amount of each line, with the line that it reduces or taxes. */
export const told = (...asked: Parameters<typeof linesOf>): string[] =>
  linesOf(...asked).map(
    ({ type, amount, related }) => `${type} ${plain(amount)}${related === null ? "" : ` of ${related}`}`,
  );

/** A first purchase costs so much less. */
export const firstSale = (price: number, enabled = true): Partial<PlanTerms> => ({
  firstSale: { enabled, price: amountOf(price), currencyPrice: {} },
});
/** A fee of a plan. */
export const fee = (
  type: "INITIALLY" | "PERIODIC",
  claimMethodType: "PRE" | "POST" = "PRE",
  price = 5_000,
): Partial<PlanTerms> => ({
  setupOption: { name: "Installation", type, price: amountOf(price), currencyPrice: {}, claimMethodType },
});
/** A plan is charged after its period. */
export const postpaid: Partial<PlanTerms> = {
  claim: { methodType: "POST", whenToClaimType: null, billingDate: null, provideStartDay: null },
};
