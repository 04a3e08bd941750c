import { z } from "zod";
import { readCase, readCaseWithoutHistory, storedInstant } from "../engine/decision-record.ts";
import type { RecordedCase, RecordedChoice, RecordedRetry } from "../engine/recorded-case.ts";
import type { RecoveryCase } from "../engine/recovery-case.ts";
import { readPolicyOfCover } from "../policies/cover.policy.ts";
import type { AttemptOfCaseRow, DecisionOfCaseRow, RecordedCaseRow } from "./recorded-case.repository.ts";

/** What was left out of recorded cases, and why. */
export interface LeftOut {
  /** Cases whose stored facts or policy cannot be read. */
  unreadable: number;
  /** Results before their case, before an earlier one, or without a date that was announced. */
  outOfOrder: number;
  /** Further results of one announced date. */
  doubled: number;
  /** Results later than the present. */
  inFuture: number;
  /** Results reported so long after their date that their hour is not known. */
  late: number;
  /** Attempts by the payer in person. */
  byPayer: number;
}

export const noneLeftOut = (): LeftOut => ({
  unreadable: 0,
  outOfOrder: 0,
  doubled: 0,
  inFuture: 0,
  late: 0,
  byPayer: 0,
});

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** A report may come this much before its date: clocks differ, and schedulers run early. */
const EARLY_TOLERANCE_MS = 5 * 60_000;
/** The result of a retry is reported within this time; both results are treated alike, or one would seem more frequent. */
const REPORTED_WITHIN_MS = 6 * HOUR_MS;

interface ReadDecision {
  at: Date;
  facts: RecoveryCase;
  planned: Date[];
  stated: Pick<RecordedRetry, "propensity" | "probability" | "modelVersion" | "explored">;
  choice: RecordedChoice;
}

interface Result extends Pick<RecordedRetry, "at" | "approved" | "declinedAs"> {
  isByPayer: boolean;
  /** When the payment was made that was reported at `at`; null for other results, and if only the report is known. */
  paidAt?: Date | null;
}

/** A stored cover as a recorded case; undefined if it cannot be read. What is left out is counted, never fatal. */
export function readRecordedCase(row: RecordedCaseRow, now: Date, leftOut: LeftOut): RecordedCase | undefined {
  try {
    return readCaseRow(row, now, leftOut);
  } catch {
    // One that was spoilt must not hide the others.
    leftOut.unreadable++;
    return undefined;
  }
}

function readCaseRow(row: RecordedCaseRow, now: Date, leftOut: LeftOut): RecordedCase {
  const stored = readCase(row.facts);
  const facts = { ...stored, attempts: stored.attempts.toSorted((a, b) => a.at.getTime() - b.at.getTime()) };
  if (facts.zone.offsets.length === 0 || !(facts.amount.toNumber() >= 0)) throw new RangeError("the facts of the case");
  const decisions = readDecisions(row.decisions, facts);
  const usedDates = new Set<number>();
  const retries: RecordedRetry[] = [];
  let previous = row.startedAt;
  for (const result of resultsOf(row)) {
    const fault = faultOf(result, previous, now);
    const retry = fault ?? (row.shadow ? toOwnScheduleRetry(result, decisions) : toRetry(result, decisions, usedDates));
    if (typeof retry === "string") leftOut[retry]++;
    else if (retry) retries.push(retry);
    if (fault === undefined) previous = result.at;
  }
  const { id, startedAt, shadow, endedAt, endReason } = row;
  const end = endedAt && endReason && { at: endedAt, reason: endReason };
  const lastChoice = decisions.at(-1)?.choice ?? null;
  const payer = row.payer ?? `case ${id}`;
  const firstModelVersion = decisions[0]?.stated.modelVersion ?? null;
  const policy = readPolicyOfCover(row);
  return { id, startedAt, payer, facts, policy, shadow, firstModelVersion, retries, lastChoice, end };
}

/** The results in the order in which they were recorded: failed retries, then perhaps an approved one. */
function resultsOf(row: RecordedCaseRow): Result[] {
  const { attempts, startedAt, endedAt, endReason, renewalOrderId, chargedAt, paidByPayer: isByPayer } = row;
  const failed = attempts
    .filter(({ kind }) => kind === "SCHEDULED")
    .map(({ at, initiator, reasonClass }: AttemptOfCaseRow) => ({
      at: new Date(at),
      approved: false,
      declinedAs: reasonClass,
      isByPayer: initiator === "CUSTOMER",
    }));
  // A renewal was charged, or its payer paid in person; of a registered order, only its report tells.
  const approvedAt = endReason !== "PAID" ? null : renewalOrderId === null ? endedAt : chargedAt;
  if (approvedAt === null) return failed;
  // An order can have a date from before it failed.
  const paidAt = row.paidAt !== null && new Date(row.paidAt) > startedAt ? new Date(row.paidAt) : null;
  return [...failed, { at: new Date(approvedAt), approved: true, declinedAs: null, isByPayer, paidAt }];
}

