import type { CaseDraws } from "../recovery-case.ts";
import type { ModelChoice } from "../decision.ts";
import { itemAt } from "../../../kernel/required-values.ts";
import { laterInstant } from "../../../kernel/instants.ts";
import { drawShare } from "./draws.ts";
import { makeWayForNext, type ScoredTime } from "./make-way.ts";
import { toStatedProbability, toStatedPropensity } from "./rounding.ts";
import type { ModelledCase } from "./modelled-case.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** What bounds the next attempt of a case. */
export interface TimeBounds {
  /** The report, or the date whose attempt was reported. */
  now: Date;
  /** The latest attempt by the present payment method; null without one. */
  lastAttemptAt: Date | null;
  /** The end of the delay that the last decline imposes. */
  delayEnd: Date | null;
  /** The start of the window, then the times of the even schedule: each ends an interval for one attempt. */
  windowStart: Date;
  evenTimes: readonly Date[];
  attemptsUsed: number;
  /** The probability that pays for an attempt: its price divided by the amount; 0 without a price. */
  payingProbability: number;
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
/** What is added for a class of declines whose law the model has not seen: what holds for other classes may be wrong for it. */
const CAUTION_WITHOUT_ATTEMPTS = 1;
/** Number of attempts after which half of that is gone. */
const FAMILIAR_ATTEMPTS = 100;
/**
 * The share of an interval that must pass after an attempt, and the longest time that it may ask: issuers that count attempts punish
 * attempts close together, and so do balances that change slowly. A model of very many own attempts knows what they cost, and asks for less.
 */
const LEAST_GAP = 0.6;
const LONGEST_GAP_MS = 2.1 * DAY_MS;
/** Number of own attempts after which half of it is asked. */
const GAP_ATTEMPTS = 100_000;
/** Number of times that are weighed exactly. */
const WEIGHED = 8;

/**
 * The next attempt: the best full hour of the interval that the even schedule has for it, or the interval's end, which is the even time.
 * One attempt an interval keeps attempts as far apart on average as an even schedule does, which issuers that count attempts reward.
 * Where attempts have a price, an interval without a time that pays for one has no attempt.
 *
 * Null where no interval is left, so that the even schedule decides; `NOT_WORTH_RETRYING` where no attempt pays its price.
 */
export function chooseTime(modelled: ModelledCase, bounds: TimeBounds): ChosenTime | "NOT_WORTH_RETRYING" | null {
  const { now, delayEnd, windowStart, lastAttemptAt, evenTimes, attemptsUsed, draws } = bounds;
  const earliest = laterInstant(new Date(now.getTime() + HOUR_MS), delayEnd ?? now);
  let hasIntervals = false;
  for (const [index, even] of evenTimes.entries()) {
    if (index < attemptsUsed || even <= earliest) continue;
    const intervalStart = evenTimes[index - 1] ?? windowStart;
    const askedGap = askedGapOf(even.getTime() - intervalStart.getTime(), modelled);
    const gapEnd = new Date((lastAttemptAt ?? earliest).getTime() + (lastAttemptAt ? askedGap : 0));
    const from = bounds.legalFrom(laterInstant(earliest, index > 0 ? intervalStart : earliest));
    if (!from) break;
    if (from >= even) continue;
    hasIntervals = true;
    const { scored, hours } = weighTimes(modelled, laterInstant(from, gapEnd), even, bounds);
    if (scored.length === 0) continue;
    const nextEven = evenTimes[index + 1];
    const { scored: weighed, nextOdds } =
      nextEven && lastAttemptAt
        ? makeWayForNext(modelled, scored, {
            ...{ hours, even, nextEven, caution: cautionOf(modelled) },
            gapMs: askedGapOf(nextEven.getTime() - even.getTime(), modelled),
            isPossible: (time) => isPossible(modelled, time, bounds),
          })
        : { scored, nextOdds: 1 };
    const times = weighed.map(({ at }) => at);
    const drawn = draws && drawTime(times, even, draws, now);
    const at = drawn?.at ?? itemAt(times, 0);
    return {
      at,
      following: evenTimes.slice(index + 1),
      propensity: drawn?.propensity ?? 1,
      record: {
        considered: times.map((time) => ({
          at: time,
          probability: toStatedProbability(modelled.probabilityAt(time)),
        })),
        even,
        factors: at.getTime() === even.getTime() ? [] : modelled.factorsOf(at, even, at === times[0] ? nextOdds : 1),
        explored: drawn?.explored ?? false,
        ...(draws && drawn && { draw: { share: draws.share, options: drawn.options, even: drawn.even } }),
      },
    };
  }
  return hasIntervals ? "NOT_WORTH_RETRYING" : null;
}

/** How many deviations an advantage must exceed in a case. */
const cautionOf = ({ familiarAttempts }: ModelledCase): number =>
  CAUTION + CAUTION_WITHOUT_ATTEMPTS / (1 + familiarAttempts / FAMILIAR_ATTEMPTS);

/** The time that must pass between attempts in an interval. */
const askedGapOf = (intervalMs: number, { ownTries }: ModelledCase): number =>
  Math.min(LEAST_GAP * intervalMs, LONGEST_GAP_MS) / (1 + ownTries / GAP_ATTEMPTS);

/** Whether an attempt at a time is allowed, and pays its price. */
const isPossible = (modelled: ModelledCase, at: Date, { legalFrom, payingProbability }: TimeBounds): boolean =>
  legalFrom(at)?.getTime() === at.getTime() &&
  (payingProbability === 0 || modelled.probabilityAt(at) >= payingProbability);

/** The even time and the full hours before it that are better, best first, as far as they pay for an attempt; and all full hours. */
function weighTimes(
  modelled: ModelledCase,
  from: Date,
  even: Date,
  { legalFrom, payingProbability }: TimeBounds,
): { scored: ScoredTime[]; hours: { at: Date; logOdds: number }[] } {
  const hours: { at: Date; logOdds: number }[] = [];
  for (let ms = Math.ceil(from.getTime() / HOUR_MS) * HOUR_MS; ms < even.getTime(); ms += HOUR_MS) {
    const at = new Date(ms);
    hours.push({ at, logOdds: modelled.logOddsAt(at) });
  }
  const evenLogOdds = modelled.logOddsAt(even);
  hours.sort((a, b) => b.logOdds - a.logOdds);
  const caution = cautionOf(modelled);
  const weighed = [{ at: even, score: 0 }];
  for (const { at, logOdds } of hours) {
    if (weighed.length > WEIGHED || logOdds <= evenLogOdds) break;
    if (legalFrom(at)?.getTime() !== at.getTime()) continue;
    const { mean, deviation } = modelled.advantage(at, even);
    weighed.push({ at, score: mean - caution * deviation });
  }
  const scored = weighed
    .filter(({ at }) => payingProbability === 0 || modelled.probabilityAt(at) >= payingProbability)
    .sort((a, b) => b.score - a.score);
  return { scored, hours };
}

/**
 * The time of a case that may explore, with the probability by which it is chosen: the best one, or for a share of the cases another. Half
 * of that share draws from the best hour of each day and the even time; the other half keeps to the even schedule, so that own attempts
 * say what EVEN would recover. An even time that does not pay for an attempt is not among the weighed times: no case draws it, and the
 * half that would keep to it takes the best time.
 */
function drawTime(
  weighed: readonly Date[],
  evenTime: Date,
  { key, share }: CaseDraws,
  now: Date,
): { at: Date; options: Date[]; even: Date; propensity: number; explored: boolean } {
  const bestOfDays = new Map<number, Date>();
  for (const at of weighed) {
    const day = Math.floor((at.getTime() - now.getTime()) / DAY_MS);
    if (!bestOfDays.has(day)) bestOfDays.set(day, at);
  }
  const even = weighed.find((at) => at.getTime() === evenTime.getTime()) ?? itemAt(weighed, 0);
  const options = [...new Set([...bestOfDays.values(), even])];
  const part = drawShare(key);
  const explored = part < share;
  const drawn = () => itemAt(options, Math.floor(drawShare(`${key} ${now.toISOString()}`) * options.length));
  const at = !explored ? itemAt(options, 0) : part < share / 2 ? even : drawn();
  const [isBest, isEven] = [at === options[0], at === even];
  const propensity = (isBest ? 1 - share : 0) + (isEven ? share / 2 : 0) + share / 2 / options.length;
  return { at, options, even, explored, propensity: toStatedPropensity(propensity) };
}
