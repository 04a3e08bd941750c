import type { CoverEndReason, ReasonClass } from "../../../schema/vocabulary.ts";
import type { TimeDraw } from "./decision.ts";
import { endReasonOf } from "./decline.ts";
import type { Policy } from "./policy.ts";
import type { RecoveryCase } from "./recovery-case.ts";

/** A choice of the engine as it was recorded: a time for the next attempt, or the end. */
export interface RecordedChoice {
  /** What was known then. */
  facts: RecoveryCase;
  madeAt: Date;
  /** The time that was chosen; null for the end. */
  chosen: Date | null;
  /** How the time was drawn; null if its choice had no random part. */
  draw: TimeDraw | null;
}

/** A retry whose result is known. */
export interface RecordedRetry {
  /** What was known when its time was chosen: nothing that was reported later. */
  facts: RecoveryCase;
  /** When it was made. */
  at: Date;
  approved: boolean;
  /** The meaning of its decline; null if it was approved. */
  declinedAs: ReasonClass | null;
  /** When its time was chosen. */
  chosenAt: Date;
  /** The probability with which its time was chosen; null if unknown, as for history of another system. */
  propensity: number | null;
  /** The chance of approval that was stated with the decision; null without a model. */
  probability: number | null;
  /** The model that stated it. */
  modelVersion: string | null;
  /** Whether its time was drawn in order to learn. */
  explored: boolean;
  /** The choice that first announced its date; null if an earlier date of the same choice passed without a report. */
  choice: RecordedChoice | null;
}

/** A failed payment as it was recorded: the material of training, backtests and drift tests. */
export interface RecordedCase {
  /** Identifies the case among those of one vendor. */
  id: number;
  startedAt: Date;
  /** Identifies the payer among those of one vendor. */
  payer: string;
  /** The facts as of the last decision, with all failed attempts in order of time. */
  facts: RecoveryCase;
  /** The policy that it ran under. */
  policy: Policy;
  /** Whether the caller kept its own schedule, so that the policy only advised. */
  shadow: boolean;
  /** The model behind the first choice; null without one. */
  firstModelVersion: string | null;
  /** In order of time. Retries that were never reported are missing. */
  retries: RecordedRetry[];
  /** The last choice, whose result may be unknown. */
  lastChoice: RecordedChoice | null;
  /** Null while trying goes on. */
  end: { at: Date; reason: CoverEndReason } | null;
}

/** Whether the result says something about hours: a decline that ends trying would have come at any hour. */
export const isEvidence = ({ declinedAs }: Pick<RecordedRetry, "declinedAs">): boolean =>
  declinedAs === null || endReasonOf(declinedAs) === undefined;
