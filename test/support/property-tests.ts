import fc from "fast-check";
import { amountOf, type Amount } from "../../src/kernel/amounts.ts";
import { inForm } from "./form.ts";

/** The seed of every property: a failure is the same again. */
export const SEED = 20_260_301;

/** Asserts a property for so many cases that the seed decides, ten times as many in the long form; a failure shows the smallest. */
export const holds = <T>(cases: fc.Arbitrary<T>, check: (one: T) => void, numRuns = 500): void =>
  fc.assert(
    fc.property(cases, (one) => {
      check(one);
    }),
    { seed: SEED, numRuns: inForm(numRuns, numRuns * 10) },
  );

/** An amount of so many decimals from a number of its smallest units. */
export const minor = (units: number | bigint, decimals: number): Amount =>
  amountOf(String(units)).div(amountOf(10).pow(decimals));

/** Amounts from nothing up, of at most so many decimals. */
export const someAmount = (decimals: number, max = 10_000_000): fc.Arbitrary<Amount> =>
  fc.oneof(
    fc.integer({ min: 0, max }).map((units) => minor(units, decimals)),
    fc.integer({ min: 0, max: 20 }).map((units) => minor(units, decimals)),
  );

/** An amount as a whole number of millionths of millionths: products of two amounts are whole. */
const TRILLION = 10n ** 12n;
export const exact = (amount: Amount): bigint => BigInt(amount.times("1e12").toFixed());

/** Half up by whole numbers alone: what `part / whole` trillionths come to at so many decimals. */
export function halfUp(part: bigint, whole: bigint, decimals: number): Amount {
  const [scaled, unit] = [part * 10n ** BigInt(decimals), whole * TRILLION];
  return minor((2n * scaled + unit) / (2n * unit), decimals);
}
