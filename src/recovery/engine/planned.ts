import type { RecoveryCase } from "./case.ts";
import { daysLater, minuteOfDay, nextMinuteOfDay } from "./local-time.ts";
import type { Plan, QuietHours } from "./policy.ts";

const DAY_MS = 86_400_000;

/** The times that a plan has for a case, in order. */
export function plannedTimes(plan: Plan, { windowStart, zone }: RecoveryCase): Date[] {
  if (plan.kind === "LADDER") return plan.offsetsInDays.map((days) => daysLater(windowStart, days, zone));
  return Array.from({ length: plan.tries }, (_, index) => {
    const days = ((index + 1) * plan.windowInDays) / plan.tries;
    const whole = Math.floor(days);
    return new Date(daysLater(windowStart, whole, zone).getTime() + Math.round((days - whole) * DAY_MS));
  });
}

/** The time itself, or the end of the quiet hours that it lies in. */
export function afterQuietHours(at: Date, quiet: QuietHours | null, { zone }: RecoveryCase): Date {
  if (!quiet) return at;
  const minute = minuteOfDay(at, zone);
  const { from, until } = quiet;
  const isQuiet = from < until ? minute >= from && minute < until : minute >= from || minute < until;
  return isQuiet ? nextMinuteOfDay(at, until, zone) : at;
}
