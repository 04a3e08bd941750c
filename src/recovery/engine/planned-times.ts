import type { RecoveryCase } from "./recovery-case.ts";
import { addLocalDays } from "./local-time.ts";
import type { PolicyPlan } from "./policy.ts";

/** The times that a plan has for a case, in order. */
export function plannedTimes(plan: PolicyPlan, { windowStart, zone }: RecoveryCase): Date[] {
  if (plan.kind === "LADDER") return plan.offsetsInDays.map((days) => addLocalDays(windowStart, days, zone));
  return Array.from({ length: plan.tries }, (_, index) => {
    const days = ((index + 1) * plan.windowInDays) / plan.tries;
    const from = addLocalDays(windowStart, Math.floor(days), zone).getTime();
    const until = addLocalDays(windowStart, Math.ceil(days), zone).getTime();
    // A part of a day that is an hour short or long: tries stay in order.
    return new Date(from + Math.round((days % 1) * (until - from)));
  });
}
