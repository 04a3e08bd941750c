import { itemAt } from "../../../kernel/required-values.ts";
import type { ModelledCase } from "./modelled-case.ts";

/* What the choice of a time leaves for the attempt after it. */

const HOUR_MS = 3_600_000;
const HALF_DAY_MS = 12 * HOUR_MS;
const sigmoid = (logOdds: number): number => 1 / (1 + Math.exp(-logOdds));

/** A time with its advantage over the even time in logarithms of odds, less what caution takes off; 0 for the even time. */
export interface ScoredTime {
  at: Date;
  score: number;
}

/** The interval of an attempt and the one after it. */
export interface TwoIntervals {
  /** The full hours of the interval before its even time that are not too close to the last attempt, best first. */
  hours: readonly { at: Date; logOdds: number }[];
  even: Date;
  nextEven: Date;
  /** The time that must pass between the two attempts. */
  gapMs: number;
  /** How many deviations an advantage must exceed. */
  caution: number;
  isPossible: (at: Date) => boolean;
}

/**
 * Times of an attempt, best first, from a list that is so by the attempt's own chance. Where a better hour of the next interval, as of a
 * payday, would be too close to the best time, times before it are weighed too: by the chance that one of the two attempts succeeds.
 * `nextOdds` is by what the first of them multiplies the odds of the attempt after it, more than the best one would.
 */
export function makeWayForNext(
  modelled: ModelledCase,
  scored: readonly ScoredTime[],
  by: TwoIntervals,
): { scored: readonly ScoredTime[]; nextOdds: number } {
  const { hours, even, nextEven, gapMs, caution, isPossible } = by;
  const best = itemAt(scored, 0);
  if (best.at.getTime() + gapMs <= even.getTime()) return { scored, nextOdds: 1 };
  const then = modelled.afterFailureAt(best.at);
  const next = bestHours(then, even, nextEven, isPossible)
    .map((at) => ({ at, score: cautious(then, at, nextEven, caution) }))
    .filter(({ score }) => score > 0);
  const options = new Map([best, ...scored.filter(({ at }) => at === even)].map((one) => [one.at.getTime(), one]));
  for (const { at: nextAt } of next) {
    const latest = nextAt.getTime() - gapMs;
    const early = latest < best.at.getTime() && hours.find(({ at }) => at.getTime() <= latest && isPossible(at));
    if (early) options.set(early.at.getTime(), { at: early.at, score: cautious(modelled, early.at, even, caution) });
  }
  if (options.size === 1) return { scored, nextOdds: 1 };
  const evenOdds = modelled.logOddsAt(even);
  const nextScore = (at: Date): number =>
    Math.max(0, ...next.filter((one) => one.at.getTime() >= at.getTime() + gapMs).map(({ score }) => score));
  const valueOf = ({ at, score }: ScoredTime): number => {
    const chance = sigmoid(evenOdds + score);
    return chance + (1 - chance) * sigmoid(modelled.afterFailureAt(at).logOddsAt(nextEven) + nextScore(at));
  };
  const { one: first } = [...options.values()]
    .map((one) => ({ one, value: valueOf(one) }))
    .reduce((a, b) => (b.value > a.value ? b : a));
  return {
    scored: [first, ...scored.filter(({ at }) => at.getTime() !== first.at.getTime())],
    nextOdds: Math.exp(nextScore(first.at) - nextScore(best.at)),
  };
}

const cautious = (modelled: ModelledCase, at: Date, even: Date, caution: number): number => {
  const { mean, deviation } = modelled.advantage(at, even);
  return mean - caution * deviation;
};

/** Of each half day between two times, the best possible full hour, if it is better than the end. */
function bestHours(modelled: ModelledCase, from: Date, until: Date, isPossible: (at: Date) => boolean): Date[] {
  const found: Date[] = [];
  const logOddsAtEnd = modelled.logOddsAt(until);
  for (let start = Math.ceil(from.getTime() / HOUR_MS) * HOUR_MS; start < until.getTime(); start += HALF_DAY_MS) {
    let [best, highest]: [Date | null, number] = [null, logOddsAtEnd];
    for (let ms = start; ms < Math.min(start + HALF_DAY_MS, until.getTime()); ms += HOUR_MS) {
      const at = new Date(ms);
      const logOdds = modelled.logOddsAt(at);
      if (logOdds > highest && isPossible(at)) [best, highest] = [at, logOdds];
    }
    if (best) found.push(best);
  }
  return found;
}
