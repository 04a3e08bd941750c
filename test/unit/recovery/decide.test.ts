import { describe, expect, test } from "vitest";
import type { CaseAttempt, RecoveryCase } from "../../../src/recovery/engine/recovery-case.ts";
import { decideRetry } from "../../../src/recovery/engine/decide-retry.ts";
import { defaultPolicy, builtInPolicyOf } from "../../../src/recovery/engine/policy.ts";
import { currentRulebook } from "../../../src/recovery/engine/rulebook.ts";
import { failedAttempt, recoveryCaseWith, daysAfterFailure } from "../../support/fixtures/recovery-cases.ts";

const ask = (now: Date, facts: Partial<RecoveryCase> = {}, zoneId = "UTC") =>
  decideRetry(recoveryCaseWith(facts, zoneId), defaultPolicy, currentRulebook, null, now);

/** The planned retries, in days after the failure. */
const planned = ({ retryAt, alternatives }: ReturnType<typeof ask>): number[] =>
  [retryAt, ...alternatives.map(({ at }) => at)].flatMap((date) =>
    date ? [(date.getTime() - daysAfterFailure(0).getTime()) / 86_400_000] : [],
  );

test("the complete decision", () => {
  expect(ask(daysAfterFailure(0))).toEqual({
    retryAt: daysAfterFailure(1),
    endReason: null,
    reasonClass: "INSUFFICIENT_FUNDS",
    floor: null,
    floorRow: null,
    probability: null,
    interval: null,
    alternatives: [3, 5, 10, 14].map((days) => ({ at: daysAfterFailure(days), probability: null })),
    effects: [{ kind: "SCHEDULE", at: daysAfterFailure(1), by: "LADDER" }],
    budget: { used: 0, limit: 5, windowEnds: daysAfterFailure(14) },
    policyVersion: "ladder-1-3-5-10-14",
    rulebookVersion: "2026-11-21.2",
    declinesVersion: "2026-11-23.2",
    modelVersion: null,
    propensity: 1,
  });
});

describe("the schedule", () => {
  test.each([
    [0, [1, 3, 5, 10, 14]],
    [0.99, [1, 3, 5, 10, 14]],
    [1, [3, 5, 10, 14]],
    [2, [3, 5, 10, 14]],
    [9.999, [10, 14]],
    [13.999, [14]],
  ])("on day %d plans the days %j: each strictly after now", (now, days) => {
    expect(planned(ask(daysAfterFailure(now)))).toEqual(days);
  });

  test.each([14, 14.001, 30])("on day %d has no retries left", (now) => {
    expect(ask(daysAfterFailure(now))).toMatchObject({ retryAt: null, endReason: "NO_TRIES_LEFT", alternatives: [] });
  });

  test("continues after the used date, however early its report came", () => {
    const early = daysAfterFailure(1, -0.05);
    expect(planned(ask(early, { used: daysAfterFailure(1) }))).toEqual([3, 5, 10, 14]);
    expect(planned(ask(daysAfterFailure(7), { used: daysAfterFailure(1) }))).toEqual([10, 14]);
    expect(ask(daysAfterFailure(14, -0.05), { used: daysAfterFailure(14) })).toMatchObject({
      retryAt: null,
      endReason: "NO_TRIES_LEFT",
    });
  });

  test("retains a promised date, and the dates after it", () => {
    const facts = { attempts: [failedAttempt(0), failedAttempt(0.5, { code: "05" })], promised: daysAfterFailure(1) };
    expect(planned(ask(daysAfterFailure(0.5), facts))).toEqual([1, 3, 5, 10, 14]);
    expect(planned(ask(daysAfterFailure(0.5), { ...facts, promised: daysAfterFailure(5) }))).toEqual([5, 10, 14]);
    expect(planned(ask(daysAfterFailure(13), { ...facts, promised: daysAfterFailure(14) }))).toEqual([14]);
    expect(ask(daysAfterFailure(15), { promised: daysAfterFailure(20) })).toMatchObject({
      retryAt: daysAfterFailure(20),
      alternatives: [],
    });
  });

  test("ignores the reason of a soft decline", () => {
    for (const code of ["51", "61", "05", "91", "34", "62", "39", "5C", null])
      expect(planned(ask(daysAfterFailure(0), { attempts: [failedAttempt(0, { code })] }))).toEqual([1, 3, 5, 10, 14]);
  });

  test("plans all five retries when no attempt is known, as after a change of the payment method", () => {
    const decision = ask(daysAfterFailure(0), { attempts: [] });
    expect([decision.reasonClass, planned(decision)]).toEqual([null, [1, 3, 5, 10, 14]]);
  });

  test("has the same local time of day across daylight saving", () => {
    const windowStart = new Date("2026-03-07T14:00:00Z");
    const { retryAt, alternatives } = ask(windowStart, { windowStart, attempts: [] }, "America/New_York");
    expect([retryAt, alternatives[0]?.at]).toEqual([
      new Date("2026-03-08T13:00:00Z"),
      new Date("2026-03-10T13:00:00Z"),
    ]);
  });
});

