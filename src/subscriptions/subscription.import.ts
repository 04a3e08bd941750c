import type { ClaimMethodType } from "../../schema/vocabulary.ts";
import { addIntervals, billingPeriodOf, type BillingCycle, type BillingPeriod } from "./subscription.period.ts";
import { cycleNumberAt } from "./subscription.schedule.ts";

/** The dates that another system knows of a subscription. */
export interface ImportedDates {
  /** When the other system would charge it next: the end of the cycle that is paid. */
  nextPaymentDate: Date;
  /** The instant that cycles are counted from; null if the other system does not know it. */
  cycleAnchor: Date | null;
  /** Since when Recoup charges. */
  chargesFrom: Date;
}

/** A prepaid subscription between two charges. */
export interface ImportedCycle {
  cycleAnchor: Date;
  /** Number of the last cycle that the other system charges, counted from the anchor; 0 if it charges none. */
  chargedCycle: number;
  /** How many of these it has yet to charge before the switch-over. */
  chargesBefore: number;
  /** The period that ends with Recoup's first charge. */
  current: BillingPeriod;
}

/** Months of one length of day return within this many cycles: the 29th of February after 48 months. */
const MAX_CYCLES_BACK = 48;

/**
 * The cycle that Recoup's first charge ends. Cycles whose charge is due before the switch-over are charged by the other
 * system. Null if no cycle that is counted from the anchor ends at the next charge.
 */
export function findImportedCycle(
  { nextPaymentDate, cycleAnchor, chargesFrom }: ImportedDates,
  cycle: BillingCycle,
  zoneId: string,
): ImportedCycle | null {
  const paid = cycleAnchor
    ? findCycleFromAnchor(nextPaymentDate, cycleAnchor, cycle, zoneId)
    : findCycleBackwards(nextPaymentDate, cycle, zoneId);
  if (!paid) return null;
  const { anchor, number } = paid;
  // The cycle that lies before the switch-over ends at it or after it.
  const lastBefore =
    anchor >= chargesFrom ? 0 : cycleNumberAt(anchor, cycle, new Date(chargesFrom.getTime() - 1), zoneId);
  const chargedCycle = Math.max(number, lastBefore);
  const { end, start } = billingPeriodOf(anchor, cycle, chargedCycle, zoneId);
  return { cycleAnchor: anchor, chargedCycle, chargesBefore: chargedCycle - number, current: { start, end } };
}

function findCycleFromAnchor(nextPaymentDate: Date, anchor: Date, cycle: BillingCycle, zoneId: string) {
  // Nothing was charged yet.
  if (anchor.getTime() === nextPaymentDate.getTime()) return { anchor, number: 0 };
  if (anchor > nextPaymentDate) return undefined;
  const number = cycleNumberAt(anchor, cycle, new Date(nextPaymentDate.getTime() - 1), zoneId);
  return endsAt(nextPaymentDate, anchor, cycle, number, zoneId) ? { anchor, number } : undefined;
}

/** The latest anchor from which a cycle ends at the next charge: the 31st is one only from a month that has a 31st. */
function findCycleBackwards(nextPaymentDate: Date, cycle: BillingCycle, zoneId: string) {
  for (let number = 1; number <= MAX_CYCLES_BACK; number++) {
    const anchor = addIntervals(nextPaymentDate, -number * cycle.intervalCount, cycle.interval, zoneId);
    if (endsAt(nextPaymentDate, anchor, cycle, number, zoneId)) return { anchor, number };
  }
  return undefined;
}

const endsAt = (at: Date, anchor: Date, cycle: BillingCycle, number: number, zoneId: string): boolean =>
  billingPeriodOf(anchor, cycle, number, zoneId).end.getTime() === at.getTime();

/** Whether a subscription of a plan can be imported: another system's usage and unpaid periods are not known. */
export const isImportable = (claimMethodType: ClaimMethodType, isMetered: boolean, hasMembers: boolean): boolean =>
  claimMethodType === "PRE" && !isMetered && !hasMembers;
