import { itemAt } from "../../kernel/required-values.ts";
import { normalizeCode } from "../engine/decline.ts";
import type { RandomSource } from "./random-source.ts";
import type { RetryStrategy, ReportedHistory } from "./retry-strategy.ts";
import { constrainedStrategy } from "./constrained-strategy.ts";
import { chargePayment } from "./payment-validation.ts";
import { WINDOW_MS } from "./simulation-run.ts";
import type { FailedPayment, DeclineDetails } from "./world.ts";

/*
 * A model that many payment services describe: for each decline code, count by the calendar in UTC (day of the month, weekday, hour)
 * how many tries worked, and try at the times with the best counts. It knows neither the payer's clock nor the case's own past.
 */

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const TRIES = 4;
const SPAN_MS = (28 * DAY_MS) / TRIES;
/** Tries in the history of each case. */
const ATTEMPTS_PER_PAYMENT = 8;
/** So many tries at the average count in each cell before its own do: without them, one lucky try would decide. */
const PRIOR_ATTEMPTS = 20;

/** The calendar's own words, and how many there are of each. */
const calendarFields = [
  { words: 31, of: (at: Date) => at.getUTCDate() - 1 },
  { words: 7, of: (at: Date) => at.getUTCDay() },
  { words: 24, of: (at: Date) => at.getUTCHours() },
] as const;

/** How many tries there were, and how many worked. */
interface AttemptCount {
  tries: number;
  worked: number;
}

/** The counts of one code. */
interface CodeCounts {
  all: AttemptCount;
  cells: AttemptCount[][];
}

const emptyCount = (): AttemptCount => ({ tries: 0, worked: 0 });
const emptyCounts = (): CodeCounts => ({
  all: emptyCount(),
  cells: calendarFields.map(({ words }) => Array.from({ length: words }, emptyCount)),
});

/** Counts by code; the blank one counts all codes, for those that were never seen. */
export type CalendarCounts = Map<string, CodeCounts>;

/** Past payments, with the source of chance that they draw from. */
export interface TrainingPayments {
  payments: readonly FailedPayment[];
  chance: RandomSource;
}

/** Adds payments that were tried at random hours of the window to counts. Defaults to new counts. */
export function countByCalendar(
  { payments, chance: random }: TrainingPayments,
  keys: readonly number[],
  counts: CalendarCounts = new Map(),
): CalendarCounts {
  const countsOf = (code: string) => {
    const known = counts.get(code) ?? emptyCounts();
    counts.set(code, known);
    return known;
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

/** Hours of the window in order of time, until the caller falls silent. */
function randomTimes({ failedAt, silentFrom }: FailedPayment, random: RandomSource): Date[] {
  const start = failedAt.getTime() + HOUR_MS;
  return Array.from({ length: ATTEMPTS_PER_PAYMENT }, () => start + Math.floor(random.next() * (WINDOW_MS - HOUR_MS)))
    .filter((ms) => ms < (silentFrom?.getTime() ?? Infinity))
    .sort((a, b) => a - b)
    .map((ms) => new Date(ms));
}

function addAttempt({ all, cells }: CodeCounts, at: Date, worked: boolean): void {
  for (const count of [all, ...calendarFields.map(({ of }, which) => itemAt(itemAt(cells, which), of(at)))]) {
    count.tries++;
    if (worked) count.worked++;
  }
}

const declineCodeOf = ({ code, message }: DeclineDetails): string => normalizeCode(code ?? null) || (message ?? "none");

/** The share of tries that would work at a time: that of the code, times how much better each word of the calendar does. */
function successShareAt({ all, cells }: CodeCounts, at: Date): number {
  const averageShare = (all.worked + 1) / (all.tries + 10);
  const share = calendarFields.reduce((product, { of }, which) => {
    const { tries, worked } = itemAt(itemAt(cells, which), of(at));
    return product * ((worked + PRIOR_ATTEMPTS * averageShare) / (tries + PRIOR_ATTEMPTS) / averageShare);
  }, averageShare);
  return Math.min(share, 0.99);
}

/** Four tries, one in each week after the failure, at the hour with the best counts and a day apart. */
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

/** The week of the plan that begins next, or the rest of the first one; full hours only. */
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
