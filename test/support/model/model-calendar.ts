import { DAY, HOUR } from "../test-clock.ts";

export type Interval = "WEEK" | "MONTH";

/** Seoul is so far ahead of universal time, all the year. */
const AHEAD = 9 * HOUR;

/** So many periods after an instant by the calendar of Seoul: the same day of the month, or the last where there is none. */
export function boundary(anchor: number, interval: Interval, periods: number): number {
  if (interval === "WEEK") return anchor + periods * 7 * DAY;
  const local = new Date(anchor + AHEAD);
  const [year, month, day] = [local.getUTCFullYear(), local.getUTCMonth() + periods, local.getUTCDate()];
  const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  const midnight = Date.UTC(year, month, Math.min(day, last));
  return midnight + ((anchor + AHEAD) % DAY) - AHEAD;
}
