import { describe, expect, test } from "vitest";
import { zoneRulesAround } from "../../../src/kernel/zone-rules.ts";
import type { CaseAttempt, RecoveryCase } from "../../../src/recovery/engine/recovery-case.ts";
import { decideRetry } from "../../../src/recovery/engine/decide-retry.ts";
import { explainDecision } from "../../../src/recovery/engine/explain-decision.ts";
import { addLocalDays, nextMinuteOfDay } from "../../../src/recovery/engine/local-time.ts";
import { defaultPolicy, createPolicy, type Policy } from "../../../src/recovery/engine/policy.ts";
import { currentRulebook } from "../../../src/recovery/engine/rulebook.ts";
import { failedAttempt, recoveryCaseWith, daysAfterFailure } from "../../support/fixtures/recovery-cases.ts";

const NEW_YORK = "America/New_York";

const even = (tries: number, windowInDays: number, rest: Partial<Policy> = {}) =>
  createPolicy(`even-${tries}`, { kind: "EVEN", tries, windowInDays }, rest);
const ask = (now: Date, facts: Partial<RecoveryCase>, policy: Policy, zoneId = "UTC") =>
  decideRetry(recoveryCaseWith(facts, zoneId), policy, currentRulebook, null, now);

/** Every retry of a case in which all fail alike. */
function tries(said: Partial<CaseAttempt>, policy: Policy, zoneId = "UTC", start = daysAfterFailure(0)) {
  let facts = recoveryCaseWith({ windowStart: start, attempts: [failedAttempt(0, { ...said, at: start })] }, zoneId);
  let decision = decideRetry(facts, policy, currentRulebook, null, start);
  const found: Date[] = [];
  while (decision.retryAt) {
    const used = decision.retryAt;
    found.push(used);
    facts = { ...facts, attempts: [...facts.attempts, failedAttempt(0, { ...said, at: used })], used };
    decision = decideRetry(facts, policy, currentRulebook, null, used);
  }
  return { found, decision, facts };
}

describe("a number of local days later", () => {
  test.each([
    ["UTC", "2026-03-01T09:30:00.123Z", 1, "2026-03-02T09:30:00.123Z"],
    ["UTC", "2026-03-01T09:30:00.000Z", 0, "2026-03-01T09:30:00.000Z"],
    ["Asia/Seoul", "2026-02-28T15:00:00.000Z", 14, "2026-03-14T15:00:00.000Z"],
    ["America/New_York", "2026-03-07T14:00:00.000Z", 1, "2026-03-08T13:00:00.000Z"],
    ["America/New_York", "2026-03-07T07:30:00.000Z", 1, "2026-03-08T07:30:00.000Z"],
    ["America/New_York", "2026-10-31T13:00:00.000Z", 1, "2026-11-01T14:00:00.000Z"],
    ["America/New_York", "2026-10-31T05:30:00.000Z", 1, "2026-11-01T05:30:00.000Z"],
    ["Australia/Lord_Howe", "2026-04-04T10:00:00.000Z", 1, "2026-04-05T10:30:00.000Z"],
    ["Europe/London", "2028-02-28T12:00:00.000Z", 2, "2028-03-01T12:00:00.000Z"],
    ["Pacific/Apia", "2011-12-29T20:00:00.000Z", 1, "2011-12-30T20:00:00.000Z"],
  ])("in %s after %s, %d days give %s", (zoneId, from, days, to) => {
    expect(addLocalDays(new Date(from), days, zoneRulesAround(zoneId, new Date(from))).toISOString()).toBe(to);
  });
});

describe("quiet hours", () => {
  test("that end in the hour which the clocks show twice end in the intended one", () => {
    const rules = zoneRulesAround(NEW_YORK, new Date("2026-10-20T00:00:00Z"));
    // 01:10 for the second time; half past one comes twenty minutes later, not a day.
    const at = new Date("2026-11-01T06:10:00Z");
    expect(nextMinuteOfDay(at, 90, rules)).toEqual(new Date("2026-11-01T06:30:00Z"));
    expect(nextMinuteOfDay(new Date("2026-11-01T05:10:00Z"), 90, rules)).toEqual(new Date("2026-11-01T05:30:00Z"));
    expect(nextMinuteOfDay(new Date("2026-11-01T04:10:00Z"), 60, rules)).toEqual(new Date("2026-11-01T05:00:00Z"));
  });

  test("do not drop the last retry of a case when the window ends in them", () => {
    const quietHours = { from: 22 * 60, until: 8 * 60 };
    const start = new Date("2026-03-01T14:00:00Z");
    const { found, decision } = tries({ code: "51" }, even(8, 28, { quietHours }), "Asia/Seoul", start);
    expect(found).toHaveLength(8);
    expect(found.at(-1)).toEqual(new Date("2026-03-29T23:00:00Z"));
    expect(decision.endReason).toBe("NO_TRIES_LEFT");
  });

  test("of all but a minute leave that minute, and of a day on which it is skipped the next one", () => {
    const quietHours = { from: 151, until: 150 };
    const { found } = tries({ code: "51" }, even(4, 28, { quietHours }), NEW_YORK, new Date("2026-03-01T07:30:00Z"));
    expect(found.map((at) => at.toISOString())).toEqual([
      // 8 March has no half past two.
      "2026-03-09T06:30:00.000Z",
      "2026-03-15T06:30:00.000Z",
      "2026-03-22T06:30:00.000Z",
      "2026-03-29T06:30:00.000Z",
    ]);
  });
});

