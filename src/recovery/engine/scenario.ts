/** A failure that a merchant reports; null where the report says nothing. */
export interface ReportedFailure {
  code: string | null;
  message: string | null;
}

/** What a report of failure means to a cover in progress. */
export type Reading = "REPEAT" | "SCHEDULED" | "UNSCHEDULED";

/** A report may come this much before its date: clocks differ, and schedulers run early. */
const EARLY_MS = 5 * 60_000;

/**
 * Reads a report of failure. At its date it tells that the try failed. Before it, the same words as last time, or none,
 * are a repeat of a request whose answer was lost; other words are a try that the merchant made outside the schedule.
 */
export function readReport(
  retryAt: Date,
  last: ReportedFailure | undefined,
  report: ReportedFailure,
  now: Date,
): Reading {
  if (now.getTime() >= retryAt.getTime() - EARLY_MS) return "SCHEDULED";
  const repeats = (said: string | null, before: string | null | undefined) => said === null || said === before;
  return repeats(report.code, last?.code) && repeats(report.message, last?.message) ? "REPEAT" : "UNSCHEDULED";
}

/** The date to answer now: a planned try that passed unreported is no longer one to be told. */
export const nextDate = (planned: readonly Date[], now: Date): Date | null =>
  planned.find((date) => date > now) ?? null;
