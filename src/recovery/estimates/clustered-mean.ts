import { itemAt } from "../../kernel/required-values.ts";

/** A figure with the bounds within which it lies nineteen times out of twenty. */
export interface IntervalEstimate {
  value: number;
  low: number;
  high: number;
  /** Standard error. */
  error: number;
}

const QUANTILE_97_5 = 1.959963984540054;

/** A figure with its interval; a wider one where `quantile` is larger. */
export const withInterval = (value: number, error: number, quantile = QUANTILE_97_5): IntervalEstimate => ({
  value,
  error,
  low: value - quantile * error,
  high: value + quantile * error,
});

/** By how much a figure would move without each cluster of cases. */
export type ClusterInfluences = ReadonlyMap<number, number>;

/** A weighted mean, and by how much it would move without each cluster of values. */
export function meanInfluences(
  values: readonly number[],
  weights: readonly number[],
  clusters: readonly number[],
): { mean: number; influences: ClusterInfluences } {
  let [total, sum] = [0, 0];
  for (const [index, value] of values.entries()) {
    total += itemAt(weights, index);
    sum += itemAt(weights, index) * value;
  }
  const influences = new Map<number, number>();
  if (total === 0) return { mean: 0, influences };
  const mean = sum / total;
  for (const [index, value] of values.entries()) {
    const cluster = itemAt(clusters, index);
    const part = (itemAt(weights, index) / total) * (value - mean);
    influences.set(cluster, (influences.get(cluster) ?? 0) + part);
  }
  return { mean, influences };
}

/**
 * The standard error of the sum of figures by their influences, which holds where cases of one cluster depend on each other (Liang and
 * Zeger, Biometrika 73, 1986).
 */
export function errorOf(figures: readonly ClusterInfluences[]): number {
  const together = new Map<number, number>();
  for (const influences of figures)
    for (const [cluster, part] of influences) together.set(cluster, (together.get(cluster) ?? 0) + part);
  let squares = 0;
  for (const part of together.values()) squares += part * part;
  const count = together.size;
  return Math.sqrt((squares * count) / Math.max(1, count - 1));
}

/** The slope of the least-squares line through pairs; 0 where the second values are all alike. */
export function slopeOf(values: readonly number[], of: readonly number[]): number {
  const mean = (all: readonly number[]) => all.reduce((sum, one) => sum + one, 0) / Math.max(1, all.length);
  const [meanValue, meanOf] = [mean(values), mean(of)];
  let [products, squares] = [0, 0];
  for (const [index, value] of values.entries()) {
    products += (value - meanValue) * (itemAt(of, index) - meanOf);
    squares += (itemAt(of, index) - meanOf) ** 2;
  }
  return squares === 0 ? 0 : products / squares;
}
