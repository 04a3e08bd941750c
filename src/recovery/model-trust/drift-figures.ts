import { DRIFT_TOLERANCE, STAKE_LIMIT, type DriftState, type DriftWindow } from "./drift-test.ts";

/** What the drift test has seen of a model in at most 30 days. */
export interface DriftFigures {
  attempts: number;
  /** Mean of the stated probabilities, and share of the attempts that were approved. */
  predicted: number;
  observed: number;
  /** Observed less predicted, with bounds that stay valid however often somebody looks. */
  error: number;
  errorBounds: { low: number; high: number };
  /** Mean loss, in natural logarithms, of the model and of counting by class and attempt. */
  modelLoss: number;
  countingLoss: number;
  /** The largest stakes against the model; at `evidenceLimit` it is given up. */
  miscalibrationEvidence: number;
  countingEvidence: number;
  evidenceLimit: number;
  tolerance: number;
}

const ALPHA = 0.05;
/** The number of attempts for which the bounds are tightest. */
const TIGHTEST_AT = 400;

/**
 * Half the width of a confidence sequence for the mean of values in a range of 1, of which each may depend on those before: the normal
 * mixture of Howard, Ramdas, McAuliffe and Sekhon, "Time-uniform, nonparametric, nonasymptotic confidence sequences", Annals of Statistics
 * 49 (2021), with the variance of 1/4 that bounds them (Hoeffding).
 */
export function halfWidthOfMean(count: number): number {
  const logs = -2 * Math.log(ALPHA);
  const rho = TIGHTEST_AT / 4 / (logs + Math.log(logs + 1));
  const variance = count / 4;
  return Math.sqrt((variance + rho) * (logs + Math.log1p(variance / rho))) / count;
}

/** The figures of the oldest window; null before the first result. */
export function driftFiguresOf({ windows }: DriftState): DriftFigures | null {
  const [window] = windows;
  if (!window || window.attempts === 0) return null;
  const { attempts } = window;
  const [predicted, observed] = [window.predicted / attempts, window.approved / attempts];
  const halfWidth = halfWidthOfMean(attempts);
  const error = observed - predicted;
  const largest = (select: (one: DriftWindow) => number) => Math.exp(Math.max(...windows.map(select)));
  return {
    attempts,
    predicted,
    observed,
    error,
    errorBounds: { low: Math.max(-1, error - halfWidth), high: Math.min(1, error + halfWidth) },
    modelLoss: window.modelLoss / attempts,
    countingLoss: window.countingLoss / attempts,
    miscalibrationEvidence: largest(({ recalibratedStake }) => recalibratedStake),
    countingEvidence: largest(({ countingStake }) => countingStake),
    evidenceLimit: STAKE_LIMIT,
    tolerance: DRIFT_TOLERANCE,
  };
}
