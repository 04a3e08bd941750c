/** How well stated probabilities agree with results. */
export interface ModelScore {
  /** Mean negative log-likelihood of a result: smaller is better. */
  logLoss: number;
  /** Expected calibration error: mean distance between probability and share of approvals in ten bins, by attempts. */
  calibrationError: number;
}

const BINS = 10;
const sigmoid = (logOdds: number): number => 1 / (1 + Math.exp(-logOdds));

/** Scores log-odds by the results; both lists are of the same attempts, at least one. */
export function scoreLogOdds(logOdds: ArrayLike<number>, approved: ArrayLike<number>): ModelScore {
  const gaps = new Float64Array(BINS);
  let loss = 0;
  for (let index = 0; index < logOdds.length; index++) {
    const x = logOdds[index] as number;
    const y = approved[index] as number;
    // log(1 + e^x) without overflow.
    loss += Math.max(0, x) + Math.log1p(Math.exp(-Math.abs(x))) - y * x;
    const probability = sigmoid(x);
    const bin = Math.min(BINS - 1, Math.floor(probability * BINS));
    gaps[bin] = (gaps[bin] as number) + probability - y;
  }
  const count = logOdds.length;
  return { logLoss: loss / count, calibrationError: gaps.reduce((sum, gap) => sum + Math.abs(gap), 0) / count };
}
