import { itemAt } from "../../kernel/required-values.ts";
import { normalizeCode } from "../engine/decline.ts";
import type { RandomSource } from "./random-source.ts";
import type { RetryStrategy, ReportedHistory } from "./retry-strategy.ts";
import { constrainedStrategy } from "./constrained-strategy.ts";
import { chargePayment } from "./payment-validation.ts";
import { WINDOW_MS } from "./simulation-run.ts";
import type { FailedPayment, DeclineDetails } from "./world.ts";

/*
 * A model that many payment services describe. For each decline code it counts the successful attempts by the calendar in UTC: day of
 * the month, weekday and hour. It retries at the times with the best success rates. It ignores the payer's time zone and the case's
 * earlier attempts.
 */

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const TRIES = 4;
const SPAN_MS = (28 * DAY_MS) / TRIES;
/** Attempts in the training history of each payment. */
const ATTEMPTS_PER_PAYMENT = 8;
/** Attempts at the average success rate that are added to each cell, so that a single success does not dominate it. */
const PRIOR_ATTEMPTS = 20;

/** The fields of the calendar, each with the number of its values. */
const calendarFields = [
  { size: 31, valueAt: (at: Date) => at.getUTCDate() - 1 },
  { size: 7, valueAt: (at: Date) => at.getUTCDay() },
  { size: 24, valueAt: (at: Date) => at.getUTCHours() },
] as const;

/** The number of attempts, and of those that succeeded. */
interface AttemptCount {
  tries: number;
  succeeded: number;
}

/** The counts of one decline code: all attempts, and those of each cell of the calendar. */
interface CodeCounts {
  all: AttemptCount;
  cells: AttemptCount[][];
}

const emptyCount = (): AttemptCount => ({ tries: 0, succeeded: 0 });
const emptyCounts = (): CodeCounts => ({
  all: emptyCount(),
  cells: calendarFields.map(({ size }) => Array.from({ length: size }, emptyCount)),
});

/** Counts by decline code. The empty code has the counts of all codes, and is used for unseen ones. */
export type CalendarCounts = Map<string, CodeCounts>;

/** Payments to train on, with the source of their random numbers. */
export interface TrainingPayments {
  payments: readonly FailedPayment[];
  chance: RandomSource;
}

/** Simulates attempts on payments at random times of the window, and adds their results to the counts. */
export function countByCalendar(
  { payments, chance: random }: TrainingPayments,
  keys: readonly number[],
  counts: CalendarCounts = new Map(),
): CalendarCounts {
  const countsOf = (code: string) => {
    const codeCounts = counts.get(code) ?? emptyCounts();
    counts.set(code, codeCounts);
    return codeCounts;
  };
  for (const [index, payment] of payments.entries()) {
    random.selectStream(...keys, index);
    let lastDecline: DeclineDetails = payment;
    for (const at of randomTimes(payment, random)) {
      const result = chargePayment(payment, at, index);
      for (const code of ["", declineCodeOf(lastDecline)]) addAttempt(countsOf(code), at, result.approved);
      if (result.approved) break;
      lastDecline = result;
    }
  }
  return counts;
}

/** Random times of the window in ascending order. They end when the caller stops reporting. */
function randomTimes({ failedAt, silentFrom }: FailedPayment, random: RandomSource): Date[] {
  const start = failedAt.getTime() + HOUR_MS;
  return Array.from({ length: ATTEMPTS_PER_PAYMENT }, () => start + Math.floor(random.next() * (WINDOW_MS - HOUR_MS)))
    .filter((ms) => ms < (silentFrom?.getTime() ?? Infinity))
    .sort((a, b) => a - b)
    .map((ms) => new Date(ms));
}

function addAttempt({ all, cells }: CodeCounts, at: Date, isApproved: boolean): void {
  const cellsAt = calendarFields.map(({ valueAt }, field) => itemAt(itemAt(cells, field), valueAt(at)));
  for (const count of [all, ...cellsAt]) {
    count.tries++;
    if (isApproved) count.succeeded++;
  }
}

const declineCodeOf = ({ code, message }: DeclineDetails): string => normalizeCode(code ?? null) || (message ?? "none");

/** The expected success rate at a time: that of the code, times the ratio of each calendar cell's rate to it. */
function successShareAt({ all, cells }: CodeCounts, at: Date): number {
  const averageShare = (all.succeeded + 1) / (all.tries + 10);
  const share = calendarFields.reduce((product, { valueAt }, field) => {
    const { tries, succeeded } = itemAt(itemAt(cells, field), valueAt(at));
    return product * ((succeeded + PRIOR_ATTEMPTS * averageShare) / (tries + PRIOR_ATTEMPTS) / averageShare);
  }, averageShare);
  return Math.min(share, 0.99);
}

/** Plans four retries: one in each week after the failure, at the hour with the best rate, at least a day apart. */
export const createCalendarCounter = (counts: CalendarCounts): RetryStrategy =>
  constrainedStrategy("calendar-counter", `Calendar counts: ${TRIES} tries`, (history, now) => {
    const codeCounts = counts.get(declineCodeOf(history.declines.at(-1) ?? {})) ?? counts.get("");
    const span = nextPlanWeek(history, now);
    if (!codeCounts || !span) return null;
    let best = { at: new Date(span.from), probability: -1 };
    for (let ms = span.from; ms < span.until; ms += HOUR_MS) {
      const at = new Date(ms);
      const probability = successShareAt(codeCounts, at);
      if (probability > best.probability) best = { at, probability };
    }
    return best;
  });

/** The next week of the plan, or the rest of the first one, rounded to full hours. Null after the last week. */
function nextPlanWeek(
  { windowStart, used: lastReportedAt }: ReportedHistory,
  now: Date,
): { from: number; until: number } | null {
  const start = windowStart.getTime();
  const week = lastReportedAt ? Math.floor((lastReportedAt.getTime() - start) / SPAN_MS) + 1 : 0;
  if (week >= TRIES) return null;
  const earliest = Math.max(start + week * SPAN_MS, now.getTime() + DAY_MS);
  const from = Math.ceil(earliest / HOUR_MS) * HOUR_MS;
  return { from, until: Math.max(start + (week + 1) * SPAN_MS, from + HOUR_MS) };
}
