import type { RecoveryCase } from "./recovery-case.ts";
import { minuteOfDay, nextMinuteOfDay } from "./local-time.ts";
import type { QuietHoursWindow } from "./policy.ts";

/** The time itself, or the end of the quiet hours that it lies in; the next day's, where the clocks skip what is not quiet. */
export function afterQuietHours(
  at: Date,
  quietHours: QuietHoursWindow | null,
  { zone }: Pick<RecoveryCase, "zone">,
): Date {
  if (!quietHours) return at;
  let time = at;
  while (isQuiet(quietHours, minuteOfDay(time, zone))) time = nextMinuteOfDay(time, quietHours.until, zone);
  return time;
}

const isQuiet = ({ from, until }: QuietHoursWindow, minute: number): boolean =>
  from < until ? minute >= from && minute < until : minute >= from || minute < until;
