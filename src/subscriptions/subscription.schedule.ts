import type {
  ClaimMethodType,
  RecurringInterval,
  SubscriptionStatus,
  WhenToClaimType,
} from "../../schema/vocabulary.ts";
import { chargeDate, cyclePeriod, type Cycle, type Period } from "./subscription.period.ts";

/** What the dates of a subscription follow from. */
export interface Standing extends Cycle {
  status: SubscriptionStatus;
  claimMethodType: ClaimMethodType;
  whenToClaimType: WhenToClaimType | null;
  billingDate: number | null;
  /** The cycle that follows the one under way, where it was changed. */
  nextInterval: RecurringInterval | null;
  nextIntervalCount: number | null;
  cycleAnchor: Date;
  chargedCycle: number;
  renewalCount: number;
  currentPeriodEnd: Date;
  membershipEndDate: Date | null;
  expiryRecurringCount: number | null;
  pauseAt: Date | null;
  resumeAt: Date | null;
  cancelAt: Date | null;
}

/** The dates that follow. */
export interface Dates {
  /** When it is charged next; null while nothing will be. */
  nextPaymentDate: Date | null;
  /** When it ends by itself; null is never. */
  endDate: Date | null;
  /** When something else happens to it by itself. */
  actAt: Date | null;
}

/** In these a charge follows in its time. */
const renewing: ReadonlySet<SubscriptionStatus> = new Set(["ACTIVE", "QUEUEING", "PENDING_PAUSE", "PENDING_CANCEL"]);

const ended: ReadonlySet<SubscriptionStatus> = new Set(["CANCELED", "EXPIRED"]);

/** Number of the cycle that an instant lies in: 1 for the first and for all before it. */
export function cycleNumberAt(anchor: Date, cycle: Cycle, at: Date, zoneId: string): number {
  const isOver = (number: number) => cyclePeriod(anchor, cycle, number, zoneId).end <= at;
  let [over, beyond] = [0, 1];
  while (isOver(beyond)) [over, beyond] = [beyond, beyond * 2];
  while (beyond - over > 1) {
    const middle = Math.floor((over + beyond) / 2);
    if (isOver(middle)) over = middle;
    else beyond = middle;
  }
  return beyond;
}

/** Number of the cycle that the next charge is for. */
const nextCycle = ({ chargedCycle }: Pick<Standing, "chargedCycle">): number => chargedCycle + 1;

/**
 * How cycles go on after the one under way: from the same anchor, or where the interval was changed, anew from the end of
 * the period that is charged last in the old way.
 */
function onward(standing: Standing, zoneId: string): { anchor: Date; cycle: Cycle; charged: number } {
  const { cycleAnchor: anchor, chargedCycle: charged, nextInterval, nextIntervalCount, claimMethodType } = standing;
  if (nextInterval === null || nextIntervalCount === null) return { anchor, cycle: standing, charged };
  const cycle = { interval: nextInterval, intervalCount: nextIntervalCount };
  const last = charged + (claimMethodType === "PRE" ? 0 : 1);
  const from = last === 0 ? anchor : cyclePeriod(anchor, standing, last, zoneId).end;
  return { anchor: from, cycle, charged: claimMethodType === "PRE" ? 0 : -1 };
}

/** When it ends by itself: its term is over, or the last of its cycles. A pause holds the count of the cycles up. */
function endOf(standing: Standing, zoneId: string): Date | null {
  const { membershipEndDate, expiryRecurringCount, renewalCount, status } = standing;
  if (expiryRecurringCount === null || status === "PAUSE") return membershipEndDate;
  const { anchor, cycle, charged } = onward(standing, zoneId);
  const number = charged + Math.max(expiryRecurringCount - renewalCount, 0);
  // Where no cycle is left, it is over before the next one begins: one that rested beyond its last, as soon as it is resumed.
  const over = number > 0 ? cyclePeriod(anchor, cycle, number, zoneId).end : anchor;
  return earliest(membershipEndDate, over);
}

/** The dates of a subscription. Prepaid it is charged as a cycle begins, postpaid as its claim says, and as it ends. */
export function datesOf(standing: Standing, zoneId: string): Dates {
  const { status, claimMethodType, pauseAt, cancelAt, resumeAt, currentPeriodEnd, whenToClaimType } = standing;
  if (ended.has(status)) return { nextPaymentDate: null, endDate: endOf(standing, zoneId), actAt: null };
  const endDate = endOf(standing, zoneId);
  const isByDate = claimMethodType === "POST" && whenToClaimType === "DATE" && status !== "PAUSE";
  return {
    nextPaymentDate: renewing.has(status) ? nextPayment(standing, endDate, zoneId) : null,
    endDate,
    actAt: earliest(endDate, pauseAt, cancelAt, resumeAt, isByDate ? currentPeriodEnd : null),
  };
}

function nextPayment(standing: Standing, endDate: Date | null, zoneId: string): Date | null {
  const { cycleAnchor, claimMethodType, pauseAt, cancelAt } = standing;
  const next = cyclePeriod(cycleAnchor, standing, nextCycle(standing), zoneId);
  const last = earliest(endDate, cancelAt);
  if (claimMethodType === "PRE") {
    const stop = earliest(last, pauseAt);
    return stop !== null && next.start >= stop ? null : next.start;
  }
  // The period that a pause ends is charged, however late; none begins then.
  if (pauseAt !== null && next.start >= pauseAt) return null;
  return earliest(chargeDate(next, claimOf(standing), zoneId), last);
}

