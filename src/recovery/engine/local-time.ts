import { firstOf } from "../../kernel/required-values.ts";
import type { ZoneRules } from "../../kernel/zone-rules.ts";

/* Clock arithmetic on rules that were looked up before: the same on every machine. Local times are milliseconds since 1970 as if in UTC. */

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/** The local time in the zone at an instant. */
export const toLocalTime = (at: Date, rules: ZoneRules): number => at.getTime() + offsetAt(at.getTime(), rules);

/** The same local time of day, some days later; a gap of daylight saving moves it forward by the gap. */
export const addLocalDays = (from: Date, days: number, rules: ZoneRules): Date =>
  toInstant(toLocalTime(from, rules) + days * DAY_MS, rules);

/** Midnight after an instant: when the next local day begins. */
export const nextLocalMidnight = (at: Date, rules: ZoneRules): Date =>
  toInstant((Math.floor(toLocalTime(at, rules) / DAY_MS) + 1) * DAY_MS, rules);

/** Number of minutes since the start of the local day. */
export const minuteOfDay = (at: Date, rules: ZoneRules): number =>
  Math.floor((((toLocalTime(at, rules) % DAY_MS) + DAY_MS) % DAY_MS) / MINUTE_MS);

/** The first instant at or after one at which the local clock shows a minute of the day, or would if it did not skip it. */
export function nextMinuteOfDay(at: Date, minute: number, rules: ZoneRules): Date {
  const localNow = toLocalTime(at, rules);
  const delayMs = (((minute * MINUTE_MS - localNow) % DAY_MS) + DAY_MS) % DAY_MS;
  const candidate = new Date(at.getTime() + delayMs);
  // No clock change in between. An hour that occurs twice has each of its minutes twice.
  if (toLocalTime(candidate, rules) === localNow + delayMs) return candidate;
  const midnight = Math.floor(toLocalTime(at, rules) / DAY_MS) * DAY_MS;
  const today = toInstant(midnight + minute * MINUTE_MS, rules);
  return today >= at ? today : toInstant(midnight + DAY_MS + minute * MINUTE_MS, rules);
}

function offsetAt(ms: number, { offsets }: ZoneRules): number {
  return (offsets.findLast(({ from }) => from.getTime() <= ms) ?? firstOf(offsets)).aheadMs;
}

/** The instant of a local time: the earlier of two, and where there is none, as far after the gap as it lies in it. */
function toInstant(local: number, { offsets }: ZoneRules): Date {
  let previousOffset = firstOf(offsets).aheadMs;
  for (const [index, { from, aheadMs }] of offsets.entries()) {
    const instant = local - aheadMs;
    const until = offsets[index + 1]?.from.getTime() ?? Infinity;
    if (instant < until) return new Date(index > 0 && instant < from.getTime() ? local - previousOffset : instant);
    previousOffset = aheadMs;
  }
  return new Date(local - previousOffset);
}

/** The local day, as `2026-03-01`. */
export const toLocalDay = (at: Date, rules: ZoneRules): string =>
  new Date(toLocalTime(at, rules)).toISOString().slice(0, 10);
