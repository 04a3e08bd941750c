import type { RecurringInterval } from "../../schema/vocabulary.ts";
import { groupBy } from "../kernel/group-by.ts";
import { firstOf } from "../kernel/required-values.ts";
import type { PlanTerms } from "../products/price-plans/price.terms.ts";
import { billingPeriodOf, addIntervals, serviceStart, type Expiry, type BillingPeriod } from "./subscription.period.ts";
import { scheduleDatesOf, type ScheduleDates, type ScheduleState } from "./subscription.schedule.ts";

/** A product line of a paid first order, as far as a subscription depends on it. */
export interface FirstOrderLine {
  terms: PlanTerms;
  expiry: Expiry;
  /** The trial that it begins with. */
  trial: { num: number; type: RecurringInterval } | null;
  /** The bundle's line that it is a member of. */
  parent: FirstOrderLine | null;
}

/** The initial state of an activated subscription. */
export interface InitialSubscription extends Omit<ScheduleState, "status">, ScheduleDates {
  status: "ACTIVE" | "INCOMPLETE";
  startDate: Date;
  trialEndDate: Date | null;
  provideStartDay: number | null;
  currentPeriodStart: Date;
}

/**
 * The subscription that a paid line starts; null for a one-time purchase. Prepaid, the first cycle is charged by the
 * first order, so that the counter starts at 1; postpaid, and in a trial, at 0. `isConfirmed`: whether the gateway has
 * confirmed the stored method.
 */
export function toInitialSubscription(
  line: FirstOrderLine,
  paidAt: Date,
  zoneId: string,
  isConfirmed: boolean,
): InitialSubscription | null {
  const { recurring, claim } = line.terms;
  if (recurring === null) return null;
  const cycle = { interval: recurring.interval, intervalCount: recurring.intervalCount };
  const trialEndDate = line.trial && addIntervals(paidAt, line.trial.num, line.trial.type, zoneId);
  const cycleAnchor = serviceStart(trialEndDate ?? paidAt, claim, zoneId);
  const chargedCycles = claim.methodType === "PRE" && trialEndDate === null ? 1 : 0;
  const first = billingPeriodOf(cycleAnchor, cycle, 1, zoneId);
  const current: BillingPeriod = trialEndDate === null ? first : { start: paidAt, end: cycleAnchor };
  const { membershipExpirationDate: length, membershipExpirationDateType: unit } = line.expiry;
  const state = {
    status: isConfirmed ? ("ACTIVE" as const) : ("INCOMPLETE" as const),
    ...cycle,
    claimMethodType: claim.methodType,
    whenToClaimType: claim.whenToClaimType,
    billingDate: claim.billingDate,
    nextInterval: null,
    nextIntervalCount: null,
    cycleAnchor,
    chargedCycle: chargedCycles,
    renewalCount: chargedCycles,
    currentPeriodEnd: current.end,
    membershipEndDate: length > 0 && unit ? addIntervals(cycleAnchor, length, unit, zoneId) : null,
    expiryRecurringCount: line.expiry.expiryRecurringCount || null,
    pauseAt: null,
    resumeAt: null,
    cancelAt: null,
  };
  return {
    ...state,
    ...scheduleDatesOf(state, zoneId),
    startDate: paidAt,
    trialEndDate,
    provideStartDay: claim.provideStartDay,
    currentPeriodStart: current.start,
  };
}

/** Lines with the same key become one subscription. */
const groupKeyOf = (initial: InitialSubscription): string =>
  JSON.stringify([
    initial.currentPeriodEnd,
    initial.interval,
    initial.intervalCount,
    initial.membershipEndDate,
    initial.provideStartDay,
    initial.whenToClaimType,
    initial.billingDate,
    initial.trialEndDate,
    initial.expiryRecurringCount,
    initial.claimMethodType,
  ]);

/**
 * The subscriptions that a first order starts when it is paid, each with its lines in order. Members of a bundle go with
 * it; lines that are bought once start none.
 */
export function groupIntoSubscriptions<L extends FirstOrderLine>(
  lines: readonly L[],
  paidAt: Date,
  zoneId: string,
  isConfirmed: boolean,
): { initial: InitialSubscription; lines: L[] }[] {
  const starting = lines.flatMap((line) => {
    const initial = toInitialSubscription(line.parent ?? line, paidAt, zoneId, isConfirmed);
    return initial ? [{ line, birth: initial }] : [];
  });
  return [...groupBy(starting, ({ birth: initial }) => groupKeyOf(initial)).values()].map((members) => ({
    initial: firstOf(members).birth,
    lines: members.map(({ line }) => line),
  }));
}
