import { parentPort } from "node:worker_threads";
import type { RecordedCaseRow } from "../models/recorded-case.repository.ts";
import type { CaseMessage, CaseReply } from "./case-message.ts";

/** What a thread does with the messages of its computation: it takes cases page by page, computes once, and answers. */
export function answerFromCases<Job>(
  compute: (rows: readonly RecordedCaseRow[], job: Job) => unknown,
): (message: CaseMessage<Job>) => void {
  const rows: RecordedCaseRow[] = [];
  return (message) => {
    if (message.kind === "CASES") {
      rows.push(...message.rows);
      return;
    }
    let reply: CaseReply<unknown>;
    try {
      reply = { report: compute(rows, message.job) };
    } catch (error) {
      reply = { failure: error instanceof Error ? (error.stack ?? error.message) : String(error) };
    }
    parentPort?.postMessage(reply);
  };
}
