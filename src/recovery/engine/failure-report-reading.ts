/** A failure reported by a merchant; null if the report contains none. */
export interface ReportedFailure {
  code: string | null;
  message: string | null;
  adviceCode: string | null;
}

/**
 * The meaning of a failure report for a cover in progress. A scheduled attempt is the one on the last date that has
 * come or is about to come; where earlier dates passed unreported, that is the date that was announced since.
 */
export type ReportReading = { kind: "REPEAT" | "UNSCHEDULED" } | { kind: "SCHEDULED"; tried: Date };

/** A report may come this much before its date: clocks differ, and schedulers run early. */
const EARLY_TOLERANCE_MS = 5 * 60_000;

/**
 * Interprets a failure report. At a planned date, the attempt on that date failed. Before all planned dates, a report
 * with the same codes as last time, or none, repeats a request whose answer was lost; a report with other codes is an
 * unscheduled attempt.
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

/** The next date to report now: a planned attempt that passed unreported is no longer announced. */
export const nextPlannedDate = (planned: readonly Date[], now: Date): Date | null =>
  planned.find((date) => date > now) ?? null;
