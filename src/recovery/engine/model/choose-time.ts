import type { CaseDraws } from "../recovery-case.ts";
import type { ModelChoice } from "../decision.ts";
import { itemAt } from "../../../kernel/required-values.ts";
import { laterInstant } from "../../../kernel/instants.ts";
import { drawShare } from "./draws.ts";
import { roundToSixDigits } from "./rounding.ts";
import type { ModelledCase } from "./retry-model.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** What bounds the next attempt of a case. */
export interface TimeBounds {
  /** The report, or the date whose attempt was reported. */
  now: Date;
  /** The end of the delay that the last decline imposes. */
  delayEnd: Date | null;
  /** The times of the even schedule: each ends an interval for one attempt. */
  evenTimes: readonly Date[];
  attemptsUsed: number;
  draws: CaseDraws | null;
  /** The earliest allowed time at or after another; null where none is allowed any more. */
  legalFrom: (at: Date) => Date | null;
}

/** The chosen time, and why. */
export interface ChosenTime {
  at: Date;
  /** The times of the attempts after it, as far as they are planned. */
  following: Date[];
  propensity: number;
  record: ModelChoice;
}

/**
 * How many deviations an advantage over the even time must exceed to count. A plan made from chance differences loses to an even one
 * (2 to 3 points where nothing in time tells anything), so that the even time stays where the model is unsure.
 */
const CAUTION = 0.5;
/** Number of times that are weighed exactly. */
const WEIGHED = 8;

/**
 * The next attempt: the best full hour of the interval that the even schedule has for it, or the interval's end, which is the even time;
 * null where no interval is left, so that the even schedule decides. One attempt an interval keeps attempts as far apart on average as
 * an even schedule does, which issuers that count attempts reward.
 */
export function chooseTime(modelled: ModelledCase, bounds: TimeBounds): ChosenTime | null {
  const { now, delayEnd, evenTimes, attemptsUsed, draws } = bounds;
  const intervalStart = evenTimes[attemptsUsed - 1] ?? now;
  const earliest = laterInstant(new Date(now.getTime() + HOUR_MS), laterInstant(intervalStart, delayEnd ?? now));
  const from = bounds.legalFrom(earliest);
  const index = from ? evenTimes.findIndex((time, number) => number >= attemptsUsed && time > from) : -1;
  if (!from || index < 0) return null;
  const even = itemAt(evenTimes, index);
  const weighed = weighTimes(modelled, from, even, bounds);
  const drawn = draws && drawTime(weighed, even, draws, now);
  const at = drawn?.at ?? itemAt(weighed, 0);
  return {
    at,
    following: evenTimes.slice(index + 1),
    propensity: drawn?.propensity ?? 1,
    record: {
      considered: weighed.map((time) => ({
        at: time,
        probability: roundToSixDigits(modelled.probabilityAt(time)),
      })),
      even,
      factors: at.getTime() === even.getTime() ? [] : modelled.factorsOf(at, even),
      explored: drawn?.explored ?? false,
      ...(draws && drawn && { draw: { share: draws.share, options: drawn.options, even } }),
    },
  };
}

/** The even time and the full hours before it that are better, best first. */
function weighTimes(modelled: ModelledCase, from: Date, even: Date, { legalFrom }: TimeBounds): Date[] {
  const times: { at: Date; logOdds: number }[] = [];
  for (let ms = Math.ceil(from.getTime() / HOUR_MS) * HOUR_MS; ms < even.getTime(); ms += HOUR_MS) {
    const at = new Date(ms);
    times.push({ at, logOdds: modelled.logOddsAt(at) });
  }
  const evenLogOdds = modelled.logOddsAt(even);
  times.sort((a, b) => b.logOdds - a.logOdds);
  const weighed = [{ at: even, score: 0 }];
  for (const { at, logOdds } of times) {
    if (weighed.length > WEIGHED || logOdds <= evenLogOdds) break;
    if (legalFrom(at)?.getTime() !== at.getTime()) continue;
    const { mean, deviation } = modelled.advantage(at, even);
    weighed.push({ at, score: mean - CAUTION * deviation });
  }
  return weighed.sort((a, b) => b.score - a.score).map(({ at }) => at);
}

/**
 * The time of a case that may explore, with the probability by which it is chosen: the best one, or for a share of the cases another. Half
 * of that share draws from the best hour of each day and the even time; the other half keeps to the even schedule, so that own attempts
 * say what EVEN would recover.
 */
function drawTime(
  weighed: readonly Date[],
  even: Date,
  { key, share }: CaseDraws,
  now: Date,
): { at: Date; options: Date[]; propensity: number; explored: boolean } {
  const bestOfDays = new Map<number, Date>();
  for (const at of weighed) {
    const day = Math.floor((at.getTime() - now.getTime()) / DAY_MS);
    if (!bestOfDays.has(day)) bestOfDays.set(day, at);
  }
  const options = [...new Set([...bestOfDays.values(), even])];
  const part = drawShare(key);
  const explored = part < share;
  const drawn = () => itemAt(options, Math.floor(drawShare(`${key} ${now.toISOString()}`) * options.length));
  const at = !explored ? itemAt(options, 0) : part < share / 2 ? even : drawn();
  const [isBest, isEven] = [at === options[0], at === even];
  const propensity = (isBest ? 1 - share : 0) + (isEven ? share / 2 : 0) + share / 2 / options.length;
  return { at, options, explored, propensity: roundToSixDigits(propensity) };
}
