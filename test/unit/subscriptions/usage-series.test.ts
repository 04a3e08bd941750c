import { describe, expect, test } from "vitest";
import type { AggregateUsageType } from "../../../schema/vocabulary.ts";
import { toAmount, toPlainString, divideRounded } from "../../../src/kernel/amounts.ts";
import type { BillingPeriod } from "../../../src/subscriptions/subscription.period.ts";
import { remainingShare, secondsInPeriod } from "../../../src/subscriptions/subscription.remaining-share.ts";
import {
  validateUnits,
  sumMeteredUnits,
  computeUnitChangeHistory,
  type UnitDelta,
} from "../../../src/subscriptions/usage.series.ts";
import { thrownRefusalCode } from "../../support/fixtures/pricing-fixtures.ts";

/** March 2026 has thirty-one days: days count from its first. */
const day = (number: number, seconds = 0) => new Date(Date.UTC(2026, 2, number, 0, 0, seconds));
const period = (from: number, until: number): BillingPeriod => ({ start: day(from), end: day(until) });
const cycle = period(1, 31);
const changes = (...list: [number | Date, number | string][]): UnitDelta[] =>
  list.map(([at, change]) => ({ at: typeof at === "number" ? day(at) : at, change: toAmount(change) }));

const units = (...asked: Parameters<typeof sumMeteredUnits>) =>
  toPlainString(divideRounded(sumMeteredUnits(...asked), 6));

describe("usage of a cycle", () => {
  test("is the sum of its changes, from zero at its start", () => {
    const record = changes([-5, 900], [1, 10], [15, 20], [15, -5], [31, 700]);
    expect(units("USAGE_BASED", record, cycle, null)).toBe("25");
    expect(units("USAGE_BASED", record, period(31, 61), null)).toBe("700");
    expect(units("USAGE_BASED", [], cycle, null)).toBe("0");
  });

  test.each([
    ["SUM", "14"],
    ["MAX", "7"],
    ["LAST_DURING_PERIOD", "3"],
    ["LAST_EVER", "3"],
  ] as const)("by %s comes to %s", (aggregate, used) => {
    const record = changes([20, 3], [2, 4], [9, 7]);
    expect(units("USAGE_BASED", record, cycle, aggregate)).toBe(used);
    expect(units("USAGE_BASED", [], cycle, aggregate)).toBe("0");
  });

  test.each([
    ["LAST_DURING_PERIOD", "0"],
    ["LAST_EVER", "6"],
  ] as const)("by %s without a record in the cycle comes to %s", (aggregate, used) => {
    expect(units("USAGE_BASED", changes([-5, 6], [-20, 9], [31, 1]), cycle, aggregate)).toBe(used);
  });

  test("may be fractional", () => {
    expect(units("USAGE_BASED", changes([1, "0.1"], [2, "0.2"]), cycle, "SUM")).toBe("0.3");
  });
});

describe("accounts of a cycle", () => {
  test("are the area under the curve: a change counts for the remaining time", () => {
    expect(units("UNIT_BASED", changes([1, 4]), cycle, null)).toBe("4");
    expect(units("UNIT_BASED", changes([16, 4]), cycle, null)).toBe("2");
    expect(units("UNIT_BASED", changes([1, 4], [11, -2], [21, 8]), cycle, null)).toBe("5.333333");
  });

  test("are carried over at a renewal, and ignore later changes", () => {
    const series = changes([-20, 3], [0, 2], [16, 4], [31, 50]);
    expect(units("UNIT_BASED", series, cycle, null)).toBe("7");
    expect(units("UNIT_BASED", series, period(31, 61), null)).toBe("59");
  });

  test("count by whole seconds, exactly", () => {
    const one = { start: day(1), end: day(1, 3) };
    const late = new Date(day(1, 1).getTime() + 999);
    const area = sumMeteredUnits("UNIT_BASED", changes([late, 1]), one, null);
    expect([toPlainString(area.part), toPlainString(area.whole)]).toEqual(["2", "3"]);
  });

  test("have a history by days, beginning with the count at the cycle's start", () => {
    const series = changes([-20, 3], [0, 2], [16, 4], [21, -1], [31, 50]);
    expect(computeUnitChangeHistory(series, cycle)).toEqual([
      { changedCount: 5, days: 30 },
      { changedCount: 4, days: 15 },
      { changedCount: -1, days: 10 },
    ]);
    expect(computeUnitChangeHistory(changes([new Date("2026-03-30T16:00:00Z"), 1]), cycle)).toEqual([
      { changedCount: 1, days: 0.33 },
    ]);
    expect(computeUnitChangeHistory(changes([-9, 3], [0, -3]), cycle)).toEqual([]);
    expect(computeUnitChangeHistory(changes([-9, 3], [1, 2]), cycle)).toEqual([
      { changedCount: 3, days: 30 },
      { changedCount: 2, days: 30 },
    ]);
  });
});

