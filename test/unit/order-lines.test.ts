import { describe, expect, test } from "vitest";
import { amountOf, plain } from "../../src/kernel/amounts.ts";
import type { ChargeSettings } from "../../src/orders/order.charges.ts";
import type { PricedItem } from "../../src/orders/order.line.ts";
import { orderLines } from "../../src/orders/order.lines.ts";
import { orderCurrencyPrice, orderTotals } from "../../src/orders/order.totals.ts";
import type { PlanTerms } from "../../src/products/price.terms.ts";
import { graduated, item, money, refusalOf, settings } from "../support/plans.ts";

const won = money();
const won3000 = { useDeliveryCharge: true, deliveryChargeType: "FIXED" } as const;

const linesOf = (items: PricedItem[], told: Partial<ChargeSettings> = {}, discount: number | null = null, paid = won) =>
  orderLines(items, settings(told), paid, discount === null ? null : amountOf(discount));

/** Type and amount of each line, with the line that it reduces or taxes. */
const told = (...asked: Parameters<typeof linesOf>): string[] =>
  linesOf(...asked).map(
    ({ type, amount, related }) => `${type} ${plain(amount)}${related === null ? "" : ` of ${related}`}`,
  );

const firstSale = (price: number, enabled = true): Partial<PlanTerms> => ({
  firstSale: { enabled, price: amountOf(price), currencyPrice: {} },
});
const fee = (
  type: "INITIALLY" | "PERIODIC",
  claimMethodType: "PRE" | "POST" = "PRE",
  price = 5_000,
): Partial<PlanTerms> => ({
  setupOption: { name: "Installation", type, price: amountOf(price), currencyPrice: {}, claimMethodType },
});
const postpaid: Partial<PlanTerms> = {
  claim: { methodType: "POST", whenToClaimType: null, billingDate: null, provideStartDay: null },
};

