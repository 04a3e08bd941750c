import { OWN_PATTERNS } from "./cell-patterns.ts";
import { cellBlocks, cellClasses, cellCount, firstCellOf } from "../cells.ts";
import { minimize } from "./minimize.ts";
import { TryOdds } from "./try-odds.ts";
import type { TryTable } from "./training-tries.ts";

/** What is expected of the weights before any attempt is seen. */
export interface WeightPrior {
  means: Float64Array;
  /** Variance of each block of cells. */
  blockVariances: Float64Array;
  /** Attempts that taught the law of each class; none if absent. */
  classTries?: ArrayLike<number>;
}

/** Weights with their uncertainty. */
export interface FittedWeights {
  weights: Float64Array;
  /** Posterior variance of each weight. */
  variances: Float64Array;
  blockVariances: Float64Array;
  /** Attempts that taught the law of each class, those of the prior included. */
  classTries: Float64Array;
}

/** A source of money is rare unless the data say otherwise: at 0, each of the sources would double the odds alone. */
const SOURCE_MEAN = -3;
const DEFAULT_VARIANCE = 0.05;

/** The prior of a model that has seen nothing. */
export function vaguePrior(): WeightPrior {
  const means = new Float64Array(cellCount);
  means[firstCellOf("sources")] = SOURCE_MEAN;
  const blockVariances = Float64Array.from(cellBlocks, ({ name }) =>
    name === "all" || name === "sources" ? 4 : name === "source" ? 0.5 : name === "class" ? 1 : DEFAULT_VARIANCE,
  );
  return { means, blockVariances };
}

/** Rounds in which the variances of the blocks are found. */
const ROUNDS = 4;
/** Weight of a block's variance before the data, in cells. */
const VARIANCE_WEIGHT = 2;
const MIN_VARIANCE = 1e-5;
const MAX_VARIANCE = 9;

/**
 * Penalised logistic regression with one variance for each block, found from the data (MacKay's fixed point of the
 * evidence, Neural Computation 4, 1992).
 */
export function fitWeights(tries: TryTable, prior: WeightPrior, start = prior.means, rounds = ROUNDS): FittedWeights {
  let { blockVariances } = prior;
  let weights: Float64Array = start;
  let curvature = curvatureOf(tries, weights);
  let variances = new Float64Array(cellCount);
  for (let round = 0; round < rounds; round++) {
    const cellVariances = spreadOverCells(blockVariances);
    const scale = posteriorVariances(curvature, cellVariances).map(Math.sqrt);
    weights = fitWithVariances(tries, prior.means, cellVariances, weights, scale, round === rounds - 1 ? 80 : 30);
    curvature = curvatureOf(tries, weights);
    variances = posteriorVariances(curvature, cellVariances);
    if (round < rounds - 1) blockVariances = nextBlockVariances(prior, blockVariances, weights, variances);
  }
  const classTries = countByClass(tries).map((count, index) => count + (prior.classTries?.[index] ?? 0));
  return { weights, variances, blockVariances, classTries };
}

/** Number of attempts after a decline of each class, each with its weight. */
export function countByClass({ count, own, patterns, weights }: TryTable): Float64Array {
  const counts = new Float64Array(cellClasses.length);
  const classOf = patterns.placesIn(firstCellOf("class"), counts.length);
  for (let at = 0; at < count * OWN_PATTERNS; at++) {
    const reason = classOf[own[at] as number] as number;
    if (reason >= 0) counts[reason] = (counts[reason] as number) + (weights[Math.floor(at / OWN_PATTERNS)] as number);
  }
  return counts;
}

/** The variance of each cell, by its block. */
export function spreadOverCells(blockVariances: Float64Array): Float64Array<ArrayBuffer> {
  const variances = new Float64Array(cellCount);
  for (const [index, { from, size }] of cellBlocks.entries())
    variances.fill(blockVariances[index] as number, from, from + size);
  return variances;
}