const claimOf = ({ claimMethodType, whenToClaimType, billingDate }: Standing) => ({
  methodType: claimMethodType,
  whenToClaimType,
  billingDate,
  provideStartDay: null,
});

/** The first of some instants, as far as there are any. */
function earliest(...instants: readonly (Date | null)[]): Date | null {
  const known = instants.filter((instant) => instant !== null);
  return known.length === 0 ? null : new Date(Math.min(...known.map(Number)));
}

/** What happens to a subscription by itself besides a charge. */
export type Act = "EXPIRE" | "CANCEL" | "PAUSE" | "RESUME" | "TURN";

/** What happens first to a subscription at or before an instant; null where nothing does, or a charge comes first. */
export function actDue(standing: Standing & Dates, now: Date): Act | null {
  const { status, endDate, cancelAt, pauseAt, resumeAt, actAt, nextPaymentDate } = standing;
  if (status === "QUEUEING" || actAt === null || actAt > now) return null;
  const is = (instant: Date | null) => instant?.getTime() === actAt.getTime();
  if (is(endDate)) return "EXPIRE";
  if (is(cancelAt)) return "CANCEL";
  if (is(pauseAt)) return nextPaymentDate !== null && nextPaymentDate <= actAt ? null : "PAUSE";
  return is(resumeAt) ? "RESUME" : "TURN";
}

/** What a charge changes: the cycles go on, and those that were missed while it failed are not charged afterwards. */
export type Advance = Pick<
  Standing,
  | "interval"
  | "intervalCount"
  | "nextInterval"
  | "nextIntervalCount"
  | "cycleAnchor"
  | "chargedCycle"
  | "renewalCount"
  | "currentPeriodEnd"
> & { currentPeriodStart: Date };

/** How a subscription goes on after its next charge was paid; `late` is when the money came that was being recovered. */
export function afterCharge(standing: Standing, zoneId: string, now: Date, late: boolean): Advance {
  const { anchor, cycle, charged } = onward(standing, zoneId);
  const at = () => cycleNumberAt(anchor, cycle, now, zoneId);
  const isPrepaid = standing.claimMethodType === "PRE";
  const missed = late ? at() - (isPrepaid ? 0 : 1) : 0;
  const chargedCycle = Math.max(charged + 1, missed);
  const turned = standing.whenToClaimType === "DATE" ? at() : 0;
  const underWay = isPrepaid ? chargedCycle : Math.max(chargedCycle + 1, turned);
  const { start, end } = cyclePeriod(anchor, cycle, underWay, zoneId);
  return {
    ...cycleOf(cycle),
    nextInterval: null,
    nextIntervalCount: null,
    cycleAnchor: anchor,
    chargedCycle,
    renewalCount: standing.renewalCount + 1,
    currentPeriodStart: start,
    currentPeriodEnd: end,
  };
}

const cycleOf = ({ interval, intervalCount }: Cycle): Cycle => ({ interval, intervalCount });

/**
 * How a subscription goes on after a pause: within the period that was under way nothing has changed, after it a new cycle
 * begins now.
 */
export function afterPause(standing: Standing, zoneId: string, now: Date): Partial<Advance> {
  if (standing.claimMethodType === "PRE" && now < standing.currentPeriodEnd) return {};
  const { cycle } = onward(standing, zoneId);
  return {
    ...cycleOf(cycle),
    nextInterval: null,
    nextIntervalCount: null,
    cycleAnchor: now,
    chargedCycle: 0,
    currentPeriodStart: now,
    currentPeriodEnd: cyclePeriod(now, cycle, 1, zoneId).end,
  };
}

/** Whether a postpaid period has ended that is charged later, on a day of its own. */
export const hasUnchargedPeriod = (standing: Standing, zoneId: string, now: Date): boolean =>
  standing.claimMethodType === "POST" &&
  cyclePeriod(standing.cycleAnchor, standing, nextCycle(standing), zoneId).end <= now;

/** A charge of one cycle: the one that begins, and the one that has ended, or the part of it after which all ends. */
export interface ChargedCycle {
  begins: Period | null;
  /** The cycle that has ended, and the part of it that is charged. */
  ended: { whole: Period; charged: Period } | null;
}

/** What the next charge is for: the cycle that begins, and the one that has ended. */
export function nextCharge(standing: Standing, zoneId: string): ChargedCycle {
  const { cycleAnchor, chargedCycle, claimMethodType } = standing;
  const { anchor, cycle, charged } = onward(standing, zoneId);
  const isPrepaid = claimMethodType === "PRE";
  const last = isPrepaid ? chargedCycle : nextCycle(standing);
  const ended = last === 0 ? null : cyclePeriod(cycleAnchor, standing, last, zoneId);
  return {
    begins: cyclePeriod(anchor, cycle, charged + (isPrepaid ? 1 : 2), zoneId),
    ended: ended && { whole: ended, charged: ended },
  };
}

/** What is charged before a subscription stops at an instant: postpaid, the cycles that are not charged yet, the last cut there. */
export function lastCharges(standing: Standing, until: Date, zoneId: string): ChargedCycle[] {
  const charges: ChargedCycle[] = [];
  if (standing.claimMethodType === "PRE") return charges;
  for (let number = nextCycle(standing); ; number++) {
    const whole = cyclePeriod(standing.cycleAnchor, standing, number, zoneId);
    if (whole.start >= until) return charges;
    charges.push({ begins: null, ended: { whole, charged: { start: whole.start, end: earlier(whole.end, until) } } });
  }
}

const earlier = (a: Date, b: Date): Date => (a < b ? a : b);
