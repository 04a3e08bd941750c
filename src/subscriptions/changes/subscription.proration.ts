import { allocate, amountOf, type Amount, type Ratio } from "../../kernel/amounts.ts";
import type { Period } from "../subscription.period.ts";

const second = (instant: Date): number => Math.floor(instant.getTime() / 1000);

/** Whole seconds of a period. Those of periods that follow one another add up to those of all of them. */
export const secondsOf = ({ start, end }: Period): number => second(end) - second(start);

/** The part of a period that is left at an instant, by seconds: all of it before, nothing after. */
export function leftOf(period: Period, at: Date): Ratio {
  const whole = secondsOf(period);
  const left = secondsOf({ start: at, end: period.end });
  return { part: amountOf(Math.min(Math.max(left, 0), whole)), whole: amountOf(whole) };
}

/**
 * Splits what was paid for a time among the periods that it consists of, by their seconds, at so many decimals. The last
 * gets what the others leave.
 */
export const splitByTime = (total: Amount, periods: readonly Period[], scale: number): Amount[] =>
  allocate(
    total,
    periods.map((period) => amountOf(secondsOf(period))),
    scale,
  );
