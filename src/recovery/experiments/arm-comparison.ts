import { halfWidthOf } from "./confidence-sequence.ts";
import { estimateRate, type PayerSums } from "./rate.ts";

/** With fewer payers on either side the normal approximation is not to be trusted, and no interval is given. */
const MIN_PAYERS = 50;

/** The probability that any interval of an experiment ever misses its true value. */
const ALPHA = 0.05;

/** A figure with bounds that stay valid however often it is looked at. */
export interface BoundedEstimate {
  value: number;
  lower: number;
  upper: number;
}

/** The share of the error that each interval may have: every arm has two, by count and by amount. */
export const alphaOfEach = (arms: number): number => ALPHA / (2 * arms);

/** The rate of an arm minus that of the holdout; undefined where either has too few payers. */
export function compareRates(arm: PayerSums, holdout: PayerSums, alpha: number): BoundedEstimate | undefined {
  if (Math.min(arm.payers, holdout.payers) < MIN_PAYERS) return undefined;
  const [a, h] = [estimateRate(arm), estimateRate(holdout)];
  if (!a || !h) return undefined;
  const value = a.value - h.value;
  const halfWidth = halfWidthOf(Math.sqrt(a.variance + h.variance), alpha);
  return { value, lower: Math.max(-1, value - halfWidth), upper: Math.min(1, value + halfWidth) };
}

/** An estimate times a number that is known. */
export const scaleEstimate = ({ value, lower, upper }: BoundedEstimate, factor: number): BoundedEstimate => ({
  value: value * factor,
  lower: lower * factor,
  upper: upper * factor,
});

/** Estimates together. Since all of their bounds hold at once, the sums of the bounds hold too. */
export const addEstimates = (estimates: readonly BoundedEstimate[]): BoundedEstimate =>
  estimates.reduce(
    (sum, { value, lower, upper }) => ({
      value: sum.value + value,
      lower: sum.lower + lower,
      upper: sum.upper + upper,
    }),
    { value: 0, lower: 0, upper: 0 },
  );
