import { describe, expect, test } from "vitest";
import { amountOf } from "../../../src/kernel/amounts.ts";
import { fee, firstSale, linesOf, postpaid, told, won3000 } from "../../support/order-line-fixtures.ts";
import { item, money, refusalOf } from "../../support/pricing-fixtures.ts";

describe("an invoice discount", () => {
  test("is shared among what is charged, the remainder on the last", () => {
    const items = [item(), item(fee("INITIALLY", "PRE", 10_000))];
    expect(told(items, {}, 100)).toEqual([
      "SKU 10000",
      "SKU 10000",
      "FEE 10000",
      "DISCOUNT -33 of 0",
      "DISCOUNT -33 of 1",
      "DISCOUNT -34 of 2",
    ]);
    expect(linesOf(items, {}, 100)[3]).toMatchObject({ discountName: "Invoice", orderedProductName: "Journal" });
  });

  test("reduces what first-purchase discounts leave, and nothing that is free", () => {
    const free = item({ price: amountOf(0) });
    const reduced = item(firstSale(9_000), { firstPurchase: true });
    expect(told([free, reduced, item({ price: amountOf(3_000) })], {}, 400)).toEqual([
      "SKU 0",
      "SKU 10000",
      "DISCOUNT -9000 of 1",
      "SKU 3000",
      "DISCOUNT -100 of 1",
      "DISCOUNT -300 of 3",
    ]);
  });

  test("may be all that is charged, and not more; delivery is no part of it", () => {
    const items = [item({}, { productType: "BOX" })];
    expect(told(items, won3000, 10_000)).toEqual(["SKU 10000", "DISCOUNT -10000 of 0", "SHIPPING 3000"]);
    expect(refusalOf(() => told(items, won3000, 10_001))).toBe("DISCOUNT_TOO_HIGH");
    expect(() => told(items, won3000, 10_001)).toThrow(
      "The discount of 10001 KRW is more than the 10000 that it is taken from.",
    );
    expect(refusalOf(() => told([item({ price: amountOf(0) })], {}, 1))).toBe("DISCOUNT_TOO_HIGH");
  });

  test("is rounded as what is charged", () => {
    expect(told([item()], {}, 99.5)).toEqual(["SKU 10000", "DISCOUNT -100 of 0"]);
    expect(told([item()], {}, 10_000.4)).toEqual(["SKU 10000", "DISCOUNT -10000 of 0"]);
  });
});

describe("delivery", () => {
  const box = (price: number) => item({ price: amountOf(price) }, { productType: "BOX" });
  const over = { useDeliveryCharge: true, deliveryChargeType: "FREE_OVER_AMOUNT" } as const;

  test("is charged once, for shipped goods", () => {
    expect(told([box(1), item(), box(2)], won3000)).toEqual(["SKU 1", "SKU 10000", "SKU 2", "SHIPPING 3000"]);
    expect(told([item()], won3000)).toEqual(["SKU 10000"]);
    const [, delivery] = linesOf([box(1)], won3000);
    expect(delivery).toMatchObject({ item: null, orderedProductName: "Delivery", quantity: 1 });
  });

  test("is free where the vendor says so", () => {
    expect(told([box(1)], { ...won3000, deliveryChargeType: "FREE" })).toEqual(["SKU 1"]);
    expect(told([box(1)], { ...won3000, useDeliveryCharge: false })).toEqual(["SKU 1"]);
    expect(told([box(1)], { ...won3000, defaultDeliveryCharge: amountOf(0) })).toEqual(["SKU 1"]);
  });

  test("is free from the vendor's amount on, after discounts", () => {
    expect(told([box(49_999)], over)).toEqual(["SKU 49999", "SHIPPING 3000"]);
    expect(told([box(50_000)], over)).toEqual(["SKU 50000"]);
    expect(told([box(40_000), item()], over)).toEqual(["SKU 40000", "SKU 10000"]);
    expect(told([box(50_000)], over, 1)).toContain("SHIPPING 3000");
  });

  test("is charged by the rate in another currency", () => {
    const dollars = money("USD", "0.00075");
    const own = item({ currencyPrice: { USD: amountOf(9) } }, { productType: "BOX" });
    expect(told([own], won3000, null, dollars)).toEqual(["SKU 9", "SHIPPING 2.25"]);
    expect(told([own], over, null, dollars)).toEqual(["SKU 9", "SHIPPING 2.25"]);
    expect(refusalOf(() => told([own], won3000, null, money("USD")))).toBe("NO_EXCHANGE_RATE");
  });

  test("is not charged when no cycle begins", () => {
    const last = { ...box(1), terms: { ...box(1).terms, ...postpaid }, starts: null, ends: 3 };
    expect(told([last], won3000)).toEqual(["SKU 1"]);
  });
});

describe("tax", () => {
  const excluded = { vatIncluded: false } as const;

  test("is a line for each that is charged, after discounts, where prices exclude it", () => {
    const items = [
      item({ ...firstSale(1_000), ...fee("INITIALLY") }, { firstPurchase: true, productType: "BOX" }),
      item({ price: amountOf(0) }),
    ];
    expect(told(items, { ...excluded, ...won3000 }, 1_400)).toEqual([
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

  test("is in the price where prices include it", () => {
    expect(told([item()])).toEqual(["SKU 10000"]);
  });

  test("is rounded half up, line by line", () => {
    const five = item({ price: amountOf(5) });
    expect(told([five, five], excluded)).toEqual(["SKU 5", "SKU 5", "TAX 1 of 0", "TAX 1 of 1"]);
    expect(told([item({ price: amountOf(4) })], excluded)).toEqual(["SKU 4"]);
    expect(told([item({ price: amountOf(10_000) })], { ...excluded, vatRate: amountOf("7.75") })).toContain(
      "TAX 775 of 0",
    );
  });

  test("is for the vendor to set", () => {
    expect(told([item()], { ...excluded, vatRate: amountOf(0) })).toEqual(["SKU 10000"]);
  });
});
