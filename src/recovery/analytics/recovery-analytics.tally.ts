import { quotient, sum, ZERO, type Amount } from "../../kernel/amounts.ts";
import { invalidField } from "../../kernel/refusals.ts";
import { zoneRules } from "../../kernel/zone-rules.ts";
import { localDay } from "../engine/local-time.ts";

/** Counts as they are kept. */
export interface Counts {
  cases: number;
  amount: Amount;
  recovered: number;
  recoveredAmount: Amount;
  lost: number;
  lostAmount: Amount;
}

const NONE: Counts = { cases: 0, amount: ZERO, recovered: 0, recoveredAmount: ZERO, lost: 0, lostAmount: ZERO };

/** A part of a whole with six digits; null of nothing. */
const rate = (part: Amount | number, whole: Amount | number): number | null =>
  Number(whole) === 0 ? null : Number(quotient({ part: ZERO.plus(part), whole: ZERO.plus(whole) }, 6).toFixed());

/** Counts with what follows from them. What is neither recovered nor lost is open, and stays in the denominator. */
export const tallyOf = (counts: Counts) => ({
  ...counts,
  open: counts.cases - counts.recovered - counts.lost,
  openAmount: counts.amount.minus(counts.recoveredAmount).minus(counts.lostAmount),
  recoveryRate: rate(counts.recovered, counts.cases),
  recoveryRateByAmount: rate(counts.recoveredAmount, counts.amount),
});

/** All counts together. */
export const together = (all: readonly Counts[]): Counts =>
  all.reduce(
    (total, next) => ({
      cases: total.cases + next.cases,
      amount: sum([total.amount, next.amount]),
      recovered: total.recovered + next.recovered,
      recoveredAmount: sum([total.recoveredAmount, next.recoveredAmount]),
      lost: total.lost + next.lost,
      lostAmount: sum([total.lostAmount, next.lostAmount]),
    }),
    NONE,
  );

/** A row for each of some days, in order; empty where nothing was counted. */
export function eachDay(
  { from, until }: { from: string; until: string },
  rows: readonly (Counts & { key: string })[],
): (Counts & { key: string })[] {
  const known = new Map(rows.map((row) => [row.key, row]));
  const days: (Counts & { key: string })[] = [];
  for (let at = Date.parse(from); at <= Date.parse(until); at += DAY_MS) {
    const key = new Date(at).toISOString().slice(0, 10);
    days.push(known.get(key) ?? { key, ...NONE });
  }
  return days;
}

/** What was recovered after so many days. */
interface Recovered {
  key: number;
  recovered: number;
  recoveredAmount: Amount;
}

/** The recovery curve: for each day until the last recovery, what had come by then. */
export function curveOf(byDays: readonly Recovered[], cases: number) {
  const last = byDays.at(-1)?.key ?? -1;
  let [recovered, recoveredAmount] = [0, ZERO];
  return Array.from({ length: last + 1 }, (_, day) => {
    const here = byDays.find(({ key }) => key === day);
    recovered += here?.recovered ?? 0;
    recoveredAmount = recoveredAmount.plus(here?.recoveredAmount ?? ZERO);
    return { day, recovered, recoveredAmount, recoveryRate: rate(recovered, cases) };
  });
}

const DAY_MS = 86_400_000;
const USUAL_DAYS = 90;
const MOST_DAYS = 400;

/**
 * The days of a vendor's calendar that a period lies in.
 * @throws a Refusal for more days than are added up at once.
 */
export function daysOf(
  period: { from?: Date | null; until?: Date | null } | null | undefined,
  zoneId: string,
  now: Date,
  path = "startedAt",
): { from: string; until: string } {
  const end = period?.until ?? now;
  const start = period?.from ?? new Date(end.getTime() - (USUAL_DAYS - 1) * DAY_MS);
  if (start > end) throw invalidField(`${path}.from`, "must not be after its end.");
  if (end.getTime() - start.getTime() > MOST_DAYS * DAY_MS)
    throw invalidField(path, `must be at most ${MOST_DAYS} days.`);
  return { from: localDay(start, zoneRules(zoneId, start)), until: localDay(end, zoneRules(zoneId, end)) };
}
