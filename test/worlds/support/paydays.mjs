import { bankDayBefore } from "./bank-days.mjs";
import { DAY_MS, dayAfter, instantOf, localTime } from "./local-clock.mjs";

/**
 * When wages arrive, from one instant to another. `when` is `{ monthDays: [15, 31] }`, where a month without such a day
 * pays on its last, or `{ everyDays: 14, from: {year, month, day} }`. A payday on which banks are closed moves to the
 * bank day before.
 */
export function paydays({ country, zone, when, hour }, from, until) {
  const days = when.monthDays ? monthDays(when.monthDays, zone, from, until) : cycles(when, zone, from, until);
  return days
    .map((day) => instantOf(zone, bankDayBefore(country, day), hour))
    .filter((at) => at >= from && at < until)
    .sort((a, b) => a - b);
}

function monthDays(wanted, zone, from, until) {
  const found = [];
  const last = localTime(zone, until + 10 * DAY_MS);
  for (let { year, month } = localTime(zone, from); year * 12 + month <= last.year * 12 + last.month;) {
    const length = new Date(Date.UTC(year, month, 0)).getUTCDate();
    for (const day of wanted) found.push({ year, month, day: Math.min(day, length) });
    if (++month > 12) {
      month = 1;
      year++;
    }
  }
  return found;
}

function cycles({ everyDays, from: first }, zone, from, until) {
  const passed = Math.floor((from - instantOf(zone, first, 0)) / (everyDays * DAY_MS));
  const count = Math.ceil((until - from) / (everyDays * DAY_MS)) + 2;
  return Array.from({ length: count }, (_, index) => dayAfter(first, (passed + index) * everyDays));
}
