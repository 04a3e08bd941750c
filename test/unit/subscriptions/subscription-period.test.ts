import { describe, expect, test } from "vitest";
import {
  chargeDate,
  billingPeriodOf,
  addIntervals,
  serviceStart,
  type BillingCycle,
  type Expiry,
} from "../../../src/subscriptions/subscription.period.ts";
import { toInitialSubscription } from "../../../src/subscriptions/subscription.activation.ts";
import { planTerms } from "../../support/fixtures/pricing-fixtures.ts";

const SEOUL = "Asia/Seoul";
const at = (text: string) => new Date(text);
const cycle = (interval: BillingCycle["interval"], intervalCount = 1): BillingCycle => ({ interval, intervalCount });
const ends = (begin: string, length: BillingCycle, zoneId: string, count: number) =>
  Array.from({ length: count }, (_, index) => billingPeriodOf(at(begin), length, index + 1, zoneId).end.toISOString());

describe("a cycle", () => {
  test("of a month that began on the 31st falls on the last day of shorter months, and returns", () => {
    // 31 January, 10:00 in Seoul.
    expect(ends("2028-01-31T01:00:00Z", cycle("MONTH"), SEOUL, 5)).toEqual([
      "2028-02-29T01:00:00.000Z",
      "2028-03-31T01:00:00.000Z",
      "2028-04-30T01:00:00.000Z",
      "2028-05-31T01:00:00.000Z",
      "2028-06-30T01:00:00.000Z",
    ]);
  });

  test("counts days of the vendor's zone: the 31st there is the 30th elsewhere", () => {
    // 31 January, 01:00 in Seoul is 30 January in UTC.
    expect(ends("2026-01-30T16:00:00Z", cycle("MONTH"), SEOUL, 2)).toEqual([
      "2026-02-27T16:00:00.000Z",
      "2026-03-30T16:00:00.000Z",
    ]);
    expect(ends("2026-01-30T16:00:00Z", cycle("MONTH"), "UTC", 2)).toEqual([
      "2026-02-28T16:00:00.000Z",
      "2026-03-30T16:00:00.000Z",
    ]);
  });

  test("of a year that began on 29 February returns to it", () => {
    expect(ends("2028-02-29T00:00:00Z", cycle("YEAR"), "UTC", 4).map((end) => end.slice(0, 10))).toEqual([
      "2029-02-28",
      "2030-02-28",
      "2031-02-28",
      "2032-02-29",
    ]);
  });

  test.each([
    [cycle("DAY", 10), ["2026-03-11", "2026-03-21"]],
    [cycle("WEEK", 2), ["2026-03-15", "2026-03-29"]],
    [cycle("MONTH", 3), ["2026-06-01", "2026-09-01"]],
    [cycle("YEAR"), ["2027-03-01", "2028-03-01"]],
  ])("of %o ends on the days %j", (length, days) => {
    expect(ends("2026-03-01T00:00:00Z", length, "UTC", 2).map((end) => end.slice(0, 10))).toEqual(days);
  });

  test("has the same local time of day across daylight saving", () => {
    expect(ends("2026-02-14T14:00:00Z", cycle("MONTH"), "America/New_York", 2)).toEqual([
      "2026-03-14T13:00:00.000Z",
      "2026-04-14T13:00:00.000Z",
    ]);
  });

  test("passes through an hour that does not exist, and has its own again the next day", () => {
    expect(ends("2026-03-07T07:30:00Z", cycle("DAY"), "America/New_York", 2)).toEqual([
      "2026-03-08T07:30:00.000Z",
      "2026-03-09T06:30:00.000Z",
    ]);
  });

  test("begins at the end of the previous one", () => {
    const begin = at("2026-01-31T01:00:00Z");
    expect(billingPeriodOf(begin, cycle("MONTH"), 1, SEOUL).start).toEqual(begin);
    for (let number = 1; number < 30; number++) {
      const [one, next] = [number, number + 1].map((n) => billingPeriodOf(begin, cycle("MONTH"), n, SEOUL));
      expect(next!.start).toEqual(one!.end);
      expect(one!.end > one!.start).toBe(true);
    }
  });
});

test("a trial ends so many intervals after it began, in the vendor's zone", () => {
  expect(addIntervals(at("2026-01-30T16:00:00Z"), 1, "MONTH", SEOUL)).toEqual(at("2026-02-27T16:00:00Z"));
  expect(addIntervals(at("2026-03-01T00:00:00Z"), 14, "DAY", SEOUL)).toEqual(at("2026-03-15T00:00:00Z"));
});

