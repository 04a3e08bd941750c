import { itemAt, lastOf } from "../../kernel/required-values.ts";
import type { RetryModel } from "../engine/model/retry-model.ts";
import type { CaseAttempt, RecoveryCase } from "../engine/recovery-case.ts";
import { attemptsOf, isRecovered, type LoggedCase } from "./logged-case.ts";
import { indexOfTime, PathChance, withoutDraw } from "./path-chance.ts";
import type { PolicyChoice, ProposedPolicy } from "./proposed-policy.ts";

/** A value of a case by the outcome model, and by what the model was wrong at each step. */
export interface CorrectedValue {
  /** Before the first step, by the model. */
  start: number;
  /** At each step, what happened and is expected after it less what was expected before it. */
  corrections: number[];
  /** The value as it was recorded. */
  observed: number;
}

/** A case as a proposed policy would have lived through it. */
export interface CaseTrace {
  payer: string;
  amount: number | null;
  /** After each step, how much likelier the proposed policy is than the recorded one to have made the choices so far. */
  weights: number[];
  /** The part of the proposed choices that the recorded policy could not have made, weighted like the steps. */
  unsupported: number;
  /** Whether the case is recovered. */
  recovered: CorrectedValue;
  /** Number of attempts. */
  attempts: CorrectedValue;
  /** At each step, whether the attempt was approved. */
  approvals: number[];
}

/** Expected results of a choice: an attempt at each time that it is made from, and the attempts after it. */
interface Expectation {
  /** Chance of approval at each of the times. */
  chances: number[];
  /** Chance of approval after a first attempt that failed, and the number of attempts then. */
  later: { recovered: number; attempts: number };
}

const nothingExpected: Expectation = { chances: [], later: { recovered: 0, attempts: 0 } };

/**
 * Follows a case as long as the proposed policy may have made the recorded choices. The expected values are by the outcome
 * model, which was fitted without this case.
 */
export function traceCase(logged: LoggedCase, proposed: ProposedPolicy, outcomes: RetryModel): CaseTrace {
  const [recordedPath, proposedPath] = [new PathChance(), new PathChance()];
  const trace: CaseTrace = {
    payer: logged.payer,
    amount: logged.amount,
    weights: [],
    unsupported: 0,
    recovered: { start: 0, corrections: [], observed: isRecovered(logged) ? 1 : 0 },
    attempts: { start: 0, corrections: [], observed: attemptsOf(logged) },
    approvals: [],
  };
  let before: { weight: number; recovered: number; attempts: number; approved: number } | null = null;
  /** Closes the step before, now that it is known what is expected after it. */
  const expectNext = (recovered: number, attempts: number): void => {
    if (!before) {
      trace.recovered.start = recovered;
      trace.attempts.start = attempts;
      return;
    }
    trace.weights.push(before.weight);
    trace.approvals.push(before.approved);
    trace.recovered.corrections.push(before.approved + recovered - before.recovered);
    trace.attempts.corrections.push(1 + attempts - before.attempts);
    before = null;
  };
  let weight = 1;
  for (const step of logged.steps) {
    const choice = proposed.choiceAt(step, logged);
    // An end needs no evidence: nothing comes after it.
    if (!choice.draw) break;
    const { options } = choice.draw;
    const { chances, later } = expectationOf(choice, step.facts, outcomes);
    const shares = proposedPath.chancesOf(choice.draw);
    const mean = shares.reduce((sum, share, index) => sum + share * itemAt(chances, index), 0);
    expectNext(mean + (1 - mean) * later.recovered, 1 + (1 - mean) * later.attempts);
    const recordedDraw = step.draw ?? (step.chosen && withoutDraw(step.chosen));
    const possible = recordedDraw ? recordedPath.chancesOf(recordedDraw) : [];
    for (const [index, share] of shares.entries())
      if (!((possible[indexOfTime(recordedDraw?.options ?? [], itemAt(options, index))] ?? 0) > 0))
        trace.unsupported += weight * share;
    const index = step.chosen ? indexOfTime(options, step.chosen) : -1;
    proposedPath.take(choice.draw, index);
    if (!step.chosen || index < 0 || proposedPath.value === 0) {
      trace.weights.push(0);
      trace.approvals.push(0);
      trace.recovered.corrections.push(0);
      trace.attempts.corrections.push(0);
      return trace;
    }
    const recorded = recordedDraw ?? withoutDraw(step.chosen);
    recordedPath.take(recorded, indexOfTime(recorded.options, step.chosen));
    weight = recordedPath.value > 0 ? proposedPath.value / recordedPath.value : 0;
    const chance = itemAt(chances, index);
    before = {
      weight,
      recovered: chance + (1 - chance) * later.recovered,
      attempts: 1 + (1 - chance) * later.attempts,
      approved: step.approved ? 1 : 0,
    };
  }
  expectNext(0, 0);
  return trace;
}

/** What is expected of a choice, if each later attempt fails like the last one. */
function expectationOf({ draw, following }: PolicyChoice, facts: RecoveryCase, outcomes: RetryModel): Expectation {
  if (!draw) return nothingExpected;
  const present = outcomes.forCase(facts);
  const chances = draw.options.map((at) => present.estimateAt(at).probability);
  let [failedSoFar, recovered, attempts] = [1, 0, 0];
  let [later, last] = [facts, itemAt(draw.options, 0)];
  for (const at of following) {
    later = withFailureAt(later, last);
    const chance = outcomes.forCase(later).estimateAt(at).probability;
    recovered += failedSoFar * chance;
    attempts += failedSoFar;
    failedSoFar *= 1 - chance;
    last = at;
  }
  return { chances, later: { recovered, attempts } };
}

/** The facts after an attempt that failed like the last one. */
function withFailureAt(facts: RecoveryCase, at: Date): RecoveryCase {
  if (facts.attempts.length === 0) return facts;
  const failed: CaseAttempt = { ...lastOf(facts.attempts), initiator: "MERCHANT", at };
  return { ...facts, attempts: [...facts.attempts, failed], used: at };
}
