import { describe, expect, test } from "vitest";
import { toAmount } from "../../../src/kernel/amounts.ts";
import {
  setupFee,
  firstSaleDiscount,
  priceLines,
  postpaid,
  formatLines,
  fixedDelivery,
} from "../../support/fixtures/order-line-fixtures.ts";
import { pricedItem, currencyTerms, thrownRefusalCode } from "../../support/fixtures/pricing-fixtures.ts";

describe("an invoice discount", () => {
  test("is divided among the charged lines, with the remainder on the last", () => {
    const items = [pricedItem(), pricedItem(setupFee("INITIALLY", "PRE", 10_000))];
    expect(formatLines(items, {}, 100)).toEqual([
      "SKU 10000",
      "SKU 10000",
      "FEE 10000",
      "DISCOUNT -33 of 0",
      "DISCOUNT -33 of 1",
      "DISCOUNT -34 of 2",
    ]);
    expect(priceLines(items, {}, 100)[3]).toMatchObject({ discountName: "Invoice", orderedProductName: "Journal" });
  });

  test("reduces the amounts after first-purchase discounts, and no free line", () => {
    const free = pricedItem({ price: toAmount(0) });
    const reduced = pricedItem(firstSaleDiscount(9_000), { firstPurchase: true });
    expect(formatLines([free, reduced, pricedItem({ price: toAmount(3_000) })], {}, 400)).toEqual([
      "SKU 0",
      "SKU 10000",
      "DISCOUNT -9000 of 1",
      "SKU 3000",
      "DISCOUNT -100 of 1",
      "DISCOUNT -300 of 3",
    ]);
  });

  test("may equal the charged amount, and not exceed it; delivery is not included", () => {
    const items = [pricedItem({}, { productType: "BOX" })];
    expect(formatLines(items, fixedDelivery, 10_000)).toEqual(["SKU 10000", "DISCOUNT -10000 of 0", "SHIPPING 3000"]);
    expect(thrownRefusalCode(() => formatLines(items, fixedDelivery, 10_001))).toBe("DISCOUNT_TOO_HIGH");
    expect(() => formatLines(items, fixedDelivery, 10_001)).toThrow(
      "The discount of 10001 KRW is larger than the amount of 10000 that it reduces.",
    );
    expect(thrownRefusalCode(() => formatLines([pricedItem({ price: toAmount(0) })], {}, 1))).toBe("DISCOUNT_TOO_HIGH");
  });

  test("is rounded like the charged amount", () => {
    expect(formatLines([pricedItem()], {}, 99.5)).toEqual(["SKU 10000", "DISCOUNT -100 of 0"]);
    expect(formatLines([pricedItem()], {}, 10_000.4)).toEqual(["SKU 10000", "DISCOUNT -10000 of 0"]);
  });
});

describe("delivery", () => {
  const box = (price: number) => pricedItem({ price: toAmount(price) }, { productType: "BOX" });
  const over = { useDeliveryCharge: true, deliveryChargeType: "FREE_OVER_AMOUNT" } as const;

  test("is charged once, for shipped goods", () => {
    expect(formatLines([box(1), pricedItem(), box(2)], fixedDelivery)).toEqual([
      "SKU 1",
      "SKU 10000",
      "SKU 2",
      "SHIPPING 3000",
    ]);
    expect(formatLines([pricedItem()], fixedDelivery)).toEqual(["SKU 10000"]);
    const [, delivery] = priceLines([box(1)], fixedDelivery);
    expect(delivery).toMatchObject({ item: null, orderedProductName: "Delivery", quantity: 1 });
  });

  test("is free when the vendor's settings say so", () => {
    expect(formatLines([box(1)], { ...fixedDelivery, deliveryChargeType: "FREE" })).toEqual(["SKU 1"]);
    expect(formatLines([box(1)], { ...fixedDelivery, useDeliveryCharge: false })).toEqual(["SKU 1"]);
    expect(formatLines([box(1)], { ...fixedDelivery, defaultDeliveryCharge: toAmount(0) })).toEqual(["SKU 1"]);
  });

  test("is free from the vendor's amount on, after discounts", () => {
    expect(formatLines([box(49_999)], over)).toEqual(["SKU 49999", "SHIPPING 3000"]);
    expect(formatLines([box(50_000)], over)).toEqual(["SKU 50000"]);
    expect(formatLines([box(40_000), pricedItem()], over)).toEqual(["SKU 40000", "SKU 10000"]);
    expect(formatLines([box(50_000)], over, 1)).toContain("SHIPPING 3000");
  });

  test("is charged by the rate in another currency", () => {
    const dollars = currencyTerms("USD", "0.00075");
    const own = pricedItem({ currencyPrice: { USD: toAmount(9) } }, { productType: "BOX" });
    expect(formatLines([own], fixedDelivery, null, dollars)).toEqual(["SKU 9", "SHIPPING 2.25"]);
    expect(formatLines([own], over, null, dollars)).toEqual(["SKU 9", "SHIPPING 2.25"]);
    expect(thrownRefusalCode(() => formatLines([own], fixedDelivery, null, currencyTerms("USD")))).toBe(
      "NO_EXCHANGE_RATE",
    );
  });

  test("is not charged when no cycle begins", () => {
    const last = { ...box(1), terms: { ...box(1).terms, ...postpaid }, starts: null, ends: 3 };
    expect(formatLines([last], fixedDelivery)).toEqual(["SKU 1"]);
  });
});

describe("tax", () => {
  const excluded = { vatIncluded: false } as const;

  test("is one line for each charged line, after discounts, when prices exclude it", () => {
    const items = [
      pricedItem(
        { ...firstSaleDiscount(1_000), ...setupFee("INITIALLY") },
        { firstPurchase: true, productType: "BOX" },
      ),
      pricedItem({ price: toAmount(0) }),
    ];
    expect(formatLines(items, { ...excluded, ...fixedDelivery }, 1_400)).toEqual([
      "SKU 10000",
      "FEE 5000",
      "DISCOUNT -1000 of 0",
      "SKU 0",
      "DISCOUNT -900 of 0",
      "DISCOUNT -500 of 1",
      "SHIPPING 3000",
      "TAX 810 of 0",
      "TAX 450 of 1",
      "TAX 300 of 6",
    ]);
  });

  test("is in the price when prices include it", () => {
    expect(formatLines([pricedItem()])).toEqual(["SKU 10000"]);
  });

  test("is rounded half up, line by line", () => {
    const five = pricedItem({ price: toAmount(5) });
    expect(formatLines([five, five], excluded)).toEqual(["SKU 5", "SKU 5", "TAX 1 of 0", "TAX 1 of 1"]);
    expect(formatLines([pricedItem({ price: toAmount(4) })], excluded)).toEqual(["SKU 4"]);
    expect(
      formatLines([pricedItem({ price: toAmount(10_000) })], { ...excluded, vatRate: toAmount("7.75") }),
    ).toContain("TAX 775 of 0");
  });

  test("is a setting of the vendor", () => {
    expect(formatLines([pricedItem()], { ...excluded, vatRate: toAmount(0) })).toEqual(["SKU 10000"]);
  });
});
