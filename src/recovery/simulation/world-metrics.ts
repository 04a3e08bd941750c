import { getOrThrow, itemAt } from "../../kernel/required-values.ts";
import type { WorldCases, PolicyOutcome } from "./policy-outcome.ts";
import {
  estimateCalibrationError,
  estimateMean,
  estimatePairedDifference,
  estimateQuantile,
  estimateShare,
  estimateWeightedMean,
  estimateWeightedShare,
  type Estimate,
} from "./statistics.ts";

/**
 * The results of a policy in a world. Shares are of all cases without a hard decline. An open case counts as not
 * recovered.
 */
export interface PolicyMetrics {
  name: string;
  label: string;
  baseline: boolean;
  recoveredByCount: Estimate;
  recoveredByValue: Estimate;
  triesPerCase: Estimate;
  /** Days to recovery of the recovered payments; null if there were none. */
  daysMedian: Estimate | null;
  daysP90: Estimate | null;
  within10Days: Estimate;
  /** The share of hard declines that were recovered by a new payment method. */
  hardRecovered: Estimate;
  /** Counted over all cases, including hard declines. */
  tries: number;
  breaches: number;
  breachesPerTry: Estimate;
  firstBreach: string | null;
  /** Null if the policy predicts no probabilities. */
  calibrationError: Estimate | null;
  /** Recovered value minus the price of all tries, as a share of all value; null where tries have no price. */
  netValue: Estimate | null;
  /** Recovered payments of those that failed in the world's first 30 days, and of the later ones: they differ where a law drifts. */
  recoveredFirst30Days: Estimate;
  recoveredLater: Estimate;
  /** One for each history that the policy learned from; empty if it learns nothing. */
  histories: HistoryMetrics[];
}

/** The results of a policy after one of its histories. */
export interface HistoryMetrics {
  /** Version of the model that the history made. */
  model: string;
  recoveredByCount: Estimate;
  triesPerCase: Estimate;
  calibrationError: Estimate | null;
}

/** The difference of two policies on the same payments. */
export interface PolicyDifference {
  of: string;
  minus: string;
  /** In percentage points of recovery by count. */
  points: Estimate;
  /** Attempts of `of` divided by attempts of `minus`; null if `minus` made none. */
  triesRatio: number | null;
}

/** The measured results of a world. */
export interface WorldMetrics {
  name: string;
  cases: number;
  hard: number;
  policies: PolicyMetrics[];
  /** The difference of each engine policy from each policy before it in the list. */
  differences: PolicyDifference[];
}

/**
 * Computes a world's metrics from the outcomes of its policies. `otherHistories` are results of the same policies after
 * other histories; `tryPrice` is the cost of one try in the currency of its payment.
 */
export function computeWorldMetrics(
  cases: WorldCases,
  outcomes: readonly PolicyOutcome[],
  { otherHistories = [], tryPrice = 0 }: { otherHistories?: readonly PolicyOutcome[]; tryPrice?: number } = {},
): WorldMetrics {
  const soft = Array.from(cases.hard.keys()).filter((index) => cases.hard[index] === 0);
  const weights = computeWeights(cases, soft);
  const recovered = outcomes.map(({ days }) => soft.map((index) => (Number.isNaN(days[index]) ? 0 : 1)));
  const policies = outcomes.map((outcome, policyIndex) =>
    computePolicyMetrics(
      cases,
      outcome,
      soft,
      itemAt(recovered, policyIndex),
      weights,
      otherHistories.filter(({ name }) => name === outcome.name),
      tryPrice,
    ),
  );
  const differences = outcomes.flatMap((of, policyIndex) =>
    of.baseline
      ? []
      : outcomes.slice(0, policyIndex).map((minus, other): PolicyDifference => {
          const { value, interval } = estimatePairedDifference(
            itemAt(recovered, policyIndex),
            itemAt(recovered, other),
          );
          const [ownTries, otherTries] = [
            itemAt(policies, policyIndex).triesPerCase.value,
            itemAt(policies, other).triesPerCase.value,
          ];
          return {
            of: of.name,
            minus: minus.name,
            points: { value: value * 100, interval: [interval[0] * 100, interval[1] * 100] },
            triesRatio: otherTries === 0 ? null : ownTries / otherTries,
          };
        }),
  );
  return { name: cases.world, cases: cases.hard.length, hard: cases.hard.length - soft.length, policies, differences };
}