function faultOf({ at, isByPayer }: Result, previous: Date, now: Date): keyof LeftOut | undefined {
  if (Number.isNaN(at.getTime())) throw new RangeError("the time of an attempt");
  if (at > now) return "inFuture";
  if (at < previous) return "outOfOrder";
  return isByPayer ? "byPayer" : undefined;
}

/** The retry of an announced date; null if the payer paid before any, which is no result of a retry. */
function toRetry(
  { at, approved, declinedAs, paidAt }: Result,
  decisions: readonly ReadDecision[],
  usedDates: Set<number>,
): RecordedRetry | keyof LeftOut | null {
  const decision = decisions.findLast((one) => one.at < at);
  const date = decision?.planned.findLast((planned) => planned.getTime() <= at.getTime() + EARLY_TOLERANCE_MS);
  if (!decision || !date) return approved ? null : "outOfOrder";
  if (at.getTime() - date.getTime() > REPORTED_WITHIN_MS) return "late";
  // Paid days before the retry was to be made. Within one day nobody knows: some callers send midnight for a time.
  if (paidAt && paidAt.getTime() < date.getTime() - DAY_MS) return "byPayer";
  if (usedDates.has(date.getTime())) return "doubled";
  usedDates.add(date.getTime());
  const isNext = date.getTime() === decision.planned[0]?.getTime();
  const stated = isNext ? decision.stated : { ...decision.stated, propensity: null, probability: null };
  const choice = isNext ? decision.choice : null;
  return { facts: decision.facts, at, approved, declinedAs, chosenAt: decision.at, ...stated, choice };
}

/** A retry of a caller that keeps its own schedule: nobody announced its time, and no chance was stated for it. */
function toOwnScheduleRetry(
  { at, approved, declinedAs }: Result,
  decisions: readonly ReadDecision[],
): RecordedRetry | keyof LeftOut {
  const decision = decisions.findLast((one) => one.at < at);
  if (!decision) return "outOfOrder";
  const stated = { propensity: null, probability: null, modelVersion: null, explored: false };
  return { facts: decision.facts, at, approved, declinedAs, chosenAt: decision.at, ...stated, choice: null };
}

function readDecisions(rows: readonly DecisionOfCaseRow[], last: RecoveryCase): ReadDecision[] {
  const decisions: ReadDecision[] = [];
  for (const row of rows) {
    const at = new Date(row.decidedAt);
    const facts: RecoveryCase = {
      ...readCaseWithoutHistory(row.facts),
      zone: last.zone,
      attempts: last.attempts.filter((attempt) => attempt.at <= at),
      alongside: last.alongside.filter((attempt) => attempt.at <= at),
    };
    const planned = row.planned.map((date) => new Date(date));
    if ([at, ...planned].some((date) => Number.isNaN(date.getTime()))) throw new RangeError("the time of a decision");
    const before = decisions.at(-1);
    const stated = readStated(row, facts, before);
    decisions.push({ at, facts, planned, stated, choice: readChoice(row, { at, facts, planned }, before) });
  }
  return decisions;
}

const storedDraw = z.object({ share: z.number(), options: z.array(storedInstant).min(1), even: storedInstant });

/** The choice behind a decision; a date that was announced before keeps the one that announced it. */
function readChoice(
  { draw }: DecisionOfCaseRow,
  { at, facts, planned }: Pick<ReadDecision, "at" | "facts" | "planned">,
  before: ReadDecision | undefined,
): RecordedChoice {
  const chosen = planned[0] ?? null;
  const isKept = (facts.promised !== null || facts.due !== null) && chosen !== null;
  if (isKept && before) return before.choice;
  return { facts, madeAt: at, chosen, draw: draw == null ? null : storedDraw.parse(draw) };
}

/** What a decision said about its time. A date that was announced before keeps the propensity with which it was chosen. */
function readStated(row: DecisionOfCaseRow, facts: RecoveryCase, before: ReadDecision | undefined) {
  const { modelVersion, explored } = row;
  const isKept = facts.promised !== null || facts.due !== null;
  const own = isShare(row.propensity) && row.propensity > 0 ? row.propensity : null;
  const earlier = isKept && before ? before.stated.propensity : 1;
  return {
    propensity: own === null || earlier === null ? null : own * earlier,
    probability: isShare(row.probability) ? row.probability : null,
    modelVersion: typeof modelVersion === "string" ? modelVersion : null,
    explored: explored === true || (isKept && before?.stated.explored === true),
  };
}

const isShare = (value: unknown): value is number => typeof value === "number" && value >= 0 && value <= 1;
