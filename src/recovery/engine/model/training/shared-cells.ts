import { itemAt } from "../../../../kernel/required-values.ts";
import { cellBlocks, cellClasses, cellCount, firstCellOf } from "../cells.ts";
import type { FittedWeights, WeightPrior } from "./fit-model.ts";

/*
 * Which weights of a pooled model may move from its prior. They are the two rules of statistical offices for tables of several
 * firms: a least number of contributors, and no dominant one (Hundepool et al., Statistical Disclosure Control, Wiley 2012, 4.2).
 */

/** A weight moves only if attempts of at least so many families are in its cell. */
export const MIN_FAMILIES = 5;
/** And only if none of them has more than this share of what the cell's attempts weigh. */
const MAX_SHARE_OF_CELL = 0.5;

/** For each cell 1 if its weight may move, else 0. `families` are the weights of each family's attempts by cell. */
export function findSharedCells(families: readonly Float64Array[]): Uint8Array {
  return Uint8Array.from({ length: cellCount }, (_, cell) => {
    let [contributors, total, largest] = [0, 0, 0];
    for (const weights of families) {
      const weight = itemAt(weights, cell);
      if (weight > 0) contributors++;
      total += weight;
      largest = Math.max(largest, weight);
    }
    return contributors >= MIN_FAMILIES && largest <= MAX_SHARE_OF_CELL * total ? 1 : 0;
  });
}

/** Numbers of attempts are told by this. */
const COUNTED_BY = 100;
export const roundDownTries = (tries: number): number => Math.floor(tries / COUNTED_BY) * COUNTED_BY;

/**
 * The fitted model with the weights of the prior in cells that are not shared. What a family's own cells explain of its attempts
 * was taken out of the shared ones by the fit, and says nothing about other families.
 */
export function keepSharedCells(fitted: FittedWeights, prior: WeightPrior, shared: Uint8Array): FittedWeights {
  const isShared = (cell: number): boolean => itemAt(shared, cell) === 1;
  const firstClass = firstCellOf("class");
  return {
    ...fitted,
    weights: fitted.weights.map((weight, cell) => (isShared(cell) ? weight : itemAt(prior.means, cell))),
    blockVariances: Float64Array.from(cellBlocks, ({ from, size }, block) => {
      const hasShared = shared.subarray(from, from + size).includes(1);
      return itemAt(hasShared ? fitted.blockVariances : prior.blockVariances, block);
    }),
    classTries: Float64Array.from(cellClasses, (_, index) => {
      const known = prior.classTries?.[index] ?? 0;
      return isShared(firstClass + index) ? known + roundDownTries(itemAt(fitted.classTries, index) - known) : known;
    }),
  };
}