function nextBlockVariances(
  { means, blockVariances: priorVariances }: WeightPrior,
  present: Float64Array,
  weights: Float64Array,
  variances: Float64Array,
): Float64Array {
  return Float64Array.from(cellBlocks, ({ from, size }, block) => {
    const variance = present[block] as number;
    let [squares, determined] = [0, 0];
    for (let cell = from; cell < from + size; cell++) {
      squares += ((weights[cell] as number) - (means[cell] as number)) ** 2;
      determined += 1 - (variances[cell] as number) / variance;
    }
    const found =
      (squares + VARIANCE_WEIGHT * (priorVariances[block] as number)) / (Math.max(0, determined) + VARIANCE_WEIGHT);
    return Math.min(MAX_VARIANCE, Math.max(MIN_VARIANCE, found));
  });
}

/**
 * The most likely weights for given variances. The search steps in units of `scale`, how far each weight is known: of a million attempts, some
 * cells are in all and others in ten.
 */
function fitWithVariances(
  tries: TryTable,
  means: Float64Array,
  cellVariances: Float64Array,
  start: Float64Array,
  scale: Float64Array,
  iterations: number,
): Float64Array<ArrayBuffer> {
  const weights = new Float64Array(cellCount);
  const weightsOf = (scaled: Float64Array) => {
    for (let cell = 0; cell < cellCount; cell++) weights[cell] = (scaled[cell] as number) * (scale[cell] as number);
    return weights;
  };
  const gradient = new Float64Array(cellCount);
  const best = minimize(
    (scaled, into) => {
      let loss = lossAndGradient(tries, weightsOf(scaled), gradient);
      for (let cell = 0; cell < cellCount; cell++) {
        const distance = (weights[cell] as number) - (means[cell] as number);
        const pull = distance / (cellVariances[cell] as number);
        loss += 0.5 * distance * pull;
        into[cell] = ((gradient[cell] as number) + pull) * (scale[cell] as number);
      }
      return loss;
    },
    start.map((weight, cell) => weight / (scale[cell] as number)),
    iterations,
  );
  return Float64Array.from(weightsOf(best));
}

/** The log-odds that weights give some of the attempts. */
export function logOddsOfTries(tries: TryTable, weights: Float64Array, indexes: Int32Array): Float64Array {
  const odds = new TryOdds(tries, weights);
  return Float64Array.from(indexes, (index) => odds.logOddsOf(index));
}

/** The negative log-likelihood of the results, and its gradient by weight. */
function lossAndGradient(tries: TryTable, weights: Float64Array, gradient: Float64Array): number {
  const odds = new TryOdds(tries, weights);
  let loss = 0;
  for (let index = 0; index < tries.count; index++) {
    const weight = tries.weights[index] as number;
    if (weight === 0) continue;
    const isApproved = tries.approved[index] as number;
    const logOdds = odds.logOddsOf(index);
    const smaller = Math.exp(-Math.abs(logOdds));
    // log(1 + e^x) without overflow.
    loss += weight * (Math.max(0, logOdds) + Math.log1p(smaller) - isApproved * logOdds);
    odds.addShares(index, weight * ((logOdds < 0 ? smaller : 1) / (1 + smaller) - isApproved));
  }
  gradient.fill(0);
  odds.takeShares(gradient);
  return loss;
}

/** How sharply the attempts determine each weight: the diagonal of the second derivatives of their log-likelihood. */
function curvatureOf(tries: TryTable, weights: Float64Array): Float64Array<ArrayBuffer> {
  const odds = new TryOdds(tries, weights);
  for (let index = 0; index < tries.count; index++) {
    const weight = tries.weights[index] as number;
    if (weight === 0) continue;
    const smaller = Math.exp(-Math.abs(odds.logOddsOf(index)));
    odds.addSquaredShares(index, (weight * smaller) / ((1 + smaller) * (1 + smaller)));
  }
  const curvature = new Float64Array(cellCount);
  odds.takeShares(curvature);
  return curvature;
}

/** The diagonal of the posterior: how far each weight is known. */
const posteriorVariances = (curvature: Float64Array, cellVariances: Float64Array): Float64Array<ArrayBuffer> =>
  Float64Array.from(curvature, (value, cell) => 1 / (value + 1 / (cellVariances[cell] as number)));