function computePolicyMetrics(
  { hard, amounts, failedAfterDays }: WorldCases,
  outcome: PolicyOutcome,
  soft: readonly number[],
  recovered: readonly number[],
  weights: readonly number[],
  otherHistories: readonly PolicyOutcome[],
  tryPrice: number,
): PolicyMetrics {
  const { name, label, baseline, days, tries, breaches, predictions, firstBreach } = outcome;
  const daysToRecovery = soft.map((index) => itemAt(days, index)).filter((delay) => !Number.isNaN(delay));
  const allTries = tries.reduce((sum, count) => sum + count, 0);
  const allBreaches = breaches.reduce((sum, count) => sum + count, 0);
  // Of each case, the share of its amount that is left after the price of its tries.
  const gains = soft.map(
    (index, at) => itemAt(recovered, at) - (itemAt(tries, index) * tryPrice) / itemAt(amounts, index),
  );
  const recoveredWhere = (isIncluded: (index: number) => boolean) => {
    const included = soft.filter(isIncluded);
    return estimateShare(included.filter((index) => !Number.isNaN(days[index])).length, included.length);
  };
  const hardDeclines = Array.from(hard.keys()).filter((index) => hard[index] === 1);
  return {
    ...{ name, label, baseline, firstBreach },
    recoveredByCount: estimateShare(daysToRecovery.length, soft.length),
    recoveredByValue: estimateWeightedShare(recovered, weights),
    triesPerCase: estimateMean(soft.map((index) => itemAt(tries, index))),
    daysMedian: estimateQuantile(daysToRecovery, 0.5),
    daysP90: estimateQuantile(daysToRecovery, 0.9),
    within10Days: estimateShare(daysToRecovery.filter((delay) => delay <= 10).length, soft.length),
    hardRecovered: estimateShare(
      hardDeclines.filter((index) => !Number.isNaN(days[index])).length,
      hardDeclines.length,
    ),
    tries: allTries,
    breaches: allBreaches,
    breachesPerTry: estimateShare(allBreaches, allTries),
    calibrationError: estimateCalibrationError(predictions),
    netValue: tryPrice > 0 ? estimateWeightedMean(gains, weights) : null,
    recoveredFirst30Days: recoveredWhere((index) => itemAt(failedAfterDays, index) < 30),
    recoveredLater: recoveredWhere((index) => itemAt(failedAfterDays, index) >= 30),
    histories: [outcome, ...otherHistories].flatMap((one) => toHistoryMetrics(one, soft)),
  };
}

/** The figures of a policy after one history; none without a model. */
function toHistoryMetrics(
  { model, days, tries, predictions }: PolicyOutcome,
  soft: readonly number[],
): HistoryMetrics[] {
  if (model === null) return [];
  const paid = soft.filter((index) => !Number.isNaN(days[index])).length;
  return [
    {
      model,
      recoveredByCount: estimateShare(paid, soft.length),
      triesPerCase: estimateMean(soft.map((index) => itemAt(tries, index))),
      calibrationError: estimateCalibrationError(predictions),
    },
  ];
}

/**
 * Computes the weight of each case: its amount divided by the mean amount of its currency, because amounts in different
 * currencies cannot be added.
 */
function computeWeights({ amounts, currencies }: WorldCases, soft: readonly number[]): number[] {
  const sums = new Map<string, { sum: number; count: number }>();
  for (const index of soft) {
    const { sum, count } = sums.get(itemAt(currencies, index)) ?? { sum: 0, count: 0 };
    sums.set(itemAt(currencies, index), { sum: sum + itemAt(amounts, index), count: count + 1 });
  }
  return soft.map((index) => {
    const { sum, count } = getOrThrow(sums, itemAt(currencies, index));
    return (itemAt(amounts, index) * count) / sum;
  });
}
