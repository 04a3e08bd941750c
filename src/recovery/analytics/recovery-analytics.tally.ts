import { divideRounded, sumAmounts, ZERO, type Amount } from "../../kernel/amounts.ts";
import { invalidField } from "../../kernel/refusals.ts";
import { zoneRulesAround } from "../../kernel/zone-rules.ts";
import { toLocalDay } from "../engine/local-time.ts";

/** Counts as stored. */
export interface RecoveryCounts {
  cases: number;
  amount: Amount;
  recovered: number;
  recoveredAmount: Amount;
  lost: number;
  lostAmount: Amount;
}

const NO_COUNTS: RecoveryCounts = {
  cases: 0,
  amount: ZERO,
  recovered: 0,
  recoveredAmount: ZERO,
  lost: 0,
  lostAmount: ZERO,
};

/** A part of a whole with six digits; null of nothing. */
const toRate = (part: Amount | number, whole: Amount | number): number | null =>
  Number(whole) === 0 ? null : Number(divideRounded({ part: ZERO.plus(part), whole: ZERO.plus(whole) }, 6).toFixed());

/**
 * Counts with the figures derived from them. Cases that are neither recovered nor lost are open, and stay in the
 * denominator.
 */
export const toTally = (counts: RecoveryCounts) => ({
  ...counts,
  open: counts.cases - counts.recovered - counts.lost,
  openAmount: counts.amount.minus(counts.recoveredAmount).minus(counts.lostAmount),
  recoveryRate: toRate(counts.recovered, counts.cases),
  recoveryRateByAmount: toRate(counts.recoveredAmount, counts.amount),
});

/** All counts together. */
export const sumCounts = (all: readonly RecoveryCounts[]): RecoveryCounts =>
  all.reduce(
    (total, next) => ({
      cases: total.cases + next.cases,
      amount: sumAmounts([total.amount, next.amount]),
      recovered: total.recovered + next.recovered,
      recoveredAmount: sumAmounts([total.recoveredAmount, next.recoveredAmount]),
      lost: total.lost + next.lost,
      lostAmount: sumAmounts([total.lostAmount, next.lostAmount]),
    }),
    NO_COUNTS,
  );

/** A row for each of some days, in order; empty where nothing was counted. */
export function fillMissingDays(
  { from, until }: { from: string; until: string },
  rows: readonly (RecoveryCounts & { key: string })[],
): (RecoveryCounts & { key: string })[] {
  const rowByDay = new Map(rows.map((row) => [row.key, row]));
  const days: (RecoveryCounts & { key: string })[] = [];
  for (let at = Date.parse(from); at <= Date.parse(until); at += DAY_MS) {
    const key = new Date(at).toISOString().slice(0, 10);
    days.push(rowByDay.get(key) ?? { key, ...NO_COUNTS });
  }
  return days;
}

/** Amounts recovered by a number of days. */
interface RecoveredByDays {
  key: number;
  recovered: number;
  recoveredAmount: Amount;
}

/** The recovery curve: for each day until the last recovery, what had come by then. */
export function toRecoveryCurve(byDays: readonly RecoveredByDays[], cases: number) {
  const last = byDays.at(-1)?.key ?? -1;
  let [recovered, recoveredAmount] = [0, ZERO];
  return Array.from({ length: last + 1 }, (_, day) => {
    const recoveredOnDay = byDays.find(({ key }) => key === day);
    recovered += recoveredOnDay?.recovered ?? 0;
    recoveredAmount = recoveredAmount.plus(recoveredOnDay?.recoveredAmount ?? ZERO);
    return { day, recovered, recoveredAmount, recoveryRate: toRate(recovered, cases) };
  });
}

const DAY_MS = 86_400_000;
const DEFAULT_DAYS = 90;
const MAX_DAYS = 400;

/**
 * The days of a vendor's calendar that a period lies in.
 * @throws a Refusal for more days than are added up at once.
 */
export function toDayRange(
  period: { from?: Date | null; until?: Date | null } | null | undefined,
  zoneId: string,
  now: Date,
  path = "startedAt",
): { from: string; until: string } {
  const end = period?.until ?? now;
  const start = period?.from ?? new Date(end.getTime() - (DEFAULT_DAYS - 1) * DAY_MS);
  if (start > end) throw invalidField(`${path}.from`, "must not be after its end.");
  if (end.getTime() - start.getTime() > MAX_DAYS * DAY_MS)
    throw invalidField(path, `must be at most ${MAX_DAYS} days.`);
  return { from: toVendorDay(start, zoneId), until: toVendorDay(end, zoneId) };
}

/** The day of a vendor's calendar: YYYY-MM-DD. */
export const toVendorDay = (at: Date, zoneId: string): string => toLocalDay(at, zoneRulesAround(zoneId, at));
