import { describe, expect, test } from "vitest";
import { toAmount, toPlainString, type Ratio } from "../../../src/kernel/amounts.ts";
import { Refusal } from "../../../src/kernel/refusals.ts";
import {
  quantityChangeAmount,
  calculatePlanAmount,
  type Purchase,
} from "../../../src/products/price-plans/price.amount.ts";
import { toPaymentCurrency } from "../../../src/products/price-plans/price.currency.ts";
import { formatUsageFormula } from "../../../src/products/price-plans/price.formula.ts";
import type { PlanTerms } from "../../../src/products/price-plans/price.terms.ts";
import {
  fixedPriceRanges,
  graduatedRanges,
  currencyTerms,
  planTerms,
  thrownRefusalCode,
} from "../../support/fixtures/pricing-fixtures.ts";

const won = currencyTerms();

/** Amount, base and unit price, in plain notation. */
function cost(terms: Partial<PlanTerms>, quantity: number | Ratio, told: Partial<Purchase> = {}, paid = won) {
  const { amount, base, unitPrice } = calculatePlanAmount(planTerms(terms), { quantity, first: false, ...told }, paid);
  return [amount, base, unitPrice].map(toPlainString);
}
const amount = (...asked: Parameters<typeof cost>) => cost(...asked)[0];
const ratio = (part: number | string, whole: number): Ratio => ({ part: toAmount(part), whole: toAmount(whole) });

describe("per piece", () => {
  test.each([
    ["FLAT", 1, "10000"],
    ["FLAT", 3, "30000"],
    ["ONE_TIME", 7, "70000"],
  ] as const)("%s: %d cost %s", (type, quantity, sum) => {
    expect(cost({ type }, quantity)).toEqual([sum, sum, "10000"]);
  });

  test("options add to the unit price, and a first-purchase discount does not reduce them", () => {
    expect(cost({}, 3, { optionPrice: toAmount(500) })).toEqual(["31500", "30000", "10500"]);
  });

  test("an explicit price replaces the plan's, in the currency of the payment", () => {
    expect(cost({}, 2, { price: toAmount("7.5") }, currencyTerms("USD"))).toEqual(["15", "15", "7.5"]);
  });

  test("a part of a cycle costs its share", () => {
    expect(amount({}, 1, { cycle: ratio(1, 3) })).toBe("3333");
    expect(amount({}, 1, { cycle: ratio(2, 3) })).toBe("6667");
    expect(amount({ price: toAmount(1) }, 1, { cycle: ratio(1, 2) })).toBe("1");
  });
});

describe("volumes", () => {
  const volumes = [
    { min: 1, max: 9, price: toAmount(100) },
    { min: 10, max: 99, price: toAmount("80.5") },
    { min: 150, max: null, price: toAmount(50) },
  ];
  test.each([
    [1, "100", "100"],
    [9, "900", "100"],
    [10, "805", "80.5"],
    [99, "7970", "80.5"],
    [150, "7500", "50"],
    [100_000, "5000000", "50"],
  ])("all %d have the price of their range: %s", (quantity, sum, unitPrice) => {
    expect(cost({ type: "VOLUME_BASED", volumes }, quantity)).toEqual([sum, sum, unitPrice]);
  });

  test.each([0, 100, 149])("%d is outside every range", (quantity) => {
    const asked = () => amount({ type: "VOLUME_BASED", volumes }, quantity);
    expect(asked).toThrow(
      `The plan has no price for the quantity ${quantity}; choose a quantity within one of its ranges.`,
    );
    expect(thrownRefusalCode(asked)).toBe("QUANTITY_NOT_PRICED");
  });

  test("a plan without volumes has no volume price", () => {
    expect(thrownRefusalCode(() => amount({ type: "VOLUME_BASED" }, 1))).toBe("QUANTITY_NOT_PRICED");
  });
});

const limits = [1_000, 10_000, 50_000, 100_000, null] as const;
const stepped = (prices: number[]) => limits.map((until, index): [number | null, number] => [until, prices[index]!]);
const byUnit = graduatedRanges(...stepped([0, 10, 5, 2, 1]));
const byStep = fixedPriceRanges(...stepped([0, 20_000, 40_000, 60_000, 80_000]));

