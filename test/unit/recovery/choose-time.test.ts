import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { toAmount } from "../../../src/kernel/amounts.ts";
import { cellClasses } from "../../../src/recovery/engine/model/cells.ts";
import { decideRetry } from "../../../src/recovery/engine/decide-retry.ts";
import { explainDecision } from "../../../src/recovery/engine/explain-decision.ts";
import { createPolicy, type Policy } from "../../../src/recovery/engine/policy.ts";
import { currentRulebook } from "../../../src/recovery/engine/rulebook.ts";
import { assertProperty } from "../../support/property-tests.ts";
import { daysAfterFailure, failedAttempt, recoveryCaseWith } from "../../support/fixtures/recovery-cases.ts";
import { decideBy as decide, hourly, modelOf, smart8 } from "../../support/fixtures/retry-models.ts";

describe("a model's choice of the next time", () => {
  const facts = recoveryCaseWith({}, "Asia/Seoul");
  const start = daysAfterFailure(0);

  test("is the best hour of the payer's day before the even time", () => {
    const decision = decide(facts, start, smart8, modelOf({ hour: hourly(9, 2) }));
    // Nine o'clock in Seoul is midnight in UTC; the earliest is the delay of the class, a day.
    expect(decision.retryAt?.getUTCHours()).toBe(0);
    expect(decision.retryAt!.getTime()).toBeGreaterThan(daysAfterFailure(1).getTime());
    expect(decision.retryAt!.getTime()).toBeLessThanOrEqual(daysAfterFailure(3.5).getTime());
    expect(decision.choice).toMatchObject({ even: daysAfterFailure(3.5), explored: false });
    expect(decision.choice!.factors[0]).toEqual({ kind: "HOUR", value: 9, odds: Number(Math.exp(2).toFixed(6)) });
    expect(decision.choice!.considered[0]).toEqual({ at: decision.retryAt, probability: 0.880797 });
    expect([decision.propensity, decision.modelVersion]).toEqual([1, "test"]);
  });

  test("is the even time where nothing is known, or where what is known may be chance", () => {
    for (const unsure of [modelOf({}), modelOf({ hour: hourly(9, 0.5) }, 1)]) {
      const decision = decide(facts, start, smart8, unsure);
      expect(decision.retryAt).toEqual(daysAfterFailure(3.5));
      expect(decision.choice?.factors).toEqual([]);
    }
  });

  test("takes one interval of the even schedule, and leaves the others to the attempts after it", () => {
    const nine = modelOf({ hour: hourly(9, 2) });
    const even = decide(facts, start, createPolicy("even", { kind: "EVEN", tries: 8, windowInDays: 28 }));
    const first = decide(facts, start, smart8, nine);
    expect(first.alternatives.map(({ at }) => at)).toEqual(even.alternatives.map(({ at }) => at));
    const failed = failedAttempt(0, { at: first.retryAt! });
    const second = decide(
      { ...facts, attempts: [...facts.attempts, failed], used: failed.at },
      failed.at,
      smart8,
      nine,
    );
    expect(second.retryAt!.getTime()).toBeGreaterThan(even.retryAt!.getTime());
    expect(second.choice!.even).toEqual(even.alternatives[0]!.at);
  });

  test("leaves most of an interval after an attempt, two days at most, and less after very many own attempts", () => {
    const soonest = Array.from({ length: 32 }, (_, day) => -day);
    const gapOf = (tries: number, ownTries = 0) => {
      const by = modelOf({ "days since first failure": soonest }, undefined, undefined, ownTries);
      const policy = createPolicy("smart", { kind: "SMART", tries, windowInDays: 28 });
      const decision = decide(facts, start, policy, by);
      return (decision.retryAt!.getTime() - start.getTime()) / 86_400_000;
    };
    for (const [tries, gap] of [
      [2, 2.1],
      [8, 2.1],
      [14, 1.2],
    ] as const) {
      expect(gapOf(tries), `${tries} attempts`).toBeGreaterThanOrEqual(gap);
      expect(gapOf(tries), `${tries} attempts`).toBeLessThan(gap + 0.5);
    }
    // The class asks for a day.
    expect(gapOf(8, 1_000_000)).toBeLessThan(1.5);
  });

  test("goes ahead of a better time of the next attempt that would be too close, and says so", () => {
    const onTheFourthDay = { "days since first failure": Array.from({ length: 32 }, (_, day) => (day === 4 ? 2 : 0)) };
    const decision = decide(facts, start, smart8, modelOf(onTheFourthDay));
    // The fourth day ends 2.1 days after the chosen time or later, and two days after the even one.
    expect(decision.retryAt!.getTime()).toBeLessThan(daysAfterFailure(2.9).getTime());
    expect(decision.choice).toMatchObject({
      even: daysAfterFailure(3.5),
      factors: [{ kind: "NEXT_ATTEMPT", value: null, odds: expect.closeTo(Math.exp(2), 1) }],
    });
    expect(explainDecision(decision, facts.zone, "ENGLISH")).toContain(
      "the attempt after it can then be made at a better",
    );
    expect(explainDecision(decision, facts.zone, "KOREAN")).toContain("그다음 시도를 더 알맞은 시각에");
    const failed = failedAttempt(0, { at: decision.retryAt! });
    const second = decide(
      { ...facts, attempts: [...facts.attempts, failed], used: failed.at },
      failed.at,
      smart8,
      modelOf(onTheFourthDay),
    );
    expect(Math.floor((second.retryAt!.getTime() - start.getTime()) / 86_400_000)).toBe(4);
    // A model that knows what attempts close together cost asks for less distance.
    const learned = modelOf(onTheFourthDay, undefined, undefined, 1_000_000);
    expect(decide(facts, start, smart8, learned).retryAt).toEqual(daysAfterFailure(3.5));
  });

  test("asks for a larger advantage after declines of a class that taught the model nothing", () => {
    const hours = { hour: hourly(9, 0.5) };
    const ofOthers = Array.from(cellClasses, (name) => (name === "LIMIT_EXCEEDED" ? 5000 : 0));
    const ofOwn = Array.from(cellClasses, (name) => (name === "INSUFFICIENT_FUNDS" ? 5000 : 0));
    const isEven = (classTries: number[], code: string) => {
      const given = recoveryCaseWith({ attempts: [failedAttempt(0, { code })] });
      return (
        decide(given, start, smart8, modelOf(hours, 0.02, classTries)).retryAt?.getTime() ===
        daysAfterFailure(3.5).getTime()
      );
    };
    expect([isEven(ofOthers, "51"), isEven(ofOwn, "51")]).toEqual([true, false]);
    // An unmapped code may stand for any class.
    expect([isEven(ofOthers, "Q7"), isEven(ofOwn, "Q7")]).toEqual([false, false]);
  });

  describe("with a price of attempts", () => {
    const priced = (price: number, currency: string | null = "KRW") =>
      createPolicy("smart", smart8.plan, { tryPrice: toAmount(price), tryPriceCurrency: currency });
    /** One payment of a hundred succeeds, at nine o'clock of the 20th day one of four. */
    const rare = modelOf({
      all: [-4.6],
      "days since first failure": Array.from({ length: 32 }, (_, day) => (day === 20 ? 3.5 : 0)),
    });

    test("makes no attempt that does not pay it, and waits for one that does", () => {
      expect(decide(facts, start, priced(100), rare).retryAt).toEqual(daysAfterFailure(3.5));
      const decision = decide(facts, start, priced(400), rare);
      expect(decision.retryAt!.getTime()).toBeGreaterThanOrEqual(daysAfterFailure(20).getTime());
      expect(decision.probability! * 18_900).toBeGreaterThan(400);
      expect(decision.alternatives).toHaveLength(2);
    });

    test("draws no even time that does not pay it, and knows how likely each of the others was", () => {
      const chances = new Map<number, number>();
      for (let index = 0; index < 60; index++) {
        const exploring = { ...facts, draws: { key: `cover ${index}`, share: 0.9 } };
        const { retryAt, probability, propensity, choice } = decide(exploring, start, priced(400), rare);
        expect(probability! * 18_900).toBeGreaterThan(400);
        expect(choice!.draw!.options).toContainEqual(choice!.draw!.even);
        chances.set(retryAt!.getTime(), propensity);
      }
      expect([...chances.values()].reduce((sum, one) => sum + one, 0)).toBeCloseTo(1, 4);
    });

    test("ends where none pays it, and says so in both languages", () => {
      const decision = decide(facts, start, priced(6_000), rare);
      expect(decision).toMatchObject({ retryAt: null, endReason: "NOT_WORTH_RETRYING" });
      expect(decision.effects).toEqual([{ kind: "TRY_PRICE", at: null, by: null }]);
      expect(explainDecision(decision, facts.zone, "ENGLISH")).toContain("on average recover its cost");
      expect(explainDecision(decision, facts.zone, "KOREAN")).toContain("시도 비용보다 적습니다");
    });

    test("applies to amounts of its currency, to SMART with a model, and to no date that was promised", () => {
      const { tryPriceCurrency: _none, ...older } = priced(6_000);
      const even: Policy = { ...priced(6_000), plan: { kind: "EVEN", tries: 8, windowInDays: 28 } };
      for (const policy of [priced(6_000, "USD"), older, even])
        expect(decide(facts, start, policy, rare).retryAt).toEqual(daysAfterFailure(3.5));
      const promised = { ...facts, promised: daysAfterFailure(3) };
      expect(decide(promised, start, priced(6_000), rare).retryAt).toEqual(promised.promised);
      const free = { ...facts, amount: toAmount(0) };
      expect(decide(free, start, priced(6_000), rare).retryAt).toEqual(daysAfterFailure(3.5));
    });
  });

  test("is finite whatever the weights are that a stored model may have", () => {
    const huge = {
      sources: [100],
      source: Array<number>(36).fill(100),
      "source, first day's hour": Array<number>(48).fill(-100),
    };
    const decision = decide(
      facts,
      start,
      smart8,
      modelOf({ ...huge, "source in country": Array<number>(324).fill(100) }),
    );
    expect(JSON.stringify(decision.choice)).not.toContain("null");
    expect(Number.isFinite(decision.probability)).toBe(true);
  });

  test("waits for the income of a payday that banks bring forward", () => {
    const weights = Array.from({ length: 36 }, (_, source) => (source === 24 ? 6 : 0));
    const payday = modelOf({ sources: [-3], source: weights });
    const failedAt = new Date("2026-01-20T03:00:00Z");
    const case25 = recoveryCaseWith(
      { windowStart: failedAt, attempts: [failedAttempt(0, { at: failedAt })] },
      "Asia/Seoul",
    );
    const decision = decide(
      case25,
      failedAt,
      createPolicy("smart", { kind: "SMART", tries: 4, windowInDays: 28 }),
      payday,
    );
    // The 25th of January 2026 is a Sunday: the money comes on Friday the 23rd.
    expect(decision.retryAt!.getTime()).toBeGreaterThanOrEqual(Date.parse("2026-01-22T15:00:00Z"));
    expect(decision.choice?.factors[0] ?? { kind: "even" }).toMatchObject(
      decision.retryAt! < decision.choice!.even ? { kind: "MONTHLY_INCOME", value: 25 } : { kind: "even" },
    );
  });

  test("respects quiet hours, delays, the rulebook and the window whatever the model likes and the case explores", () => {
    const arbitraryHours = fc.record({
      from: fc.integer({ min: 0, max: 1439 }),
      until: fc.integer({ min: 0, max: 1439 }),
    });
    const arbitraryCode = fc.constantFrom("51", "05", "61", "91", "59", "39", "X1", null);
    assertProperty(
      fc.record({
        hour: fc.integer({ min: 0, max: 23 }),
        quiet: arbitraryHours.filter(({ from, until }) => from !== until),
        code: arbitraryCode,
        adviceCode: fc.constantFrom(null, "24", "27", "30", "02"),
        zoneId: fc.constantFrom("Asia/Seoul", "America/New_York", "Asia/Kolkata", "UTC"),
        tries: fc.integer({ min: 1, max: 12 }),
        draws: fc.record({ key: fc.string(), share: fc.constantFrom(0, 1) }),
      }),
      ({ hour, quiet, code, adviceCode, zoneId, tries, draws }) => {
        const policy = createPolicy("smart", { kind: "SMART", tries, windowInDays: 28 }, { quietHours: quiet });
        const first = failedAttempt(0, { code, adviceCode, network: "MASTERCARD" });
        const given = recoveryCaseWith({ attempts: [first], draws }, zoneId);
        const decision = decide(given, start, policy, modelOf({ hour: hourly(hour, 3) }));
        if (!decision.retryAt) return;
        // The same decision without a model is the same engine: what it allows, this one does too.
        const again = decideRetry({ ...given, promised: decision.retryAt }, policy, currentRulebook, null, start);
        expect(again.retryAt).toEqual(decision.retryAt);
        const minute = minuteIn(decision.retryAt, zoneId);
        const isQuiet =
          quiet.from < quiet.until
            ? minute >= quiet.from && minute < quiet.until
            : minute >= quiet.from || minute < quiet.until;
        expect(isQuiet).toBe(false);
        expect(Number.isFinite(decision.probability)).toBe(true);
      },
      200,
    );
  });

  test("is explained by what moved it, in both languages", () => {
    const { zone } = facts;
    const decision = decide(facts, start, smart8, modelOf({ hour: hourly(9, 2) }));
    expect(explainDecision(decision, zone, "ENGLISH")).toContain("because payments succeed more often around 9:00.");
    expect(explainDecision(decision, zone, "KOREAN")).toContain("9시 무렵에 결제가 더 자주 승인되기 때문입니다");
    const even = decide(facts, start, smart8, modelOf({}));
    expect(explainDecision(even, zone, "ENGLISH")).toContain("evenly within the time left");
  });
});

