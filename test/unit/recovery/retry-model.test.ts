import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { toAmount } from "../../../src/kernel/amounts.ts";
import type { Policy } from "../../../src/recovery/engine/policy.ts";
import { createPolicy } from "../../../src/recovery/engine/policy.ts";
import { decideRetry } from "../../../src/recovery/engine/decide-retry.ts";
import { replayStoredDecision, toDecisionInputs, toStoredJson } from "../../../src/recovery/engine/decision-record.ts";
import { explainDecision } from "../../../src/recovery/engine/explain-decision.ts";
import { CaseFeatures, CELLS_OF_SOURCE } from "../../../src/recovery/engine/model/case-features.ts";
import { cellBlocks, cellClasses, cellCount } from "../../../src/recovery/engine/model/cells.ts";
import { fitWeights, vaguePrior } from "../../../src/recovery/engine/model/fit-model.ts";
import { minimize } from "../../../src/recovery/engine/model/minimize.ts";
import { RetryModel } from "../../../src/recovery/engine/model/retry-model.ts";
import {
  InvalidModelError,
  modelVersionOf,
  readStoredModel,
  toPrior,
  toStoredModel,
  type StoredModel,
} from "../../../src/recovery/engine/model/stored-model.ts";
import { TryCollector } from "../../../src/recovery/engine/model/training-tries.ts";
import type { RecoveryCase } from "../../../src/recovery/engine/recovery-case.ts";
import { currentRulebook } from "../../../src/recovery/engine/rulebook.ts";
import { publishedModel, publishedPrior } from "../../../src/recovery/models/published-prior.ts";
import { toEngineCase } from "../../../src/recovery/simulation/engine-case.ts";
import { engineStrategyOf } from "../../../src/recovery/simulation/engine-strategies.ts";
import { RandomSource } from "../../../src/recovery/simulation/random-source.ts";
import type { RetryStrategy } from "../../../src/recovery/simulation/retry-strategy.ts";
import { playPayments } from "../../../src/recovery/simulation/simulation-run.ts";
import { assertProperty } from "../../support/property-tests.ts";
import { daysAfterFailure, failedAttempt, recoveryCaseWith } from "../../support/fixtures/recovery-cases.ts";
import { simulatedPayment } from "../../support/fixtures/simulation-fixtures.ts";

const smart8 = createPolicy("smart", { kind: "SMART", tries: 8, windowInDays: 28 });
const model = publishedModel();
const decide = (facts: RecoveryCase, now: Date, policy: Policy = smart8, by = model) =>
  decideRetry(facts, policy, currentRulebook, by, now);

/** A model in which only some cells matter. Its law of each class is given, not learned. */
function modelOf(
  weights: Record<string, number[]>,
  variance = 1e-6,
  classTries: ArrayLike<number> = new Float64Array(cellClasses.length).fill(Infinity),
  ownTries = 0,
): RetryModel {
  const all = new Float64Array(cellCount);
  // Without its weight no income counts.
  for (const [name, values] of Object.entries({ sources: [-30], ...weights }))
    all.set(values, cellBlocks.find((one) => one.name === name)!.from);
  const variances = new Float64Array(cellCount).fill(variance);
  return new RetryModel({ version: "test", weights: all, variances, usualAmounts: {}, classTries, ownTries });
}

