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
});

/**
 * The report for programs. Rates are fractions; `interval` of a policy is that of `recoveredByCount`; `points` of a
 * difference and its interval are percentage points. Null: no days if nothing was recovered, no calibration error if no
 * probabilities are reported.
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
