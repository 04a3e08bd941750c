import type { Cases, Outcome } from "./policy-outcome.ts";
import {
  calibrationError,
  mean,
  pairedDifference,
  quantile,
  share,
  weightedShare,
  type Estimate,
} from "./statistics.ts";

/** What a policy came to in a world. Shares are of all cases but hard declines: one that is still open was not recovered. */
export interface Figures {
  name: string;
  label: string;
  baseline: boolean;
  recoveredByCount: Estimate;
  recoveredByValue: Estimate;
  triesPerCase: Estimate;
  /** Of those that were recovered; null where none was. */
  daysMedian: Estimate | null;
  daysP90: Estimate | null;
  within10Days: Estimate;
  /** Hard declines that were recovered after all, by a new payment method. */
  hardRecovered: Estimate;
  /** Counted over all cases, hard ones too. */
  tries: number;
  breaches: number;
  breachesPerTry: Estimate;
  firstBreach: string | null;
  /** Null where the policy tells no probabilities. */
  calibrationError: Estimate | null;
}

/** How one policy did against another on the same payments. */
export interface Difference {
  of: string;
  minus: string;
  /** In percentage points of recovery by count. */
  points: Estimate;
  /** Tries of the one for each try of the other; null where that made none. */
  triesRatio: number | null;
}

/** What was seen in a world. */
export interface WorldFigures {
  name: string;
  cases: number;
  hard: number;
  policies: Figures[];
  /** Of each policy of the engine, minus each policy that stands before it. */
  differences: Difference[];
}

/** The figures of a world from what became of its payments under each policy. */
export function figuresOf(cases: Cases, outcomes: readonly Outcome[]): WorldFigures {
  const soft = Array.from(cases.hard.keys()).filter((index) => cases.hard[index] === 0);
  const weights = weightsOf(cases, soft);
  const recovered = outcomes.map(({ days }) => soft.map((index) => (Number.isNaN(days[index]) ? 0 : 1)));
  const policies = outcomes.map((outcome, which) => figures(cases, outcome, soft, recovered[which]!, weights));
  const differences = outcomes.flatMap((of, which) =>
    of.baseline
      ? []
      : outcomes.slice(0, which).map((minus, other): Difference => {
          const { value, interval } = pairedDifference(recovered[which]!, recovered[other]!);
          const [mine, theirs] = [policies[which]!.triesPerCase.value, policies[other]!.triesPerCase.value];
          return {
            of: of.name,
            minus: minus.name,
            points: { value: value * 100, interval: [interval[0] * 100, interval[1] * 100] },
            triesRatio: theirs === 0 ? null : mine / theirs,
          };
        }),
  );
  return { name: cases.world, cases: cases.hard.length, hard: cases.hard.length - soft.length, policies, differences };
}

function figures(
  { hard }: Cases,
  { name, label, baseline, days, tries, breaches, told, firstBreach }: Outcome,
  soft: readonly number[],
  recovered: readonly number[],
  weights: readonly number[],
): Figures {
  const waits = soft.map((index) => days[index]!).filter((wait) => !Number.isNaN(wait));
  const allTries = tries.reduce((sum, count) => sum + count, 0);
  const allBreaches = breaches.reduce((sum, count) => sum + count, 0);
  const hardOnes = Array.from(hard.keys()).filter((index) => hard[index] === 1);
  return {
    ...{ name, label, baseline, firstBreach },
    recoveredByCount: share(waits.length, soft.length),
    recoveredByValue: weightedShare(recovered, weights),
    triesPerCase: mean(soft.map((index) => tries[index]!)),
    daysMedian: quantile(waits, 0.5),
    daysP90: quantile(waits, 0.9),
    within10Days: share(waits.filter((wait) => wait <= 10).length, soft.length),
    hardRecovered: share(hardOnes.filter((index) => !Number.isNaN(days[index])).length, hardOnes.length),
    tries: allTries,
    breaches: allBreaches,
    breachesPerTry: share(allBreaches, allTries),
    calibrationError: calibrationError(told),
  };
}

/** What a case weighs by its value: its amount against the mean of its currency, since amounts of two currencies have no sum. */
function weightsOf({ amounts, currencies }: Cases, soft: readonly number[]): number[] {
  const sums = new Map<string, { sum: number; count: number }>();
  for (const index of soft) {
    const { sum, count } = sums.get(currencies[index]!) ?? { sum: 0, count: 0 };
    sums.set(currencies[index]!, { sum: sum + amounts[index]!, count: count + 1 });
  }
  return soft.map((index) => {
    const { sum, count } = sums.get(currencies[index]!)!;
    return (amounts[index]! * count) / sum;
  });
}