describe("an item", () => {
  test("is one line", () => {
    const journal = item({}, { quantity: 3, optionPrice: amountOf(500) });
    const lines = linesOf([journal]);
    expect(lines).toEqual([
      {
        type: "SKU",
        item: journal,
        amount: amountOf(31_500),
        quantity: 3,
        unitPrice: amountOf(10_500),
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

  test("on trial costs nothing, whatever it would, and tells how long", () => {
    const trial = { num: 14, type: "DAY" } as const;
    const lines = linesOf(
      [
        item(
          { ...firstSale(1_000), ...fee("INITIALLY") },
          { trial, firstPurchase: true, productType: "BOX", quantity: 2 },
        ),
      ],
      { ...won3000, vatIncluded: false },
    );
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({ type: "SKU", demoCycle: trial, unitPrice: amountOf(10_000), quantity: 2 });
    expect(plain(lines[0]!.amount)).toBe("0");
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
    const fees = linesOf([item(fee(type, claimed), { starts, ends, quantity: 4 })]).filter((l) => l.type === "FEE");
    expect(
      fees.map(({ amount, orderedProductName, priceSetupType, quantity }) => [
        plain(amount),
        orderedProductName,
        priceSetupType,
        quantity,
      ]),
    ).toEqual(isDue ? [["5000", "Installation", type, 1]] : []);
  });

  test("of a plan that is bought once is never postpaid", () => {
    expect(told([item({ type: "ONE_TIME", recurring: null, ...fee("INITIALLY", "POST") })])).toEqual([
      "SKU 10000",
      "FEE 5000",
    ]);
  });

  test("each cycle is due for the part that is charged; once, in full", () => {
    const cycle = { part: amountOf(1), whole: amountOf(3) };
    expect(told([item(fee("PERIODIC"), { cycle })])).toEqual(["SKU 3333", "FEE 1667"]);
    expect(told([item(fee("INITIALLY"), { cycle })])).toEqual(["SKU 3333", "FEE 5000"]);
  });

  test("of nothing is no line", () => {
    expect(told([item(fee("INITIALLY", "PRE", 0))])).toEqual(["SKU 10000"]);
  });
});

describe("a first purchase", () => {
  const first = { firstPurchase: true };

  test("is discounted once, on its line", () => {
    const lines = linesOf([item({}, { quantity: 2 }), item(firstSale(1_000), { ...first, quantity: 3 })]);
    expect(lines.map(({ amount }) => plain(amount))).toEqual(["20000", "30000", "-1000"]);
    expect(lines[2]).toMatchObject({
      type: "DISCOUNT",
      discountName: "First purchase",
      related: 1,
      orderedProductName: "Journal",
      quantity: 1,
    });
  });

  test("is not when the customer bought it before, or the plan has no such discount", () => {
    expect(told([item(firstSale(1_000))])).toEqual(["SKU 10000"]);
    expect(told([item(firstSale(1_000, false), first)])).toEqual(["SKU 10000"]);
  });

  test("is discounted by no more than the plan's price: options and ranges are paid", () => {
    expect(told([item(firstSale(99_000), { ...first, optionPrice: amountOf(500) })])).toEqual([
      "SKU 10500",
      "DISCOUNT -10000 of 0",
    ]);
    const usage = { type: "USAGE_BASED", additionalBilling: graduated([null, 10]), ...firstSale(99_000) } as const;
    expect(told([item(usage, { ...first, quantity: 50 })])).toEqual(["SKU 10500", "DISCOUNT -10000 of 0"]);
    const bundle = { type: "BUNDLE", onetimeBundlePrice: amountOf(4_000), ...firstSale(99_000) } as const;
    expect(told([item(bundle, first)])).toEqual(["SKU 14000", "DISCOUNT -10000 of 0"]);
  });

  test("leaves a fee as it is", () => {
    expect(told([item({ ...firstSale(99_000), ...fee("INITIALLY") }, first)])).toEqual([
      "SKU 10000",
      "FEE 5000",
      "DISCOUNT -10000 of 0",
    ]);
  });
});

describe("a postpaid plan", () => {
  test("costs nothing with the first order, and its price at each end", () => {
    expect(told([item({ ...postpaid, ...firstSale(1_000) }, { firstPurchase: true })])).toEqual(["SKU 0"]);
    expect(told([item(postpaid, { starts: 2, ends: 1 })])).toEqual(["SKU 10000"]);
    expect(told([item(postpaid, { starts: null, ends: 2 })])).toEqual(["SKU 10000"]);
  });

  test("that is bought once is paid at once", () => {
    expect(told([item({ ...postpaid, type: "ONE_TIME", recurring: null })])).toEqual(["SKU 10000"]);
  });

  test("charges the units that were used, and tells how they were priced", () => {
    const additionalBilling = graduated([1_000, 0], [null, 10]);
    const used = { part: amountOf(4_500), whole: amountOf(3) };
    for (const [type, count, none] of [
      ["USAGE_BASED", "usedCount", "unitCount"],
      ["UNIT_BASED", "unitCount", "usedCount"],
    ] as const) {
      const [line] = linesOf([item({ ...postpaid, type, additionalBilling }, { ends: 1, used })]);
      expect(plain(line!.amount)).toBe("15000");
      expect(line).toMatchObject({
        [count]: amountOf(1_500),
        [none]: null,
        usageFormula: "up to 1000: 1000 × 0 = 0; above 1000: 500 × 10 = 5000",
      });
    }
  });

  test("does not count units that are told with the first order, or of a prepaid plan", () => {
    const used = { part: amountOf(99), whole: amountOf(1) };
    const [first] = linesOf([item({ ...postpaid, type: "UNIT_BASED" }, { used })]);
    expect(first).toMatchObject({ amount: amountOf(0), unitCount: null });
    expect(told([item({ type: "UNIT_BASED" }, { used, starts: 2, ends: 1, quantity: 2 })])).toEqual(["SKU 20000"]);
  });
});

describe("a bundle", () => {
  const bundle = item({ type: "BUNDLE", onetimeBundlePrice: amountOf(4_000) }, { productName: "Bundle" });
  const members = [
    item({ ...firstSale(1_000), ...fee("INITIALLY") }, { parent: 1, firstPurchase: true, productName: "Member" }),
    item({ type: "VOLUME_BASED" }, { parent: 1 }),
    item({ type: "UNIT_BASED" }, { parent: 1, quantity: 9 }),
    item({ type: "USAGE_BASED", ...firstSale(1_000) }, { parent: 1, firstPurchase: true, quantity: 2 }),
  ];

  test("has its price, and that of its usage-based members; the others stand under it at nothing", () => {
    const lines = linesOf([item(), bundle, ...members]);
    expect(lines.map(({ type, amount, parent }) => [type, plain(amount), parent])).toEqual([
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

  test("has members at the place of its line, not of its item", () => {
    const before = item(fee("INITIALLY"));
    const lines = linesOf([before, bundle, item({}, { parent: 1 })]);
    expect(lines.map(({ type, parent }) => [type, parent])).toEqual([
      ["SKU", null],
      ["FEE", null],
      ["SKU", null],
      ["SKU", 2],
    ]);
  });

  test("adds what it costs once at the end of the first cycle, when it is postpaid", () => {
    const late = { ...bundle, terms: { ...bundle.terms, ...postpaid } };
    expect(told([late])).toEqual(["SKU 0"]);
    expect(told([{ ...late, starts: 2, ends: 1 }])).toEqual(["SKU 14000"]);
    expect(told([{ ...late, starts: 3, ends: 2 }])).toEqual(["SKU 10000"]);
  });

  test("of shipped goods is shipped", () => {
    expect(told([bundle, item({}, { parent: 0, productType: "BOX" })], won3000)).toContain("SHIPPING 3000");
  });
});

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
