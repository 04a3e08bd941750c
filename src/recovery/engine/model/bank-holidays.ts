import { getOrThrow } from "../../../kernel/required-values.ts";

/*
 * Weekdays on which the banks of a country are closed, as data with days: 2024 to 2030, from the public data of date-holidays
 * 3.37.0 (github.com/commenthol/date-holidays, CC BY 3.0; types "public" and "bank"), taken on 2026-11-23. Changed by hand: Korea has the
 * days before and after Seollal and Chuseok, Labour Day, elections and extra holidays as far as they were known on that day; the United
 * States keep Fridays before a holiday on a Saturday open, as the Federal Reserve does. Years that are not listed have weekends
 * only. Another table is another version of the features (cells.ts).
 */

const closedDays = {
  KR: [
    "2024: 01-01 02-09 02-12 03-01 04-10 05-01 05-06 05-15 06-06 08-15 09-16 09-17 09-18 10-01 10-03 10-09 12-25",
    "2025: 01-01 01-27 01-28 01-29 01-30 03-03 05-01 05-05 05-06 06-03 06-06 08-15 10-03 10-06 10-07 10-08 10-09 12-25",
    "2026: 01-01 02-16 02-17 02-18 03-02 05-01 05-05 05-25 06-03 07-17 08-17 09-24 09-25 10-05 10-09 12-25",
    "2027: 01-01 02-08 02-09 03-01 05-05 05-13 07-19 08-16 09-14 09-15 09-16 10-04 10-11 12-27",
    "2028: 01-26 01-27 01-28 03-01 04-12 05-01 05-02 05-05 06-06 07-17 08-15 10-02 10-03 10-04 10-05 10-09 12-25",
    "2029: 01-01 02-12 02-13 02-14 03-01 05-01 05-07 05-21 06-06 07-17 08-15 09-21 09-24 10-03 10-09 12-25",
    "2030: 01-01 02-04 02-05 03-01 05-01 05-06 05-09 06-06 07-17 08-15 09-11 09-12 09-13 10-03 10-09 12-25",
  ],
  US: [
    "2024: 01-01 01-15 02-19 05-27 06-19 07-04 09-02 10-14 11-11 11-28 12-25",
    "2025: 01-01 01-20 02-17 05-26 06-19 07-04 09-01 10-13 11-11 11-27 12-25",
    "2026: 01-01 01-19 02-16 05-25 06-19 09-07 10-12 11-11 11-26 12-25",
    "2027: 01-01 01-18 02-15 05-31 07-05 09-06 10-11 11-11 11-25",
    "2028: 01-17 02-21 05-29 06-19 07-04 09-04 10-09 11-23 12-25",
    "2029: 01-01 01-15 02-19 05-28 06-19 07-04 09-03 10-08 11-12 11-22 12-25",
    "2030: 01-01 01-21 02-18 05-27 06-19 07-04 09-02 10-14 11-11 11-28 12-25",
  ],
  JP: [
    "2024: 01-01 01-02 01-03 01-08 02-12 02-23 03-20 04-29 05-03 05-06 07-15 08-12 09-16 09-23 10-14 11-04 12-31",
    "2025: 01-01 01-02 01-03 01-13 02-11 02-24 03-20 04-29 05-05 05-06 07-21 08-11 09-15 09-23 10-13 11-03 11-24 12-31",
    "2026: 01-01 01-02 01-12 02-11 02-23 03-20 04-29 05-04 05-05 05-06 07-20 08-11 09-21 09-22 09-23 10-12 11-03 11-23 12-31",
    "2027: 01-01 01-11 02-11 02-23 03-22 04-29 05-03 05-04 05-05 07-19 08-11 09-20 09-23 10-11 11-03 11-23 12-31",
    "2028: 01-03 01-10 02-11 02-23 03-20 05-03 05-04 05-05 07-17 08-11 09-18 09-22 10-09 11-03 11-23",
    "2029: 01-01 01-02 01-03 01-08 02-12 02-23 03-20 04-30 05-03 05-04 07-16 09-17 09-24 10-08 11-23 12-31",
    "2030: 01-01 01-02 01-03 01-14 02-11 03-20 04-29 05-03 05-06 07-15 08-12 09-16 09-23 10-14 11-04 12-31",
  ],
  GB: [
    "2024: 01-01 03-29 04-01 05-06 05-27 08-26 12-25 12-26",
    "2025: 01-01 04-18 04-21 05-05 05-26 08-25 12-25 12-26",
    "2026: 01-01 04-03 04-06 05-04 05-25 08-31 12-25 12-28",
    "2027: 01-01 03-26 03-29 05-03 05-31 08-30 12-27 12-28",
    "2028: 01-03 04-14 04-17 05-01 05-29 08-28 12-25 12-26",
    "2029: 01-01 03-30 04-02 05-07 05-28 08-27 12-25 12-26",
    "2030: 01-01 04-19 04-22 05-06 05-27 08-26 12-25 12-26",
  ],
  DE: [
    "2024: 01-01 03-29 04-01 05-01 05-09 05-20 10-03 12-24 12-25 12-26 12-31",
    "2025: 01-01 04-18 04-21 05-01 05-29 06-09 10-03 12-24 12-25 12-26 12-31",
    "2026: 01-01 04-03 04-06 05-01 05-14 05-25 12-24 12-25 12-31",
    "2027: 01-01 03-26 03-29 05-06 05-17 12-24 12-31",
    "2028: 04-14 04-17 05-01 05-25 06-05 10-03 12-25 12-26",
    "2029: 01-01 03-30 04-02 05-01 05-10 05-21 10-03 12-24 12-25 12-26 12-31",
    "2030: 01-01 04-19 04-22 05-01 05-30 06-10 10-03 12-24 12-25 12-26 12-31",
  ],
  FR: [
    "2024: 01-01 04-01 05-01 05-08 05-09 05-20 08-15 11-01 11-11 12-25",
    "2025: 01-01 04-21 05-01 05-08 05-29 06-09 07-14 08-15 11-11 12-25",
    "2026: 01-01 04-06 05-01 05-08 05-14 05-25 07-14 11-11 12-25",
    "2027: 01-01 03-29 05-06 05-17 07-14 11-01 11-11",
    "2028: 04-17 05-01 05-08 05-25 06-05 07-14 08-15 11-01 12-25",
    "2029: 01-01 04-02 05-01 05-08 05-10 05-21 08-15 11-01 12-25",
    "2030: 01-01 04-22 05-01 05-08 05-30 06-10 08-15 11-01 11-11 12-25",
  ],
  BR: [
    "2024: 01-01 02-12 02-13 03-29 05-01 05-30 11-15 11-20 12-25",
    "2025: 01-01 03-03 03-04 04-18 04-21 05-01 06-19 11-20 12-25",
    "2026: 01-01 02-16 02-17 04-03 04-21 05-01 06-04 09-07 10-12 11-02 11-20 12-25",
    "2027: 01-01 02-08 02-09 03-26 04-21 05-27 09-07 10-12 11-02 11-15",
    "2028: 02-28 02-29 04-14 04-21 05-01 06-15 09-07 10-12 11-02 11-15 11-20 12-25",
    "2029: 01-01 02-12 02-13 03-30 05-01 05-31 09-07 10-12 11-02 11-15 11-20 12-25",
    "2030: 01-01 03-04 03-05 04-19 05-01 06-20 11-15 11-20 12-25",
  ],
  IN: [
    "2024: 01-26 03-29 08-15 10-02 12-25",
    "2025: 04-14 04-18 08-15 10-02 12-25",
    "2026: 01-26 04-03 04-14 10-02 12-25",
    "2027: 01-26 03-26 04-14",
    "2028: 01-26 04-14 08-15 10-02 12-25",
    "2029: 01-26 03-30 08-15 10-02 12-25",
    "2030: 04-19 08-15 10-02 12-25",
  ],
} as const satisfies Record<string, readonly string[]>;

