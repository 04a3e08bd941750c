import type { RecoveryCase } from "../engine/recovery-case.ts";
import { classifyDecline, endReasonOf } from "../engine/decline.ts";
import { currentRulebook, earliestLegalTime } from "../engine/rulebook.ts";
import type { RetryStrategy, ReportedHistory, PlannedAttempt } from "./retry-strategy.ts";
import { toEngineCase } from "./engine-case.ts";

/** A schedule that knows nothing of declines: its next try after an instant, or null. */
export type Schedule = (story: ReportedHistory, from: Date) => PlannedAttempt | null;

/**
 * Holds a schedule to what every policy is held to: it ends where a decline says that no try can help, and the rulebook moves its
 * tries later. So policies differ in when they try, and in nothing else.
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

/** Whether the last decline says that trying again cannot help; the same definition tells hard declines apart in reports. */
export function isHardDecline(facts: RecoveryCase): boolean {
  const last = facts.attempts.at(-1);
  const isMethodChanged = facts.events.some(({ at }) => last && at > last.at);
  return last !== undefined && !isMethodChanged && endReasonOf(classifyDecline(last, facts)) !== undefined;
}
