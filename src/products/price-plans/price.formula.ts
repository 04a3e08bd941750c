import { toPlainString, divideRounded, roundAmount, type Ratio } from "../../kernel/amounts.ts";
import { convertPrice, type PaymentCurrency } from "./price.currency.ts";
import { unitsBeyondIncluded, splitIntoRanges } from "./price.ranges.ts";
import type { PlanTerms } from "./price.terms.ts";

/** Decimals of units and prices as they are shown. */
const DISPLAYED_SCALE = 6;

/**
 * The ranges that were applied to metered units, as text: `included: 100; up to 1000: 1000 × 0 = 0; up to 10000: 500 ×
 * 10 = 5000`. Prices are in the payment currency, not yet rounded as charged. Null for a plan without ranges.
 */
export function formatUsageFormula(terms: PlanTerms, units: Ratio, money: PaymentCurrency): string | null {
  if (!terms.additionalBilling) return null;
  const { type, ranges } = terms.additionalBilling;
  const beyond = unitsBeyondIncluded(terms, units);
  const reached = splitIntoRanges(ranges, beyond).map(({ after, until, units: unitsInRange, price }) => {
    const name = until === null ? `above ${after}` : `up to ${until}`;
    const convertedPrice = convertPrice(money, price);
    const shownPrice = toPlainString(roundAmount(convertedPrice, DISPLAYED_SCALE));
    if (type === "USAGE_BASED_WITH_RANGE_AND_FIXED_PRICE") return `${name}: ${shownPrice}`;
    const shownUnits = toPlainString(divideRounded({ part: unitsInRange, whole: beyond.whole }, DISPLAYED_SCALE));
    const cost = toPlainString(
      divideRounded({ part: unitsInRange.times(convertedPrice), whole: beyond.whole }, DISPLAYED_SCALE),
    );
    return `${name}: ${shownUnits} × ${shownPrice} = ${cost}`;
  });
  const applied = type === "USAGE_BASED_WITH_RANGE" ? reached : reached.slice(-1);
  return [...(terms.basicServing > 0 ? [`included: ${terms.basicServing}`] : []), ...applied].join("; ") || "no units";
}
