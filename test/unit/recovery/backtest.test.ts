import { describe, expect, test } from "vitest";
import { itemAt } from "../../../src/kernel/required-values.ts";
import type { TimeDraw } from "../../../src/recovery/engine/decision.ts";
import { createPolicy, type Policy } from "../../../src/recovery/engine/policy.ts";
import { runBacktest } from "../../../src/recovery/backtests/backtest.ts";
import { effectiveSampleSize, estimateMeanValue } from "../../../src/recovery/backtests/estimate-value.ts";
import { fitOutcomeModels } from "../../../src/recovery/backtests/outcome-model.ts";
import { PathChance } from "../../../src/recovery/backtests/path-chance.ts";
import { proposedTerms } from "../../../src/recovery/backtests/proposed-policy.ts";
import { publishedModel, publishedPrior } from "../../../src/recovery/models/published-prior.ts";
import { RandomSource } from "../../../src/recovery/simulation/random-source.ts";
import { loadWorld } from "../../../src/recovery/simulation/load-world.ts";
import { projectFile } from "../../../src/kernel/project-files.ts";
import { logPayments, shareRecovered } from "../../support/fixtures/logged-payments.ts";
import { inForm, isLong } from "../../support/test-form.ts";

const salaryKorea = await loadWorld(projectFile("test/worlds/salary-korea.mjs"));

describe("the probability of a sequence of choices", () => {
  const times = [1, 2, 3].map((day) => new Date(Date.UTC(2026, 0, day)));
  const draw: TimeDraw = { share: 0.4, options: times, even: itemAt(times, 1) };

  test("adds up to one over all sequences, and is the product of the chances of its choices", () => {
    let total = 0;
    for (let number = 0; number < 27; number++) {
      const path = new PathChance();
      let product = 1;
      for (const index of [number % 3, Math.floor(number / 3) % 3, Math.floor(number / 9)]) {
        product *= itemAt(path.chancesOf(draw), index);
        path.take(draw, index);
      }
      expect(path.value).toBeCloseTo(product, 12);
      total += path.value;
    }
    expect(total).toBeCloseTo(1, 12);
  });

  test("mixes the kinds of cases: who left the best time once will leave it again", () => {
    const path = new PathChance();
    expect(path.chancesOf(draw)[0]).toBeCloseTo(0.6 + 0.2 / 3, 12);
    path.take(draw, 2);
    expect(path.chancesOf(draw)).toEqual([1, 1, 1].map(() => expect.closeTo(1 / 3, 12) as number));
    path.take(draw, -1);
    expect(path.value).toBe(0);
  });
});

describe("the estimate", () => {
  test("contains the true difference as often as it says, for a better, an equal and a worse choice", () => {
    const REPETITIONS = 200;
    const CASES = 400;
    for (const [chosen, other] of [
      [0.5, 0.3],
      [0.4, 0.4],
      [0.2, 0.35],
    ] as const) {
      let held = 0;
      for (let repetition = 0; repetition < REPETITIONS; repetition++) {
        const random = new RandomSource(7, repetition);
        const cases = Array.from({ length: CASES }, (_, index) => {
          const isProposed = random.next() < 0.2;
          const approved = random.next() < (isProposed ? chosen : other) ? 1 : 0;
          return { payer: `${index}`, start: 0, weights: [isProposed ? 5 : 0], additions: [approved], less: approved };
        });
        const { low, high } = estimateMeanValue(cases);
        const truth = chosen - (0.2 * chosen + 0.8 * other);
        if (low <= truth && truth <= high) held++;
      }
      expect(held / REPETITIONS).toBeGreaterThan(0.9);
    }
  });

  test("of few or no cases is finite, and cases of one payer count as one", () => {
    expect(estimateMeanValue([])).toEqual({ value: 0, low: 0, high: 0 });
    const one = { payer: "a", start: 0.5, weights: [0], additions: [1], less: 0 };
    expect(estimateMeanValue([one])).toEqual({ value: 0.5, low: 0.5, high: 0.5 });
    const values = [0, 0, 1, 1].map((start) => ({ ...one, start, weights: [], additions: [] }));
    const ofPayers = (names: string) =>
      estimateMeanValue(values.map((value, index) => ({ ...value, payer: names[index]! })));
    expect(ofPayers("aabb").high).toBeGreaterThan(ofPayers("abcd").high);
    expect([effectiveSampleSize([]), effectiveSampleSize([0, 0]), effectiveSampleSize([2, 2, 0, 0])]).toEqual([
      0, 0, 2,
    ]);
  });
});

