import type { RecurringInterval } from "../../schema/vocabulary.ts";
import { group } from "../kernel/group-by.ts";
import type { PlanTerms } from "../products/price-plans/price.terms.ts";
import { cyclePeriod, intervalsLater, serviceStart, type Expiry, type Period } from "./subscription.period.ts";
import { datesOf, type Dates, type Standing } from "./subscription.schedule.ts";

/** A product line of a paid first order, as far as a subscription depends on it. */
export interface FirstLine {
  terms: PlanTerms;
  expiry: Expiry;
  /** The trial that it begins with. */
  trial: { num: number; type: RecurringInterval } | null;
  /** The bundle's line that it is a member of. */
  parent: FirstLine | null;
}

/** A subscription as it is born. */
export interface Birth extends Omit<Standing, "status">, Dates {
  status: "ACTIVE" | "INCOMPLETE";
  startDate: Date;
  trialEndDate: Date | null;
  provideStartDay: number | null;
  currentPeriodStart: Date;
}

/**
 * The subscription that a line starts when it is paid; null for what is bought once. Prepaid, the first cycle is charged by
 * the first order, so that the counter starts at 1; postpaid, and in a trial, at 0. `isConfirmed` says whether the gateway
 * has confirmed the stored method.
 */
export function birthOf(line: FirstLine, paidAt: Date, zoneId: string, isConfirmed: boolean): Birth | null {
  const { recurring, claim } = line.terms;
  if (recurring === null) return null;
  const cycle = { interval: recurring.interval, intervalCount: recurring.intervalCount };
  const trialEndDate = line.trial && intervalsLater(paidAt, line.trial.num, line.trial.type, zoneId);
  const cycleAnchor = serviceStart(trialEndDate ?? paidAt, claim, zoneId);
  const charged = claim.methodType === "PRE" && trialEndDate === null ? 1 : 0;
  const first = cyclePeriod(cycleAnchor, cycle, 1, zoneId);
  const current: Period = trialEndDate === null ? first : { start: paidAt, end: cycleAnchor };
  const { membershipExpirationDate: length, membershipExpirationDateType: unit } = line.expiry;
  const standing = {
    status: isConfirmed ? ("ACTIVE" as const) : ("INCOMPLETE" as const),
    ...cycle,
    claimMethodType: claim.methodType,
    whenToClaimType: claim.whenToClaimType,
    billingDate: claim.billingDate,
    nextInterval: null,
    nextIntervalCount: null,
    cycleAnchor,
    chargedCycle: charged,
    renewalCount: charged,
    currentPeriodEnd: current.end,
    membershipEndDate: length > 0 && unit ? intervalsLater(cycleAnchor, length, unit, zoneId) : null,
    expiryRecurringCount: line.expiry.expiryRecurringCount || null,
    pauseAt: null,
    resumeAt: null,
    cancelAt: null,
  };
  return {
    ...standing,
    ...datesOf(standing, zoneId),
    startDate: paidAt,
    trialEndDate,
    provideStartDay: claim.provideStartDay,
    currentPeriodStart: current.start,
  };
}

/** What lines must have in common to become one subscription. */
const groupOf = (birth: Birth): string =>
  JSON.stringify([
    birth.currentPeriodEnd,
    birth.interval,
    birth.intervalCount,
    birth.membershipEndDate,
    birth.provideStartDay,
    birth.whenToClaimType,
    birth.billingDate,
    birth.trialEndDate,
    birth.expiryRecurringCount,
    birth.claimMethodType,
  ]);

/**
 * The subscriptions that a first order starts when it is paid, each with its lines in order. Members of a bundle go with
 * it; lines that are bought once start none.
 */
export function birthsOf<L extends FirstLine>(
  lines: readonly L[],
  paidAt: Date,
  zoneId: string,
  isConfirmed: boolean,
): { birth: Birth; lines: L[] }[] {
  const starting = lines.flatMap((line) => {
    const birth = birthOf(line.parent ?? line, paidAt, zoneId, isConfirmed);
    return birth ? [{ line, birth }] : [];
  });
  return [...group(starting, ({ birth }) => groupOf(birth)).values()].map((members) => ({
    birth: members[0]!.birth,
    lines: members.map(({ line }) => line),
  }));
}
