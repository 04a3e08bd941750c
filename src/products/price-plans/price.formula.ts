import { plain, quotient, rounded, type Ratio } from "../../kernel/amounts.ts";
import { priceIn, type Money } from "./price.currency.ts";
import { beyondServing, reachedRanges } from "./price.ranges.ts";
import type { PlanTerms } from "./price.terms.ts";

/** Decimals of units and prices as they are shown. */
const SHOWN = 6;

/**
 * The ranges that were applied to metered units, in words: `included: 100; up to 1000: 1000 × 0 = 0; up to 10000:
 * 500 × 10 = 5000`. Prices are in the currency that is paid in, not yet rounded as charged. Null for a plan without ranges.
 */
export function usageFormula(terms: PlanTerms, units: Ratio, money: Money): string | null {
  if (!terms.additionalBilling) return null;
  const { type, ranges } = terms.additionalBilling;
  const beyond = beyondServing(terms, units);
  const reached = reachedRanges(ranges, beyond).map(({ after, until, units: within, price }) => {
    const name = until === null ? `above ${after}` : `up to ${until}`;
    const paid = priceIn(money, price);
    const shownPrice = plain(rounded(paid, SHOWN));
    if (type === "USAGE_BASED_WITH_RANGE_AND_FIXED_PRICE") return `${name}: ${shownPrice}`;
    const shownUnits = plain(quotient({ part: within, whole: beyond.whole }, SHOWN));
    const cost = plain(quotient({ part: within.times(paid), whole: beyond.whole }, SHOWN));
    return `${name}: ${shownUnits} × ${shownPrice} = ${cost}`;
  });
  const applied = type === "USAGE_BASED_WITH_RANGE" ? reached : reached.slice(-1);
  return [...(terms.basicServing > 0 ? [`included: ${terms.basicServing}`] : []), ...applied].join("; ") || "no units";
}
