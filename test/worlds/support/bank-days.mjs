import { dayAfter } from "./local-clock.mjs";

/* Days on which banks move no money, from the calendars that the two countries published. Weekends are not listed. */

const closed = {
  KR: [
    "2025-01-01 2025-01-27 2025-01-28 2025-01-29 2025-01-30 2025-03-03 2025-05-01 2025-05-05 2025-05-06 2025-06-03",
    "2025-06-06 2025-08-15 2025-10-03 2025-10-06 2025-10-07 2025-10-08 2025-10-09 2025-12-25",
    "2026-01-01 2026-02-16 2026-02-17 2026-02-18 2026-03-02 2026-05-01 2026-05-05 2026-05-25 2026-06-03",
  ],
  US: [
    "2025-01-01 2025-01-20 2025-02-17 2025-05-26 2025-06-19 2025-07-04 2025-09-01 2025-10-13 2025-11-11 2025-11-27 2025-12-25",
    "2026-01-01 2026-01-19 2026-02-16 2026-05-25 2026-06-19",
  ],
};

const holidays = Object.fromEntries(
  Object.entries(closed).map(([country, lines]) => [country, new Set(lines.flatMap((line) => line.split(" ")))]),
);

const two = (number) => String(number).padStart(2, "0");
const written = ({ year, month, day }) => `${year}-${two(month)}-${two(day)}`;

/** Whether banks of a country work on a calendar day. */
export function isBankDay(country, date) {
  const { weekday } = dayAfter(date, 0);
  return weekday !== 0 && weekday !== 6 && !holidays[country].has(written(date));
}

/** The day itself, or the last bank day before it: wages due on a holiday come early. */
export function bankDayBefore(country, date) {
  let found = dayAfter(date, 0);
  while (!isBankDay(country, found)) found = dayAfter(found, -1);
  return found;
}
