import { itemAt } from "../../kernel/required-values.ts";

/** A figure with the bounds within which it lies nineteen times out of twenty. */
export interface EstimatedValue {
  value: number;
  low: number;
  high: number;
}

/** A case as the estimate sees it. */
export interface WeightedCase {
  /** Cases of one payer vary together. */
  payer: string;
  /** The value before the first step by a model; 0 without one. */
  start: number;
  /** After each step the weight of the choices so far, and what the step adds. */
  weights: readonly number[];
  additions: readonly number[];
  /** What is subtracted for a difference. */
  less: number;
}

const QUANTILE_97_5 = 1.959963984540054;

/**
 * The mean over the cases of `start`, plus for each step the mean of its additions by self-normalised weights, less `less`. With additions
 * that correct a model it is the weighted doubly robust estimate (Thomas and Brunskill, ICML 2016, equation 4); with results alone,
 * weighted importance sampling by decision (Precup, Sutton and Singh, ICML 2000). The interval is normal, from what each payer's
 * cases contribute (the linearisation of a ratio of means).
 */
export function estimateMeanValue(cases: readonly WeightedCase[]): EstimatedValue {
  const count = cases.length;
  if (count === 0) return { value: 0, low: 0, high: 0 };
  const steps = cases.reduce((most, { weights }) => Math.max(most, weights.length), 0);
  const contributions = Float64Array.from(cases, ({ start, less }) => start - less);
  let value = contributions.reduce((sum, one) => sum + one, 0) / count;
  const centre = value;
  for (let index = 0; index < count; index++) contributions[index] = itemAt(contributions, index) - centre;
  for (let step = 0; step < steps; step++) {
    let [total, sum] = [0, 0];
    for (const { weights, additions } of cases) {
      const weight = weightAfter(weights, step);
      total += weight;
      sum += weight * (additions[step] ?? 0);
    }
    if (total === 0) continue;
    const mean = sum / total;
    value += mean;
    for (const [index, { weights, additions }] of cases.entries())
      contributions[index] =
        itemAt(contributions, index) + (count * weightAfter(weights, step) * ((additions[step] ?? 0) - mean)) / total;
  }
  const ofPayers = new Map<string, number>();
  for (const [index, { payer }] of cases.entries())
    ofPayers.set(payer, (ofPayers.get(payer) ?? 0) + itemAt(contributions, index));
  let squares = 0;
  for (const one of ofPayers.values()) squares += one * one;
  const spread = QUANTILE_97_5 * (Math.sqrt(squares * (ofPayers.size / Math.max(1, ofPayers.size - 1))) / count);
  return { value, low: value - spread, high: value + spread };
}

/** The weight after a step; a case that is over keeps its last one. */
const weightAfter = (weights: readonly number[], step: number): number => weights[step] ?? weights.at(-1) ?? 1;

/** How many unweighted cases tell as much (Kish, Survey Sampling, 1965). */
export function effectiveSampleSize(weights: readonly number[]): number {
  let [sum, squares] = [0, 0];
  for (const weight of weights) {
    sum += weight;
    squares += weight * weight;
  }
  return squares === 0 ? 0 : (sum * sum) / squares;
}
