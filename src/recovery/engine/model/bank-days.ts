import { isBankHoliday, type BankCalendar } from "./bank-holidays.ts";

/* Local days as whole numbers of days since 1970-01-01: a Thursday. */

const DAY_MS = 86_400_000;

/** The weekday of a day, from Sunday as 0. */
export const weekdayOf = (day: number): number => (((day + 4) % 7) + 7) % 7;

/** The year, the month from 1 and the day of the month of a day. */
export function dateOf(day: number): { year: number; month: number; dayOfMonth: number } {
  const date = new Date(day * DAY_MS);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, dayOfMonth: date.getUTCDate() };
}

/** The day of a date; a day past the month's end is one of the next month. */
export const dayOf = (year: number, month: number, dayOfMonth: number): number =>
  Date.UTC(year, month - 1, dayOfMonth) / DAY_MS;

/** Number of days in a month. */
export const daysInMonth = (year: number, month: number): number => dayOf(year, month + 1, 1) - dayOf(year, month, 1);

/** Whether banks move money on a day. */
export function isBankDay(day: number, calendar: BankCalendar): boolean {
  const weekday = weekdayOf(day);
  return weekday !== 0 && weekday !== 6 && !isBankHoliday(day, calendar);
}

/** The day itself, or the last bank day before it. */
export function bankDayBefore(day: number, calendar: BankCalendar): number {
  let found = day;
  while (!isBankDay(found, calendar)) found--;
  return found;
}
