import type { CoverEndReason, CoverFilterInput, CoverState } from "../generated/operations.ts";
import { oneOf, useFilter } from "../parts/filters.tsx";
import { useVendor } from "../session/vendor.tsx";

export const STATES: readonly CoverState[] = ["IN_PROGRESS", "RECOVERED", "EXHAUSTED", "STOPPED"];

export const END_REASONS: readonly CoverEndReason[] = [
  "PAID",
  "ALREADY_PAID",
  "NO_TRIES_LEFT",
  "WINDOW_OVER",
  "NOT_WORTH_RETRYING",
  "NEEDS_CUSTOMER",
  "NEEDS_NEW_METHOD",
  "MUST_NOT_RETRY",
  "CANCELED",
];

/** Days since the failure. */
export const STARTED_DAYS = ["1", "7", "30", "90"] as const;

/** Ends of the period in which the next retry is, in days from now; `passed` is a date without a report. */
export const RETRY_DAYS = { passed: 0, day: 1, week: 7 } as const;
export type RetryPeriod = keyof typeof RETRY_DAYS;
export const RETRY_PERIODS: readonly RetryPeriod[] = ["passed", "day", "week"];

const MILLISECONDS_PER_DAY = 86_400_000;

/** The instant some days after another. */
export const daysAfter = (instant: string, days: number): string =>
  new Date(Date.parse(instant) + days * MILLISECONDS_PER_DAY).toISOString();

/** Covers whose retry is due until then: now or within a day, as Home counts them. */
export const dueFilter = (now: string, days: number) =>
  ({ states: ["IN_PROGRESS"], retryDate: { until: daysAfter(now, days) } }) as const satisfies CoverFilterInput;

/** The filter that the address names. */
export function useCoverFilter(): CoverFilterInput {
  const { now } = useVendor();
  const [enteredState] = useFilter("state");
  const [enteredEnd] = useFilter("end");
  const [enteredDays] = useFilter("started");
  const [enteredRetry] = useFilter("retry");
  const state = oneOf(STATES, enteredState);
  const endReason = oneOf(END_REASONS, enteredEnd);
  const days = oneOf(STARTED_DAYS, enteredDays);
  const retry = oneOf(RETRY_PERIODS, enteredRetry);
  return {
    states: state && [state],
    endReasons: endReason && [endReason],
    startedAt: days && { from: daysAfter(now, -Number(days)) },
    retryDate: retry && { until: daysAfter(now, RETRY_DAYS[retry]) },
  };
}
