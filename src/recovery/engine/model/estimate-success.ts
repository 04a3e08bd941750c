import type { SuccessEstimate } from "../decision.ts";
import type { ModelledCase } from "./modelled-case.ts";
import { toStatedProbability } from "./rounding.ts";

/** The model's probability of success at a time, rounded to six digits. */
export function estimateSuccess(modelled: ModelledCase, at: Date): SuccessEstimate {
  const { probability, low, high } = modelled.estimateAt(at);
  return {
    probability: toStatedProbability(probability),
    interval: { low: toStatedProbability(low), high: toStatedProbability(high) },
  };
}
