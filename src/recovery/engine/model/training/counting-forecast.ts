import { OWN_PATTERNS } from "./cell-patterns.ts";
import { cellClasses, firstCellOf, firstTimeCellOf } from "../cells.ts";
import type { TryTable } from "./training-tries.ts";

const { common: firstNumber, size: numbers } = firstTimeCellOf("attempt number");
const firstClass = firstCellOf("class");
const classes = cellClasses.length;

/** Attempts by which a share is drawn to that of the wider group. */
const SMOOTHING = 10;
const FIRST_SHARE = 0.25;

/** For each attempt the groups that it counts in, from the widest: all, its class, its class and number. */
function groupsOf({ own, patterns }: TryTable): (index: number) => [number, number, number] {
  const [classOf, numberOf] = [patterns.placesIn(firstClass, classes), patterns.placesIn(firstNumber, numbers)];
  return (index) => {
    let [ofClass, number] = [0, 0];
    for (let at = index * OWN_PATTERNS; at < (index + 1) * OWN_PATTERNS; at++) {
      const pattern = own[at] as number;
      ofClass = Math.max(ofClass, classOf[pattern] as number);
      number = Math.max(number, numberOf[pattern] as number);
    }
    return [0, 1 + ofClass, 1 + classes + ofClass * numbers + number];
  };
}

/**
 * The log-odds that counting gives some attempts: the share of approvals among the others, by class of the decline and number of the
 * attempt. What a model does not predict better is not worth its risk.
 */
export function countedLogOdds(tries: TryTable, indexes: Int32Array): Float64Array {
  const predicted = new Set(indexes);
  const groups = groupsOf(tries);
  const count = 1 + classes + classes * numbers;
  const [attempts, approved] = [new Float64Array(count), new Float64Array(count)];
  for (let index = 0; index < tries.count; index++) {
    if (predicted.has(index)) continue;
    const weight = tries.weights[index] as number;
    for (const group of groups(index)) {
      attempts[group] = (attempts[group] as number) + weight;
      approved[group] = (approved[group] as number) + weight * (tries.approved[index] as number);
    }
  }
  return Float64Array.from(indexes, (index) => {
    let share = FIRST_SHARE;
    for (const group of groups(index))
      share = ((approved[group] as number) + SMOOTHING * share) / ((attempts[group] as number) + SMOOTHING);
    return Math.log(share / (1 - share));
  });
}
