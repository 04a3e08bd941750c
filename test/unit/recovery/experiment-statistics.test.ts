import { describe, expect, test } from "vitest";
import { compareRates } from "../../../src/recovery/experiments/arm-comparison.ts";
import { armOfPayer, payerNumberOf } from "../../../src/recovery/experiments/arm-assignment.ts";
import { halfWidthOf } from "../../../src/recovery/experiments/confidence-sequence.ts";
import { estimateRate } from "../../../src/recovery/experiments/rate.ts";
import { isSampleRatioMismatch, logGamma, sampleRatioPValue } from "../../../src/recovery/experiments/sample-ratio.ts";
import { RandomSource } from "../../../src/recovery/simulation/random-source.ts";
import { inForm } from "../../support/test-form.ts";
import { runExperiment, type ExperimentSetting } from "../../support/simulated-experiments.ts";

const holdout = (share: number) => [
  { number: 0, shareParts: share * 10_000 },
  { number: 1, shareParts: (1 - share) * 10_000 },
];

describe("assignment", () => {
  test("keeps a payer in one arm, and draws anew for another experiment", () => {
    const keys = Array.from({ length: 20_000 }, (_, index) => `1:registered-${index}`);
    const armsBy = (salt: string) => keys.map((key) => armOfPayer(payerNumberOf(salt, key), holdout(0.05)).number);
    const [first, again, other] = [armsBy("a"), armsBy("a"), armsBy("b")];
    expect(again).toEqual(first);
    const held = first.filter((arm) => arm === 0).length / keys.length;
    const heldTwice = first.filter((arm, index) => arm === 0 && other[index] === 0).length / keys.length;
    expect(held).toBeCloseTo(0.05, 2);
    expect(heldTwice).toBeLessThan(0.006);
  });
});

describe("rates and intervals", () => {
  test("the variance is that of payers, however many cases they have", () => {
    // Of 400 payers half pay always and half never, with one case each or with ten.
    const sums = (cases: number) => ({
      payers: 400,
      whole: 400 * cases,
      part: 200 * cases,
      wholeSquared: 400 * cases ** 2,
      partSquared: 200 * cases ** 2,
      product: 200 * cases ** 2,
    });
    for (const cases of [1, 10])
      expect(estimateRate(sums(cases))).toEqual({ value: 0.5, variance: expect.closeTo(0.25 / 400, 4) });
  });

  test("extreme counts give finite numbers or none", () => {
    const none = { payers: 0, whole: 0, part: 0, wholeSquared: 0, partSquared: 0, product: 0 };
    expect(estimateRate(none)).toBeUndefined();
    const all = { payers: 60, whole: 60, part: 60, wholeSquared: 60, partSquared: 60, product: 60 };
    const unpaid = { ...all, part: 0, partSquared: 0, product: 0 };
    expect(compareRates(none, all, 0.05)).toBeUndefined();
    const { value, lower, upper } = compareRates(all, unpaid, 0.05)!;
    expect([value, upper]).toEqual([1, 1]);
    expect(lower).toBeGreaterThan(0.5);
    const huge = { payers: 1e7, whole: 1e22, part: 5e21, wholeSquared: 1e37, partSquared: 5e36, product: 5e36 };
    expect(Object.values(compareRates(huge, huge, 1e-6)!).every(Number.isFinite)).toBe(true);
  });

  test("the boundary is the published one, tightest at two points, and shrinks with the error", () => {
    // The formula of the paper for variance 1, t = 1/error², rho² = x/t.
    const published = (t: number, rho: number, alpha: number) =>
      Math.sqrt(((2 * (t * rho ** 2 + 1)) / (t * rho) ** 2) * Math.log(Math.sqrt(t * rho ** 2 + 1) / alpha));
    const rho = Math.sqrt(-2 * Math.log(0.05) + Math.log(-2 * Math.log(0.05) + 1)) * 0.02;
    for (const error of [0.1, 0.02, 0.001])
      expect(halfWidthOf(error, 0.05)).toBeCloseTo(published(error ** -2, rho, 0.05), 10);
    expect(halfWidthOf(0.02, 0.05) / 0.02).toBeCloseTo(3.035, 3);
  });
});

describe("sample ratio", () => {
  test("the gamma function has its known values", () => {
    expect(logGamma(0.5)).toBeCloseTo(Math.log(Math.sqrt(Math.PI)), 10);
    expect(logGamma(11)).toBeCloseTo(Math.log(3_628_800), 10);
  });

  test("fitting shares seldom warn, looked at after every payer; lost payers do", () => {
    const random = new RandomSource(5);
    const warns = (trueShare: number) => {
      const [held, treated] = [
        { payers: 0, share: 0.05 },
        { payers: 0, share: 0.95 },
      ];
      for (let payer = 0; payer < 4_000; payer++) {
        (random.next() < trueShare ? held : treated).payers++;
        if (isSampleRatioMismatch(sampleRatioPValue([held, treated]))) return true;
      }
      return false;
    };
    const rounds = inForm(100, 1_000);
    const shareThatWarns = (share: number) =>
      Array.from({ length: rounds }, () => warns(share)).filter(Boolean).length / rounds;
    expect(shareThatWarns(0.05)).toBeLessThanOrEqual(0.02);
    expect(shareThatWarns(0.08)).toBeGreaterThan(0.9);
  });
});

describe("a year of experiments, looked at every day", () => {
  const rounds = inForm(200, 2_000);
  const setting: ExperimentSetting = { payers: 2_000, holdout: 0.5, effect: 0, repeats: 3, waitDays: 31 };
  const count = (one: ExperimentSetting, claim: "BETTER" | "WORSE" | null) =>
    Array.from({ length: rounds }, (_, seed) => runExperiment(one, seed)).filter((claimed) => claimed === claim)
      .length / rounds;

  test.each([
    ["half of the payers held out", {}],
    ["a holdout of 5 %", { payers: 3_000, holdout: 0.05 }],
    ["payers with one case each", { repeats: 1 }],
  ])("of equal policies claim a difference in at most 5 %: %s", (_, rest) => {
    expect(1 - count({ ...setting, ...rest }, null)).toBeLessThanOrEqual(0.05);
  });

  test("of a policy that recovers 10 points more find it, and never the opposite", () => {
    expect(count({ ...setting, effect: 0.1 }, "BETTER")).toBeGreaterThan(0.8);
    expect(count({ ...setting, effect: 0.1 }, "WORSE")).toBe(0);
  });
});
