/**
 * Sums over the payers of an arm, from which a rate and its error follow. `whole` is what was at stake for a payer (cases,
 * or their amount), `part` what was recovered of it.
 */
export interface PayerSums {
  payers: number;
  whole: number;
  part: number;
  wholeSquared: number;
  partSquared: number;
  product: number;
}

/** The recovered part of a whole, and the variance of that estimate. */
export interface Rate {
  value: number;
  variance: number;
}

/**
 * The rate of an arm with payers as units: the cases of one payer are no independent evidence. The variance is that of a ratio
 * of two sums (Cochran, Sampling Techniques, section 6.3), with two more payers in it, one who paid and one who did not, so
 * that it is never 0 of few. Undefined without at least two payers and something at stake.
 */
export function estimateRate({ payers, whole, part, wholeSquared, partSquared, product }: PayerSums): Rate | undefined {
  if (payers < 2 || !(whole > 0)) return undefined;
  const value = Math.min(1, Math.max(0, part / whole));
  const residuals = Math.max(0, partSquared - 2 * value * product + value * value * wholeSquared);
  const mean = whole / payers;
  const twoMore = mean * mean * (value * value + (1 - value) * (1 - value));
  const variance = ((residuals + twoMore) * payers) / (payers - 1) / (whole * whole);
  return Number.isFinite(variance) && variance > 0 ? { value, variance } : undefined;
}
