import { parentPort } from "node:worker_threads";
import { answerFromCases } from "../case-threads/answer-from-cases.ts";
import { readPolicy } from "../engine/decision-record.ts";
import { classifyDecline, normalizeCode } from "../engine/decline.ts";
import { RetryModel } from "../engine/model/retry-model.ts";
import type { RecoveryCase } from "../engine/recovery-case.ts";
import type { RecordedCase } from "../engine/recorded-case.ts";
import { noneLeftOut, readRecordedCase } from "../models/recorded-case.reading.ts";
import type { RecordedCaseRow } from "../models/recorded-case.repository.ts";
import { runBacktest } from "./backtest.ts";
import type { BacktestJob, BacktestReport, ProposedMeaning } from "./backtest-job.ts";
import type { LoggedCase } from "./logged-case.ts";
import { noneSkipped, toLoggedCase } from "./logged-case.reading.ts";
import { proposedMeanings, proposedTerms } from "./proposed-policy.ts";

/* A thread of one backtest. */

/** The attempts' declines of a code get another meaning. */
function withMeaning(facts: RecoveryCase, { gateway, code, reasonClass }: ProposedMeaning): RecoveryCase {
  const isMeant = (attempt: RecoveryCase["attempts"][number]) =>
    facts.gateway === gateway &&
    normalizeCode(attempt.code) === code &&
    classifyDecline(attempt, facts) !== reasonClass;
  if (!facts.attempts.some(isMeant)) return facts;
  const attempts = facts.attempts.map((attempt) => (isMeant(attempt) ? { ...attempt, mapped: reasonClass } : attempt));
  return { ...facts, attempts };
}

function runJob(
  rows: readonly RecordedCaseRow[],
  { proposed, model, prior, currency, now }: BacktestJob,
): BacktestReport {
  const leftOut = noneLeftOut();
  const skipped = noneSkipped();
  const retryModel = model && new RetryModel(model);
  const isConcerned = (recorded: RecordedCase) =>
    "policy" in proposed || withMeaning(recorded.facts, proposed.meaning) !== recorded.facts;
  const cases: LoggedCase[] = rows.flatMap((row) => {
    const recorded = readRecordedCase(row, now, leftOut);
    return (recorded && isConcerned(recorded) && toLoggedCase(recorded, currency, now, skipped)) || [];
  });
  const policy =
    "policy" in proposed
      ? proposedTerms(readPolicy(proposed.policy), retryModel)
      : proposedMeanings((facts) => withMeaning(facts, proposed.meaning), retryModel);
  return { ...runBacktest(cases, policy, prior), skipped: { ...skipped, unreadable: leftOut.unreadable } };
}

parentPort?.on("message", answerFromCases(runJob));
