import { describe, expect, test } from "vitest";
import { toAmount, toPlainString } from "../../../src/kernel/amounts.ts";
import {
  setupFee,
  firstSaleDiscount,
  priceLines,
  postpaid,
  formatLines,
  fixedDelivery,
} from "../../support/fixtures/order-line-fixtures.ts";
import { graduatedRanges, pricedItem } from "../../support/fixtures/pricing-fixtures.ts";

describe("an item", () => {
  test("is one line", () => {
    const journal = pricedItem({}, { quantity: 3, optionPrice: toAmount(500) });
    const lines = priceLines([journal]);
    expect(lines).toEqual([
      {
        type: "SKU",
        item: journal,
        amount: toAmount(31_500),
        quantity: 3,
        unitPrice: toAmount(10_500),
        orderedProductName: "Journal",
        discountName: null,
        priceSetupType: null,
        demoCycle: null,
        usedCount: null,
        unitCount: null,
        usageFormula: null,
        related: null,
        parent: null,
      },
    ]);
    expect(lines[0]!.item).toBe(journal);
  });

  test("on trial costs nothing, whatever its price, and shows the length of the trial", () => {
    const trial = { num: 14, type: "DAY" } as const;
    const lines = priceLines(
      [
        pricedItem(
          { ...firstSaleDiscount(1_000), ...setupFee("INITIALLY") },
          { trial, firstPurchase: true, productType: "BOX", quantity: 2 },
        ),
      ],
      { ...fixedDelivery, vatIncluded: false },
    );
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({ type: "SKU", demoCycle: trial, unitPrice: toAmount(10_000), quantity: 2 });
    expect(toPlainString(lines[0]!.amount)).toBe("0");
  });
});

describe("a fee", () => {
  test.each<[string, "INITIALLY" | "PERIODIC", "PRE" | "POST", number | null, number | null, boolean]>([
    ["once, prepaid: with the first order", "INITIALLY", "PRE", 1, null, true],
    ["once, prepaid: not with a renewal", "INITIALLY", "PRE", 2, 1, false],
    ["once, postpaid: not with the first order", "INITIALLY", "POST", 1, null, false],
    ["once, postpaid: at the end of the first cycle", "INITIALLY", "POST", 2, 1, true],
    ["once, postpaid: at no later end", "INITIALLY", "POST", 3, 2, false],
    ["each cycle, prepaid: with the first order", "PERIODIC", "PRE", 1, null, true],
    ["each cycle, prepaid: with each renewal", "PERIODIC", "PRE", 7, 6, true],
    ["each cycle, prepaid: not when no cycle begins", "PERIODIC", "PRE", null, 6, false],
    ["each cycle, postpaid: not with the first order", "PERIODIC", "POST", 1, null, false],
    ["each cycle, postpaid: at each end", "PERIODIC", "POST", null, 6, true],
  ])("%s", (_name, type, claimed, starts, ends, isDue) => {
    const fees = priceLines([pricedItem(setupFee(type, claimed), { starts, ends, quantity: 4 })]).filter(
      (l) => l.type === "FEE",
    );
    expect(
      fees.map(({ amount, orderedProductName, priceSetupType, quantity }) => [
        toPlainString(amount),
        orderedProductName,
        priceSetupType,
        quantity,
      ]),
    ).toEqual(isDue ? [["5000", "Installation", type, 1]] : []);
  });

  test("of a one-time plan is never postpaid", () => {
    expect(formatLines([pricedItem({ type: "ONE_TIME", recurring: null, ...setupFee("INITIALLY", "POST") })])).toEqual([
      "SKU 10000",
      "FEE 5000",
    ]);
  });

  test("per cycle is due for the charged part of it; a one-time fee, in full", () => {
    const cycle = { part: toAmount(1), whole: toAmount(3) };
    expect(formatLines([pricedItem(setupFee("PERIODIC"), { cycle })])).toEqual(["SKU 3333", "FEE 1667"]);
    expect(formatLines([pricedItem(setupFee("INITIALLY"), { cycle })])).toEqual(["SKU 3333", "FEE 5000"]);
  });

  test("of zero is no line", () => {
    expect(formatLines([pricedItem(setupFee("INITIALLY", "PRE", 0))])).toEqual(["SKU 10000"]);
  });
});

describe("a first purchase", () => {
  const first = { firstPurchase: true };

  test("is discounted once, on its line", () => {
    const lines = priceLines([
      pricedItem({}, { quantity: 2 }),
      pricedItem(firstSaleDiscount(1_000), { ...first, quantity: 3 }),
    ]);
    expect(lines.map(({ amount }) => toPlainString(amount))).toEqual(["20000", "30000", "-1000"]);
    expect(lines[2]).toMatchObject({
      type: "DISCOUNT",
      discountName: "First purchase",
      related: 1,
      orderedProductName: "Journal",
      quantity: 1,
    });
  });

  test("is not discounted when the customer bought it before, or the plan has no such discount", () => {
    expect(formatLines([pricedItem(firstSaleDiscount(1_000))])).toEqual(["SKU 10000"]);
    expect(formatLines([pricedItem(firstSaleDiscount(1_000, false), first)])).toEqual(["SKU 10000"]);
  });

  test("is discounted by at most the plan's price: options and ranges are paid", () => {
    expect(formatLines([pricedItem(firstSaleDiscount(99_000), { ...first, optionPrice: toAmount(500) })])).toEqual([
      "SKU 10500",
      "DISCOUNT -10000 of 0",
    ]);
    const usage = {
      type: "USAGE_BASED",
      additionalBilling: graduatedRanges([null, 10]),
      ...firstSaleDiscount(99_000),
    } as const;
    expect(formatLines([pricedItem(usage, { ...first, quantity: 50 })])).toEqual(["SKU 10500", "DISCOUNT -10000 of 0"]);
    const bundle = { type: "BUNDLE", onetimeBundlePrice: toAmount(4_000), ...firstSaleDiscount(99_000) } as const;
    expect(formatLines([pricedItem(bundle, first)])).toEqual(["SKU 14000", "DISCOUNT -10000 of 0"]);
  });

  test("leaves a fee unchanged", () => {
    expect(formatLines([pricedItem({ ...firstSaleDiscount(99_000), ...setupFee("INITIALLY") }, first)])).toEqual([
      "SKU 10000",
      "FEE 5000",
      "DISCOUNT -10000 of 0",
    ]);
  });
});

