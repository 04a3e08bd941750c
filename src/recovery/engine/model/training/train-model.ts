import type { TrainingResult } from "../../../../../schema/vocabulary.ts";
import { itemAt, lastOf } from "../../../../kernel/required-values.ts";
import type { UsualAmounts } from "../case-features.ts";
import { countedLogOdds } from "./counting-forecast.ts";
import { scoreLogOdds, type ModelScore } from "./evaluate-model.ts";
import { fitWeights, logOddsOfTries } from "./fit-model.ts";
import { toPrior, toStoredModel, type StoredModel } from "../stored-model.ts";
import type { TrainingSet } from "./training-set.ts";

/** Fewer retries than these teach nothing that the prior does not know. */
export const MIN_TRIES = 100;
/** A comparison needs as many retries that the model in force has not seen. */
const MIN_NEW_TRIES = 100;
const MIN_TEST_TRIES = 50;
/** Share of the retries that a comparison takes, from the newest. */
const TEST_SHARE = 0.2;
/** A model may miss by this, besides what chance misses in a test of few retries. */
export const MAX_CALIBRATION_ERROR = 0.05;

/** The model in force: a candidate must predict better than this one. */
export interface ActiveModel {
  model: StoredModel;
  /** The last retry of the family's own model; null for a prior without one, which has seen none of the vendor's. */
  triesUntil: Date | null;
  /** Whether it was given up too, so that no model decides: then a candidate must be right by itself. */
  isGivenUp?: boolean;
}

/** The comparison of a candidate and the model in force on the newest retries, which neither was trained on. */
export interface ModelEvaluation {
  /** Number of retries that they were compared on. */
  tries: number;
  candidate: ModelScore;
  active: ModelScore;
}

/** What came of a training. */
export interface TrainingOutcome {
  result: TrainingResult;
  tries: number;
  evaluation: ModelEvaluation | null;
  /** The model that was fitted on all retries; null without enough of them. */
  candidate: { model: StoredModel; triesFrom: Date; triesUntil: Date } | null;
}

/**
 * Trains a family's model. First without the newest retries, to compare it with the model in force on them; then on all. It
 * becomes active only where it predicted them better; where no model decides, also better than counting.
 */
export function trainModel(
  { tries, times, activeLogOdds }: TrainingSet,
  prior: StoredModel,
  active: ActiveModel,
  usualAmounts: UsualAmounts,
): TrainingOutcome {
  const { count } = tries;
  const none = { tries: count, evaluation: null, candidate: null };
  if (count < MIN_TRIES) return { ...none, result: "TOO_FEW_TRIES" };
  const sorted = Float64Array.from(times).sort();
  const seenUntil = active.triesUntil?.getTime() ?? -Infinity;
  const newTries = count - countUntil(sorted, seenUntil);
  if (newTries < MIN_NEW_TRIES) return { ...none, result: "TOO_FEW_NEW_TRIES" };
  const testTries = Math.min(Math.floor(newTries / 2), Math.max(MIN_TEST_TRIES, Math.floor(count * TEST_SHARE)));
  const testFrom = itemAt(sorted, count - testTries);
  const isTest = (index: number): boolean => itemAt(times, index) >= testFrom;

  const weightPrior = toPrior(prior);
  const start = active.triesUntil === null ? weightPrior.means : Float64Array.from(active.model.weights);
  const withoutNewest = { ...tries, weights: tries.weights.map((weight, index) => (isTest(index) ? 0 : weight)) };
  const fittedWithoutNewest = fitWeights(withoutNewest, weightPrior, start);
  const test = Int32Array.from(tries.weights.keys()).filter(isTest);
  const approved = test.map((index) => itemAt(tries.approved, index));
  const evaluation: ModelEvaluation = {
    tries: test.length,
    candidate: scoreLogOdds(logOddsOfTries(tries, fittedWithoutNewest.weights, test), approved),
    active: scoreLogOdds(
      Float64Array.from(test, (index) => itemAt(activeLogOdds, index)),
      approved,
    ),
  };
  const fitted = fitWeights(tries, { ...weightPrior }, fittedWithoutNewest.weights);
  const isWorthUsing =
    !active.isGivenUp || evaluation.candidate.logLoss < scoreLogOdds(countedLogOdds(tries, test), approved).logLoss;
  return {
    result: isWorthUsing ? resultOf(evaluation, active) : "NOT_BETTER",
    tries: count,
    evaluation,
    candidate: {
      model: toStoredModel(fitted, { tries: count, worlds: [], usualAmounts: { ...usualAmounts } }),
      triesFrom: new Date(itemAt(sorted, 0)),
      triesUntil: new Date(lastOf(sorted)),
    },
  };
}

function resultOf({ tries, candidate, active }: ModelEvaluation, { isGivenUp = false }: ActiveModel): TrainingResult {
  if (!(candidate.logLoss < active.logLoss)) return "NOT_BETTER";
  const excused = isGivenUp ? 0 : active.calibrationError;
  const allowedError = Math.max(excused, MAX_CALIBRATION_ERROR + 1 / Math.sqrt(tries));
  return candidate.calibrationError <= allowedError ? "ACTIVATED" : "BADLY_CALIBRATED";
}

/** How many of the sorted times are at or before one. */
function countUntil(sorted: Float64Array, time: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] as number) <= time) low = middle + 1;
    else high = middle;
  }
  return low;
}