describe("the quota", () => {
  type Told = { methodType?: "PRE" | "POST"; aggregate?: AggregateUsageType; type?: "USAGE_BASED" | "UNIT_BASED" };
  const judged = (record: UnitDelta[], quota: UnitDelta[], told: Told = {}) =>
    thrownRefusalCode(() => {
      const { type = "USAGE_BASED", methodType = "PRE", aggregate = null } = told;
      validateUnits(type, { record, quota }, cycle, { methodType, aggregate });
    });

  test.each<[string, UnitDelta[], UnitDelta[], Told, string]>([
    ["allows the used units", changes([2, 10]), changes([1, 10]), {}, "none"],
    ["allows no more units", changes([2, 10], [3, 1]), changes([1, 10]), {}, "QUOTA_EXCEEDED"],
    ["counts from its raise", changes([2, 11]), changes([1, 10], [3, 5]), {}, "QUOTA_EXCEEDED"],
    ["counts from a raise at the same instant", changes([2, 11]), changes([1, 10], [2, 1]), {}, "none"],
    ["cannot be cut below the used units", changes([2, 10]), changes([1, 10], [5, -1]), {}, "QUOTA_EXCEEDED"],
    ["can be cut after usage is withdrawn", changes([2, 10], [5, -1]), changes([1, 10], [5, -1]), {}, "none"],
    ["is zero for a prepaid plan without one", changes([2, 1]), [], {}, "QUOTA_EXCEEDED"],
    ["does not limit a postpaid plan without one", changes([2, 99_999]), [], { methodType: "POST" }, "none"],
    [
      "limits a postpaid plan that has one",
      changes([2, 11]),
      changes([1, 10]),
      { methodType: "POST" },
      "QUOTA_EXCEEDED",
    ],
    [
      "limits a postpaid plan from the time it has one",
      changes([1, 8]),
      changes([2, 8]),
      { methodType: "POST" },
      "none",
    ],
    [
      "counts the earlier use of a postpaid plan",
      changes([1, 8]),
      changes([2, 7]),
      { methodType: "POST" },
      "QUOTA_EXCEEDED",
    ],
    ["allows no use below zero", changes([2, 1], [3, -2]), changes([1, 10]), {}, "UNITS_BELOW_ZERO"],
    ["allows no use below zero without a limit", changes([2, -1]), [], { methodType: "POST" }, "UNITS_BELOW_ZERO"],
    ["does not fall below zero", [], changes([1, 10], [2, -11]), {}, "UNITS_BELOW_ZERO"],
    ["is checked at all times, for late reports too", changes([5, 8], [2, 3]), changes([1, 10]), {}, "QUOTA_EXCEEDED"],
    ["begins anew for usage", changes([2, 1]), changes([-5, 10]), {}, "QUOTA_EXCEEDED"],
    ["is carried over for accounts", changes([-5, 4], [2, 6]), changes([-5, 10]), { type: "UNIT_BASED" }, "none"],
    ["allows each measurement", changes([2, 9], [3, 8]), changes([1, 10]), { aggregate: "LAST_DURING_PERIOD" }, "none"],
    [
      "allows the last measurement of an earlier period",
      changes([-5, 10]),
      changes([1, 10]),
      { aggregate: "LAST_EVER" },
      "none",
    ],
    [
      "allows no measurement above that",
      changes([-5, 10], [2, 11]),
      changes([1, 10]),
      { aggregate: "LAST_EVER" },
      "QUOTA_EXCEEDED",
    ],
    [
      "allows the largest measurement",
      changes([2, 9], [3, 11]),
      changes([1, 10]),
      { aggregate: "MAX" },
      "QUOTA_EXCEEDED",
    ],
    [
      "of accounts adds up, whatever counts for usage",
      changes([2, 9], [3, 8]),
      changes([1, 10]),
      { type: "UNIT_BASED", aggregate: "LAST_EVER" },
      "QUOTA_EXCEEDED",
    ],
    ["ignores later changes", changes([2, 10], [31, 99]), changes([1, 10]), {}, "none"],
  ])("%s", (_name, record, quota, told, code) => {
    expect(judged(record, quota, told)).toBe(code);
  });

  test("gives the number of units", () => {
    const asked = () =>
      validateUnits("USAGE_BASED", { record: changes([2, 12]), quota: changes([1, 10]) }, cycle, {
        methodType: "PRE",
        aggregate: null,
      });
    expect(asked).toThrow("With the change, 12 of 10 allowed units would be used; raise the quota first.");
  });
});

describe("time", () => {
  test("is counted in whole seconds, which add up", () => {
    const late = (ms: number) => new Date(day(1).getTime() + ms);
    expect(secondsInPeriod({ start: late(999), end: late(1_000) })).toBe(1);
    expect(secondsInPeriod({ start: late(0), end: late(999) })).toBe(0);
    expect(secondsInPeriod(period(1, 31))).toBe(30 * 86_400);
  });

  test.each([
    [1, 30],
    [11, 20],
    [31, 0],
    [-10, 30],
    [40, 0],
  ])("remains on day %d for %d days of thirty", (at, left) => {
    const { part, whole } = remainingShare(cycle, day(at));
    expect([toPlainString(part), toPlainString(whole)]).toEqual([String(left * 86_400), String(30 * 86_400)]);
  });
});
