/** A failure that a merchant reports; null where the report says nothing. */
export interface ReportedFailure {
  code: string | null;
  message: string | null;
  adviceCode: string | null;
}

/**
 * What a report of failure means to a cover in progress. A scheduled try is the one on the last date that has come or is
 * about to: where those before it passed unreported, that is the date which was told since.
 */
export type ReportReading = { kind: "REPEAT" | "UNSCHEDULED" } | { kind: "SCHEDULED"; tried: Date };

/** A report may come this much before its date: clocks differ, and schedulers run early. */
const EARLY_TOLERANCE_MS = 5 * 60_000;

/**
 * Reads a report of failure. At a planned date it tells that the try on it failed. Before all of them, the same words as
 * last time, or none, are a repeat of a request whose answer was lost; other words are a try outside the schedule.
 */
export function interpretReport(
  planned: readonly Date[],
  last: ReportedFailure | undefined,
  report: ReportedFailure,
  now: Date,
): ReportReading {
  const tried = planned.findLast((date) => now.getTime() >= date.getTime() - EARLY_TOLERANCE_MS);
  if (tried) return { kind: "SCHEDULED", tried };
  const isRepeated = (reported: string | null, before: string | null | undefined) =>
    reported === null || reported === before;
  const parts = ["code", "message", "adviceCode"] as const;
  return { kind: parts.every((part) => isRepeated(report[part], last?.[part])) ? "REPEAT" : "UNSCHEDULED" };
}

/** The date to answer now: a planned try that passed unreported is no longer one to be told. */
export const nextPlannedDate = (planned: readonly Date[], now: Date): Date | null =>
  planned.find((date) => date > now) ?? null;
