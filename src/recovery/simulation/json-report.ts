import type { PolicyMetrics, WorldMetrics } from "./world-metrics.ts";
import type { Estimate } from "./statistics.ts";

/** Six digits exceed the precision of any run. */
const roundToSixDigits = (value: number): number => Math.round(value * 1e6) / 1e6;
const valueOf = (estimate: Estimate | null): number | null => estimate && roundToSixDigits(estimate.value);
const intervalOf = ({ interval: [low, high] }: Estimate): [number, number] => [
  roundToSixDigits(low),
  roundToSixDigits(high),
];

const toJsonPolicy = (figures: PolicyMetrics) => ({
  name: figures.name,
  recoveredByCount: valueOf(figures.recoveredByCount),
  recoveredByValue: valueOf(figures.recoveredByValue),
  triesPerCase: valueOf(figures.triesPerCase),
  daysMedian: valueOf(figures.daysMedian),
  daysP90: valueOf(figures.daysP90),
  within10Days: valueOf(figures.within10Days),
  breaches: figures.breaches,
  calibrationError: valueOf(figures.calibrationError),
  interval: intervalOf(figures.recoveredByCount),
  netValue: valueOf(figures.netValue),
  recoveredFirst30Days: valueOf(figures.recoveredFirst30Days),
  recoveredLater: valueOf(figures.recoveredLater),
  histories: figures.histories.map(({ model, recoveredByCount, triesPerCase, calibrationError }) => ({
    model,
    recoveredByCount: valueOf(recoveredByCount),
    triesPerCase: valueOf(triesPerCase),
    calibrationError: valueOf(calibrationError),
  })),
});

/**
 * Converts the results to the JSON report. Rates are fractions. A policy's `interval` is the interval of
 * `recoveredByCount`. A difference's `points` and `interval` are in percentage points. Days are null if nothing was
 * recovered; the calibration error is null if the policy predicts no probabilities, the
 * net value if tries have no price. `histories` has an entry for each history that a policy learned from, with the version of
 * the model; the other figures are of the first.
 */
export const toJsonReport = (worlds: readonly WorldMetrics[]) => ({
  worlds: worlds.map(({ name, cases, policies, differences }) => ({
    name,
    cases,
    policies: policies.map(toJsonPolicy),
    differences: differences.map(({ of, minus, points, triesRatio }) => ({
      of,
      minus,
      points: valueOf(points),
      interval: intervalOf(points),
      triesRatio: triesRatio === null ? null : roundToSixDigits(triesRatio),
    })),
  })),
});
