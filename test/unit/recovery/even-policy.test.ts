import { describe, expect, test } from "vitest";
import type { RecoveryCase } from "../../../src/recovery/engine/recovery-case.ts";
import { decideRetry } from "../../../src/recovery/engine/decide-retry.ts";
import { createPolicy, type Policy } from "../../../src/recovery/engine/policy.ts";
import { currentRulebook } from "../../../src/recovery/engine/rulebook.ts";
import { failedAttempt, recoveryCaseWith, daysAfterFailure } from "../../support/fixtures/recovery-cases.ts";

const even8 = createPolicy("even-8", { kind: "EVEN", tries: 8, windowInDays: 28 });
const smart8 = createPolicy("smart-8", { kind: "SMART", tries: 8, windowInDays: 28 });

const ask = (now: Date, facts: Partial<RecoveryCase> = {}, policy: Policy = even8, zoneId = "UTC") =>
  decideRetry(recoveryCaseWith(facts, zoneId), policy, currentRulebook, null, now);

const inDays = (date: Date | null | undefined) => date && (date.getTime() - daysAfterFailure(0).getTime()) / 86_400_000;

describe("EVEN", () => {
  test("spreads its retries evenly over the window", () => {
    const { retryAt, alternatives, budget, effects } = ask(daysAfterFailure(0));
    expect([retryAt, ...alternatives.map(({ at }) => at)].map(inDays)).toEqual([3.5, 7, 10.5, 14, 17.5, 21, 24.5, 28]);
    expect(budget).toEqual({ used: 0, limit: 8, windowEnds: daysAfterFailure(28) });
    expect(effects).toEqual([{ kind: "SCHEDULE", at: daysAfterFailure(3.5), by: "EVEN" }]);
  });

  test.each([
    ["insufficient funds: a day", [failedAttempt(3.4)], 4.4, "INSUFFICIENT_FUNDS"],
    ["insufficient funds with advice: the network's delay", [failedAttempt(3.4, { adviceCode: "24" })], 3.5, null],
    [
      "a limit: the next local day",
      [failedAttempt(3.49, { code: "61" })],
      inDays(new Date("2026-03-05T00:00:00Z")),
      "LIMIT_EXCEEDED",
    ],
    ["a refusal without a reason: a day", [failedAttempt(3.4, { code: "05" })], 4.4, "GENERIC_REFUSAL"],
    ["an outage: an hour", [failedAttempt(3.49, { code: "91" })], 3.49 + 1 / 24, "TECHNICAL"],
    ["suspected fraud: two days", [failedAttempt(3.4, { code: "59" })], 5.4, "SUSPECTED_FRAUD"],
    ["83: three days", [failedAttempt(3.4, { code: "83" })], 6.4, "SUSPECTED_FRAUD"],
    ["restricted: three days", [failedAttempt(3.4, { code: "62" })], 6.4, "RESTRICTED"],
    ["no such account type: a week", [failedAttempt(3.4, { code: "52" })], 10.4, "RESTRICTED"],
    ["unknown: a day", [failedAttempt(3.4, { code: "Q7" })], 4.4, "UNKNOWN"],
  ])("waits after %s", (_name, attempts, expected, by) => {
    const { retryAt, effects } = ask(attempts[0]!.at, { attempts });
    expect(inDays(retryAt)).toBeCloseTo(expected!, 6);
    expect(effects.find(({ kind }) => kind === "CLASS_DELAY")?.by ?? null).toBe(by);
  });

  test("doubles the delay of an outage up to six hours", () => {
    const outages = (count: number) =>
      Array.from({ length: count }, (_, index) => failedAttempt(3.5 - 0.001 * (count - index), { code: "96" }));
    const wait = (count: number) => {
      const attempts = [failedAttempt(0), ...outages(count)];
      const decision = ask(attempts.at(-1)!.at, { attempts });
      return Math.round((decision.retryAt!.getTime() - attempts.at(-1)!.at.getTime()) / 3_600_000);
    };
    expect([1, 2, 3, 4, 5].map(wait)).toEqual([1, 2, 4, 6, 6]);
  });

  test.each([
    ["83", 1],
    ["59", 2],
    ["39", 1],
  ])("limits the retries after %s to %d", (code, cap) => {
    const attempts = Array.from({ length: cap + 1 }, (_, index) => failedAttempt(index * 3.5, { code }));
    expect(ask(daysAfterFailure(7), { attempts: attempts.slice(0, cap) }).endReason).toBeNull();
    expect(ask(attempts.at(-1)!.at, { attempts })).toMatchObject({
      endReason: "NO_TRIES_LEFT",
      effects: [{ kind: "CLASS_CAP", at: null }],
    });
  });

  test("counts attempts that were made outside the schedule", () => {
    const attempts = Array.from({ length: 9 }, (_, index) => failedAttempt(index * 0.5));
    expect(ask(daysAfterFailure(4), { attempts })).toMatchObject({
      endReason: "NO_TRIES_LEFT",
      effects: [{ kind: "BUDGET" }],
    });
    expect(ask(daysAfterFailure(4), { attempts: attempts.slice(0, 8) }).endReason).toBeNull();
  });

  test("ends with its window", () => {
    const late = failedAttempt(27.9, { adviceCode: "30", network: "MASTERCARD" });
    expect(ask(daysAfterFailure(27.9), { attempts: [failedAttempt(0), late] })).toMatchObject({
      retryAt: null,
      endReason: "WINDOW_OVER",
    });
    expect(ask(daysAfterFailure(29))).toMatchObject({ retryAt: null, endReason: "WINDOW_OVER" });
  });
});

