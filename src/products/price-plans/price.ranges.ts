import { toAmount, minAmount, sumAmounts, type Amount, type Ratio } from "../../kernel/amounts.ts";
import type { PlanTerms, UnitRange } from "./price.terms.ts";

/** The number of units in a reached range: `units` in fractions of one, with the requested ratio's denominator. */
export interface ReachedRange {
  after: number;
  until: number | null;
  units: Amount;
  price: Amount;
}

/**
 * The ranges that a number of units reaches, from the first. The last is treated as open-ended, because all used units
 * are charged.
 */
export function splitIntoRanges(ranges: readonly UnitRange[], { part, whole }: Ratio): ReachedRange[] {
  const ordered = [...ranges].sort((a, b) => (a.until ?? Infinity) - (b.until ?? Infinity));
  return ordered
    .map(({ until, price }, index) => {
      const after = ordered[index - 1]?.until ?? 0;
      const open = until === null || index === ordered.length - 1;
      const filled = open ? part : minAmount(part, whole.times(until));
      return { after, until: open ? null : until, units: filled.minus(whole.times(after)), price };
    })
    .filter(({ units }) => units.gt(0));
}

/** The units beyond those that the price includes. */
export function unitsBeyondIncluded({ basicServing }: Pick<PlanTerms, "basicServing">, { part, whole }: Ratio): Ratio {
  const beyond = part.minus(whole.times(basicServing));
  return { part: beyond.lt(0) ? toAmount(0) : beyond, whole };
}

/**
 * The price of units by ranges, multiplied by the ratio's whole. Graduated ranges: each unit at the price of its range.
 * Fixed amounts: only that of the range reached; no units reach none.
 */
export function calculateRangeCost(
  { type, ranges }: NonNullable<PlanTerms["additionalBilling"]>,
  units: Ratio,
): Amount {
  const reached = splitIntoRanges(ranges, units);
  return type === "USAGE_BASED_WITH_RANGE"
    ? sumAmounts(reached.map((range) => range.units.times(range.price)))
    : units.whole.times(reached.at(-1)?.price ?? 0);
}
