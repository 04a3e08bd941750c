import type { RecoveryCase } from "./recovery-case.ts";
import type { Chance } from "./decision.ts";

/** A trained model of recovery: how likely a try of this case at an instant is to work. */
export interface HazardModel {
  version: string;
  /** Null where the model is stale or unsure: the policy then falls back to an even schedule. */
  chanceOf(facts: RecoveryCase, at: Date): Chance | null;
}

/** Six digits are the same on every machine; the last bits of a logarithm are not. */
const sixDigits = (value: number): number => Math.round(value * 1e6) / 1e6;

/** What the model says of a time, at six digits; null without a model. */
export function chanceOf(model: HazardModel | null, facts: RecoveryCase, at: Date): Chance | null {
  const chance = model?.chanceOf(facts, at);
  if (!chance) return null;
  const { low, high } = chance.interval;
  return { probability: sixDigits(chance.probability), interval: { low: sixDigits(low), high: sixDigits(high) } };
}
