import { describe, expect, test } from "vitest";
import type { Network } from "../../../schema/vocabulary.ts";
import { toAmount } from "../../../src/kernel/amounts.ts";
import type { OtherAttempt, RecoveryCase } from "../../../src/recovery/engine/recovery-case.ts";
import { decideRetry } from "../../../src/recovery/engine/decide-retry.ts";
import { explainDecision } from "../../../src/recovery/engine/explain-decision.ts";
import { defaultPolicy, createPolicy } from "../../../src/recovery/engine/policy.ts";
import { longestRateWindowMs, currentRulebook, earliestLegalTime } from "../../../src/recovery/engine/rulebook.ts";
import { failedAttempt, recoveryCaseWith, daysAfterFailure } from "../../support/fixtures/recovery-cases.ts";

const other = (days: number, network: Network | null, rest: Partial<OtherAttempt> = {}): OtherAttempt => ({
  at: daysAfterFailure(days),
  network,
  initiator: "MERCHANT",
  amount: toAmount("18900.00"),
  currency: "KRW",
  ...rest,
});
const others = (count: number, network: Network | null, rest: Partial<OtherAttempt> = {}) =>
  Array.from({ length: count }, (_, index) => other(-index / 100, network, rest));

/** The engine's answer for a retry a day after the failure. */
const tomorrow = (network: Network | null, alongside: OtherAttempt[], facts: Partial<RecoveryCase> = {}) => {
  const attempts = [failedAttempt(0, { network })];
  const { at, row } = earliestLegalTime(
    attempts,
    daysAfterFailure(0, 2),
    currentRulebook,
    recoveryCaseWith({ attempts, alongside, ...facts }),
  );
  return row === null ? null : [row.id, at];
};

describe("attempts on the same card for other orders", () => {
  test("are counted by the card: of any amount, except the payer's own", () => {
    expect(tomorrow("VISA", others(18, "VISA"))).toBeNull();
    const oldest = daysAfterFailure(30 - 18 / 100);
    expect(tomorrow("VISA", others(19, "VISA", { amount: toAmount(1), currency: "USD" }))).toEqual([
      "visa-20-in-30-days",
      oldest,
    ]);
    expect(tomorrow("VISA", others(40, "VISA", { initiator: "CUSTOMER" }))).toBeNull(); // If the network of a card is unknown, the rules of all apply.
    expect(tomorrow("VISA", others(19, null))).toEqual(["visa-20-in-30-days", oldest]);
    expect(tomorrow("AMEX", others(60, "AMEX"))).toBeNull();
  });

  test("are counted by card and amount: those of another amount or currency are not", () => {
    expect(tomorrow("MASTERCARD", others(9, "MASTERCARD"))).toEqual([
      "mastercard-10-in-24-hours",
      daysAfterFailure(1 - 8 / 100),
    ]);
    expect(tomorrow("MASTERCARD", others(9, "MASTERCARD", { initiator: "CUSTOMER" }))).not.toBeNull();
    expect(tomorrow("MASTERCARD", others(60, "MASTERCARD", { amount: toAmount(18_901) }))).toBeNull();
    expect(tomorrow("MASTERCARD", others(60, "MASTERCARD", { currency: "JPY" }))).toBeNull();
  });

  test("are not counted by a mandate's rules", () => {
    expect(tomorrow("SEPA", others(60, "SEPA"))).toBeNull();
    expect(tomorrow("ACH", others(60, "ACH"))).toBeNull();
  });

  test("are looked up as far back as the longest rule counts", () => {
    expect(longestRateWindowMs(currentRulebook)).toBe(30 * 24 * 3_600_000);
    expect(longestRateWindowMs({ version: "none", rows: [] })).toBe(0);
  });
});

describe("a retry whose date has come", () => {
  const attempts = [failedAttempt(0, { network: "VISA" })];
  const due = (at: Date, alongside: OtherAttempt[], policy = defaultPolicy) =>
    decideRetry(recoveryCaseWith({ attempts, alongside, due: at }), policy, currentRulebook, null, at);
  const even = createPolicy("even", { kind: "EVEN", tries: 4, windowInDays: 8 });

  test("is made, also late and in quiet hours, when no rule forbids it by now", () => {
    const quiet = createPolicy("quiet", even.plan, { quietHours: { from: 0, until: 1_439 } });
    for (const policy of [defaultPolicy, even, quiet])
      for (const at of [daysAfterFailure(2), daysAfterFailure(40)])
        expect(due(at, others(18, "VISA"), policy)).toMatchObject({ retryAt: at, endReason: null, floorRow: null });
  });

  test("is moved by a rule, and the new date avoids quiet hours", () => {
    const full = others(19, "VISA");
    const free = daysAfterFailure(30 - 18 / 100);
    expect(due(daysAfterFailure(1), full)).toMatchObject({
      retryAt: free,
      floor: free,
      floorRow: "visa-20-in-30-days",
    }); // Free at 05:10:48 in UTC.
    const quiet = { ...defaultPolicy, quietHours: { from: 4 * 60, until: 6 * 60 } };
    expect(due(daysAfterFailure(1), full, quiet).retryAt).toEqual(new Date("2026-03-31T06:00:00.000Z"));
  });

  test("ends its cover when it is moved beyond the window of the policy", () => {
    const decision = due(daysAfterFailure(2), others(19, "VISA"), even);
    expect(decision).toMatchObject({ retryAt: null, endReason: "WINDOW_OVER" });
    expect(explainDecision(decision, recoveryCaseWith().zone, "ENGLISH")).toBe(
      "No further attempt: the time for attempts is over, because the network's rule visa-20-in-30-days allows none within it: it also counts 19 other attempts with the same card.",
    );
  });

  test("is explained with the other attempts that were counted, and with none if there were none", () => {
    const own = Array.from({ length: 19 }, (_, index) => failedAttempt(index / 100, { network: "VISA" }));
    const told = (alongside: OtherAttempt[]) => {
      const facts = recoveryCaseWith({ attempts: own, alongside, used: daysAfterFailure(1) });
      const decision = decideRetry(facts, defaultPolicy, currentRulebook, null, daysAfterFailure(1));
      return (["ENGLISH", "KOREAN"] as const).map((language) => explainDecision(decision, facts.zone, language));
    };
    expect(told([])[0]).toContain("as the policy plans it.");
    const [en, ko] = told([other(0.5, "VISA")]);
    expect(en).toContain("allows none before: it also counts 1 other attempt with the same card.");
    expect(ko).toContain(
      "규칙 visa-20-in-30-days에 따라 같은 카드의 다른 시도 1회를 포함하면 그 전에는 시도할 수 없습니다",
    );
  });
});