/** Weights of the hours of the day: one hour is good. */
const hourly = (hour: number, weight: number) => Array.from({ length: 24 }, (_, each) => (each === hour ? weight : 0));

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

  test("leaves most of an interval after an attempt, two days at most, and less after own attempts", () => {
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
    expect(gapOf(8, 10_000)).toBeLessThan(1.5);
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

describe("features", () => {
  test("know nothing of what happens after the attempt", () => {
    /** The cells of the first three attempts of a payment that is declined by these codes, one after the other. */
    const cellsOfAttempts = (later: string[]) => {
      const cells: unknown[] = [];
      const codes = ["05", "51", ...later];
      const payment = simulatedPayment(0, 0, {
        attempt: () => {
          const code = codes.shift();
          return code ? { approved: false, code } : { approved: true };
        },
      });
      const even = engineStrategyOf("EVEN-8")!;
      const observing: RetryStrategy = {
        ...even,
        observe: (history, at) => cells.push(new CaseFeatures(toEngineCase(history), {}).cellsAt(at)),
      };
      playPayments([payment], observing, new RandomSource(1), [1]);
      return cells;
    };
    const [one, other] = [cellsOfAttempts(["91", "51", "61"]), cellsOfAttempts(["61"])];
    expect(one).toHaveLength(6);
    expect(one.slice(0, 3)).toEqual(other.slice(0, 3));
    expect(one[3]).not.toEqual(other[3]);
  });

  test("add up to the same odds hour by hour as day by day", () => {
    const attempts = [0, 1.3, 5].map((days) => failedAttempt(days, { code: "Q9", adviceCode: "25" }));
    for (const country of ["KR", "US", "NL", null]) {
      const facts = recoveryCaseWith({ attempts, country }, "America/New_York");
      const modelled = model.forCase(facts);
      for (let hour = 1; hour < 700; hour += 37) {
        const at = daysAfterFailure(5, hour);
        const { own, sources } = modelled.cellsAt(at);
        expect(sources.length % CELLS_OF_SOURCE).toBe(0);
        const sum = (cells: number[]) => cells.reduce((total, cell) => total + model.weights[cell]!, 0);
        let total = 1;
        for (let index = 0; index < sources.length; index += CELLS_OF_SOURCE)
          total += Math.exp(sum(sources.slice(index, index + CELLS_OF_SOURCE)));
        expect(modelled.logOddsAt(at)).toBeCloseTo(sum(own) + Math.log(total), 9);
      }
    }
  });

  test("stay within the cells for any case, and give finite odds", () => {
    const arbitraryAttempt = fc.record({
      days: fc.double({ min: 0, max: 400, noNaN: true }),
      code: fc.constantFrom("51", "91", null, "???", "05"),
      adviceCode: fc.constantFrom(null, "02", "30", "99"),
    });
    assertProperty(
      fc.record({
        attempts: fc.array(arbitraryAttempt, { maxLength: 12 }),
        start: fc.date({ min: new Date("1926-01-01"), max: new Date("2126-01-01"), noInvalidDate: true }),
        amount: fc.constantFrom(0, 1, 18_900, 1e15),
        ahead: fc.integer({ min: -1000, max: 20_000 }),
        currency: fc.constantFrom("KRW", "XTS"),
      }),
      ({ attempts, start, amount, ahead, currency }) => {
        const made = attempts.map(({ days, ...rest }) =>
          failedAttempt(0, { ...rest, at: new Date(start.getTime() + days * 86_400_000) }),
        );
        const facts = recoveryCaseWith({ attempts: made, windowStart: start, currency });
        const modelled = model.forCase({ ...facts, amount: facts.amount.times(0).plus(amount) });
        const at = new Date(start.getTime() + ahead * 3_600_000);
        const { own, sources } = modelled.cellsAt(at);
        for (const cell of [...own, ...sources]) expect(cell >= 0 && cell < cellCount).toBe(true);
        const { probability, low, high } = modelled.estimateAt(at);
        expect(low <= probability && probability <= high && low >= 0 && high <= 1).toBe(true);
      },
      200,
    );
  });
});

describe("the fit", () => {
  test("finds the minimum of a smooth function", () => {
    const found = minimize(
      (point, gradient) => {
        gradient[0] = 2 * (point[0]! - 3) + 40 * (point[0]! - point[1]!);
        gradient[1] = -40 * (point[0]! - point[1]!) + 2 * (point[1]! - 5);
        return (point[0]! - 3) ** 2 + 20 * (point[0]! - point[1]!) ** 2 + (point[1]! - 5) ** 2;
      },
      new Float64Array(2),
      100,
    );
    expect(found[0]).toBeCloseTo(163 / 41, 3);
    expect(found[1]).toBeCloseTo(165 / 41, 3);
  });

  test("learns an hour that works, forgets what it must not know, and stays near its prior with few attempts", () => {
    const random = new RandomSource(7);
    const learn = (attempts: number) => {
      const tries = new TryCollector();
      for (let index = 0; index < attempts; index++) {
        const at = daysAfterFailure(1 + Math.floor(random.next() * 27), Math.floor(random.next() * 24));
        const isGood = at.getUTCHours() === 9;
        tries.add(new CaseFeatures(recoveryCaseWith({}), {}).cellsAt(at), random.next() < (isGood ? 0.7 : 0.2));
      }
      return readStoredModel(
        toStoredModel(fitWeights(tries.toTable(), vaguePrior()), { tries: attempts, worlds: [], usualAmounts: {} }),
      );
    };
    const probabilityAt = (by: RetryModel, hour: number) =>
      by.forCase(recoveryCaseWith({})).estimateAt(daysAfterFailure(3, hour)).probability;
    const taught = learn(4000);
    // The failure is at 9:30: 23 and a half hours later the clock shows nine.
    const good = probabilityAt(taught, 23.5);
    expect(good).toBeGreaterThan(0.55);
    expect(good).toBeLessThan(0.8);
    expect(probabilityAt(taught, 5)).toBeLessThan(0.3);
    const few = learn(10);
    expect(Math.abs(probabilityAt(few, 23.5) - probabilityAt(few, 5))).toBeLessThan(0.15);
  });
});

describe("a stored model", () => {
  const stored = publishedPrior();

  test("is the same after it was written and read, and its version stands for its content", () => {
    const read = JSON.parse(JSON.stringify(stored)) as StoredModel;
    expect(modelVersionOf(read)).toBe(model.version);
    expect(readStoredModel(read).weights).toEqual(model.weights);
    expect(modelVersionOf({ ...read, tries: read.tries + 1 })).not.toBe(model.version);
    expect(toPrior(read).blockVariances).toHaveLength(cellBlocks.length);
  });

  test.each<[string, object]>([
    ["of other features", { features: "2020-01-01" }],
    ["that is cut", { weights: stored.weights.slice(1) }],
    ["with a weight that is no number", { weights: stored.weights.map((one, index) => (index === 7 ? null : one)) }],
    ["with an infinite weight", { weights: stored.weights.map((one, index) => (index === 7 ? Infinity : one)) }],
    ["with a huge weight", { weights: stored.weights.map((one, index) => (index === 7 ? 1e9 : one)) }],
    ["with a negative variance", { blockVariances: stored.blockVariances.map(() => -1) }],
    ["with half of its variances", { variances: [1] }],
    ["without usual amounts", { usualAmounts: { KRW: Number.NaN } }],
    ["without its number of attempts", { tries: "many" }],
  ])("%s is refused", (_, change) => {
    expect(() => readStoredModel({ ...stored, ...change })).toThrow(InvalidModelError);
  });

  test.each([null, "text", 5])("%s is refused", (value) => {
    expect(() => readStoredModel(value)).toThrow(InvalidModelError);
  });
});

describe("a decision by a model", () => {
  const start = daysAfterFailure(0);
  const facts = recoveryCaseWith({ draws: { key: "cover 3", share: 0.1 } }, "Asia/Seoul");
  const inputs = toStoredJson(toDecisionInputs(facts, smart8, start));
  const decision = decide(facts, start);

  test("is replayed from its stored inputs with the model of its version", () => {
    expect(replayStoredDecision(inputs, decision.modelVersion, () => model)).toEqual(decision);
    expect(toStoredJson(replayStoredDecision(inputs, decision.modelVersion, () => model)!)).toEqual(
      toStoredJson(decision),
    );
  });

  test("is not replayed without its model, or by the steps of an older version", () => {
    expect(replayStoredDecision(inputs, "unknown", () => undefined)).toBeUndefined();
    expect(
      replayStoredDecision({ ...inputs, engineVersion: "2026-11-21.2" }, decision.modelVersion, () => model),
    ).toBeUndefined();
  });

  test("names no model where the terms of the case do without one", () => {
    const ladder = createPolicy(
      "mixed",
      { kind: "SMART", tries: 4, windowInDays: 14 },
      {
        overrides: [{ country: "KR", plan: { kind: "LADDER", offsetsInDays: [1, 3] } }],
      },
    );
    const { modelVersion, choice, probability } = decide(facts, start, ladder);
    expect([modelVersion, choice, probability]).toEqual([null, undefined, null]);
  });
});

test("a model that crosses to a thread keeps all that it chooses by", () => {
  const own = new RetryModel({ ...publishedModel(), ownTries: 7 });
  expect(new RetryModel(structuredClone(own))).toEqual(own);
  expect(new RetryModel(structuredClone(own))).toMatchObject({ classTries: publishedModel().classTries, ownTries: 7 });
});
