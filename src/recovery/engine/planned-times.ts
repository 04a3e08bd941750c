import type { RecoveryCase } from "./recovery-case.ts";
import { addLocalDays, minuteOfDay, nextMinuteOfDay } from "./local-time.ts";
import type { PolicyPlan, QuietHoursWindow } from "./policy.ts";

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

/** The time itself, or the end of the quiet hours that it lies in; the next day's, where the clocks skip what is not quiet. */
export function afterQuietHours(at: Date, quietHours: QuietHoursWindow | null, { zone }: RecoveryCase): Date {
  if (!quietHours) return at;
  let time = at;
  while (isQuiet(quietHours, minuteOfDay(time, zone))) time = nextMinuteOfDay(time, quietHours.until, zone);
  return time;
}

const isQuiet = ({ from, until }: QuietHoursWindow, minute: number): boolean =>
  from < until ? minute >= from && minute < until : minute >= from || minute < until;
