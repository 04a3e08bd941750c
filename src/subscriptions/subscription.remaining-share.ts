import { toAmount, type Ratio } from "../kernel/amounts.ts";
import type { BillingPeriod } from "./subscription.period.ts";

const toEpochSeconds = (instant: Date): number => Math.floor(instant.getTime() / 1000);

/** Whole seconds of a period. Those of periods that follow one another add up to those of all of them. */
export const secondsInPeriod = ({ start, end }: BillingPeriod): number => toEpochSeconds(end) - toEpochSeconds(start);

/** The remaining part of a period at an instant, by seconds: all of it before, none after. */
export function remainingShare(period: BillingPeriod, at: Date): Ratio {
  const wholeSeconds = secondsInPeriod(period);
  const remainingSeconds = secondsInPeriod({ start: at, end: period.end });
  return { part: toAmount(Math.min(Math.max(remainingSeconds, 0), wholeSeconds)), whole: toAmount(wholeSeconds) };
}
