import type { Initiator, Network } from "../../../schema/vocabulary.ts";
import type { CoverAttemptRecord } from "./cover.repository.ts";
import type { CaseAttempt } from "../engine/recovery-case.ts";
import type { ReportedFailure } from "../engine/failure-report-reading.ts";

/** A merchant's report of a failed payment. */
export interface FailureReport {
  errorCode?: string | null;
  errorMessage?: string | null;
  adviceCode?: string | null;
  network?: Network | null;
  initiator?: Initiator | null;
}

/** A failure as the engine sees it. Nobody in front of the payment means that the merchant set it off. */
export const toCaseAttempt = (
  { errorCode, errorMessage, adviceCode, network, initiator }: FailureReport,
  at: Date,
): CaseAttempt => ({
  at,
  code: errorCode ?? null,
  message: errorMessage ?? null,
  adviceCode: adviceCode ?? null,
  network: network ?? null,
  initiator: initiator ?? "MERCHANT",
});

/** A stored attempt as the engine sees it. */
export const toCaseAttemptFromRecord = (record: CoverAttemptRecord): CaseAttempt =>
  toCaseAttempt(record, record.attemptedAt);

/** The codes and message of a report, or of an attempt. */
export const toReportedFailure = ({
  errorCode,
  errorMessage,
  adviceCode,
}: FailureReport | CoverAttemptRecord): ReportedFailure => ({
  code: errorCode ?? null,
  message: errorMessage ?? null,
  adviceCode: adviceCode ?? null,
});
