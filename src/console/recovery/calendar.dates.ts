const DAYS_PER_WEEK = 7;

/** The day of an instant in a time zone, as YYYY-MM-DD. */
export function dayIn(zoneId: string, instant: string): string {
  const options = { timeZone: zoneId, year: "numeric", month: "2-digit", day: "2-digit" } as const;
  const parts = new Intl.DateTimeFormat("en-US", options).formatToParts(new Date(instant));
  const valueOf = (type: string) => parts.find((part) => part.type === type)?.value ?? "";
  return `${valueOf("year")}-${valueOf("month")}-${valueOf("day")}`;
}

const monthAfter = (month: string): string => {
  const [year = 0, number = 0] = month.split("-").map(Number);
  return new Date(Date.UTC(year, number, 1)).toISOString().slice(0, 7);
};

/** All months from the first to the last of the days, as YYYY-MM. */
export function monthsBetween(days: readonly string[]): string[] {
  const sorted = days.map((day) => day.slice(0, 7)).sort();
  const [first] = sorted;
  const last = sorted.at(-1);
  const months: string[] = [];
  if (first === undefined || last === undefined) return months;
  for (let month = first; month <= last; month = monthAfter(month)) months.push(month);
  return months;
}

/** The weeks of a month from Sunday to Saturday; undefined for places before its first and after its last day. */
export function weeksOf(month: string): (string | undefined)[][] {
  const weekday = new Date(`${month}-01`).getUTCDay();
  const length = new Date(Date.parse(`${monthAfter(month)}-01`) - 1).getUTCDate();
  const places = Array.from({ length: Math.ceil((weekday + length) / DAYS_PER_WEEK) * DAYS_PER_WEEK }, (_, index) => {
    const number = index - weekday + 1;
    return number >= 1 && number <= length ? `${month}-${String(number).padStart(2, "0")}` : undefined;
  });
  return Array.from({ length: places.length / DAYS_PER_WEEK }, (_, index) =>
    places.slice(index * DAYS_PER_WEEK, (index + 1) * DAYS_PER_WEEK),
  );
}
