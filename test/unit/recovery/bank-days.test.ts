import { describe, expect, test } from "vitest";
import {
  bankDayBefore,
  dateOf,
  dayOf,
  daysInMonth,
  isBankDay,
  weekdayOf,
} from "../../../src/recovery/engine/model/bank-days.ts";
import { bankCalendarOf, type BankCalendar } from "../../../src/recovery/engine/model/bank-holidays.ts";
import { sourceArrivalsAround } from "../../../src/recovery/engine/model/source-arrivals.ts";

const day = (text: string) => Date.parse(`${text}T00:00:00Z`) / 86_400_000;
const toText = (of: number) => new Date(of * 86_400_000).toISOString().slice(0, 10);

test("days have dates, weekdays and months", () => {
  expect(dateOf(day("2026-02-28"))).toEqual({ year: 2026, month: 2, dayOfMonth: 28 });
  expect([weekdayOf(day("2026-03-01")), weekdayOf(day("1969-12-31"))]).toEqual([0, 3]);
  expect([daysInMonth(2028, 2), daysInMonth(2026, 12)]).toEqual([29, 31]);
  expect(toText(dayOf(2026, 13, 1))).toBe("2027-01-01");
});

describe("banks are closed", () => {
  test.each<[string, BankCalendar, boolean]>([
    ["2026-02-17", "KR", false],
    ["2026-02-16", "KR", false],
    ["2026-02-19", "KR", true],
    ["2026-05-01", "KR", false],
    ["2025-05-06", "KR", false],
    ["2026-07-03", "US", true],
    ["2026-11-26", "US", false],
    ["2026-05-04", "GB", false],
    ["2026-01-02", "JP", false],
    ["2026-02-16", "BR", false],
    ["2026-08-15", "IN", false],
    ["2026-10-03", "DE", false],
    ["2026-07-14", "FR", false],
    ["2026-04-03", "TARGET", false],
    ["2026-04-06", "TARGET", false],
    ["2026-04-07", "TARGET", true],
    ["2028-04-14", "TARGET", false],
    ["2026-12-26", "TARGET", false],
    ["2026-01-01", "WEEKENDS", true],
    ["2026-01-03", "WEEKENDS", false],
  ])("%s in %s: open is %s", (text, calendar, isOpen) => {
    expect(isBankDay(day(text), calendar)).toBe(isOpen);
  });

  test("and a country without a table has the calendar of TARGET or weekends", () => {
    expect(["KR", "NL", "VN", null].map(bankCalendarOf)).toEqual(["KR", "TARGET", "WEEKENDS", "WEEKENDS"]);
  });
});

describe("sources of money arrive", () => {
  const arrivals = (source: number, around: string, calendar: BankCalendar) =>
    Array.from(sourceArrivalsAround(day(around), calendar)[source]!, toText);

  test("on the bank day before a weekend or a holiday", () => {
    expect(toText(bankDayBefore(day("2026-01-25"), "KR"))).toBe("2026-01-23");
    // The 17th of February 2026 is Seollal, with its days before and after; the 14th and 15th are a weekend.
    expect(arrivals(16, "2026-02-10", "KR")).toContain("2026-02-13");
  });

  test("on the last day of months that lack the day", () => {
    expect(arrivals(30, "2026-02-10", "WEEKENDS")).toEqual(["2026-01-30", "2026-02-27", "2026-03-31"]);
  });

  test("each week, once where two weeks' days are one bank day", () => {
    const fridays = arrivals(35, "2026-03-10", "WEEKENDS");
    expect(fridays.slice(0, 2)).toEqual(["2026-02-06", "2026-02-13"]);
    expect(new Set(fridays).size).toBe(fridays.length);
  });

  test("from the month before a day to the end of the month after it", () => {
    const sources = sourceArrivalsAround(day("2026-01-31"), "US");
    expect(sources.length).toBeGreaterThan(30);
    for (const source of sources) {
      expect(source[0]).toBeLessThanOrEqual(day("2026-01-01"));
      expect(source.at(-1)).toBeGreaterThanOrEqual(day("2026-01-30"));
    }
  });
});
