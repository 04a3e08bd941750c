import type { TimeDraw } from "../engine/decision.ts";
import type { RecoveryCase } from "../engine/recovery-case.ts";
import type { Policy } from "../engine/policy.ts";

/** A choice that a policy made for a case, and what came of it. */
export interface LoggedStep {
  /** What was known when it was made. */
  facts: RecoveryCase;
  madeAt: Date;
  /** The time that was chosen for the attempt; null where the policy ended recovery. */
  chosen: Date | null;
  /** How the time was drawn; null if it had no random part. */
  draw: TimeDraw | null;
  /** Whether the attempt was approved. */
  approved: boolean;
}

/** A case as a sequence of choices: what a backtest compares another policy with. */
export interface LoggedCase {
  /** Cases of one payer are not independent: they are in one fold, and vary together. */
  payer: string;
  /** Its amount, in the currency in which values are added up; null if it is in another. */
  amount: number | null;
  /** The policy that it ran under. */
  policy: Policy;
  /** In order of time; the last may be the end that the policy decided. */
  steps: readonly LoggedStep[];
}

/** Whether an attempt of the case was approved. */
export const isRecovered = ({ steps }: LoggedCase): boolean => steps.some(({ approved }) => approved);

/** Number of attempts of the case. */
export const attemptsOf = ({ steps }: LoggedCase): number => steps.filter(({ chosen }) => chosen !== null).length;
