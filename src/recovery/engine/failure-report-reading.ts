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
/** The time in which a caller sends a request again whose answer was lost. */
const REPEAT_WITHIN_MS = 5 * 60_000;

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
  return { kind: isSameReport(last, report) ? "REPEAT" : "UNSCHEDULED" };
}

/**
 * Interprets a failure report of a caller that keeps its own schedule: every report is an attempt on it, whenever it comes. Only the same
 * report within five minutes repeats a request whose answer was lost; nobody charges a declined card again that soon.
 */
export const interpretShadowReport = (
  last: (ReportedFailure & { at: Date }) | undefined,
  report: ReportedFailure,
  now: Date,
): ReportReading =>
  last && now.getTime() - last.at.getTime() < REPEAT_WITHIN_MS && isSameReport(last, report)
    ? { kind: "REPEAT" }
    : { kind: "SCHEDULED", tried: now };

/** Whether a report has the same codes as the last one, or none. */
function isSameReport(last: ReportedFailure | undefined, report: ReportedFailure): boolean {
  const parts = ["code", "message", "adviceCode"] as const;
  return parts.every((part) => report[part] === null || report[part] === last?.[part]);
}

/** The next date to report now: a planned attempt that passed unreported is no longer announced. */
export const nextPlannedDate = (planned: readonly Date[], now: Date): Date | null =>
  planned.find((date) => date > now) ?? null;