describe("a backtest in a simulated world", () => {
  const TRIES = 2;
  const model = publishedModel();
  const terms = (kind: "SMART" | "EVEN", share: number, tries = TRIES): Policy =>
    createPolicy(
      `${kind} ${share}`,
      { kind, tries, windowInDays: 28 },
      { exploration: { share, maxAmount: null, currency: null } },
    );
  const recorded = terms("SMART", 0.5);
  // What each recovers more than the recorded policy, of 4,000 payments; the long form measures it again.
  const proposed = {
    better: { policy: terms("SMART", 0), truth: 0.03 },
    equal: { policy: terms("SMART", 0.5), truth: 0 },
    worse: { policy: terms("EVEN", 0), truth: -0.09 },
  };

  test(
    "contains the true difference in nine of ten repetitions, for a better, an equal and a worse policy",
    { timeout: 7_200_000 },
    () => {
      const repetitions = inForm(1, 100);
      const truthOf = (policy: Policy) => shareRecovered(logPayments(salaryKorea, { policy, model }, 4_000, 777));
      const base = isLong ? truthOf(recorded) : 0;
      for (const [name, { policy, truth: known }] of Object.entries(proposed)) {
        const truth = isLong ? truthOf(policy) - base : known;
        if (isLong) process.stdout.write(`${name}: true difference ${truth.toFixed(4)}\n`);
        Object.assign(proposed[name as keyof typeof proposed], { truth });
        expect(truth).toBeCloseTo(known, 1);
      }
      const held: Record<string, number> = { better: 0, equal: 0, worse: 0 };
      const byWeights: Record<string, number> = { better: 0, equal: 0, worse: 0 };
      for (let repetition = 0; repetition < repetitions; repetition++) {
        const cases = logPayments(salaryKorea, { policy: recorded, model }, 260, 1_000 + repetition);
        const outcomes = fitOutcomeModels(cases, publishedPrior());
        for (const [name, { policy, truth }] of Object.entries(proposed)) {
          const result = runBacktest(cases, proposedTerms(policy, model), publishedPrior(), outcomes);
          expect(result.noFigureReason).toBe(null);
          const [difference, check] = [result.difference!.recovered, result.differenceByWeights!.recovered];
          // Equal terms are equal to the last bit but one.
          if (difference.low - 1e-9 <= truth && truth <= difference.high + 1e-9) held[name]!++;
          if (check.low - 1e-9 <= truth && truth <= check.high + 1e-9) byWeights[name]!++;
        }
      }
      if (isLong)
        process.stdout.write(`${JSON.stringify({ repetitions, held, byWeights })}
`);
      for (const count of Object.values(held)) expect(count / repetitions).toBeGreaterThanOrEqual(0.9);
    },
  );

  test("gives no figure of few cases, or where the recorded attempts are never the proposed ones", () => {
    const even = { policy: terms("EVEN", 0, 4), model: null };
    const cases = logPayments(salaryKorea, even, 150, 5);
    const backtest = (policy: Policy, of = cases) => runBacktest(of, proposedTerms(policy, null), publishedPrior());
    expect(backtest(even.policy, cases.slice(0, 99))).toMatchObject({ noFigureReason: "TOO_FEW_CASES", current: null });
    const ladder = createPolicy("ladder", { kind: "LADDER", offsetsInDays: [1, 3, 5] });
    expect(backtest(ladder)).toMatchObject({ noFigureReason: "NO_OVERLAP", difference: null, unsupported: 1 });
    // More attempts than were ever made need what nobody knows.
    expect(backtest(terms("EVEN", 0, 5))).toMatchObject({ noFigureReason: "NO_OVERLAP" });
    const same = backtest(even.policy);
    expect(same.difference).toMatchObject({
      recovered: { value: expect.closeTo(0, 9) as number },
      effectiveSampleSize: 150,
    });
    expect(same.current!.recovered.value).toBe(shareRecovered(cases));
  });

  test("of fewer attempts needs no overlap after the last one", () => {
    const ladder = (...offsetsInDays: number[]) =>
      createPolicy(`ladder ${offsetsInDays.join("-")}`, { kind: "LADDER", offsetsInDays });
    const cases = logPayments(salaryKorea, { policy: ladder(1, 3, 5, 10, 14), model: null }, 300, 6);
    const result = runBacktest(cases, proposedTerms(ladder(1, 3), null), publishedPrior());
    const early = cases.filter(({ steps }) => steps.slice(0, 2).some(({ approved }) => approved)).length / cases.length;
    expect(result.proposed!.recovered.value).toBeCloseTo(early, 9);
    expect(result.difference!.recovered.high).toBeLessThan(0);
    expect(result.difference!.attempts.value).toBeLessThan(0);
  });
});
