import { describe, expect, test } from "vitest";
import { toAmount, toPlainString } from "../../../src/kernel/amounts.ts";
import type { ChargeSettings } from "../../../src/orders/pricing/order.extra-lines.ts";
import type { PricedItem } from "../../../src/orders/pricing/order.line.ts";
import { calculateTotalsByCurrency, calculateOrderTotals } from "../../../src/orders/pricing/order.totals.ts";
import type { PlanTerms } from "../../../src/products/price-plans/price.terms.ts";
import { firstSaleDiscount, priceLines, fixedDelivery } from "../../support/fixtures/order-line-fixtures.ts";
import { pricedItem, thrownRefusalCode, chargeSettings } from "../../support/fixtures/pricing-fixtures.ts";

describe("the totals", () => {
  test("are the sum of the lines, and of the discounts among them", () => {
    const items = [pricedItem(firstSaleDiscount(1_000), { firstPurchase: true }), pricedItem()];
    const { amount, discountedAmount } = calculateOrderTotals(priceLines(items, { vatIncluded: false }, 500));
    expect([toPlainString(amount), toPlainString(discountedAmount)]).toEqual(["20350", "1500"]);
  });

  test("of no lines are zero", () => {
    expect(calculateOrderTotals([])).toEqual({ amount: toAmount(0), discountedAmount: toAmount(0) });
  });

  test("are never below zero: that is a bug", () => {
    expect(() => calculateOrderTotals([{ type: "DISCOUNT", amount: toAmount(-1) }])).toThrow("Invariant broken");
  });
});

describe("the price in other currencies", () => {
  const own = (...currencies: [string, string][]): Partial<PlanTerms> => ({
    currencyPrice: Object.fromEntries(currencies.map(([currency, price]) => [currency, toAmount(price)])),
  });
  const priceOf = (
    items: PricedItem[],
    rates: Record<string, string> = {},
    charges: Partial<ChargeSettings> = {},
    discount: number | null = null,
    paymentAmountScale: number | null = null,
  ) =>
    Object.entries(
      calculateTotalsByCurrency(
        items,
        {
          ...chargeSettings(charges),
          currency: "KRW",
          paymentAmountScale,
          rates: Object.fromEntries(Object.entries(rates).map(([currency, rate]) => [currency, toAmount(rate)])),
        },
        discount === null ? null : toAmount(discount),
      ),
    ).map(([currency, amount]) => `${currency} ${toPlainString(amount)}`);

  test("exists for each in which all the plans have a price", () => {
    const one = pricedItem(own(["USD", "9.99"], ["EUR", "9"], ["KWD", "3.0005"]), { quantity: 2 });
    const other = pricedItem(own(["USD", "1.01"], ["KWD", "1"]));
    expect(priceOf([one])).toEqual(["USD 19.98", "EUR 18", "KWD 6.001"]);
    expect(priceOf([one, other])).toEqual(["USD 20.99", "KWD 7.001"]);
    expect(priceOf([one, pricedItem()])).toEqual([]);
    expect(priceOf([])).toEqual([]);
  });

  test("includes tax and delivery, the latter by the rate", () => {
    const one = pricedItem(own(["USD", "9.99"], ["EUR", "9"]), { productType: "BOX" });
    expect(priceOf([one], { USD: "0.00075" }, { ...fixedDelivery, vatIncluded: false })).toEqual(["USD 13.47"]);
  });

  test("does not exist when a discount or a price was given explicitly", () => {
    const one = pricedItem(own(["USD", "9.99"]));
    expect(priceOf([one], {}, {}, 1)).toEqual([]);
    expect(priceOf([one], {}, {}, 0)).toEqual(["USD 9.99"]);
    expect(priceOf([{ ...one, price: toAmount(1) }])).toEqual([]);
  });

  test("is rounded as the vendor charges", () => {
    expect(priceOf([pricedItem(own(["USD", "9.99"]))], {}, {}, null, 0)).toEqual(["USD 10"]);
  });

  test("refuses every order that is refused itself", () => {
    const unpriced = pricedItem({ type: "VOLUME_BASED", ...own(["USD", "1"]) });
    expect(thrownRefusalCode(() => priceOf([unpriced]))).toBe("QUANTITY_NOT_PRICED");
  });
});
