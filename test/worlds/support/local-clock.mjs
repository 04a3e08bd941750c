/*
 * Local clocks by their written rules, without the engine's zone tables: a world must not share the engine's mistakes.
 */

const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

/** The day of a month on which its nth Sunday falls; the last one for n = -1. Months count from 1. */
function sunday(year, month, nth) {
  const first = new Date(Date.UTC(year, month - 1, 1)).getUTCDay();
  const firstSunday = 1 + ((7 - first) % 7);
  if (nth > 0) return firstSunday + (nth - 1) * 7;
  const days = new Date(Date.UTC(year, month, 0)).getUTCDate();
  return firstSunday + Math.floor((days - firstSunday) / 7) * 7;
}

const americanSummer = (standard) => (ms) => {
  const year = new Date(ms).getUTCFullYear();
  const from = Date.UTC(year, 2, sunday(year, 3, 2), 2 - standard);
  const until = Date.UTC(year, 10, sunday(year, 11, 1), 2 - standard - 1);
  return ms >= from && ms < until ? standard + 1 : standard;
};

const europeanSummer = (standard) => (ms) => {
  const year = new Date(ms).getUTCFullYear();
  const summer = ms >= Date.UTC(year, 2, sunday(year, 3, -1), 1) && ms < Date.UTC(year, 9, sunday(year, 10, -1), 1);
  return summer ? standard + 1 : standard;
};

const hoursAhead = {
  "Asia/Seoul": () => 9,
  "America/New_York": americanSummer(-5),
  "America/Chicago": americanSummer(-6),
  "America/Los_Angeles": americanSummer(-8),
  "Europe/London": europeanSummer(0),
  "Europe/Berlin": europeanSummer(1),
};

/** The local date and time of a zone at an instant. Months count from 1, weekdays from Sunday as 0. */
export function localTime(zone, ms) {
  const shown = new Date(ms + hoursAhead[zone](ms) * HOUR_MS);
  return {
    year: shown.getUTCFullYear(),
    month: shown.getUTCMonth() + 1,
    day: shown.getUTCDate(),
    weekday: shown.getUTCDay(),
    hour: shown.getUTCHours() + shown.getUTCMinutes() / 60,
  };
}

/** The instant at which a zone's clocks show a day and an hour, which may be fractional: 9.5 is half past nine. */
export function instantOf(zone, { year, month, day }, hour) {
  const shown = Date.UTC(year, month - 1, day) + hour * HOUR_MS;
  const near = shown - hoursAhead[zone](shown) * HOUR_MS;
  return shown - hoursAhead[zone](near) * HOUR_MS;
}

/** The calendar day so many days after another. */
export function dayAfter({ year, month, day }, days = 1) {
  const moved = new Date(Date.UTC(year, month - 1, day + days));
  return {
    year: moved.getUTCFullYear(),
    month: moved.getUTCMonth() + 1,
    day: moved.getUTCDate(),
    weekday: moved.getUTCDay(),
  };
}
