import type { RecoveryCase } from "./recovery-case.ts";
import type { SuccessEstimate } from "./decision.ts";

/** A trained model of recovery: how likely a try of this case at an instant is to work. */
export interface HazardModel {
  version: string;
  /** Null where the model is stale or unsure: the policy then falls back to an even schedule. */
  predict(facts: RecoveryCase, at: Date): SuccessEstimate | null;
}

/** Six digits are the same on every machine; the last bits of a logarithm are not. */
const roundToSixDigits = (value: number): number => Math.round(value * 1e6) / 1e6;

/** The model's probability of success at a time, rounded to six digits; null without a model. */
export function predictSuccess(model: HazardModel | null, facts: RecoveryCase, at: Date): SuccessEstimate | null {
  const estimate = model?.predict(facts, at);
  if (!estimate) return null;
  const { low, high } = estimate.interval;
  return {
    probability: roundToSixDigits(estimate.probability),
    interval: { low: roundToSixDigits(low), high: roundToSixDigits(high) },
  };
}
