import fc from "fast-check";
import { toAmount, type Amount } from "../../src/kernel/amounts.ts";
import { inForm } from "./test-form.ts";

/** The seed of every property, so that a failure can be repeated. */
export const PROPERTY_SEED = 20_260_301;

/**
 * Asserts a property for so many cases that the seed selects, twenty times as many in the long form; a failure shows the
 * smallest.
 */
export const assertProperty = <T>(cases: fc.Arbitrary<T>, check: (value: T) => void, numRuns = 250): void =>
  fc.assert(
    fc.property(cases, (value) => {
      check(value);
    }),
    { seed: PROPERTY_SEED, numRuns: inForm(numRuns, numRuns * 20) },
  );

/** An amount of so many decimals from a number of its smallest units. */
export const fromMinorUnits = (units: number | bigint, decimals: number): Amount =>
  toAmount(String(units)).div(toAmount(10).pow(decimals));

/** Amounts from zero, of at most so many decimals. */
export const arbitraryAmount = (decimals: number, max = 10_000_000): fc.Arbitrary<Amount> =>
  fc.oneof(
    fc.integer({ min: 0, max }).map((units) => fromMinorUnits(units, decimals)),
    fc.integer({ min: 0, max: 20 }).map((units) => fromMinorUnits(units, decimals)),
  );

/** An amount as a whole number of millionths of millionths: products of two amounts are whole. */
const TRILLION = 10n ** 12n;
export const toTrillionths = (amount: Amount): bigint => BigInt(amount.times("1e12").toFixed());

/** Rounds half up by whole numbers alone: the value of `part / whole` trillionths at so many decimals. */
export function roundHalfUpExactly(part: bigint, whole: bigint, decimals: number): Amount {
  const [scaled, unit] = [part * 10n ** BigInt(decimals), whole * TRILLION];
  return fromMinorUnits((2n * scaled + unit) / (2n * unit), decimals);
}