describe("a decline", () => {
  test.each([
    [{ code: "43" }, "MUST_NOT_RETRY", "NEVER"],
    [{ code: "51", adviceCode: "03" }, "MUST_NOT_RETRY", "NEVER"],
    [{ code: "54" }, "NEEDS_NEW_METHOD", "FIX_DATA_FIRST"],
    [{ code: "55" }, "NEEDS_CUSTOMER", "CUSTOMER_MUST_ACT"],
    [{ code: null, message: "이미 처리된 결제" }, "ALREADY_PAID", "ALREADY_PAID"],
  ])("of %o ends the scenario with %s, promised date or not", (said, endReason, reasonClass) => {
    for (const promised of [null, daysAfterFailure(1)])
      expect(
        ask(daysAfterFailure(0.5), { attempts: [failedAttempt(0), failedAttempt(0.5, said)], promised }),
      ).toMatchObject({
        retryAt: null,
        endReason,
        reasonClass,
        alternatives: [],
        floor: null,
        floorRow: null,
      });
  });

  test("counts when it is the last, not when a softer one followed", () => {
    const attempts = [failedAttempt(0, { code: "54" }), failedAttempt(0.5)];
    expect(ask(daysAfterFailure(0.5), { attempts })).toMatchObject({
      reasonClass: "INSUFFICIENT_FUNDS",
      retryAt: daysAfterFailure(1),
    });
  });
});

describe("an advice code", () => {
  const advised = (adviceCode: string, at = 0) => failedAttempt(at, { adviceCode, network: "MASTERCARD" });

  test.each([
    ["24", 1, [1, 3, 5, 10, 14], null],
    ["25", 1, [1, 3, 5, 10, 14], null],
    ["26", 2, [2, 3, 5, 10, 14], "mastercard-advice-26"],
    ["02", 3, [3, 5, 10, 14], "mastercard-advice-02"],
    ["27", 4, [4, 5, 10, 14], "mastercard-advice-27"],
    ["28", 6, [6, 10, 14], "mastercard-advice-28"],
    ["29", 8, [8, 10, 14], "mastercard-advice-29"],
    ["30", 10, [10, 14], "mastercard-advice-30"],
  ])(
    "%s makes the next retry day %d: it moves a retry and drops only those before it",
    (adviceCode, next, days, row) => {
      const decision = ask(daysAfterFailure(0), { attempts: [advised(adviceCode)] });
      expect(planned(decision)).toEqual(days);
      expect([decision.floorRow, decision.floor]).toEqual([row, row && daysAfterFailure(next)]);
    },
  );

  test("never drops the last retry: it comes after the end of the schedule", () => {
    const decision = ask(daysAfterFailure(10), {
      attempts: [failedAttempt(0), advised("30", 10)],
      used: daysAfterFailure(10),
    });
    expect(decision).toMatchObject({
      retryAt: daysAfterFailure(20),
      endReason: null,
      floorRow: "mastercard-advice-30",
      alternatives: [],
    });
    expect(decision.budget.windowEnds).toEqual(daysAfterFailure(14));
  });

  test("moves a promised date too", () => {
    const facts = { attempts: [failedAttempt(0), advised("26", 0.5)], promised: daysAfterFailure(1) };
    expect(planned(ask(daysAfterFailure(0.5), facts))).toEqual([2.5, 3, 5, 10, 14]);
  });

  test("of an earlier attempt still applies", () => {
    const facts = { attempts: [advised("30"), failedAttempt(0.5)], promised: daysAfterFailure(1) };
    expect(planned(ask(daysAfterFailure(0.5), facts))).toEqual([10, 14]);
  });
});

test("retries count from the window's start: not the failure that opened it", () => {
  const attempts = [failedAttempt(0), failedAttempt(0.5), failedAttempt(1)];
  expect(ask(daysAfterFailure(1), { attempts, used: daysAfterFailure(1) }).budget).toEqual({
    used: 2,
    limit: 5,
    windowEnds: daysAfterFailure(14),
  });
});

test("the same facts give the same decision, and are not changed", () => {
  const facts = Object.freeze({ attempts: Object.freeze([failedAttempt(0)]) as CaseAttempt[] });
  expect(ask(daysAfterFailure(0), facts)).toEqual(ask(daysAfterFailure(0), facts));
});

test("a policy is found by its version, and an unknown one is a bug", () => {
  expect(builtInPolicyOf("ladder-1-3-5-10-14")).toBe(defaultPolicy);
  expect(() => builtInPolicyOf("ladder-0")).toThrow("No policy has the version ladder-0.");
});