describe("service", () => {
  const start = (paidAt: string, provideStartDay: number | null, zoneId = SEOUL) =>
    serviceStart(at(paidAt), { ...planTerms().claim, provideStartDay }, zoneId).toISOString();

  test.each<[string, number | null, string]>([
    ["2026-03-10T03:00:00.000Z", null, "2026-03-10T03:00:00.000Z"],
    ["2026-03-10T03:00:00.000Z", 0, "2026-03-10T03:00:00.000Z"],
    ["2026-03-10T03:00:00.000Z", 10, "2026-03-10T03:00:00.000Z"],
    // As the day begins in Seoul.
    ["2026-03-10T03:00:00.000Z", 15, "2026-03-14T15:00:00.000Z"],
    ["2026-03-10T03:00:00.000Z", 1, "2026-03-31T15:00:00.000Z"],
    // The 11th already, in Seoul.
    ["2026-03-10T15:00:00.000Z", 10, "2026-04-09T15:00:00.000Z"],
    // A day that a month lacks is its last.
    ["2026-02-10T03:00:00.000Z", 31, "2026-02-27T15:00:00.000Z"],
    ["2026-02-28T03:00:00.000Z", 31, "2026-02-28T03:00:00.000Z"],
    ["2026-01-31T03:00:00.000Z", 30, "2026-02-27T15:00:00.000Z"],
    ["2026-12-31T03:00:00.000Z", 1, "2026-12-31T15:00:00.000Z"],
  ])("paid at %s starts on day %j: %s", (paidAt, day, started) => {
    expect(start(paidAt, day)).toBe(started);
  });
});

describe("a postpaid cycle", () => {
  const charged = (end: string, whenToClaimType: "FIRST_PAYMENT" | "DATE" | null, billingDate: number | null) =>
    chargeDate(
      { start: at("2026-01-01T00:00:00Z"), end: at(end) },
      { ...planTerms().claim, whenToClaimType, billingDate },
      SEOUL,
    ).toISOString();

  test("is charged at its end: on the first payment's day", () => {
    for (const when of ["FIRST_PAYMENT", null] as const)
      expect(charged("2026-02-10T03:00:00.000Z", when, 5)).toBe("2026-02-10T03:00:00.000Z");
    for (const day of [null, 0])
      expect(charged("2026-02-10T03:00:00.000Z", "DATE", day)).toBe("2026-02-10T03:00:00.000Z");
  });

  test.each([
    // A cycle through March, in Seoul: April follows.
    ["2026-03-31T15:00:00.000Z", 5, "2026-04-04T15:00:00.000Z"],
    // One that ended within April: May follows.
    ["2026-04-10T03:00:00.000Z", 5, "2026-05-05T03:00:00.000Z"],
    ["2026-04-10T03:00:00.000Z", 25, "2026-05-25T03:00:00.000Z"],
    ["2026-01-31T03:00:00.000Z", 31, "2026-02-28T03:00:00.000Z"],
    ["2026-12-10T03:00:00.000Z", 1, "2027-01-01T03:00:00.000Z"],
  ])("that ends at %s is charged on day %d of the following month: %s", (end, day, charge) => {
    expect(charged(end, "DATE", day)).toBe(charge);
  });

  test("is never charged before it ends", () => {
    for (let number = 1; number < 40; number++) {
      const period = billingPeriodOf(at("2026-01-31T20:00:00Z"), cycle("MONTH"), number, SEOUL);
      for (let billingDate = 1; billingDate <= 31; billingDate++) {
        const claim = { ...planTerms().claim, whenToClaimType: "DATE", billingDate } as const;
        expect(chargeDate(period, claim, SEOUL) >= period.end).toBe(true);
      }
    }
  });
});

describe("a subscription", () => {
  const begin = at("2026-01-31T01:00:00Z");
  const never: Expiry = { membershipExpirationDate: 0, membershipExpirationDateType: null, expiryRecurringCount: null };
  const end = (expiry: Partial<Expiry>) =>
    toInitialSubscription(
      { terms: planTerms(), expiry: { ...never, ...expiry }, trial: null, parent: null },
      begin,
      SEOUL,
      true,
    )?.endDate?.toISOString() ?? null;

  test.each<[string, Partial<Expiry>, string | null]>([
    ["has no end", {}, null],
    ["has no end with a length only", { membershipExpirationDate: 3 }, null],
    ["has no end with a unit only", { membershipExpirationDateType: "YEAR" }, null],
    ["has no end after zero renewals", { expiryRecurringCount: 0 }, null],
    [
      "ends after its term",
      { membershipExpirationDate: 1, membershipExpirationDateType: "YEAR" },
      "2027-01-31T01:00:00.000Z",
    ],
    ["ends with its last cycle", { expiryRecurringCount: 3 }, "2026-04-30T01:00:00.000Z"],
    [
      "ends with the first of the two",
      { membershipExpirationDate: 90, membershipExpirationDateType: "DAY", expiryRecurringCount: 2 },
      "2026-03-31T01:00:00.000Z",
    ],
    [
      "ends with the term when that comes first",
      { membershipExpirationDate: 90, membershipExpirationDateType: "DAY", expiryRecurringCount: 12 },
      "2026-05-01T01:00:00.000Z",
    ],
  ])("%s", (_name, expiry, date) => {
    expect(end(expiry)).toBe(date);
  });
});
