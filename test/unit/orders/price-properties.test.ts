import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { amountOf, plain, sum, type Amount } from "../../../src/kernel/amounts.ts";
import { minorUnits } from "../../../src/kernel/currencies.ts";
import { planAmount } from "../../../src/products/price-plans/price.amount.ts";
import type { PlanTerms, PriceRange } from "../../../src/products/price-plans/price.terms.ts";
import { money, plan, refusalOf } from "../../support/pricing-fixtures.ts";
import { exact, halfUp, holds, SEED, someAmount } from "../../support/property-tests.ts";

const currencies = fc.constantFrom("KRW", "USD", "KWD");

/** Ranges with ends that rise by the steps given, the last without one. */
const someRanges = fc
  .array(fc.tuple(fc.integer({ min: 1, max: 40 }), someAmount(3, 50_000)), { minLength: 1, maxLength: 6 })
  .map((steps): PriceRange[] => {
    let end = 0;
    return steps.map(([step, price], index) => {
      end += step;
      return { until: index === steps.length - 1 ? null : end, price };
    });
  });

/** The range that one unit lies in, by looking at each. */
const rangeOf = (ranges: readonly PriceRange[], unit: number): PriceRange =>
  ranges.find(({ until }) => until === null || unit <= until)!;

const usage = (type: NonNullable<PlanTerms["additionalBilling"]>["type"], ranges: PriceRange[], basicServing = 0) =>
  plan({ type: "USAGE_BASED", price: amountOf(0), additionalBilling: { type, ranges }, basicServing });

describe(`whatever the plan (seed ${SEED})`, () => {
  test("pieces cost their price, by the rate, for a part of the cycle, rounded half up once", () => {
    const cases = fc.record({
      currency: currencies,
      price: someAmount(3),
      rate: fc.integer({ min: 1, max: 5_000_000 }).map((millionths) => amountOf(millionths).div(1_000_000)),
      quantity: fc.integer({ min: 0, max: 1_000 }),
      seconds: fc.integer({ min: 1, max: 2_678_400 }),
      left: fc.double({ min: 0, max: 1, noNaN: true }),
    });
    holds(cases, ({ currency, price, rate, quantity, seconds, left }) => {
      const part = Math.floor(seconds * left);
      const cycle = { part: amountOf(part), whole: amountOf(seconds) };
      const paid = money(currency, plain(rate), "EUR");
      const asked = planAmount(plan({ price }), { quantity, first: true, cycle }, paid);
      const cost = exact(price.times(rate)) * BigInt(quantity) * BigInt(part);
      expect(asked.amount).toEqual(halfUp(cost, BigInt(seconds), minorUnits(currency)));
    });
  });

  test("graduated ranges cost what each unit costs in the range that it lies in", () => {
    const cases = fc.record({
      ranges: someRanges,
      units: fc.integer({ min: 0, max: 250 }),
      basicServing: fc.integer({ min: 0, max: 30 }),
    });
    holds(cases, ({ ranges, units, basicServing }) => {
      const beyond = Array.from({ length: Math.max(units - basicServing, 0) }, (_, index) => index + 1);
      const oneByOne = sum(beyond.map((unit) => rangeOf(ranges, unit).price));
      const terms = usage("USAGE_BASED_WITH_RANGE", ranges, basicServing);
      const { amount } = planAmount(terms, { quantity: units, first: false }, { ...money(), scale: 6 });
      expect(amount).toEqual(oneByOne);
    });
  });

  test("graduated ranges never cost less for more, and have no steps: a bit more costs a bit more", () => {
    const cases = fc.record({
      ranges: someRanges,
      thousandths: fc.integer({ min: 0, max: 250_000 }),
      more: fc.integer({ min: 1, max: 2_000 }),
    });
    holds(cases, ({ ranges, thousandths, more }) => {
      const cost = (parts: number): Amount => {
        const quantity = { part: amountOf(parts), whole: amountOf(1_000) };
        const terms = usage("USAGE_BASED_WITH_RANGE", ranges);
        return planAmount(terms, { quantity, first: false }, { ...money(), scale: 6 }).amount;
      };
      const growth = cost(thousandths + more).minus(cost(thousandths));
      const dearest = ranges.reduce((most, { price }) => (price.gt(most) ? price : most), amountOf(0));
      expect(growth.gte(0)).toBe(true);
      expect(growth.lte(dearest.times(more).div(1_000))).toBe(true);
    });
  });

  test("fixed amounts cost that of the range which the last unit lies in", () => {
    holds(fc.record({ ranges: someRanges, units: fc.integer({ min: 0, max: 250 }) }), ({ ranges, units }) => {
      const terms = usage("USAGE_BASED_WITH_RANGE_AND_FIXED_PRICE", ranges);
      const { amount } = planAmount(terms, { quantity: units, first: false }, { ...money(), scale: 6 });
      expect(amount).toEqual(units === 0 ? amountOf(0) : rangeOf(ranges, units).price);
    });
  });

  test("volumes cost their price for each of all, and nothing outside of them has a price", () => {
    const cases = fc.record({
      steps: fc.array(
        fc.tuple(fc.integer({ min: 0, max: 5 }), fc.integer({ min: 0, max: 20 }), someAmount(3, 50_000)),
        { maxLength: 5 },
      ),
      quantity: fc.integer({ min: 0, max: 120 }),
      currency: currencies,
    });
    let refused = 0;
    holds(cases, ({ steps, quantity, currency }) => {
      let end = 0;
      const volumes = steps.map(([gap, width, price]) => {
        const min = end + 1 + gap;
        end = min + width;
        return { min, max: end, price };
      });
      const asked = () =>
        planAmount(
          plan({ type: "VOLUME_BASED", volumes }),
          { quantity, first: false },
          money(currency, null, currency),
        );
      const range = volumes.find(({ min, max }) => quantity >= min && quantity <= max);
      if (range) {
        const all = exact(range.price) * BigInt(quantity);
        expect(asked().amount).toEqual(halfUp(all, 1n, minorUnits(currency)));
      } else {
        refused += 1;
        expect(refusalOf(asked)).toBe("QUANTITY_NOT_PRICED");
      }
    });
    expect(refused).toBeGreaterThan(50);
    expect(refused).toBeLessThan(450);
  });
});
