import type { PoolingResult } from "../../../../../schema/vocabulary.ts";
import { itemAt } from "../../../../kernel/required-values.ts";
import { cellCount } from "../cells.ts";
import { scoreLogOdds, type ModelScore } from "./evaluate-model.ts";
import { familyFactors } from "./family-factors.ts";
import { fitWeights, logOddsOfTries } from "./fit-model.ts";
import { findSharedCells, keepSharedCells, MIN_FAMILIES, roundDownTries } from "./shared-cells.ts";
import { toPrior, toStoredModel, type StoredModel } from "../stored-model.ts";
import { MAX_CALIBRATION_ERROR, MIN_TRIES } from "./train-model.ts";
import type { TrainingSet } from "./training-set.ts";
import { addCellWeights } from "./training-tries.ts";

/** The attempts of one family within a set: from the first to before the end. */
export interface FamilyRange {
  familyId: number;
  first: number;
  end: number;
}

/** The comparison of a pooled model and its prior on families that it was not fitted on. */
interface PoolingEvaluation {
  tries: number;
  candidate: ModelScore;
  published: ModelScore;
}

/** What came of pooling. */
export interface PoolingOutcome {
  result: PoolingResult;
  /** The families that took part. */
  familyIds: number[];
  tries: number;
  evaluation: PoolingEvaluation | null;
  /** The model of all families; null without enough of them. */
  candidate: StoredModel | null;
}

/** Families are held out one by one; from more than these on, in so many groups. */
const MAX_FITS = 10;

/**
 * Pools the attempts of several families into a prior: first without some of them, to compare it with the published prior on
 * these, then with all. `set` has the log-odds of the published prior as those of the model in force.
 */
export function poolModel(
  { tries, activeLogOdds }: TrainingSet,
  ranges: readonly FamilyRange[],
  published: StoredModel,
): PoolingOutcome {
  const families = ranges.filter(({ first, end }) => end - first >= MIN_TRIES);
  const count = families.reduce((sum, { first, end }) => sum + end - first, 0);
  const about = { familyIds: families.map(({ familyId }) => familyId), tries: count };
  if (families.length < MIN_FAMILIES) return { ...about, result: "TOO_FEW_VENDORS", evaluation: null, candidate: null };

  const prior = toPrior(published);
  const weighted = { ...tries, weights: limitWeights(tries.weights, families) };
  const shared = findSharedCells(
    families.map((family) => {
      const weights = new Float64Array(cellCount);
      addCellWeights(weighted, family, weights);
      return weights;
    }),
  );
  const fit = (weights: Float32Array, start: Float64Array) =>
    keepSharedCells(fitWeights({ ...tries, weights }, prior, start), prior, shared);

  const predicted: FamilyPrediction[] = [];
  let start = prior.means;
  const fits = Math.min(MAX_FITS, families.length);
  for (let fold = 0; fold < fits; fold++) {
    const isHeldOut = (_: FamilyRange, index: number) => index % fits === fold;
    const others = families.filter((family, index) => !isHeldOut(family, index));
    const { weights } = fit(limitWeights(tries.weights, others), start);
    start = weights;
    for (const { first, end } of families.filter(isHeldOut)) {
      const indexes = Int32Array.from({ length: end - first }, (_, index) => first + index);
      predicted.push({
        candidate: logOddsOfTries(tries, weights, indexes),
        published: Float64Array.from(indexes, (index) => itemAt(activeLogOdds, index)),
        approved: Uint8Array.from(indexes, (index) => itemAt(tries.approved, index)),
      });
    }
  }
  const evaluation: PoolingEvaluation = {
    tries: count,
    candidate: scoreFamilies(predicted, ({ candidate }) => candidate),
    published: scoreFamilies(predicted, ({ published: ofPublished }) => ofPublished),
  };
  const { usualAmounts } = published;
  const content = { tries: roundDownTries(count), worlds: [], usualAmounts: { ...usualAmounts } };
  // As a prior: how well a weight is known would say how many attempts are in its cell.
  const candidate = toStoredModel(fit(weighted.weights, start), content, true);
  return { ...about, result: resultOf(evaluation), evaluation, candidate };
}

/** Probabilities for the attempts of a family, before rounding, with their results. */
interface FamilyPrediction {
  candidate: Float64Array;
  published: Float64Array;
  approved: Uint8Array;
}

/** The weights of the attempts of some families, none of which has too large a share; those of others are 0. */
function limitWeights(weights: Float32Array, families: readonly FamilyRange[]): Float32Array {
  const sizes = families.map(({ first, end }) => weights.subarray(first, end).reduce((sum, one) => sum + one, 0));
  const factors = familyFactors(sizes);
  const limited = new Float32Array(weights.length);
  for (const [family, { first, end }] of families.entries())
    for (let index = first; index < end; index++) limited[index] = itemAt(weights, index) * itemAt(factors, family);
  return limited;
}

/** The log-loss of a family on average, so that a large one decides no more than others; the calibration of all attempts. */
function scoreFamilies(
  predicted: readonly FamilyPrediction[],
  logOddsOf: (prediction: FamilyPrediction) => Float64Array,
): ModelScore {
  const all = predicted.flatMap((prediction) => [...logOddsOf(prediction)]);
  const approved = predicted.flatMap((prediction) => [...prediction.approved]);
  const losses = predicted.map((prediction) => scoreLogOdds(logOddsOf(prediction), prediction.approved).logLoss);
  return {
    logLoss: losses.reduce((sum, loss) => sum + loss, 0) / losses.length,
    calibrationError: scoreLogOdds(all, approved).calibrationError,
  };
}

function resultOf({ tries, candidate, published }: PoolingEvaluation): PoolingResult {
  if (!(candidate.logLoss < published.logLoss)) return "NOT_BETTER";
  const allowedError = Math.max(published.calibrationError, MAX_CALIBRATION_ERROR + 1 / Math.sqrt(tries));
  return candidate.calibrationError <= allowedError ? "ACTIVATED" : "BADLY_CALIBRATED";
}