describe("a postpaid plan", () => {
  test("costs nothing with the first order, and its price at each end", () => {
    expect(formatLines([pricedItem({ ...postpaid, ...firstSaleDiscount(1_000) }, { firstPurchase: true })])).toEqual([
      "SKU 0",
    ]);
    expect(formatLines([pricedItem(postpaid, { starts: 2, ends: 1 })])).toEqual(["SKU 10000"]);
    expect(formatLines([pricedItem(postpaid, { starts: null, ends: 2 })])).toEqual(["SKU 10000"]);
  });

  test("that is one-time is paid at once", () => {
    expect(formatLines([pricedItem({ ...postpaid, type: "ONE_TIME", recurring: null })])).toEqual(["SKU 10000"]);
  });

  test("charges the used units, and shows how they were priced", () => {
    const additionalBilling = graduatedRanges([1_000, 0], [null, 10]);
    const used = { part: toAmount(4_500), whole: toAmount(3) };
    for (const [type, count, none] of [
      ["USAGE_BASED", "usedCount", "unitCount"],
      ["UNIT_BASED", "unitCount", "usedCount"],
    ] as const) {
      const [line] = priceLines([pricedItem({ ...postpaid, type, additionalBilling }, { ends: 1, used })]);
      expect(toPlainString(line!.amount)).toBe("15000");
      expect(line).toMatchObject({
        [count]: toAmount(1_500),
        [none]: null,
        usageFormula: "up to 1000: 1000 × 0 = 0; above 1000: 500 × 10 = 5000",
      });
    }
  });

  test("ignores units that are sent with the first order, or for a prepaid plan", () => {
    const used = { part: toAmount(99), whole: toAmount(1) };
    const [first] = priceLines([pricedItem({ ...postpaid, type: "UNIT_BASED" }, { used })]);
    expect(first).toMatchObject({ amount: toAmount(0), unitCount: null });
    expect(formatLines([pricedItem({ type: "UNIT_BASED" }, { used, starts: 2, ends: 1, quantity: 2 })])).toEqual([
      "SKU 20000",
    ]);
  });
});

describe("a bundle", () => {
  const bundle = pricedItem({ type: "BUNDLE", onetimeBundlePrice: toAmount(4_000) }, { productName: "Bundle" });
  const members = [
    pricedItem(
      { ...firstSaleDiscount(1_000), ...setupFee("INITIALLY") },
      { parent: 1, firstPurchase: true, productName: "Member" },
    ),
    pricedItem({ type: "VOLUME_BASED" }, { parent: 1 }),
    pricedItem({ type: "UNIT_BASED" }, { parent: 1, quantity: 9 }),
    pricedItem({ type: "USAGE_BASED", ...firstSaleDiscount(1_000) }, { parent: 1, firstPurchase: true, quantity: 2 }),
  ];

  test("has its price, and that of its usage-based members; the others are listed below it at zero", () => {
    const lines = priceLines([pricedItem(), bundle, ...members]);
    expect(lines.map(({ type, amount, parent }) => [type, toPlainString(amount), parent])).toEqual([
      ["SKU", "10000", null],
      ["SKU", "14000", null],
      ["SKU", "0", 1],
      ["SKU", "0", 1],
      ["SKU", "0", 1],
      ["SKU", "20000", 1],
      ["DISCOUNT", "-1000", 1],
    ]);
    expect(lines[6]!.related).toBe(5);
  });

  test("has members with the position of its line, not of its item", () => {
    const before = pricedItem(setupFee("INITIALLY"));
    const lines = priceLines([before, bundle, pricedItem({}, { parent: 1 })]);
    expect(lines.map(({ type, parent }) => [type, parent])).toEqual([
      ["SKU", null],
      ["FEE", null],
      ["SKU", null],
      ["SKU", 2],
    ]);
  });

  test("adds its one-time price at the end of the first cycle when it is postpaid", () => {
    const late = { ...bundle, terms: { ...bundle.terms, ...postpaid } };
    expect(formatLines([late])).toEqual(["SKU 0"]);
    expect(formatLines([{ ...late, starts: 2, ends: 1 }])).toEqual(["SKU 14000"]);
    expect(formatLines([{ ...late, starts: 3, ends: 2 }])).toEqual(["SKU 10000"]);
  });

  test("of shipped goods is shipped", () => {
    expect(formatLines([bundle, pricedItem({}, { parent: 0, productType: "BOX" })], fixedDelivery)).toContain(
      "SHIPPING 3000",
    );
  });
});
