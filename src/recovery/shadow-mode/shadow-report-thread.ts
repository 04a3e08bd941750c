import { parentPort } from "node:worker_threads";
import { answerFromCases } from "../case-threads/answer-from-cases.ts";
import { noneLeftOut, readRecordedCase } from "../models/recorded-case.reading.ts";
import type { RecordedCaseRow } from "../models/recorded-case.repository.ts";
import { toShadowPayment } from "./shadow-payment.ts";
import { reportShadow } from "./shadow-report.ts";
import type { ShadowReportJob, ShadowReportResult } from "./shadow-report-job.ts";

/* A thread of one shadow report. */

function runJob(rows: readonly RecordedCaseRow[], { prior, now }: ShadowReportJob): ShadowReportResult {
  const leftOut = noneLeftOut();
  const payments = rows.flatMap((row) => {
    const recorded = readRecordedCase(row, now, leftOut);
    return (recorded && toShadowPayment(recorded, now)) ?? [];
  });
  return { ...reportShadow(payments, prior, now), unusableCases: rows.length - payments.length };
}

parentPort?.on("message", answerFromCases(runJob));
