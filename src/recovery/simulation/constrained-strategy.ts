import type { RecoveryCase } from "../engine/recovery-case.ts";
import { classifyDecline, endReasonOf } from "../engine/decline.ts";
import { currentRulebook, earliestLegalTime } from "../engine/rulebook.ts";
import type { RetryStrategy, ReportedHistory, PlannedAttempt } from "./retry-strategy.ts";
import { toEngineCase } from "./engine-case.ts";

/** Returns the next retry after an instant, or null. Limits are applied to it afterwards. */
export type Schedule = (history: ReportedHistory, from: Date) => PlannedAttempt | null;

/**
 * Applies the limits of the engine's policies to a schedule: it ends at a hard decline, and the rulebook moves attempts
 * later. Baselines and policies then differ only in the times of their attempts.
 */
export const constrainedStrategy = (name: string, label: string, schedule: Schedule): RetryStrategy => ({
  name,
  label,
  baseline: true,
  next(history, now) {
    const facts = toEngineCase(history);
    if (isHardDecline(facts)) return null;
    const planned = schedule(history, now);
    const at = planned && earliestLegalTime(facts.attempts, planned.at, currentRulebook).at;
    return at && { at, probability: planned.probability };
  },
});

/** True if the last decline is hard, so that a retry cannot succeed. Reports use the same definition. */
export function isHardDecline(facts: RecoveryCase): boolean {
  const last = facts.attempts.at(-1);
  const isMethodChanged = facts.events.some(({ at }) => last && at > last.at);
  return last !== undefined && !isMethodChanged && endReasonOf(classifyDecline(last, facts)) !== undefined;
}
