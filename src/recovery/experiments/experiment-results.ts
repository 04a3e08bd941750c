import type { ExperimentResult } from "../../../schema/vocabulary.ts";
import { ZERO, type Amount } from "../../kernel/amounts.ts";
import { toTally } from "../analytics/recovery-analytics.tally.ts";
import { addEstimates, alphaOfEach, compareRates, scaleEstimate, type BoundedEstimate } from "./arm-comparison.ts";
import type { ArmCounts, ComparedCounts, ExperimentArmCounts } from "./experiment-count.repository.ts";
import type { PayerSums } from "./rate.ts";

const NO_COUNTS: ArmCounts = {
  payers: 0,
  cases: 0,
  amount: ZERO,
  recovered: 0,
  recoveredAmount: ZERO,
  lost: 0,
  lostAmount: ZERO,
  attempts: 0,
  daysTaken: 0,
  casesSquared: 0,
  recoveredSquared: 0,
  casesRecovered: 0,
  amountSquared: 0,
  recoveredAmountSquared: 0,
  amountRecoveredAmount: 0,
};

/** The counts of an arm: none where no cover was counted. */
export const countsOfArm = (counts: readonly ExperimentArmCounts[], arm: number): ArmCounts =>
  counts.find((one) => one.arm === arm) ?? NO_COUNTS;

/** The counts of an arm with the figures derived from them. */
export const toExperimentTally = (counts: ArmCounts) => ({
  ...toTally(counts),
  payers: counts.payers,
  attemptsPerCase: toMean(counts.attempts, counts.recovered + counts.lost),
  daysToRecovery: toMean(counts.daysTaken, counts.recovered),
});

const toMean = (sum: number, count: number): number | null => (count === 0 ? null : round(sum / count));

const sumsByCount = (counts: ComparedCounts): PayerSums => ({
  payers: counts.payers,
  whole: counts.cases,
  part: counts.recovered,
  wholeSquared: counts.casesSquared,
  partSquared: counts.recoveredSquared,
  product: counts.casesRecovered,
});

const sumsByAmount = (counts: ComparedCounts): PayerSums => ({
  payers: counts.payers,
  whole: Number(counts.amount),
  part: Number(counts.recoveredAmount),
  wholeSquared: counts.amountSquared,
  partSquared: counts.recoveredAmountSquared,
  product: counts.amountRecoveredAmount,
});

/** What an arm recovers more than the holdout, as a fraction of cases and of amounts; undefined with too few payers. */
export interface ArmDifferences {
  byCount: BoundedEstimate | undefined;
  byAmount: BoundedEstimate | undefined;
}

/** Compares an arm with the holdout. `arms` is the number of arms that are compared. */
export function compareArm(counts: readonly ExperimentArmCounts[], arm: number, arms: number): ArmDifferences {
  return compareCounts(countsOfArm(counts, arm), countsOfArm(counts, 0), arms);
}

/** Compares the counts of an arm with those of the holdout. */
export function compareCounts(own: ComparedCounts, holdout: ComparedCounts, arms: number): ArmDifferences {
  const alpha = alphaOfEach(arms);
  return {
    byCount: compareRates(sumsByCount(own), sumsByCount(holdout), alpha),
    byAmount: compareRates(sumsByAmount(own), sumsByAmount(holdout), alpha),
  };
}

/** A difference as it is shown, with what its bounds say. */
export function toRateDifference(estimate: BoundedEstimate | undefined) {
  if (!estimate) return null;
  const { value, lower, upper } = estimate;
  return { value: round(value), lower: round(lower), upper: round(upper), result: resultOf(estimate) };
}

function resultOf({ lower, upper }: BoundedEstimate): ExperimentResult {
  if (lower > 0) return "BETTER";
  return upper < 0 ? "WORSE" : "UNDECIDED";
}

/** What the policies of all arms recovered more than the holdout's would have, of the covers that they ran. */
export interface PolicyEffect {
  cases: number;
  amount: Amount;
  /** Undefined where an arm with cases, or the holdout, has too few payers. */
  recovered: BoundedEstimate | undefined;
  recoveredAmount: BoundedEstimate | undefined;
}

/**
 * The differences of all arms times the covers that they ran.
 * @param counts all covers that can be compared; `ran` those of the period.
 */
export function toPolicyEffect(
  counts: readonly ExperimentArmCounts[],
  ran: readonly ExperimentArmCounts[],
  arms: readonly number[],
): PolicyEffect {
  const effects = arms
    .map((arm) => ({ own: countsOfArm(ran, arm), ...compareArm(counts, arm, arms.length) }))
    .filter(({ own }) => own.cases > 0);
  return {
    cases: effects.reduce((sum, { own }) => sum + own.cases, 0),
    amount: effects.reduce((sum, { own }) => sum.plus(own.amount), ZERO),
    recovered: addKnown(effects.map(({ own, byCount }) => byCount && scaleEstimate(byCount, own.cases))),
    recoveredAmount: addKnown(
      effects.map(({ own, byAmount }) => byAmount && scaleEstimate(byAmount, Number(own.amount))),
    ),
  };
}

function addKnown(estimates: readonly (BoundedEstimate | undefined)[]): BoundedEstimate | undefined {
  const known = estimates.filter((estimate) => estimate !== undefined);
  return known.length === 0 || known.length < estimates.length ? undefined : addEstimates(known);
}

/** Rates have six decimals, as in all analytics. */
const round = (value: number): number => Number(value.toFixed(6));
