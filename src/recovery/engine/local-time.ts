import type { ZoneRules } from "../../kernel/zone-rules.ts";

/* Clock arithmetic on rules that were looked up before: the same on every machine. Local times are milliseconds since 1970 as if in UTC. */

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/** What the clocks of the zone show at an instant. */
export const localTime = (at: Date, rules: ZoneRules): number => at.getTime() + aheadAt(at.getTime(), rules);

/** The same local time of day, some days later; a gap of daylight saving moves it forward by the gap. */
export const daysLater = (from: Date, days: number, rules: ZoneRules): Date =>
  instantOf(localTime(from, rules) + days * DAY_MS, rules);

/** Midnight after an instant: when the next local day begins. */
export const nextDay = (at: Date, rules: ZoneRules): Date =>
  instantOf((Math.floor(localTime(at, rules) / DAY_MS) + 1) * DAY_MS, rules);

/** How many minutes of its local day have passed. */
export const minuteOfDay = (at: Date, rules: ZoneRules): number =>
  Math.floor((((localTime(at, rules) % DAY_MS) + DAY_MS) % DAY_MS) / MINUTE_MS);

/** The first instant at or after one at which the local clock shows a minute of the day, or would if it did not skip it. */
export function nextMinuteOfDay(at: Date, minute: number, rules: ZoneRules): Date {
  const shown = localTime(at, rules);
  const wait = (((minute * MINUTE_MS - shown) % DAY_MS) + DAY_MS) % DAY_MS;
  const soon = new Date(at.getTime() + wait);
  // Where the clocks are not changed meanwhile. An hour that they show twice has each of its minutes twice.
  if (localTime(soon, rules) === shown + wait) return soon;
  const midnight = Math.floor(localTime(at, rules) / DAY_MS) * DAY_MS;
  const today = instantOf(midnight + minute * MINUTE_MS, rules);
  return today >= at ? today : instantOf(midnight + DAY_MS + minute * MINUTE_MS, rules);
}

function aheadAt(ms: number, { offsets }: ZoneRules): number {
  return (offsets.findLast(({ from }) => from.getTime() <= ms) ?? offsets[0]!).aheadMs;
}

/** The instant of a local time: the earlier of two, and where there is none, as far after the gap as it lies in it. */
function instantOf(local: number, { offsets }: ZoneRules): Date {
  let before = offsets[0]!.aheadMs;
  for (const [index, { from, aheadMs }] of offsets.entries()) {
    const instant = local - aheadMs;
    const until = offsets[index + 1]?.from.getTime() ?? Infinity;
    if (instant < until) return new Date(index > 0 && instant < from.getTime() ? local - before : instant);
    before = aheadMs;
  }
  return new Date(local - before);
}

/** The local day, as `2026-03-01`. */
export const localDay = (at: Date, rules: ZoneRules): string =>
  new Date(localTime(at, rules)).toISOString().slice(0, 10);
