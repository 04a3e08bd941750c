import { itemAt } from "../../kernel/required-values.ts";
import { RandomSource } from "./random-source.ts";

/** The bounds of a 95% confidence interval. */
export type ConfidenceInterval = readonly [low: number, high: number];

/** An estimated value with its confidence interval. */
export interface Estimate {
  value: number;
  interval: ConfidenceInterval;
}

/** The 97.5th percentile of the normal distribution. */
const NORMAL_QUANTILE_97_5 = 1.959963984540054;

const withStandardError = (value: number, error: number): Estimate => ({
  value,
  interval: [value - NORMAL_QUANTILE_97_5 * error, value + NORMAL_QUANTILE_97_5 * error],
});

/** Estimates a share with Wilson's score interval, which stays within 0 and 1 and is not empty for 0 of n. */
export function estimateShare(count: number, total: number): Estimate {
  if (total === 0) return { value: 0, interval: [0, 1] };
  const value = count / total;
  const spread =
    (NORMAL_QUANTILE_97_5 *
      Math.sqrt((value * (1 - value)) / total + (NORMAL_QUANTILE_97_5 * NORMAL_QUANTILE_97_5) / (4 * total * total))) /
    (1 + (NORMAL_QUANTILE_97_5 * NORMAL_QUANTILE_97_5) / total);
  const middle =
    (value + (NORMAL_QUANTILE_97_5 * NORMAL_QUANTILE_97_5) / (2 * total)) /
    (1 + (NORMAL_QUANTILE_97_5 * NORMAL_QUANTILE_97_5) / total);
  return { value, interval: [count === 0 ? 0 : middle - spread, count === total ? 1 : middle + spread] };
}

/** Estimates the mean of independent values. */
export function estimateMean(values: ArrayLike<number>): Estimate {
  const n = values.length;
  if (n === 0) return withStandardError(0, 0);
  let sum = 0;
  for (let index = 0; index < n; index++) sum += itemAt(values, index);
  const value = sum / n;
  let squares = 0;
  for (let index = 0; index < n; index++) squares += (itemAt(values, index) - value) ** 2;
  return withStandardError(value, n < 2 ? 0 : Math.sqrt(squares / (n - 1) / n));
}

/** Estimates the part of the total weight that the chosen cases have, with the standard error of a ratio of two sums. */
export function estimateWeightedShare(chosen: ArrayLike<number>, weights: ArrayLike<number>): Estimate {
  const { value, interval } = estimateWeightedMean(chosen, weights);
  return { value, interval: [Math.max(0, interval[0]), Math.min(1, interval[1])] };
}

/** A mean by weights, with the error of a ratio of two sums. Without weights it may be anything from 0 to 1. */
export function estimateWeightedMean(chosen: ArrayLike<number>, weights: ArrayLike<number>): Estimate {
  let [part, whole] = [0, 0];
  for (let index = 0; index < weights.length; index++) {
    whole += itemAt(weights, index);
    part += itemAt(chosen, index) * itemAt(weights, index);
  }
  if (whole === 0) return { value: 0, interval: [0, 1] };
  const value = part / whole;
  let squares = 0;
  for (let index = 0; index < weights.length; index++)
    squares += (itemAt(weights, index) * (itemAt(chosen, index) - value)) ** 2;
  return withStandardError(value, Math.sqrt(squares) / whole);
}

/** Estimates a quantile by the nearest rank. Its interval is between binomial ranks. Null without values. */
export function estimateQuantile(values: readonly number[], fraction: number): Estimate | null {
  const n = values.length;
  if (n === 0) return null;
  const sorted = [...values].sort((a, b) => a - b);
  const valueAtRank = (rank: number) => itemAt(sorted, Math.min(n, Math.max(1, rank)) - 1);
  const spread = NORMAL_QUANTILE_97_5 * Math.sqrt(n * fraction * (1 - fraction));
  return {
    value: valueAtRank(Math.ceil(n * fraction)),
    interval: [valueAtRank(Math.floor(n * fraction - spread)), valueAtRank(Math.ceil(n * fraction + spread + 1))],
  };
}

/** Estimates the mean difference of two results on the same cases. The variation between the cases cancels out. */
export const estimatePairedDifference = (a: ArrayLike<number>, b: ArrayLike<number>): Estimate =>
  estimateMean(Array.from(a, (value, index) => value - itemAt(b, index)));

/** Predicted probabilities, their results, and the cases that they belong to. */
export interface Predictions {
  probability: ArrayLike<number>;
  approved: ArrayLike<number>;
  index: ArrayLike<number>;
}

const BINS = 10;
const RESAMPLES = 200;
const CALIBRATION_SEED = 1;

/**
 * The expected calibration error: in ten bins of predicted probability, the distance between the mean prediction and
 * the share that succeeded, weighted by attempts. Its interval comes from resampling the cases, because the attempts of
 * one case are correlated. Null without predictions.
 */
export function estimateCalibrationError(predictions: Predictions): Estimate | null {
  const count = predictions.probability.length;
  if (count === 0) return null;
  const tries = new Map<number, number[]>();
  for (let attempt = 0; attempt < count; attempt++) {
    const attemptsOfCase = tries.get(itemAt(predictions.index, attempt));
    if (attemptsOfCase) attemptsOfCase.push(attempt);
    else tries.set(itemAt(predictions.index, attempt), [attempt]);
  }
  const cases = [...tries.values()];
  const value = calibrationErrorOf(predictions, cases);
  const random = new RandomSource(CALIBRATION_SEED);
  const draws = Array.from({ length: RESAMPLES }, () =>
    calibrationErrorOf(
      predictions,
      Array.from(cases, () => itemAt(cases, Math.floor(random.next() * cases.length))),
    ),
  ).sort((a, b) => a - b);
  // Resampling adds noise, and noise raises the error. The interval is mirrored at the value to remove this bias.
  const [low, high] = [itemAt(draws, Math.floor(RESAMPLES * 0.025)), itemAt(draws, Math.ceil(RESAMPLES * 0.975) - 1)];
  return { value, interval: [Math.max(0, 2 * value - high), Math.max(value, 2 * value - low)] };
}

function calibrationErrorOf({ probability, approved }: Predictions, cases: readonly (readonly number[])[]): number {
  const gap = new Float64Array(BINS);
  let tries = 0;
  for (const attemptsOfCase of cases)
    for (const attempt of attemptsOfCase) {
      const bin = Math.min(BINS - 1, Math.floor(itemAt(probability, attempt) * BINS));
      gap[bin] = itemAt(gap, bin) + itemAt(probability, attempt) - itemAt(approved, attempt);
      tries++;
    }
  return gap.reduce((sum, each) => sum + Math.abs(each), 0) / tries;
}