const minuteIn = (at: Date, timeZone: string): number => {
  const parts = new Intl.DateTimeFormat("en-GB", {
    timeZone,
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  }).format(at);
  const [hour = 0, minute = 0] = parts.split(":").map(Number);
  return hour * 60 + minute;
};

describe("exploration", () => {
  const start = daysAfterFailure(0);
  const hours = modelOf({ hour: hourly(9, 2), weekday: [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6] });
  const drawn = (key: string, share: number) =>
    decide(recoveryCaseWith({ draws: { key, share } }), start, smart8, hours);

  test("draws the same for a case each time, and for a share of the cases", () => {
    const keys = Array.from({ length: 400 }, (_, index) => `cover ${index}`);
    const explored = keys.filter((key) => drawn(key, 0.1).choice?.explored);
    expect(explored.length).toBeGreaterThan(20);
    expect(explored.length).toBeLessThan(65);
    expect(drawn(explored[0]!, 0.1)).toEqual(drawn(explored[0]!, 0.1));
  });

  test("keeps the probability with which each time is drawn: over all times they add up to one", () => {
    const chances = new Map<number, number>();
    for (let index = 0; index < 300; index++) {
      const { retryAt, propensity } = drawn(`cover ${index}`, 0.5);
      chances.set(retryAt!.getTime(), propensity);
    }
    expect([...chances.values()].reduce((sum, one) => sum + one, 0)).toBeCloseTo(1, 4);
    expect(chances.size).toBeGreaterThan(1);
  });

  test("is off without a share, and never changes the number of attempts", () => {
    expect(decide(recoveryCaseWith(), start, smart8, hours).propensity).toBe(1);
    expect(drawn("any", 1).budget.limit).toBe(8);
  });
});
