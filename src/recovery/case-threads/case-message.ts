import type { RecordedCaseRow } from "../models/recorded-case.repository.ts";

/** What a thread is told: cases as they were stored, a page at a time, then what to compute of them. */
export type CaseMessage<Job> = { kind: "CASES"; rows: RecordedCaseRow[] } | { kind: "RUN"; job: Job };

/** A thread's answer; a failure is a bug. */
export type CaseReply<Report> = { report: Report } | { failure: string };
