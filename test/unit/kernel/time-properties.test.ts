import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { toAmount, toPlainString, sumAmounts } from "../../../src/kernel/amounts.ts";
import { billingPeriodOf, type BillingPeriod } from "../../../src/subscriptions/subscription.period.ts";
import { remainingShare } from "../../../src/subscriptions/subscription.remaining-share.ts";
import { validateUnits, sumMeteredUnits, type UnitDelta } from "../../../src/subscriptions/usage.series.ts";
import { thrownRefusalCode } from "../../support/fixtures/pricing-fixtures.ts";
import { assertProperty, PROPERTY_SEED } from "../../support/property-tests.ts";

const BEGIN = Date.UTC(2026, 2, 1);
const after = (seconds: number, ms = 0) => new Date(BEGIN + seconds * 1_000 + ms);
const CYCLE = 300;
const cycle: BillingPeriod = { start: after(0), end: after(CYCLE) };

const someChanges = (min: number, max: number) =>
  fc.array(
    fc
      .tuple(fc.integer({ min: -50, max: CYCLE + 50 }), fc.nat(999), fc.integer({ min, max }))
      .map(([second, ms, change]): UnitDelta => ({ at: after(second, ms), change: toAmount(change) })),
    { maxLength: 12 },
  );

/** The running sum in a second, by adding up all changes before its end. */
const levelIn = (changes: readonly UnitDelta[], second: number) =>
  sumAmounts(changes.filter(({ at }) => at < after(second + 1)).map(({ change }) => change));

describe(`for any series (seed ${PROPERTY_SEED})`, () => {
  test("accounts are the area under the curve, second by second", () => {
    assertProperty(someChanges(-5, 9), (changes) => {
      const area = sumMeteredUnits("UNIT_BASED", changes, cycle, null);
      const bySecond = Array.from({ length: CYCLE }, (_, second) => levelIn(changes, second));
      expect([toPlainString(area.part), toPlainString(area.whole)]).toEqual([
        toPlainString(sumAmounts(bySecond)),
        String(CYCLE),
      ]);
    });
  });

  test("accounts of two halves are those of the whole: a renewal loses none", () => {
    const cases = fc.record({ changes: someChanges(-5, 9), cut: fc.integer({ min: 1, max: CYCLE - 1 }) });
    assertProperty(cases, ({ changes, cut }) => {
      const area = (start: Date, end: Date) => sumMeteredUnits("UNIT_BASED", changes, { start, end }, null).part;
      const parts = area(cycle.start, after(cut)).plus(area(after(cut), cycle.end));
      expect(toPlainString(parts)).toBe(toPlainString(area(cycle.start, cycle.end)));
    });
  });

  test("usage of two cycles is that of both: every record is in one", () => {
    assertProperty(
      fc.record({ changes: someChanges(0, 9), cut: fc.integer({ min: 1, max: CYCLE - 1 }) }),
      ({ changes, cut }) => {
        const used = (start: Date, end: Date) => sumMeteredUnits("USAGE_BASED", changes, { start, end }, "SUM").part;
        const parts = used(cycle.start, after(cut)).plus(used(after(cut), cycle.end));
        expect(toPlainString(parts)).toBe(toPlainString(used(cycle.start, cycle.end)));
      },
    );
  });

  test("a quota check gives the same result as a check of each instant", () => {
    const verdicts = new Map<string, number>();
    const cases = fc.record({ record: someChanges(-2, 4), quota: someChanges(-1, 9), prepaid: fc.boolean() });
    assertProperty(cases, ({ record, quota, prepaid }) => {
      const inTime = (changes: UnitDelta[]) => changes.filter(({ at }) => at < cycle.end);
      const instants = [...inTime(record), ...inTime(quota)].map(({ at }) => at);
      const levels = instants
        .sort((a, b) => a.getTime() - b.getTime())
        .map((instant) => {
          const until = [record, quota].map((all) => all.filter(({ at }) => at <= instant));
          const [used, allowed] = until.map((all) => sumAmounts(all.map(({ change }) => change)));
          return { used: used!, allowed: allowed!, isLimited: prepaid || until[1]!.length > 0 };
        });
      const isBelowZero = ({ used, allowed }: (typeof levels)[number]) => used.lt(0) || allowed.lt(0);
      const fault = levels.find((level) => isBelowZero(level) || (level.isLimited && level.used.gt(level.allowed)));
      const verdict = !fault ? "none" : isBelowZero(fault) ? "UNITS_BELOW_ZERO" : "QUOTA_EXCEEDED";
      verdicts.set(verdict, (verdicts.get(verdict) ?? 0) + 1);
      const methodType = prepaid ? "PRE" : "POST";
      const asked = () => validateUnits("UNIT_BASED", { record, quota }, cycle, { methodType, aggregate: null });
      expect(thrownRefusalCode(asked)).toBe(verdict);
    });
    for (const verdict of ["none", "UNITS_BELOW_ZERO", "QUOTA_EXCEEDED"])
      expect(verdicts.get(verdict)).toBeGreaterThan(20);
  });
});

describe(`for any period (seed ${PROPERTY_SEED})`, () => {
  test("its past part and its remaining part add up to it", () => {
    assertProperty(fc.tuple(fc.nat(CYCLE * 1_000), fc.nat(999), fc.nat(999)), ([ms, from, until]) => {
      const period = { start: after(0, from), end: after(CYCLE, until) };
      const at = new Date(BEGIN + ms);
      const left = remainingShare(period, at);
      const over = remainingShare({ start: period.start, end: at }, period.start);
      if (at >= period.start) expect(toPlainString(left.part.plus(over.part))).toBe(toPlainString(left.whole));
      else expect(toPlainString(left.part)).toBe(toPlainString(left.whole));
    });
  });

  test("cycles of months begin on the day on which the first began, or on the last that the month has", () => {
    const cases = fc.record({
      day: fc.integer({ min: 0, max: 20_000 }),
      time: fc.nat(86_399),
      intervalCount: fc.integer({ min: 1, max: 12 }),
      number: fc.integer({ min: 1, max: 60 }),
    });
    assertProperty(cases, ({ day, time, intervalCount, number }) => {
      const begin = new Date(day * 86_400_000 + time * 1_000);
      const { start, end } = billingPeriodOf(begin, { interval: "MONTH", intervalCount }, number, "UTC");
      for (const [edge, cycles] of [
        [start, number - 1],
        [end, number],
      ] as const) {
        const month = begin.getUTCMonth() + cycles * intervalCount;
        const lastDay = new Date(Date.UTC(begin.getUTCFullYear(), month + 1, 0)).getUTCDate();
        const expected = Date.UTC(begin.getUTCFullYear(), month, Math.min(begin.getUTCDate(), lastDay));
        expect(edge.getTime()).toBe(expected + time * 1_000);
      }
    });
  });
});
