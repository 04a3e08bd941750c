import { getOrThrow } from "../../../kernel/required-values.ts";
import { bankDayBefore, dateOf, dayOf, daysInMonth } from "./bank-days.ts";
import type { BankCalendar } from "./bank-holidays.ts";
import { SOURCE_COUNT } from "./cells.ts";

/** Paydays by the day of the month; the others come once a week. */
export const MONTHLY_SOURCES = 31;

/** Whether a source comes monthly (0) or weekly (1). */
export const sourceKindOf = (source: number): number => (source < MONTHLY_SOURCES ? 0 : 1);

const MONDAY_EPOCH = 4;

/**
 * Days on which each source of money arrives, in order, by the paydays of a month and the two after it. A payday on which banks are
 * closed comes on the bank day before.
 */
function arrivalsFrom(year: number, month: number, calendar: BankCalendar): Int32Array[] {
  const [start, end] = [dayOf(year, month, 1), dayOf(year, month + 3, 1)];
  return Array.from({ length: SOURCE_COUNT }, (_, source) => {
    const days =
      source < MONTHLY_SOURCES
        ? monthlyDays(source + 1, year, month)
        : weeklyDays(source - MONTHLY_SOURCES, start, end);
    const moved = days.map((day) => bankDayBefore(day, calendar));
    return Int32Array.from([...new Set(moved)]);
  });
}

/** A month without such a day pays on its last one. */
function monthlyDays(dayOfMonth: number, year: number, month: number): number[] {
  return [0, 1, 2].map((ahead) => {
    const first = dateOf(dayOf(year, month + ahead, 1));
    return dayOf(first.year, first.month, Math.min(dayOfMonth, daysInMonth(first.year, first.month)));
  });
}

function weeklyDays(weekdayFromMonday: number, start: number, end: number): number[] {
  const days: number[] = [];
  for (let day = start; day < end; day++)
    if ((((day - MONDAY_EPOCH) % 7) + 7) % 7 === weekdayFromMonday) days.push(day);
  return days;
}

const cache = new Map<string, Int32Array[]>();
const CACHED_MONTHS = 2000;

/** The days on which each source arrives from the month before a day to the end of the month after it. */
export function sourceArrivalsAround(day: number, calendar: BankCalendar): readonly Int32Array[] {
  const { year, month } = dateOf(day);
  const key = `${calendar} ${year} ${month}`;
  if (!cache.has(key)) {
    if (cache.size >= CACHED_MONTHS) cache.clear();
    const before = dateOf(dayOf(year, month, 1) - 1);
    const earlier = arrivalsFrom(before.year, before.month, calendar);
    cache.set(key, earlier);
  }
  return getOrThrow(cache, key);
}