test("retries every half hour are in order and complete on the day that is an hour short", () => {
  const { found } = tries({ code: "91", network: "AMEX" }, even(24, 1), NEW_YORK, new Date("2026-03-07T20:00:00Z"));
  const waits = found.map(
    (at, index) => at.getTime() - (found[index - 1] ?? new Date("2026-03-07T20:00:00Z")).getTime(),
  );
  expect(waits).toHaveLength(5);
  for (const wait of waits) expect(wait).toBeGreaterThan(0);
  const all = ask(
    new Date("2026-03-07T20:00:00Z"),
    { windowStart: new Date("2026-03-07T20:00:00Z"), attempts: [] },
    even(48, 1),
    NEW_YORK,
  );
  const times = [all.retryAt!, ...all.alternatives.map(({ at }) => at)];
  expect(times).toHaveLength(48);
  expect(all.budget.windowEnds).toEqual(times.at(-1));
});

describe("a limit of a class", () => {
  test("counts its own declines, not others of the class", () => {
    const attempts = [
      failedAttempt(0, { code: "62" }),
      failedAttempt(3.5, { code: "62" }),
      failedAttempt(7, { code: "39" }),
    ];
    expect(ask(daysAfterFailure(7), { attempts }, even(8, 28))).toMatchObject({
      retryAt: daysAfterFailure(14),
      endReason: null,
    });
    const twice = [...attempts, failedAttempt(14, { code: "39" })];
    expect(ask(daysAfterFailure(14), { attempts: twice }, even(8, 28)).endReason).toBe("NO_TRIES_LEFT");
  });

  test("counts all suspicions of the issuer together", () => {
    const attempts = [failedAttempt(0, { code: "59" }), failedAttempt(3.5, { code: "83" })];
    expect(ask(daysAfterFailure(3.5), { attempts }, even(8, 28)).endReason).toBe("NO_TRIES_LEFT");
  });
});

test("advice of one network shortens no delay on another", () => {
  const said = { code: "51", adviceCode: "24", network: "VISA" } as const;
  expect(ask(daysAfterFailure(3.4), { attempts: [failedAttempt(3.4, said)] }, even(8, 28)).retryAt).toEqual(
    daysAfterFailure(4.4),
  );
});

describe("an explanation agrees with the data", () => {
  const said = (facts: Partial<RecoveryCase>, now: Date, policy: Policy = defaultPolicy) => {
    const decision = ask(now, facts, policy);
    return {
      decision,
      en: explainDecision(decision, recoveryCaseWith().zone, "ENGLISH"),
      ko: explainDecision(decision, recoveryCaseWith().zone, "KOREAN"),
    };
  };

  test("when a rule ends the retries: it allows no more, not none before", () => {
    const attempts = [0, 1, 3].map((days) => failedAttempt(days, { code: "AM04", network: "SEPA" }));
    const { en, ko, decision } = said({ attempts, used: daysAfterFailure(3) }, daysAfterFailure(3));
    expect(decision.floorRow).toBe("sepa-2-tries");
    expect(en).toBe(
      "No further attempt: all attempts are used up, because the network's rule sepa-2-tries allows no more.",
    );
    expect(ko).toBe(
      "더 시도하지 않습니다: 재시도 횟수를 모두 썼습니다(네트워크 규칙 sepa-2-tries에 따라 더는 시도할 수 없습니다).",
    );
  });

  test("when an earlier decline forbids any retry, the reason of the end says so", () => {
    const attempts = [failedAttempt(0, { code: "51", adviceCode: "03" }), failedAttempt(0.5)];
    const { decision, en } = said({ attempts }, daysAfterFailure(0.5));
    expect(decision).toMatchObject({ endReason: "MUST_NOT_RETRY", floorRow: "mastercard-advice-03" });
    expect(en).toContain("the decline forbids it, because the network's rule mastercard-advice-03 allows no more.");
  });

  test("when there was no code: none is mentioned", () => {
    const { en, ko } = said({ attempts: [failedAttempt(0, { code: null })] }, daysAfterFailure(0));
    expect(en).toMatch(/^The meaning of this decline is not known yet;/);
    expect(ko).toMatch(/^이 거절이 무슨 뜻인지 아직 알려지지 않았습니다\./);
  });

  test("in the number of the retry: as many follow as are planned", () => {
    const besides = [failedAttempt(0), failedAttempt(0.5, { code: "05" })];
    expect(said({ attempts: besides, promised: daysAfterFailure(1) }, daysAfterFailure(0.5)).en).toContain("(1 of 5)");
    // Two dates passed unreported.
    expect(
      said({ attempts: [failedAttempt(0), failedAttempt(4)], used: daysAfterFailure(3) }, daysAfterFailure(4)).en,
    ).toContain("(3 of 5)");
    expect(
      said(
        {
          attempts: [failedAttempt(0), ...[1, 2, 3, 4, 5].map((days) => failedAttempt(days))],
          used: daysAfterFailure(10),
        },
        daysAfterFailure(10),
      ).ko,
    ).toContain("(5회 중 5회째)");
    const windowed = [failedAttempt(0), failedAttempt(0.1), failedAttempt(0.2), failedAttempt(0.3)];
    expect(said({ attempts: windowed }, daysAfterFailure(0.3), even(8, 28)).en).toContain("(4 of 8)");
    expect(said({ attempts: [failedAttempt(0)] }, daysAfterFailure(15), even(8, 28)).en).toContain("(5 of 8)");
  });
});
