import type { AggregateUsageType, ClaimMethodType } from "../../schema/vocabulary.ts";
import { toAmount, divideRounded, sumAmounts, ZERO, type Amount, type Ratio } from "../kernel/amounts.ts";
import { invalid } from "../kernel/refusals.ts";
import type { PlanTerms } from "../products/price-plans/price.terms.ts";
import type { BillingPeriod } from "./subscription.period.ts";
import { remainingShare, secondsInPeriod } from "./subscription.remaining-share.ts";
import { isMeteredType, planTypes, type MeteredType } from "../products/price-plans/price.plan-types.ts";

/** A signed change of used units (record) or of allowed units (quota). */
export interface UnitDelta {
  at: Date;
  change: Amount;
}

/** The units after one more change. If the last or the largest counts, a change is a measurement. */
const aggregators: Record<AggregateUsageType, (units: Amount, change: Amount) => Amount> = {
  SUM: (units, change) => units.plus(change),
  MAX: (units, change) => (change.gt(units) ? change : units),
  LAST_DURING_PERIOD: (_units, change) => change,
  LAST_EVER: (_units, change) => change,
};

/** The changes that count in a period: usage starts from nothing in each, accounts are carried over from those before. */
const countedDeltas = (type: MeteredType, changes: readonly UnitDelta[], { start, end }: BillingPeriod): UnitDelta[] =>
  changes
    .filter(({ at }) => at < end && (planTypes[type].quota === "CARRIED_OVER" || at >= start))
    .sort((a, b) => a.at.getTime() - b.at.getTime());

/**
 * As `countedDeltas`, for used units: if the last record ever counts, the one before the period applies from its start.
 */
function countedUsage(
  type: MeteredType,
  changes: readonly UnitDelta[],
  period: BillingPeriod,
  aggregate: AggregateUsageType | null,
): UnitDelta[] {
  const counted = countedDeltas(type, changes, period);
  if (planTypes[type].metered !== "USAGE" || aggregate !== "LAST_EVER") return counted;
  const before = changes.filter(({ at }) => at < period.start);
  const lastBefore = before.toSorted((a, b) => a.at.getTime() - b.at.getTime()).at(-1);
  return lastBefore ? [{ at: period.start, change: lastBefore.change }, ...counted] : counted;
}

/**
 * Metered units of a cycle, as they are charged. Usage: what its records come to. Accounts: the area under the curve, one
 * unit for an account through the whole cycle, each change for the seconds that were left.
 */
export function sumMeteredUnits(
  type: MeteredType,
  changes: readonly UnitDelta[],
  period: BillingPeriod,
  aggregate: AggregateUsageType | null,
): Ratio {
  const counted = countedUsage(type, changes, period, aggregate);
  if (!planTypes[type].prorated) {
    const used = counted.reduce((units, { change }) => aggregators[aggregate ?? "SUM"](units, change), ZERO);
    return { part: used, whole: toAmount(1) };
  }
  const area = sumAmounts(counted.map(({ at, change }) => change.times(remainingShare(period, at).part)));
  return { part: area, whole: toAmount(secondsInPeriod(period)) };
}

/** How the number of accounts changed in a cycle, and for how many days each change counted; what it began with is first. */
export function computeUnitChangeHistory(
  changes: readonly UnitDelta[],
  period: BillingPeriod,
): { changedCount: number; days: number }[] {
  const counted = countedDeltas("UNIT_BASED", changes, period);
  const carried = sumAmounts(counted.filter(({ at }) => at < period.start).map(({ change }) => change));
  const within = counted.filter(({ at }) => at >= period.start);
  const steps = carried.eq(0) ? within : [{ at: period.start, change: carried }, ...within];
  return steps.map(({ at, change }) => {
    const days = divideRounded({ part: remainingShare(period, at).part, whole: toAmount(SECONDS_PER_DAY) }, DAYS_SCALE);
    return { changedCount: change.toNumber(), days: days.toNumber() };
  });
}

const SECONDS_PER_DAY = 86_400;
const DAYS_SCALE = 2;

/**
 * Refuses changes by which, at any time of the period, more units would be used than allowed, or either would lie below
 * zero. A postpaid plan allows any number until it has a quota, a prepaid one none.
 * @throws {Refusal} `QUOTA_EXCEEDED`, `UNITS_BELOW_ZERO`
 */
export function validateUnits(
  type: MeteredType,
  series: { record: readonly UnitDelta[]; quota: readonly UnitDelta[] },
  period: BillingPeriod,
  { methodType, aggregate }: { methodType: ClaimMethodType; aggregate: AggregateUsageType | null },
): void {
  const counted = countedUsage(type, series.record, period, aggregate);
  const usageDeltas = counted.map((change) => ({ ...change, isRecord: true }));
  const quotaDeltas = countedDeltas(type, series.quota, period).map((change) => ({ ...change, isRecord: false }));
  const steps = [...quotaDeltas, ...usageDeltas].sort((a, b) => a.at.getTime() - b.at.getTime());
  let [used, allowed] = [ZERO, ZERO];
  let isLimited = methodType === "PRE";
  steps.forEach(({ at, change, isRecord }, index) => {
    if (isRecord) used = aggregators[planTypes[type].metered === "USAGE" ? (aggregate ?? "SUM") : "SUM"](used, change);
    else [allowed, isLimited] = [allowed.plus(change), true];
    // Changes at the same instant are evaluated together.
    if (steps[index + 1]?.at.getTime() === at.getTime()) return;
    if (used.lt(0) || allowed.lt(0))
      throw invalid(
        "UNITS_BELOW_ZERO",
        "The change would make the number of units negative; subtract at most the current number.",
      );
    if (isLimited && used.gt(allowed))
      throw invalid(
        "QUOTA_EXCEEDED",
        `With the change, ${used.toFixed()} of ${allowed.toFixed()} allowed units would be used; raise the quota first.`,
      );
  });
}

/** The units that a prepaid plan allows when so many of it are bought; none for plans that meter nothing, or afterwards. */
export const prepaidQuotaOf = ({ type, claim }: Pick<PlanTerms, "type" | "claim">, quantity: number): number =>
  isMeteredType(type) && claim.methodType === "PRE" ? quantity : 0;
