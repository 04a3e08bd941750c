import { Temporal } from "temporal-polyfill";
import type { RecurringInterval } from "../../schema/vocabulary.ts";
import type { PlanTerms } from "../products/price-plans/price.terms.ts";

/** A stretch of time; its end is no part of it. */
export interface BillingPeriod {
  start: Date;
  end: Date;
}

/** The billing cycle of a plan. */
export interface BillingCycle {
  interval: RecurringInterval;
  intervalCount: number;
}

const temporalUnits = { DAY: "days", WEEK: "weeks", MONTH: "months", YEAR: "years" } as const;

const toLocalTime = (instant: Date, zoneId: string): Temporal.ZonedDateTime =>
  Temporal.Instant.fromEpochMilliseconds(instant.getTime()).toZonedDateTimeISO(zoneId);

const toInstant = (local: Temporal.ZonedDateTime): Date => new Date(local.epochMilliseconds);

/**
 * A number of intervals after an instant, at the same local time of day. A day that a month lacks becomes its last day:
 * for the end of a trial, or of a membership.
 */
export const addIntervals = (from: Date, count: number, interval: RecurringInterval, zoneId: string): Date =>
  toInstant(toLocalTime(from, zoneId).add({ [temporalUnits[interval]]: count }));

/**
 * A cycle by its number, 1 for the first. Each is counted from where the first began, so that cycles which began on the
 * 31st return to it after shorter months.
 */
export function billingPeriodOf(
  begin: Date,
  { interval, intervalCount }: BillingCycle,
  number: number,
  zoneId: string,
): BillingPeriod {
  const boundary = (cycles: number) => addIntervals(begin, cycles * intervalCount, interval, zoneId);
  return { start: boundary(number - 1), end: boundary(number) };
}

/**
 * The start of the service for a payment: at once, or, if the plan starts on a day of the month, at the beginning of
 * that day.
 */
export function serviceStart(paidAt: Date, { provideStartDay }: PlanTerms["claim"], zoneId: string): Date {
  if (!provideStartDay) return paidAt;
  const paid = toLocalTime(paidAt, zoneId);
  const thisMonth = paid.with({ day: provideStartDay });
  if (thisMonth.day === paid.day) return paidAt;
  const day = thisMonth.day > paid.day ? thisMonth : paid.add({ months: 1 }).with({ day: provideStartDay });
  return toInstant(day.startOfDay());
}

/**
 * The charge date of a postpaid cycle: its end, or, if the plan has a billing day, that day of the month after the one
 * that the cycle ended in, at the local time of day of the end.
 */
export function chargeDate(
  { end }: BillingPeriod,
  { whenToClaimType, billingDate }: PlanTerms["claim"],
  zoneId: string,
): Date {
  if (whenToClaimType !== "DATE" || !billingDate) return end;
  const last = toLocalTime(new Date(end.getTime() - 1), zoneId);
  const time = toLocalTime(end, zoneId).toPlainTime();
  return toInstant(last.add({ months: 1 }).with({ day: billingDate }).withPlainTime(time));
}

/** The automatic end of a subscription; 0 and null mean never. */
export interface Expiry {
  membershipExpirationDate: number;
  membershipExpirationDateType: RecurringInterval | null;
  /** Number of charged cycles. */
  expiryRecurringCount: number | null;
}