/** A calendar of bank days: of a country, of the euro's payment system TARGET, or of weekends alone. */
export type BankCalendar = keyof typeof closedDays | "TARGET" | "WEEKENDS";

const DAY_MS = 86_400_000;
const euroCountries = new Set("AT BE BG CY EE ES FI GR HR IE IT LT LU LV MT NL PT SI SK".split(" "));

const closedDaysByCalendar = new Map<BankCalendar, ReadonlySet<number>>([
  ...Object.entries(closedDays).map(
    ([country, years]) => [country as keyof typeof closedDays, new Set(years.flatMap(parseYear))] as const,
  ),
  ["WEEKENDS", new Set<number>()],
]);

/** A line of the table: the year, and its days as MM-DD. */
function parseYear(line: string): number[] {
  const [year = "", days = ""] = line.split(": ");
  return days.split(" ").map((day) => Date.parse(`${year}-${day}T00:00:00Z`) / DAY_MS);
}

const hasOwnCalendar = (country: string): country is keyof typeof closedDays => Object.hasOwn(closedDays, country);

/** The calendar by which banks of a country move money. */
export function bankCalendarOf(country: string | null): BankCalendar {
  if (country === null) return "WEEKENDS";
  if (hasOwnCalendar(country)) return country;
  return euroCountries.has(country) ? "TARGET" : "WEEKENDS";
}

/** Whether banks are closed on a day that is no weekend. */
export const isBankHoliday = (day: number, calendar: BankCalendar): boolean =>
  calendar === "TARGET" ? isTargetHoliday(day) : getOrThrow(closedDaysByCalendar, calendar).has(day);

/** The closing days of TARGET: New Year, Good Friday, Easter Monday, 1 May, 25 and 26 December (European Central Bank, since 2002). */
function isTargetHoliday(day: number): boolean {
  const date = new Date(day * DAY_MS);
  const [month, dayOfMonth] = [date.getUTCMonth() + 1, date.getUTCDate()];
  if (month === 1 || month === 5) return dayOfMonth === 1;
  if (month === 12) return dayOfMonth === 25 || dayOfMonth === 26;
  if (month !== 3 && month !== 4) return false;
  const fromEaster = day - easterSunday(date.getUTCFullYear());
  return fromEaster === -2 || fromEaster === 1;
}

/** Easter Sunday of the Gregorian calendar, by the Anonymous Gregorian algorithm (Nature, 20 April 1876). */
function easterSunday(year: number): number {
  const century = Math.floor(year / 100);
  const golden = year % 19;
  const correction = century - Math.floor(century / 4) - Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3);
  const epact = (19 * golden + correction + 15) % 30;
  const weekday = (32 + 2 * (century % 4) + 2 * Math.floor((year % 100) / 4) - epact - (year % 4)) % 7;
  const late = Math.floor((golden + 11 * epact + 22 * weekday) / 451);
  const code = epact + weekday - 7 * late + 114;
  return Date.UTC(year, Math.floor(code / 31) - 1, (code % 31) + 1) / DAY_MS;
}
