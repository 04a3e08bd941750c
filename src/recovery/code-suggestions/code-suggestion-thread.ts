import { parentPort } from "node:worker_threads";
import { answerFromCases } from "../case-threads/answer-from-cases.ts";
import { classifyDecline, normalizeCode } from "../engine/decline.ts";
import { RetryModel } from "../engine/model/retry-model.ts";
import { isEvidence, type RecordedCase } from "../engine/recorded-case.ts";
import { suggestClass, type CodeSuggestion, type TryAfterCode } from "../estimates/code-suggestion.ts";
import { noneLeftOut, readRecordedCase } from "../models/recorded-case.reading.ts";
import type { RecordedCaseRow } from "../models/recorded-case.repository.ts";
import type { CodeSuggestionJob } from "./code-suggestion-job.ts";

/* A thread of the suggestions for one page of codes. */

/** The retries after a decline with an unmapped code, by gateway and code. */
function triesByCode(cases: readonly RecordedCase[]): Map<string, TryAfterCode[]> {
  const tries = new Map<string, TryAfterCode[]>();
  for (const { id, retries } of cases)
    for (const retry of retries.filter(isEvidence)) {
      const { facts, at, approved } = retry;
      const last = facts.attempts.at(-1);
      if (!last || classifyDecline(last, facts) !== "UNKNOWN") continue;
      const key = keyOf(facts.gateway, normalizeCode(last.code));
      const found = tries.get(key) ?? [];
      found.push({ facts, at, approved, payment: id });
      tries.set(key, found);
    }
  return tries;
}

const keyOf = (gateway: string | null, code: string): string => `${gateway ?? ""} ${code}`;

function runJob(rows: readonly RecordedCaseRow[], { codes, model, now }: CodeSuggestionJob): (CodeSuggestion | null)[] {
  const leftOut = noneLeftOut();
  const tries = triesByCode(rows.flatMap((row) => readRecordedCase(row, now, leftOut) ?? []));
  const retryModel = new RetryModel(model);
  return codes.map(({ gateway, code }) => {
    const found = tries.get(keyOf(gateway, code)) ?? [];
    const inOrder = found.toSorted((a, b) => a.at.getTime() - b.at.getTime());
    return suggestClass(code, inOrder, retryModel);
  });
}

parentPort?.on("message", answerFromCases(runJob));
