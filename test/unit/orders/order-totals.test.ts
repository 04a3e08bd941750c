import { describe, expect, test } from "vitest";
import { amountOf, plain } from "../../../src/kernel/amounts.ts";
import type { ChargeSettings } from "../../../src/orders/pricing/order.extra-lines.ts";
import type { PricedItem } from "../../../src/orders/pricing/order.line.ts";
import { orderCurrencyPrice, orderTotals } from "../../../src/orders/pricing/order.totals.ts";
import type { PlanTerms } from "../../../src/products/price-plans/price.terms.ts";
import { firstSale, linesOf, won3000 } from "../../support/order-line-fixtures.ts";
import { item, refusalOf, settings } from "../../support/pricing-fixtures.ts";

describe("the totals", () => {
  test("are the sum of the lines, and of the discounts among them", () => {
    const items = [item(firstSale(1_000), { firstPurchase: true }), item()];
    const { amount, discountedAmount } = orderTotals(linesOf(items, { vatIncluded: false }, 500));
    expect([plain(amount), plain(discountedAmount)]).toEqual(["20350", "1500"]);
  });

  test("of no line are nothing", () => {
    expect(orderTotals([])).toEqual({ amount: amountOf(0), discountedAmount: amountOf(0) });
  });

  test("never lie below zero: that is a bug", () => {
    expect(() => orderTotals([{ type: "DISCOUNT", amount: amountOf(-1) }])).toThrow("Invariant broken");
  });
});

describe("the price in other currencies", () => {
  const own = (...currencies: [string, string][]): Partial<PlanTerms> => ({
    currencyPrice: Object.fromEntries(currencies.map(([currency, price]) => [currency, amountOf(price)])),
  });
  const priceOf = (
    items: PricedItem[],
    rates: Record<string, string> = {},
    charges: Partial<ChargeSettings> = {},
    discount: number | null = null,
    paymentAmountScale: number | null = null,
  ) =>
    Object.entries(
      orderCurrencyPrice(
        items,
        {
          ...settings(charges),
          currency: "KRW",
          paymentAmountScale,
          rates: Object.fromEntries(Object.entries(rates).map(([currency, rate]) => [currency, amountOf(rate)])),
        },
        discount === null ? null : amountOf(discount),
      ),
    ).map(([currency, amount]) => `${currency} ${plain(amount)}`);

  test("is there for each that all the plans have a price in", () => {
    const one = item(own(["USD", "9.99"], ["EUR", "9"], ["KWD", "3.0005"]), { quantity: 2 });
    const other = item(own(["USD", "1.01"], ["KWD", "1"]));
    expect(priceOf([one])).toEqual(["USD 19.98", "EUR 18", "KWD 6.001"]);
    expect(priceOf([one, other])).toEqual(["USD 20.99", "KWD 7.001"]);
    expect(priceOf([one, item()])).toEqual([]);
    expect(priceOf([])).toEqual([]);
  });

  test("has tax and delivery in it, the latter by the rate", () => {
    const one = item(own(["USD", "9.99"], ["EUR", "9"]), { productType: "BOX" });
    expect(priceOf([one], { USD: "0.00075" }, { ...won3000, vatIncluded: false })).toEqual(["USD 13.47"]);
  });

  test("is none where a discount or a price was given by hand", () => {
    const one = item(own(["USD", "9.99"]));
    expect(priceOf([one], {}, {}, 1)).toEqual([]);
    expect(priceOf([one], {}, {}, 0)).toEqual(["USD 9.99"]);
    expect(priceOf([{ ...one, price: amountOf(1) }])).toEqual([]);
  });

  test("is rounded as the vendor charges", () => {
    expect(priceOf([item(own(["USD", "9.99"]))], {}, {}, null, 0)).toEqual(["USD 10"]);
  });

  test("refuses what the order itself is refused for", () => {
    const unpriced = item({ type: "VOLUME_BASED", ...own(["USD", "1"]) });
    expect(refusalOf(() => priceOf([unpriced]))).toBe("QUANTITY_NOT_PRICED");
  });
});
