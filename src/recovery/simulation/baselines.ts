import type { RetryStrategy } from "./retry-strategy.ts";
import { constrainedStrategy, type Schedule } from "./constrained-strategy.ts";

const DAY_MS = 86_400_000;
const WINDOW_IN_DAYS = 28;

/** Plans retries at multiples of 24 hours after the first failure. The payer's local time is ignored. */
const scheduleOnDays = (days: readonly number[]): Schedule => {
  const offsets = days.map((day) => Math.round(day * DAY_MS));
  return ({ windowStart }, now) => {
    const start = windowStart.getTime();
    const offset = offsets.find((ms) => start + ms > now.getTime());
    return offset === undefined ? null : { at: new Date(start + offset), probability: null };
  };
};

/** Creates a ladder from the days between one retry and the next, as billing systems document them. */
function createLadder(...gaps: readonly number[]): RetryStrategy {
  const days = gaps.map((_, index) => gaps.slice(0, index + 1).reduce((sum, gap) => sum + gap, 0));
  return constrainedStrategy(`ladder-${gaps.join("-")}`, `Ladder: days ${days.join(", ")}`, scheduleOnDays(days));
}

const createEvenSchedule = (tries: number): RetryStrategy =>
  constrainedStrategy(
    `even-${tries}`,
    `${tries} tries evenly in ${WINDOW_IN_DAYS} days`,
    scheduleOnDays(Array.from({ length: tries }, (_, index) => ((index + 1) * WINDOW_IN_DAYS) / tries)),
  );

const DEFAULT_LADDER_DAYS = [1, 3, 5, 10, 14];
const EVERY_DAY = Array.from({ length: WINDOW_IN_DAYS }, (_, index) => index + 1);

/** Schedules that depend only on the time of the failure: those of public billing systems, and simple ones. */
export const fixedBaselines: readonly RetryStrategy[] = [
  createLadder(3, 5, 5),
  createLadder(3, 5, 7),
  createLadder(8, 8, 8),
  createLadder(2, 5, 7, 7),
  // Recoup's default schedule, in days after the failure.
  constrainedStrategy(
    `ladder-${DEFAULT_LADDER_DAYS.join("-")}`,
    `Ladder: days ${DEFAULT_LADDER_DAYS.join(", ")}`,
    scheduleOnDays(DEFAULT_LADDER_DAYS),
  ),
  createEvenSchedule(4),
  createEvenSchedule(8),
  constrainedStrategy("daily", "Every day", scheduleOnDays(EVERY_DAY)),
];