describe("SMART", () => {
  test("without a model is EVEN, and says so", () => {
    const [even, smart] = [ask(daysAfterFailure(0)), ask(daysAfterFailure(0), {}, smart8)];
    expect([smart.retryAt, smart.alternatives]).toEqual([even.retryAt, even.alternatives]);
    expect(smart.effects.map(({ kind }) => kind)).toEqual(["SCHEDULE", "FALLBACK"]);
    expect([smart.probability, smart.modelVersion]).toEqual([null, null]);
  });

  test("retries an unknown decline as often as any other", () => {
    const attempts = Array.from({ length: 7 }, (_, index) => failedAttempt(index * 3.5, { code: "Q7" }));
    expect(ask(daysAfterFailure(21), { attempts }, smart8)).toMatchObject({ endReason: null, reasonClass: "UNKNOWN" });
  });
});

describe("quiet hours", () => {
  const quiet = { from: 22 * 60, until: 8 * 60 };
  const local = (zoneId: string, at: string, hours = quiet) =>
    ask(new Date(at), { windowStart: new Date(at), attempts: [] }, { ...even8, quietHours: hours }, zoneId);

  test("move a retry to their end in the payer's zone, across midnight", () => {
    const decision = local("Asia/Seoul", "2026-03-01T02:30:00Z");
    expect(decision.retryAt).toEqual(new Date("2026-03-04T23:00:00Z"));
    expect(decision.effects.map(({ kind }) => kind)).toEqual(["SCHEDULE", "QUIET_HOURS"]);
  });

  test("that end within a gap of daylight saving end after it", () => {
    const hours = { from: 60, until: 150 };
    const { retryAt } = local("America/New_York", "2026-03-04T18:30:00Z", hours);
    expect(retryAt).toEqual(new Date("2026-03-08T07:30:00Z"));
  });

  test("do not move a promised date", () => {
    const promised = new Date("2026-03-04T15:00:00Z");
    expect(ask(daysAfterFailure(1), { promised }, { ...even8, quietHours: quiet }, "Asia/Seoul").retryAt).toEqual(
      promised,
    );
  });
});

describe("an override", () => {
  const ladder = { kind: "LADDER", offsetsInDays: [2] } as const;
  const policy = createPolicy("p", even8.plan, {
    overrides: [
      { country: "DE", reasonClass: "GENERIC_REFUSAL", plan: { kind: "LADDER", offsetsInDays: [6] } },
      { paymentMethod: "CMS", plan: ladder },
      { reasonClass: "TECHNICAL", plan: { kind: "LADDER", offsetsInDays: [1] } },
    ],
  });

  test.each([
    [{ country: "DE", attempts: [failedAttempt(0, { code: "05" })] }, 6],
    [{ country: "KR", attempts: [failedAttempt(0, { code: "05" })] }, 3.5],
    [{ country: "DE" }, 3.5],
    [{ paymentMethod: "CMS" as const }, 2],
    [{ attempts: [failedAttempt(0, { code: "91" })] }, 1],
  ])("applies when all its conditions do: %#", (facts, days) => {
    expect(inDays(ask(daysAfterFailure(0), facts, policy).retryAt)).toBe(days);
  });
});

test("an approval elsewhere ends the case, and a new method cancels the effect of the old one's decline", () => {
  const expired = [failedAttempt(0, { code: "54" })];
  expect(ask(daysAfterFailure(0), { attempts: expired }).endReason).toBe("NEEDS_NEW_METHOD");
  const changed = ask(daysAfterFailure(1), {
    attempts: expired,
    events: [{ at: daysAfterFailure(1), kind: "METHOD_CHANGED" }],
  });
  expect(changed).toMatchObject({ endReason: null, reasonClass: null, retryAt: daysAfterFailure(3.5) });
  expect(
    ask(daysAfterFailure(1), { events: [{ at: daysAfterFailure(1), kind: "APPROVED_ELSEWHERE" }] }).endReason,
  ).toBe("ALREADY_PAID");
});