describe.each(["USAGE_BASED", "UNIT_BASED"] as const)("%s", (type) => {
  const free = { type, price: toAmount(0) };

  test.each([
    [0, "0"],
    [1_000, "0"],
    [1_001, "10"],
    [1_500, "5000"],
    [10_000, "90000"],
    [12_000, "100000"],
    [50_000, "290000"],
    [100_000, "390000"],
    [150_000, "440000"],
  ])("graduated ranges: %d units cost %s", (units, sum) => {
    expect(amount({ ...free, additionalBilling: byUnit }, units)).toBe(sum);
  });

  test.each([
    [0, "0"],
    [1_000, "0"],
    [1_001, "20000"],
    [1_500, "20000"],
    [10_000, "20000"],
    [12_000, "40000"],
    [150_000, "80000"],
  ])("fixed amounts: only the range that %d units reach counts: %s", (units, sum) => {
    expect(amount({ ...free, additionalBilling: byStep }, units)).toBe(sum);
  });

  test("zero units reach no range, even if the first is not free", () => {
    expect(amount({ ...free, additionalBilling: fixedPriceRanges([10, 700], [null, 900]) }, 0)).toBe("0");
    expect(amount({ ...free, additionalBilling: fixedPriceRanges([10, 700], [null, 900]) }, 1)).toBe("700");
  });

  test("the price is due once besides the ranges, and a first-purchase discount reduces it only", () => {
    expect(cost({ type, additionalBilling: byUnit }, 1_500)).toEqual(["15000", "10000", "10000"]);
    expect(cost({ type, additionalBilling: byUnit }, 0)).toEqual(["10000", "10000", "10000"]);
  });

  test.each([
    [99, "10000"],
    [100, "10000"],
    [101, "10007"],
    [150, "10350"],
    [200, "10650"],
  ])("ranges begin beyond the 100 included units: %d cost %s", (units, sum) => {
    const additionalBilling = graduatedRanges([50, 7], [null, 6]);
    expect(amount({ type, basicServing: 100, additionalBilling }, units)).toBe(sum);
  });

  test.each([
    [0, 0, "0"],
    [0, 3, "30000"],
    [1, 0, "10000"],
    [1, 3, "30000"],
    [5, 3, "10000"],
    [5, 5, "10000"],
    [5, 7, "30000"],
  ])("without ranges, %d included units cost the price together and so does each further: %d cost %s", (...row) => {
    const [basicServing, units, sum] = row;
    expect(amount({ type, basicServing }, units)).toBe(sum);
  });

  test("units beyond a closed last range cost as much as within it", () => {
    expect(amount({ ...free, additionalBilling: graduatedRanges([10, 5], [20, 3]) }, 30)).toBe("110");
    expect(amount({ ...free, additionalBilling: fixedPriceRanges([10, 5], [20, 3]) }, 30)).toBe("3");
  });

  test("the order in which ranges are listed does not count", () => {
    const ranges = [...byUnit.ranges].reverse();
    expect(amount({ ...free, additionalBilling: { ...byUnit, ranges } }, 150_000)).toBe("440000");
  });

  test("a fraction of a unit costs its fraction, rounded once", () => {
    expect(amount({ ...free, additionalBilling: graduatedRanges([null, 3]) }, ratio(1, 6))).toBe("1");
    expect(amount({ ...free, additionalBilling: graduatedRanges([null, 3]) }, ratio("0.999999", 6))).toBe("0");
    expect(amount({ type }, ratio(10, 3))).toBe("33333");
    expect(amount({ type, basicServing: 3 }, ratio(10, 3))).toBe("13333");
    expect(amount({ ...free, additionalBilling: byStep }, ratio(3_001, 3))).toBe("20000");
  });
});

describe("a bundle", () => {
  const terms: Partial<PlanTerms> = { type: "BUNDLE", onetimeBundlePrice: toAmount(4_000) };

  test("adds its one-time price to the first payment, for each", () => {
    expect(cost(terms, 2, { first: true })).toEqual(["28000", "20000", "10000"]);
    expect(cost(terms, 2)).toEqual(["20000", "20000", "10000"]);
  });

  test("sold by itself has a price that is due once", () => {
    expect(amount({ onetimeBundlePrice: toAmount(4_000) }, 1, { first: true })).toBe("10000");
  });
});

describe("another currency", () => {
  const dollars = currencyTerms("USD", "0.00075");

  test("uses the plan's price there before the rate", () => {
    expect(amount({ currencyPrice: { USD: toAmount("9.99") } }, 3, {}, dollars)).toBe("29.97");
    expect(amount({ currencyPrice: { USD: toAmount("9.99") } }, 3, {}, currencyTerms("USD"))).toBe("29.97");
  });

  test("otherwise uses base times rate, rounded once for all pieces", () => {
    expect(cost({ price: toAmount(9_900) }, 3, {}, dollars)).toEqual(["22.28", "22.28", "7.425"]);
    expect(amount({ currencyPrice: { EUR: toAmount(9) } }, 1, {}, dollars)).toBe("7.5");
  });

  test("needs a rate for an amount that has no price there", () => {
    const asked = () => amount({ currencyPrice: { EUR: toAmount(9) } }, 1, {}, currencyTerms("USD"));
    expect(asked).toThrow(Refusal);
    expect(thrownRefusalCode(asked)).toBe("NO_EXCHANGE_RATE");
    const option = { optionPrice: toAmount(1) };
    expect(
      thrownRefusalCode(() => amount({ currencyPrice: { USD: toAmount(9) } }, 1, option, currencyTerms("USD"))),
    ).toBe("NO_EXCHANGE_RATE");
  });

  test("needs no rate for zero", () => {
    expect(amount({ price: toAmount(0) }, 1, { optionPrice: toAmount(0) }, currencyTerms("USD"))).toBe("0");
  });

  test("ranges and volumes use the rate", () => {
    const usage: Partial<PlanTerms> = { type: "USAGE_BASED", price: toAmount(0), additionalBilling: byUnit };
    expect(amount(usage, 1_500, {}, dollars)).toBe("3.75");
    const volumes = [{ min: 1, max: null, price: toAmount(1_000) }];
    expect(amount({ type: "VOLUME_BASED", volumes }, 5, {}, dollars)).toBe("3.75");
  });

  test("a property name of every object is no currency with a price", () => {
    expect(thrownRefusalCode(() => amount({}, 1, {}, { ...currencyTerms("USD"), currency: "constructor" }))).toBe(
      "NO_EXCHANGE_RATE",
    );
  });

  test("the base currency needs no rate, and ignores one", () => {
    expect(amount({ currencyPrice: { KRW: toAmount(1) } }, 1, {}, currencyTerms("KRW", "2"))).toBe("10000");
  });
});

