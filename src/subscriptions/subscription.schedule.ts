import type {
  ClaimMethodType,
  RecurringInterval,
  SubscriptionStatus,
  WhenToClaimType,
} from "../../schema/vocabulary.ts";
import { chargeDate, billingPeriodOf, type BillingCycle, type BillingPeriod } from "./subscription.period.ts";

/** The facts that determine a subscription's dates. */
export interface ScheduleState extends BillingCycle {
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
export interface ScheduleDates {
  /** The date of the next charge; null while there is none. */
  nextPaymentDate: Date | null;
  /** The automatic end; null means never. */
  endDate: Date | null;
  /** The time of the next due transition other than a charge. */
  actAt: Date | null;
}

/** In these a charge follows in its time. */
const renewingStatuses: ReadonlySet<SubscriptionStatus> = new Set([
  "ACTIVE",
  "QUEUEING",
  "PENDING_PAUSE",
  "PENDING_CANCEL",
]);

const endedStatuses: ReadonlySet<SubscriptionStatus> = new Set(["CANCELED", "EXPIRED"]);

/** Number of the cycle that an instant lies in: 1 for the first and for all before it. */
export function cycleNumberAt(anchor: Date, cycle: BillingCycle, at: Date, zoneId: string): number {
  const isOver = (number: number) => billingPeriodOf(anchor, cycle, number, zoneId).end <= at;
  let [lastEnded, firstOpen] = [0, 1];
  while (isOver(firstOpen)) [lastEnded, firstOpen] = [firstOpen, firstOpen * 2];
  while (firstOpen - lastEnded > 1) {
    const middle = Math.floor((lastEnded + firstOpen) / 2);
    if (isOver(middle)) lastEnded = middle;
    else firstOpen = middle;
  }
  return firstOpen;
}

/** Number of the cycle that the next charge is for. */
const nextCycleNumber = ({ chargedCycle }: Pick<ScheduleState, "chargedCycle">): number => chargedCycle + 1;

/**
 * The cycles after the current one: from the same anchor, or, if the interval was changed, from the end of the last
 * period in the old interval.
 */
function upcomingCycles(state: ScheduleState, zoneId: string): { anchor: Date; cycle: BillingCycle; charged: number } {
  const { cycleAnchor: anchor, chargedCycle: chargedCount, nextInterval, nextIntervalCount, claimMethodType } = state;
  if (nextInterval === null || nextIntervalCount === null) return { anchor, cycle: state, charged: chargedCount };
  const cycle = { interval: nextInterval, intervalCount: nextIntervalCount };
  const lastOldCycle = chargedCount + (claimMethodType === "PRE" ? 0 : 1);
  const from = lastOldCycle === 0 ? anchor : billingPeriodOf(anchor, state, lastOldCycle, zoneId).end;
  return { anchor: from, cycle, charged: claimMethodType === "PRE" ? 0 : -1 };
}

/** The automatic end: the end of its term, or of the last of its cycles. A pause suspends the count of the cycles. */
function endDateOf(state: ScheduleState, zoneId: string): Date | null {
  const { membershipEndDate, expiryRecurringCount, renewalCount, status } = state;
  if (expiryRecurringCount === null || status === "PAUSE") return membershipEndDate;
  const { anchor, cycle, charged } = upcomingCycles(state, zoneId);
  const number = charged + Math.max(expiryRecurringCount - renewalCount, 0);
  // Where no cycle is left, it is over before the next one begins: one that rested beyond its last, as soon as it is resumed.
  const cyclesEnd = number > 0 ? billingPeriodOf(anchor, cycle, number, zoneId).end : anchor;
  return earliest(membershipEndDate, cyclesEnd);
}

/** The dates of a subscription. Prepaid it is charged as a cycle begins, postpaid as its claim says, and as it ends. */
export function scheduleDatesOf(state: ScheduleState, zoneId: string): ScheduleDates {
  const { status, claimMethodType, pauseAt, cancelAt, resumeAt, currentPeriodEnd, whenToClaimType } = state;
  if (endedStatuses.has(status)) return { nextPaymentDate: null, endDate: endDateOf(state, zoneId), actAt: null };
  const endDate = endDateOf(state, zoneId);
  const isByDate = claimMethodType === "POST" && whenToClaimType === "DATE" && status !== "PAUSE";
  return {
    nextPaymentDate: renewingStatuses.has(status) ? nextPaymentDateOf(state, endDate, zoneId) : null,
    endDate,
    actAt: earliest(endDate, pauseAt, cancelAt, resumeAt, isByDate ? currentPeriodEnd : null),
  };
}

function nextPaymentDateOf(state: ScheduleState, endDate: Date | null, zoneId: string): Date | null {
  const { cycleAnchor, claimMethodType, pauseAt, cancelAt } = state;
  const next = billingPeriodOf(cycleAnchor, state, nextCycleNumber(state), zoneId);
  const endOrCancellation = earliest(endDate, cancelAt);
  if (claimMethodType === "PRE") {
    const stop = earliest(endOrCancellation, pauseAt);
    return stop !== null && next.start >= stop ? null : next.start;
  }
  // The period that a pause ends is charged, however late; none begins then.
  if (pauseAt !== null && next.start >= pauseAt) return null;
  return earliest(chargeDate(next, toClaim(state), zoneId), endOrCancellation);
}

const toClaim = ({ claimMethodType, whenToClaimType, billingDate }: ScheduleState) => ({
  methodType: claimMethodType,
  whenToClaimType,
  billingDate,
  provideStartDay: null,
});

/** The first of some instants, as far as there are any. */
function earliest(...instants: readonly (Date | null)[]): Date | null {
  const setInstants = instants.filter((instant) => instant !== null);
  return setInstants.length === 0 ? null : new Date(Math.min(...setInstants.map(Number)));
}

/** Transitions of a subscription that are due by time, other than a charge. */
export type DueTransition = "EXPIRE" | "CANCEL" | "PAUSE" | "RESUME" | "ROLLOVER";

/** The first transition that is due at or before an instant; null if there is none, or a charge comes first. */
export function findDueTransition(state: ScheduleState & ScheduleDates, now: Date): DueTransition | null {
  const { status, endDate, cancelAt, pauseAt, resumeAt, actAt, nextPaymentDate } = state;
  if (status === "QUEUEING" || actAt === null || actAt > now) return null;
  const isDueAt = (instant: Date | null) => instant?.getTime() === actAt.getTime();
  if (isDueAt(endDate)) return "EXPIRE";
  if (isDueAt(cancelAt)) return "CANCEL";
  if (isDueAt(pauseAt)) return nextPaymentDate !== null && nextPaymentDate <= actAt ? null : "PAUSE";
  return isDueAt(resumeAt) ? "RESUME" : "ROLLOVER";
}

/**
 * The changes by a charge: the cycles continue, and those that were missed while it failed are not charged afterwards.
 */
export type CycleAdvance = Pick<
  ScheduleState,
  | "interval"
  | "intervalCount"
  | "nextInterval"
  | "nextIntervalCount"
  | "cycleAnchor"
  | "chargedCycle"
  | "renewalCount"
  | "currentPeriodEnd"
> & { currentPeriodStart: Date };

/** The schedule after the next charge was paid; `late` is the time of a recovered payment. */
export function advanceAfterCharge(
  state: ScheduleState,
  zoneId: string,
  now: Date,
  isRecovered: boolean,
): CycleAdvance {
  const { anchor, cycle, charged } = upcomingCycles(state, zoneId);
  const currentCycleNumber = () => cycleNumberAt(anchor, cycle, now, zoneId);
  const isPrepaid = state.claimMethodType === "PRE";
  const lastMissedCycle = isRecovered ? currentCycleNumber() - (isPrepaid ? 0 : 1) : 0;
  const chargedCycle = Math.max(charged + 1, lastMissedCycle);
  const rolledOverCycle = state.whenToClaimType === "DATE" ? currentCycleNumber() : 0;
  const currentCycle = isPrepaid ? chargedCycle : Math.max(chargedCycle + 1, rolledOverCycle);
  const { start, end } = billingPeriodOf(anchor, cycle, currentCycle, zoneId);
  return {
    ...toBillingCycle(cycle),
    nextInterval: null,
    nextIntervalCount: null,
    cycleAnchor: anchor,
    chargedCycle,
    renewalCount: state.renewalCount + 1,
    currentPeriodStart: start,
    currentPeriodEnd: end,
  };
}

const toBillingCycle = ({ interval, intervalCount }: BillingCycle): BillingCycle => ({ interval, intervalCount });

/** The schedule after a pause: unchanged within the period in progress, and a new cycle from now on after it. */
export function advanceAfterPause(state: ScheduleState, zoneId: string, now: Date): Partial<CycleAdvance> {
  if (state.claimMethodType === "PRE" && now < state.currentPeriodEnd) return {};
  const { cycle } = upcomingCycles(state, zoneId);
  return {
    ...toBillingCycle(cycle),
    nextInterval: null,
    nextIntervalCount: null,
    cycleAnchor: now,
    chargedCycle: 0,
    currentPeriodStart: now,
    currentPeriodEnd: billingPeriodOf(now, cycle, 1, zoneId).end,
  };
}

/** Whether a postpaid period has ended that is charged later, on a day of its own. */
export const hasUnchargedPeriod = (state: ScheduleState, zoneId: string, now: Date): boolean =>
  state.claimMethodType === "POST" &&
  billingPeriodOf(state.cycleAnchor, state, nextCycleNumber(state), zoneId).end <= now;

/** A charge of one cycle: the one that begins, and the one that has ended, or the part of it after which all ends. */
export interface ChargedCycle {
  starting: BillingPeriod | null;
  /** The cycle that has ended, and the part of it that is charged. */
  ended: { whole: BillingPeriod; charged: BillingPeriod } | null;
}

/** The cycles of the next charge: the one that starts, and the one that has ended. */
export function nextChargedCycle(state: ScheduleState, zoneId: string): ChargedCycle {
  const { cycleAnchor, chargedCycle, claimMethodType } = state;
  const { anchor, cycle, charged } = upcomingCycles(state, zoneId);
  const isPrepaid = claimMethodType === "PRE";
  const lastCycle = isPrepaid ? chargedCycle : nextCycleNumber(state);
  const ended = lastCycle === 0 ? null : billingPeriodOf(cycleAnchor, state, lastCycle, zoneId);
  return {
    starting: billingPeriodOf(anchor, cycle, charged + (isPrepaid ? 1 : 2), zoneId),
    ended: ended && { whole: ended, charged: ended },
  };
}

/**
 * The charges before a subscription stops at an instant: postpaid, the uncharged cycles, with the last one cut there.
 */
export function finalChargedCycles(state: ScheduleState, until: Date, zoneId: string): ChargedCycle[] {
  const charges: ChargedCycle[] = [];
  if (state.claimMethodType === "PRE") return charges;
  for (let number = nextCycleNumber(state); ; number++) {
    const whole = billingPeriodOf(state.cycleAnchor, state, number, zoneId);
    if (whole.start >= until) return charges;
    charges.push({
      starting: null,
      ended: { whole, charged: { start: whole.start, end: earlierOf(whole.end, until) } },
    });
  }
}

const earlierOf = (a: Date, b: Date): Date => (a < b ? a : b);
