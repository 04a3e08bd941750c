import type { RecurringInterval } from "../../../schema/vocabulary.ts";

/** Days that each unit has on average. */
const AVERAGE_DAYS: Record<RecurringInterval, number> = { DAY: 1, WEEK: 7, MONTH: 30.4375, YEAR: 365.25 };

/** Years that one cycle or trial may take; all cycles of a subscription together may take ten times as long. */
export const MAX_YEARS = 100;
export const MAX_TOTAL_YEARS = 1000;

/**
 * Whether a duration is longer than a number of years. Dates that are counted from a payment have to be writable: they
 * are calculated after the charge, when it is too late to refuse.
 */
export const isLongerThan = (years: number, count: number, unit: RecurringInterval): boolean =>
  count * AVERAGE_DAYS[unit] > years * AVERAGE_DAYS.YEAR;