test("the vendor sets the decimals of charges, for all currencies", () => {
  const vendor = { currency: "USD", paymentAmountScale: 1, rates: {} };
  expect(amount({ price: toAmount("9.99") }, 1, {}, toPaymentCurrency(vendor, "USD"))).toBe("10");
  expect(toPaymentCurrency(vendor, "KRW").scale).toBe(1);
  expect(() => toPaymentCurrency({ ...vendor, paymentAmountScale: null }, "???")).toThrow(RangeError);
});

test.each([
  ["KRW", "1000.5", "1001"],
  ["KRW", "1000.499999", "1000"],
  ["USD", "10.005", "10.01"],
  ["USD", "10.004999", "10"],
  ["KWD", "1.0005", "1.001"],
  ["KWD", "1.000499", "1"],
])("in %s, %s is charged as %s: a half goes up at the currency's decimals", (currency, price, charged) => {
  expect(amount({ price: toAmount(price) }, 1, {}, currencyTerms(currency, null, currency))).toBe(charged);
});

describe("another quantity within a cycle", () => {
  const changed = (terms: Partial<PlanTerms>, before: number, after: number, left: Ratio) =>
    toPlainString(quantityChangeAmount(planTerms(terms), before, after, left, won));

  test("costs its part of the difference when it is raised, and is refundable when it is cut", () => {
    expect(changed({ type: "UNIT_BASED" }, 5, 8, ratio(1, 4))).toBe("7500");
    expect(changed({ type: "UNIT_BASED" }, 8, 5, ratio(1, 4))).toBe("-7500");
    expect(changed({ type: "UNIT_BASED" }, 5, 5, ratio(1, 4))).toBe("0");
  });

  test("uses the ranges: included units cost nothing more", () => {
    const terms = { type: "USAGE_BASED", additionalBilling: byUnit } as const;
    expect(changed(terms, 1_000, 1_500, ratio(1, 2))).toBe("2500");
    expect(changed(terms, 500, 1_000, ratio(1, 2))).toBe("0");
  });

  test("is rounded half up, away from zero", () => {
    expect(changed({ price: toAmount(1) }, 0, 1, ratio(1, 2))).toBe("1");
    expect(changed({ price: toAmount(1) }, 1, 0, ratio(1, 2))).toBe("-1");
    expect(changed({}, 1, 2, ratio(1, 3))).toBe("3333");
  });
});

describe("a formula as text", () => {
  const formula = (terms: Partial<PlanTerms>, units: Ratio, paid = won) =>
    formatUsageFormula(planTerms(terms), units, paid);

  test("names each range that counts", () => {
    expect(formula({ additionalBilling: byUnit }, ratio(12_000, 1))).toBe(
      "up to 1000: 1000 × 0 = 0; up to 10000: 9000 × 10 = 90000; up to 50000: 2000 × 5 = 10000",
    );
    expect(formula({ additionalBilling: byUnit }, ratio(150_000, 1))).toMatch(/; above 100000: 50000 × 1 = 50000$/);
    expect(formula({ additionalBilling: byStep }, ratio(12_000, 1))).toBe("up to 50000: 40000");
    expect(formula({ additionalBilling: byStep }, ratio(150_000, 1))).toBe("above 100000: 80000");
  });

  test("names the included units, and the absence of use", () => {
    expect(formula({ basicServing: 100, additionalBilling: byUnit }, ratio(50, 1))).toBe("included: 100");
    expect(formula({ basicServing: 100, additionalBilling: graduatedRanges([null, 3]) }, ratio(110, 1))).toBe(
      "included: 100; above 0: 10 × 3 = 30",
    );
    expect(formula({ additionalBilling: byUnit }, ratio(0, 1))).toBe("no units");
  });

  test("is in the currency of the payment, and counts fractions", () => {
    const terms = { additionalBilling: graduatedRanges([null, 10]) };
    expect(formula(terms, ratio(10, 3), currencyTerms("USD", "0.00075"))).toBe("above 0: 3.333333 × 0.0075 = 0.025");
  });

  test("does not exist for a plan without ranges", () => {
    expect(formula({}, ratio(1, 1))).toBeNull();
  });
});
