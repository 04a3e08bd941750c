/** A share with the bounds within which it lies nineteen times out of twenty. */
export interface ShareEstimate {
  value: number;
  low: number;
  high: number;
}

const SQUARED_QUANTILE = 1.959963984540054 ** 2;

/** A share of a count by Wilson's score interval (Journal of the American Statistical Association 22, 1927). */
export function estimateShare(count: number, total: number): ShareEstimate {
  if (total === 0) return { value: 0, low: 0, high: 1 };
  const value = count / total;
  const weight = SQUARED_QUANTILE / total;
  const middle = (value + weight / 2) / (1 + weight);
  const spread = Math.sqrt(value * (1 - value) * weight + (weight * weight) / 4) / (1 + weight);
  return { value, low: Math.max(0, middle - spread), high: Math.min(1, middle + spread) };
}
