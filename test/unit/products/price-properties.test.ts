import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { toAmount, toPlainString, sumAmounts, type Amount } from "../../../src/kernel/amounts.ts";
import { minorUnits } from "../../../src/kernel/currencies.ts";
import { calculatePlanAmount } from "../../../src/products/price-plans/price.amount.ts";
import type { PlanTerms, UnitRange } from "../../../src/products/price-plans/price.terms.ts";
import { currencyTerms, planTerms, thrownRefusalCode } from "../../support/fixtures/pricing-fixtures.ts";
import {
  toTrillionths,
  roundHalfUpExactly,
  assertProperty,
  PROPERTY_SEED,
  arbitraryAmount,
} from "../../support/property-tests.ts";

const currencies = fc.constantFrom("KRW", "USD", "KWD");

/** Ranges with ends that rise by the given steps, the last one open. */
const someRanges = fc
  .array(fc.tuple(fc.integer({ min: 1, max: 40 }), arbitraryAmount(3, 50_000)), { minLength: 1, maxLength: 6 })
  .map((steps): UnitRange[] => {
    let end = 0;
    return steps.map(([step, price], index) => {
      end += step;
      return { until: index === steps.length - 1 ? null : end, price };
    });
  });

/** The range of one unit, by comparing it with each. */
const rangeOf = (ranges: readonly UnitRange[], unit: number): UnitRange =>
  ranges.find(({ until }) => until === null || unit <= until)!;

const usage = (type: NonNullable<PlanTerms["additionalBilling"]>["type"], ranges: UnitRange[], basicServing = 0) =>
  planTerms({ type: "USAGE_BASED", price: toAmount(0), additionalBilling: { type, ranges }, basicServing });

describe(`for any plan (seed ${PROPERTY_SEED})`, () => {
  test("pieces cost their price, by the rate, for a part of the cycle, rounded half up once", () => {
    const cases = fc.record({
      currency: currencies,
      price: arbitraryAmount(3),
      rate: fc.integer({ min: 1, max: 5_000_000 }).map((millionths) => toAmount(millionths).div(1_000_000)),
      quantity: fc.integer({ min: 0, max: 1_000 }),
      seconds: fc.integer({ min: 1, max: 2_678_400 }),
      left: fc.double({ min: 0, max: 1, noNaN: true }),
    });
    assertProperty(cases, ({ currency, price, rate, quantity, seconds, left }) => {
      const part = Math.floor(seconds * left);
      const cycle = { part: toAmount(part), whole: toAmount(seconds) };
      const paid = currencyTerms(currency, toPlainString(rate), "EUR");
      const asked = calculatePlanAmount(planTerms({ price }), { quantity, first: true, cycle }, paid);
      const cost = toTrillionths(price.times(rate)) * BigInt(quantity) * BigInt(part);
      expect(asked.amount).toEqual(roundHalfUpExactly(cost, BigInt(seconds), minorUnits(currency)));
    });
  });

  test("graduated ranges cost the sum of each unit's price in its range", () => {
    const cases = fc.record({
      ranges: someRanges,
      units: fc.integer({ min: 0, max: 250 }),
      basicServing: fc.integer({ min: 0, max: 30 }),
    });
    assertProperty(cases, ({ ranges, units, basicServing }) => {
      const beyond = Array.from({ length: Math.max(units - basicServing, 0) }, (_, index) => index + 1);
      const oneByOne = sumAmounts(beyond.map((unit) => rangeOf(ranges, unit).price));
      const terms = usage("USAGE_BASED_WITH_RANGE", ranges, basicServing);
      const { amount } = calculatePlanAmount(
        terms,
        { quantity: units, first: false },
        { ...currencyTerms(), scale: 6 },
      );
      expect(amount).toEqual(oneByOne);
    });
  });

  test("graduated ranges never cost less for more, and have no steps: slightly more units cost slightly more", () => {
    const cases = fc.record({
      ranges: someRanges,
      thousandths: fc.integer({ min: 0, max: 250_000 }),
      more: fc.integer({ min: 1, max: 2_000 }),
    });
    assertProperty(cases, ({ ranges, thousandths, more }) => {
      const cost = (parts: number): Amount => {
        const quantity = { part: toAmount(parts), whole: toAmount(1_000) };
        const terms = usage("USAGE_BASED_WITH_RANGE", ranges);
        return calculatePlanAmount(terms, { quantity, first: false }, { ...currencyTerms(), scale: 6 }).amount;
      };
      const growth = cost(thousandths + more).minus(cost(thousandths));
      const dearest = ranges.reduce((max, { price }) => (price.gt(max) ? price : max), toAmount(0));
      expect(growth.gte(0)).toBe(true);
      expect(growth.lte(dearest.times(more).div(1_000))).toBe(true);
    });
  });

  test("fixed amounts cost the amount of the last unit's range", () => {
    assertProperty(fc.record({ ranges: someRanges, units: fc.integer({ min: 0, max: 250 }) }), ({ ranges, units }) => {
      const terms = usage("USAGE_BASED_WITH_RANGE_AND_FIXED_PRICE", ranges);
      const { amount } = calculatePlanAmount(
        terms,
        { quantity: units, first: false },
        { ...currencyTerms(), scale: 6 },
      );
      expect(amount).toEqual(units === 0 ? toAmount(0) : rangeOf(ranges, units).price);
    });
  });

  test("volumes cost their range's price for each unit, and quantities outside of them have no price", () => {
    const cases = fc.record({
      steps: fc.array(
        fc.tuple(fc.integer({ min: 0, max: 5 }), fc.integer({ min: 0, max: 20 }), arbitraryAmount(3, 50_000)),
        { maxLength: 5 },
      ),
      quantity: fc.integer({ min: 0, max: 120 }),
      currency: currencies,
    });
    let [refused, priced] = [0, 0];
    assertProperty(cases, ({ steps, quantity, currency }) => {
      let end = 0;
      const volumes = steps.map(([gap, width, price]) => {
        const min = end + 1 + gap;
        end = min + width;
        return { min, max: end, price };
      });
      const asked = () =>
        calculatePlanAmount(
          planTerms({ type: "VOLUME_BASED", volumes }),
          { quantity, first: false },
          currencyTerms(currency, null, currency),
        );
      const range = volumes.find(({ min, max }) => quantity >= min && quantity <= max);
      if (range) {
        priced += 1;
        const all = toTrillionths(range.price) * BigInt(quantity);
        expect(asked().amount).toEqual(roundHalfUpExactly(all, 1n, minorUnits(currency)));
      } else {
        refused += 1;
        expect(thrownRefusalCode(asked)).toBe("QUANTITY_NOT_PRICED");
      }
    });
    expect(Math.min(refused, priced)).toBeGreaterThan(50);
  });
});
