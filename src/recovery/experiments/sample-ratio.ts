import { itemAt } from "../../kernel/required-values.ts";

/** Payers in an arm, and the share of all payers that was asked for. */
export interface ArmSize {
  payers: number;
  share: number;
}

/** How strongly the prior trusts the shares: as much as so many payers who fit them. */
const PRIOR_PAYERS = 100;

/** Below this the shares do not fit: a fitting experiment has a chance of one in a hundred to get there, ever. */
const SUSPICIOUS_BELOW = 0.01;

/**
 * How well the numbers of payers fit the shares: a p-value that stays valid however often it is looked at. It is the inverse of the
 * Bayes factor of a Dirichlet prior around the shares against the shares themselves, a martingale where they are true:
 * Lindon and Malek, "Anytime-Valid Inference for Multinomial Count Data", NeurIPS 2022, arXiv:2011.03567.
 */
export function sampleRatioPValue(arms: readonly ArmSize[]): number {
  const total = arms.reduce((sum, { payers }) => sum + payers, 0);
  let logFactor = logGamma(PRIOR_PAYERS) - logGamma(PRIOR_PAYERS + total);
  for (const { payers, share } of arms) {
    const prior = PRIOR_PAYERS * share;
    logFactor += logGamma(prior + payers) - logGamma(prior) - payers * Math.log(share);
  }
  return Math.min(1, Math.exp(-logFactor));
}

/** Whether shares with this p-value do not fit. */
export const isSampleRatioMismatch = (pValue: number): boolean => pValue < SUSPICIOUS_BELOW;

/** Stirling's series (Abramowitz and Stegun, 6.1.41), exact to 12 digits from 10 on. */
const STIRLING = [1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188];
const SERIES_FROM = 10;

/** The logarithm of the gamma function of a positive number. */
export function logGamma(value: number): number {
  let [x, shift] = [value, 0];
  for (; x < SERIES_FROM; x++) shift += Math.log(x);
  let series = 0;
  for (let term = STIRLING.length - 1; term >= 0; term--) series = series / (x * x) + itemAt(STIRLING, term);
  return (x - 0.5) * Math.log(x) - x + 0.5 * Math.log(2 * Math.PI) + series / x - shift;
}
