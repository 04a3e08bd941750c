import { describe, expect, test } from "vitest";
import type { PlanTerms } from "../../../src/products/price-plans/price.terms.ts";
import {
  toInitialSubscription,
  groupIntoSubscriptions,
  type FirstOrderLine,
} from "../../../src/subscriptions/subscription.activation.ts";
import { planTerms } from "../../support/fixtures/pricing-fixtures.ts";

const SEOUL = "Asia/Seoul";
/** Half past six in the evening of 31 January, in Seoul. */
const PAID = new Date("2026-01-31T09:30:00Z");

const line = (terms: Partial<PlanTerms> = {}, told: Partial<FirstOrderLine> = {}): FirstOrderLine => ({
  terms: planTerms(terms),
  expiry: { membershipExpirationDate: 0, membershipExpirationDateType: null, expiryRecurringCount: null },
  trial: null,
  parent: null,
  ...told,
});

const postpaid = (told: Partial<PlanTerms["claim"]> = {}) => ({
  claim: {
    methodType: "POST" as const,
    whenToClaimType: "FIRST_PAYMENT" as const,
    billingDate: null,
    provideStartDay: null,
    ...told,
  },
});

const born = (first: FirstOrderLine) => toInitialSubscription(first, PAID, SEOUL, true)!;
const day = (date: Date | null) => date?.toISOString().slice(0, 16) ?? null;

/** The state after activation: its counter, its period, its next charge, and its end. */
const told = (first: FirstOrderLine) => {
  const { renewalCount, currentPeriodStart, currentPeriodEnd, nextPaymentDate, endDate } = born(first);
  return [renewalCount, day(currentPeriodStart), day(currentPeriodEnd), day(nextPaymentDate), day(endDate)];
};

describe("a subscription is activated", () => {
  test("prepaid with its first cycle charged", () => {
    expect(told(line())).toEqual([1, "2026-01-31T09:30", "2026-02-28T09:30", "2026-02-28T09:30", null]);
  });

  test("postpaid with nothing charged", () => {
    expect(told(line(postpaid()))).toEqual([0, "2026-01-31T09:30", "2026-02-28T09:30", "2026-02-28T09:30", null]);
  });

  test("postpaid with a billing day, charged in the month after the one that its period ended in", () => {
    const byDate = postpaid({ whenToClaimType: "DATE", billingDate: 5 });
    expect(told(line(byDate))).toEqual([0, "2026-01-31T09:30", "2026-02-28T09:30", "2026-03-05T09:30", null]);
  });

  test("with a trial that is charged when it is over", () => {
    const trial = { num: 2, type: "WEEK" as const };
    expect(told(line({}, { trial }))).toEqual([0, "2026-01-31T09:30", "2026-02-14T09:30", "2026-02-14T09:30", null]);
    expect(day(born(line({}, { trial })).trialEndDate)).toBe("2026-02-14T09:30");
  });

  test("with service that starts on its day of the month", () => {
    const claim = { methodType: "PRE" as const, whenToClaimType: null, billingDate: null, provideStartDay: 5 };
    expect(told(line({ claim }))).toEqual([1, "2026-02-04T15:00", "2026-03-04T15:00", "2026-03-04T15:00", null]);
  });

  test("to end when its term is over", () => {
    const expiry = { membershipExpirationDate: 1, membershipExpirationDateType: "MONTH", expiryRecurringCount: null };
    expect(told(line({}, { expiry: expiry as FirstOrderLine["expiry"] }))).toEqual([
      1,
      "2026-01-31T09:30",
      "2026-02-28T09:30",
      null,
      "2026-02-28T09:30",
    ]);
  });

  test("to end after so many cycles, in which each is charged once", () => {
    const expiry = { membershipExpirationDate: 0, membershipExpirationDateType: null, expiryRecurringCount: 3 };
    expect(told(line({}, { expiry })).at(-1)).toBe("2026-04-30T09:30");
    expect(told(line(postpaid(), { expiry })).at(-1)).toBe("2026-04-30T09:30");
  });

  test("not for one-time items", () => {
    expect(toInitialSubscription(line({ type: "ONE_TIME", recurring: null }), PAID, SEOUL, true)).toBeNull();
  });

  test("INCOMPLETE, with no charge, while its method is not confirmed", () => {
    const { status, nextPaymentDate } = toInitialSubscription(line(), PAID, SEOUL, false)!;
    expect([status, nextPaymentDate]).toEqual(["INCOMPLETE", null]);
  });
});

describe("lines of a first order are grouped", () => {
  const groups = (...lines: FirstOrderLine[]) =>
    groupIntoSubscriptions(lines, PAID, SEOUL, true).map(({ lines: own }) => own.map((one) => lines.indexOf(one)));
  const weekly = { recurring: { interval: "WEEK", intervalCount: 1, aggregateUsageType: null, usageType: null } };

  test("when they have everything in common", () => {
    expect(groups(line(), line({ type: "USAGE_BASED" }), line())).toEqual([[0, 1, 2]]);
  });

  test.each<[string, FirstOrderLine]>([
    ["their interval", line(weekly as Partial<PlanTerms>)],
    ["prepaid or postpaid", line(postpaid())],
    ["their trial", line({}, { trial: { num: 1, type: "MONTH" } })],
    ["the day on which service starts", line({ claim: { ...planTerms().claim, provideStartDay: 31 } })],
    [
      "their term",
      line(
        {},
        {
          expiry: {
            membershipExpirationDate: 1,
            membershipExpirationDateType: "YEAR",
            expiryRecurringCount: null,
          },
        },
      ),
    ],
    [
      "the largest number of their cycles",
      line(
        {},
        { expiry: { membershipExpirationDate: 0, membershipExpirationDateType: null, expiryRecurringCount: 12 } },
      ),
    ],
  ])("separately by %s", (_difference, other) => {
    expect(groups(line(), other, line())).toEqual([[0, 2], [1]]);
  });

  test("separately by their billing day", () => {
    const on = (billingDate: number) => line(postpaid({ whenToClaimType: "DATE", billingDate }));
    expect(groups(on(5), on(10), on(5))).toEqual([[0, 2], [1]]);
  });

  test("with the members of a bundle in the bundle's group, whatever their own cycle", () => {
    const bundle = line({ type: "BUNDLE" });
    const member = line(weekly as Partial<PlanTerms>, { parent: bundle });
    expect(groups(bundle, member, line(weekly as Partial<PlanTerms>))).toEqual([[0, 1], [2]]);
  });

  test("without one-time items", () => {
    expect(groups(line({ type: "ONE_TIME", recurring: null }), line())).toEqual([[1]]);
  });
});
