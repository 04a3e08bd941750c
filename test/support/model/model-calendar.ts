import { DAY, HOUR } from "../test-clock.ts";

export type ModelInterval = "WEEK" | "MONTH";

/** The offset of Seoul from UTC, the same all year. */
const SEOUL_OFFSET_MS = 9 * HOUR;

/**
 * So many periods after an instant by the calendar of Seoul: the same day of the month, or the last if there is none.
 */
export function periodBoundary(anchor: number, interval: ModelInterval, periods: number): number {
  if (interval === "WEEK") return anchor + periods * 7 * DAY;
  const local = new Date(anchor + SEOUL_OFFSET_MS);
  const [year, month, day] = [local.getUTCFullYear(), local.getUTCMonth() + periods, local.getUTCDate()];
  const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  const midnight = Date.UTC(year, month, Math.min(day, last));
  return midnight + ((anchor + SEOUL_OFFSET_MS) % DAY) - SEOUL_OFFSET_MS;
}
