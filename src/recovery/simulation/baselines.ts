import type { Contender } from "./retry-strategy.ts";
import { held, type Schedule } from "./constrained-strategy.ts";

const DAY_MS = 86_400_000;
const WINDOW_IN_DAYS = 28;

/** So many times 24 hours after the first failure, whatever the payer's clock shows. */
const onDays = (days: readonly number[]): Schedule => {
  const offsets = days.map((day) => Math.round(day * DAY_MS));
  return ({ windowStart }, now) => {
    const start = windowStart.getTime();
    const offset = offsets.find((ms) => start + ms > now.getTime());
    return offset === undefined ? null : { at: new Date(start + offset), probability: null };
  };
};

/** A ladder as billing systems write it: days between one try and the next. */
function ladder(...gaps: readonly number[]): Contender {
  const days = gaps.map((_, index) => gaps.slice(0, index + 1).reduce((sum, gap) => sum + gap, 0));
  return held(`ladder-${gaps.join("-")}`, `Ladder: days ${days.join(", ")}`, onDays(days));
}

const evenly = (tries: number): Contender =>
  held(
    `even-${tries}`,
    `${tries} tries evenly in ${WINDOW_IN_DAYS} days`,
    onDays(Array.from({ length: tries }, (_, index) => ((index + 1) * WINDOW_IN_DAYS) / tries)),
  );

const EXISTING = [1, 3, 5, 10, 14];
const DAILY = Array.from({ length: WINDOW_IN_DAYS }, (_, index) => index + 1);

/** Schedules that look at nothing but the calendar of the failure: what public billing systems ship, and the plain ones. */
export const fixedBaselines: readonly Contender[] = [
  ladder(3, 5, 5),
  ladder(3, 5, 7),
  ladder(8, 8, 8),
  ladder(2, 5, 7, 7),
  // The one that is told in days after the failure: what existing integrations see.
  held(`ladder-${EXISTING.join("-")}`, `Ladder: days ${EXISTING.join(", ")}`, onDays(EXISTING)),
  evenly(4),
  evenly(8),
  held("daily", "Every day", onDays(DAILY)),
];
