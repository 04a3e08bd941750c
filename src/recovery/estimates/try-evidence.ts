import { cellBlocks } from "../engine/model/cells.ts";
import type { ModelledCase } from "../engine/model/modelled-case.ts";
import { RetryModel } from "../engine/model/retry-model.ts";

/** What is known of a try before it is made, from a model that has not seen the payment. */
export type TryEvidence = readonly [
  intercept: 1,
  /** The log-odds of the case, averaged over the hours and days around the try. */
  caseLogOdds: number,
  /** By how much the log-odds of this very time are above that average. */
  timeAdvantage: number,
  /** Logarithm of the days since the first failure, and of the days since the last try. */
  days: number,
  gap: number,
];

export const EVIDENCE_SIZE = 5;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Steps of nine hours meet all eight parts of the day within three days. */
const STEP_MS = 9 * HOUR_MS;
const STEPS = 8;

/** Effects that say how the past schedule thinned out its payments: another schedule thins them out in another way. */
const scheduleBlocks = [
  "attempt number",
  "days since first failure",
  "days since first failure, coarse",
  "hours since last attempt",
  "hours since last attempt, coarse",
  "attempts in 7 days",
];
const isOfSchedule = (name: string): boolean =>
  name === "source, attempt number" || scheduleBlocks.some((block) => name === block || name === `${block} by class`);

/** A model without the effects of the schedule that its tries followed. */
export function withoutScheduleEffects(model: RetryModel): RetryModel {
  const others = Float64Array.from(model.weights);
  for (const { name, from, size } of cellBlocks) if (isOfSchedule(name)) others.fill(0, from, from + size);
  return new RetryModel({ ...model, weights: others });
}

/** The evidence of a model for a try. */
export function evidenceOf(modelled: ModelledCase, at: Date, firstAt: Date, lastAt: Date): TryEvidence {
  const logOdds = modelled.logOddsAt(at);
  let [sum, count] = [logOdds, 1];
  for (let step = -STEPS; step <= STEPS; step++) {
    const around = at.getTime() + step * STEP_MS;
    if (step === 0 || around <= lastAt.getTime()) continue;
    sum += modelled.logOddsAt(new Date(around));
    count++;
  }
  const days = (from: Date) => Math.log((at.getTime() - from.getTime()) / DAY_MS + 0.1);
  return [1, sum / count, logOdds - sum / count, days(firstAt), days(lastAt)];
}
