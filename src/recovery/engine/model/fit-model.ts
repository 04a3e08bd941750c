import { cellBlocks, cellClasses, cellCount, firstCellOf, SOURCE_COUNT } from "./cells.ts";
import { CELLS_OF_SOURCE } from "./case-features.ts";
import { minimize } from "./minimize.ts";
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
  let variances: Float64Array<ArrayBuffer> = new Float64Array(cellCount);
  for (let round = 0; round < rounds; round++) {
    const cellVariances = spreadOverCells(blockVariances);
    weights = fitWithVariances(tries, prior.means, cellVariances, weights, round === rounds - 1 ? 80 : 30);
    variances = posteriorVariances(tries, weights, cellVariances);
    if (round < rounds - 1) blockVariances = nextBlockVariances(prior, blockVariances, weights, variances);
  }
  const classTries = countByClass(tries).map((count, index) => count + (prior.classTries?.[index] ?? 0));
  return { weights, variances, blockVariances, classTries };
}

/** Number of attempts after a decline of each class, each with its weight. */
export function countByClass({ count, from, sourcesFrom, cells, weights }: TryTable): Float64Array {
  const counts = new Float64Array(cellClasses.length);
  const first = firstCellOf("class");
  for (let index = 0; index < count; index++)
    for (let at = from[index] as number; at < (sourcesFrom[index] as number); at++) {
      const reason = (cells[at] as number) - first;
      if (reason >= 0 && reason < counts.length)
        counts[reason] = (counts[reason] as number) + (weights[index] as number);
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

/** The most likely weights for given variances. */
function fitWithVariances(
  tries: TryTable,
  means: Float64Array,
  cellVariances: Float64Array,
  start: Float64Array,
  iterations: number,
): Float64Array<ArrayBuffer> {
  const deviations = Float64Array.from(cellVariances, Math.sqrt);
  const weights = new Float64Array(cellCount);
  const weightsOf = (standardized: Float64Array) => {
    for (let cell = 0; cell < cellCount; cell++)
      weights[cell] = (means[cell] as number) + (deviations[cell] as number) * (standardized[cell] as number);
    return weights;
  };
  const gradient = new Float64Array(cellCount);
  const best = minimize(
    (standardized, into) => {
      let loss = lossAndGradient(tries, weightsOf(standardized), gradient);
      for (let cell = 0; cell < cellCount; cell++) {
        const z = standardized[cell] as number;
        loss += 0.5 * z * z;
        into[cell] = (gradient[cell] as number) * (deviations[cell] as number) + z;
      }
      return loss;
    },
    Float64Array.from(start, (weight, cell) => (weight - (means[cell] as number)) / (deviations[cell] as number)),
    iterations,
  );
  return Float64Array.from(weightsOf(best));
}

/** Calls back for each attempt with the log-odds that the weights give it. */
function forEachTry(
  tries: TryTable,
  weights: Float64Array,
  visit: (index: number, logOdds: number, add: (amount: number, power: 1 | 2) => void) => void,
  into: Float64Array,
): void {
  const { count, from, sourcesFrom, cells } = tries;
  const odds = new Float64Array(SOURCE_COUNT);
  let [start, middle, total, sources] = [0, 0, 1, 0];
  // The log-odds move with an own cell by 1, and with a cell of a source by the share of that source in the sum.
  const add = (amount: number, power: 1 | 2): void => {
    for (let at = start; at < middle; at++) {
      const cell = cells[at] as number;
      into[cell] = (into[cell] as number) + amount;
    }
    for (let source = 0, at = middle; source < sources; source++) {
      const one = odds[source] as number;
      const part = power === 1 ? (amount * one) / total : amount * (one / total) * (one / total);
      for (const until = at + CELLS_OF_SOURCE; at < until; at++) {
        const cell = cells[at] as number;
        into[cell] = (into[cell] as number) + part;
      }
    }
  };
  for (let index = 0; index < count; index++) {
    [start, middle] = [from[index] as number, sourcesFrom[index] as number];
    const end = from[index + 1] as number;
    let own = 0;
    for (let at = start; at < middle; at++) own += weights[cells[at] as number] as number;
    [total, sources] = [1, 0];
    for (let at = middle; at < end; at += CELLS_OF_SOURCE) {
      let sum = 0;
      for (let cell = at; cell < at + CELLS_OF_SOURCE; cell++) sum += weights[cells[cell] as number] as number;
      const one = Math.exp(sum);
      odds[sources++] = one;
      total += one;
    }
    visit(index, own + Math.log(total), add);
  }
}

/** The log-odds that weights give some of the attempts. */
export function logOddsOfTries(tries: TryTable, weights: Float64Array, indexes: Int32Array): Float64Array {
  const all = new Float64Array(tries.count);
  forEachTry(
    tries,
    weights,
    (index, logOdds) => {
      all[index] = logOdds;
    },
    all,
  );
  return Float64Array.from(indexes, (index) => all[index] as number);
}

/** The negative log-likelihood of the results, and its gradient by weight. */
function lossAndGradient(tries: TryTable, weights: Float64Array, gradient: Float64Array): number {
  gradient.fill(0);
  let loss = 0;
  forEachTry(
    tries,
    weights,
    (index, logOdds, add) => {
      const weight = tries.weights[index] as number;
      const isApproved = tries.approved[index] as number;
      // log(1 + e^x) without overflow.
      loss += weight * (Math.max(0, logOdds) + Math.log1p(Math.exp(-Math.abs(logOdds))) - isApproved * logOdds);
      add(weight * (1 / (1 + Math.exp(-logOdds)) - isApproved), 1);
    },
    gradient,
  );
  return loss;
}

/** The diagonal of the posterior: how far each weight is known. */
function posteriorVariances(
  tries: TryTable,
  weights: Float64Array,
  cellVariances: Float64Array,
): Float64Array<ArrayBuffer> {
  const curvature = Float64Array.from(cellVariances, (variance) => 1 / variance);
  forEachTry(
    tries,
    weights,
    (index, logOdds, add) => {
      const probability = 1 / (1 + Math.exp(-logOdds));
      add((tries.weights[index] as number) * probability * (1 - probability), 2);
    },
    curvature,
  );
  return Float64Array.from(curvature, (value) => 1 / value);
}
