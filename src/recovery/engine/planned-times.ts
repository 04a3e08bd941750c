import type { RecoveryCase } from "./recovery-case.ts";
import { daysLater, minuteOfDay, nextMinuteOfDay } from "./local-time.ts";
import type { Plan, QuietHours } from "./policy.ts";

/** The times that a plan has for a case, in order. */
export function plannedTimes(plan: Plan, { windowStart, zone }: RecoveryCase): Date[] {
  if (plan.kind === "LADDER") return plan.offsetsInDays.map((days) => daysLater(windowStart, days, zone));
  return Array.from({ length: plan.tries }, (_, index) => {
    const days = ((index + 1) * plan.windowInDays) / plan.tries;
    const [from, until] = [Math.floor(days), Math.ceil(days)].map((whole) =>
      daysLater(windowStart, whole, zone).getTime(),
    );
    // A part of a day that is an hour short or long: tries stay in order.
    return new Date(from! + Math.round((days % 1) * (until! - from!)));
  });
}

/** The time itself, or the end of the quiet hours that it lies in; the next day's, where the clocks skip what is not quiet. */
export function afterQuietHours(at: Date, quiet: QuietHours | null, { zone }: RecoveryCase): Date {
  if (!quiet) return at;
  let loud = at;
  while (isQuiet(quiet, minuteOfDay(loud, zone))) loud = nextMinuteOfDay(loud, quiet.until, zone);
  return loud;
}

const isQuiet = ({ from, until }: QuietHours, minute: number): boolean =>
  from < until ? minute >= from && minute < until : minute >= from || minute < until;
