import { zoneRulesAround } from "../../kernel/zone-rules.ts";
import { addLocalDays, nextLocalMidnight, nextMinuteOfDay, toLocalDay } from "../engine/local-time.ts";

/** The facts of a cover that bound the days a payer can ask for. */
interface PromisableCover {
  windowStart: Date;
  zoneId: string;
}

/** A payer can ask for a day this many days ahead. */
const MAX_DAYS_AHEAD = 31;
/** The last day that a payer can ask for, in days after the start of the cover: it cannot be put off without end. */
const MAX_DAYS_OF_COVER = 60;
/** The payer's local time of the charge: banks have booked the salaries of the day, and most quiet hours are over. */
const CHARGE_MINUTE = 10 * 60;

/** The first and the last day that the payer can ask for, in the cover's time zone; null if there is none. */
export function promisableDays(
  { windowStart, zoneId }: PromisableCover,
  now: Date,
): { first: string; last: string } | null {
  const zone = zoneRulesAround(zoneId, now);
  const first = toLocalDay(nextLocalMidnight(now, zone), zone);
  const lastOfCover = toLocalDay(
    addLocalDays(windowStart, MAX_DAYS_OF_COVER, zoneRulesAround(zoneId, windowStart)),
    zone,
  );
  const lastAhead = toLocalDay(addLocalDays(now, MAX_DAYS_AHEAD, zone), zone);
  const last = lastOfCover < lastAhead ? lastOfCover : lastAhead;
  return first <= last ? { first, last } : null;
}

/** The time of the charge on a day that the payer asked for; undefined if it is no such day, or not one of those possible. */
export function toPromisedTime(day: string, cover: PromisableCover, now: Date): Date | undefined {
  const days = promisableDays(cover, now);
  if (!/^\d{4}-\d\d-\d\d$/.test(day) || !days || day < days.first || day > days.last) return undefined;
  const zone = zoneRulesAround(cover.zoneId, now);
  for (let midnight = nextLocalMidnight(now, zone); ; midnight = addLocalDays(midnight, 1, zone)) {
    const found = toLocalDay(midnight, zone);
    if (found === day) return nextMinuteOfDay(midnight, CHARGE_MINUTE, zone);
    // No day of the calendar, such as 2026-02-30.
    if (found > day) return undefined;
  }
}
