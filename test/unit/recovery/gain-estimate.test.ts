import { expect, test } from "vitest";
import { projectFile } from "../../../src/kernel/project-files.ts";
import { crossFit } from "../../../src/recovery/estimates/cross-fit.ts";
import { errorOf, meanInfluences, slopeOf } from "../../../src/recovery/estimates/clustered-mean.ts";
import { suggestClass, type TryAfterCode } from "../../../src/recovery/estimates/code-suggestion.ts";
import { fitFrailty, outlookOf, type ObservedTries } from "../../../src/recovery/estimates/frailty-model.ts";
import { GainEstimator } from "../../../src/recovery/estimates/gain-estimate.ts";
import { invertMatrix } from "../../../src/recovery/estimates/matrix.ts";
import { toCaseAfter } from "../../../src/recovery/estimates/past-payment.ts";
import type { TryEvidence } from "../../../src/recovery/estimates/try-evidence.ts";
import { createPolicy } from "../../../src/recovery/engine/policy.ts";
import { publishedModel, publishedPrior } from "../../../src/recovery/models/published-prior.ts";
import { fixedBaselines } from "../../../src/recovery/simulation/baselines.ts";
import { engineStrategyOf } from "../../../src/recovery/simulation/engine-strategies.ts";
import { loadWorld } from "../../../src/recovery/simulation/load-world.ts";
import { RandomSource } from "../../../src/recovery/simulation/random-source.ts";
import { isLong } from "../../support/test-form.ts";
import { playedPayments, recoveredShare } from "../../support/simulated-failures.ts";

const worldOf = (file: string) => loadWorld(projectFile(`test/worlds/${file}.mjs`));
const scheduleOf = (name: string) => fixedBaselines.find((one) => one.name === name)!;
const policyOf = (kind: "SMART" | "EVEN", tries: number, windowInDays: number) =>
  createPolicy(`${kind}-${tries}/${windowInDays}`, { kind, tries, windowInDays });

/** What a policy recovers more than the own schedule of other payments of the world, with the model of the estimate. */
async function trueGain(file: string, own: string, payments: ReturnType<typeof playedPayments>, name: string) {
  const world = await worldOf(file);
  const models = crossFit(payments, publishedPrior());
  const strategy = engineStrategyOf(name, models.chooserFor(payments[0]!))!;
  return recoveredShare(world, strategy, 2000, 901) - recoveredShare(world, scheduleOf(own), 2000, 901);
}

test("the gain of another schedule is estimated where the file can tell it, and refused where it cannot", async () => {
  const world = await worldOf("mixed-networks");
  const payments = playedPayments(world, scheduleOf("ladder-2-5-7-7"), 700, 3);
  const estimator = new GainEstimator(payments, publishedPrior(), { maxPlanned: 200 });
  const { figures, covered } = estimator.estimate(() => policyOf("EVEN", 4, 14));
  expect(covered).toBeGreaterThan(0.9);
  const truth = await trueGain("mixed-networks", "ladder-2-5-7-7", payments, "EVEN-4/14");
  expect(figures!.byCount.low).toBeLessThan(truth);
  expect(figures!.byCount.high).toBeGreaterThan(truth);
  expect(estimator.estimate(() => policyOf("EVEN", 4, 60))).toMatchObject({ figures: null, reason: "NO_OVERLAP" });
  const few = new GainEstimator(payments.slice(0, 40), publishedPrior());
  expect(few.estimate(() => policyOf("SMART", 4, 14))).toMatchObject({ figures: null, reason: "TOO_FEW_TRIES" });
}, 240_000);

test("no payments at all give no figure and no NaN", () => {
  const estimate = new GainEstimator([], publishedPrior()).estimate(() => policyOf("SMART", 4, 14));
  expect(estimate).toEqual({ figures: null, reason: "TOO_FEW_TRIES", covered: 0, effectiveCases: 0 });
});

/** Half as many as a usual report has, so that all questions are answered in ten minutes; their intervals are wider. */
const PAYMENTS = 1_000;

/** Worlds with a schedule of the merchant, and what is asked. */
const questions = [
  ["salary-united-states", "even-8", "SMART-4/28"],
  ["salary-united-states", "ladder-2-5-7-7", "SMART-4/21"],
  ["salary-korea", "even-8", "SMART-4/28"],
  ["mixed-networks", "ladder-2-5-7-7", "SMART-4/21"],
  ["mixed-networks", "ladder-1-3-5-10-14", "SMART-4/14"],
  ["no-calendar", "ladder-1-3-5-10-14", "SMART-4/14"],
  ["no-calendar", "even-8", "SMART-4/28"],
  ["drifting-law", "even-8", "SMART-4/28"],
  ["issuer-outages", "ladder-1-3-5-10-14", "EVEN-4/14"],
  ["velocity-limits", "even-8", "SMART-4/28"],
] as const;

test.runIf(isLong)(
  "the interval holds the true gain in at least nine of ten questions that have a figure",
  async () => {
    const results: string[] = [];
    let [answered, held] = [0, 0];
    for (const [file, own, name] of questions)
      for (const seed of [1, 2]) {
        const payments = playedPayments(await worldOf(file), scheduleOf(own), PAYMENTS, seed);
        const [kind, tries, days] = name.split(/[-/]/);
        const policy = policyOf(kind as "SMART", Number(tries), Number(days));
        const { figures, reason } = new GainEstimator(payments, publishedPrior(), { maxPlanned: 300 }).estimate(
          () => policy,
        );
        const truth = await trueGain(file, own, payments, name);
        const { value, low, high } = figures?.byCount ?? { value: NaN, low: NaN, high: NaN };
        const points = [truth, value, low, high].map((one) => (one * 100).toFixed(1)).join(" ");
        results.push(`${file} ${own} ${name} seed ${seed}: ${reason ?? points}`);
        if (!figures) continue;
        answered++;
        if (truth >= low && truth <= high) held++;
      }
    process.stdout.write(`${results.join("\n")}\n${held} of ${answered} intervals hold the true gain\n`);
    expect(answered).toBeGreaterThan(0);
    expect(held / answered).toBeGreaterThanOrEqual(0.9);
  },
  3_600_000,
);

test("a share of payers who never pay is found from their tries, and lowers what more tries recover", () => {
  const random = new RandomSource(5);
  const evidence: TryEvidence = [1, -1, 0, 0, 0];
  const payments = Array.from({ length: 1500 }, (_, payer): ObservedTries => {
    const isNever = random.next() < 0.4;
    const made: TryEvidence[] = [];
    let approved = false;
    while (made.length < 6 && !approved) {
      made.push(evidence);
      approved = !isNever && random.next() < 1 / (1 + Math.E);
    }
    return { evidence: made, approved, payer };
  });
  const { factors } = fitFrailty(payments);
  const outlook = (tries: number) =>
    outlookOf(
      Array.from({ length: tries }, () => evidence),
      factors,
    ).recovered;
  const truth = (tries: number) => 0.6 * (1 - (Math.E / (1 + Math.E)) ** tries);
  for (const tries of [1, 3, 6]) expect(outlook(tries)).toBeCloseTo(truth(tries), 1);
  expect(outlook(30)).toBeLessThan(0.75);
});

test("slopes of an outlook are its derivatives", () => {
  const evidence: TryEvidence[] = [
    [1, -1, 0.3, 0.2, 0.2],
    [1, -0.5, -0.2, 1, 0.7],
  ];
  const factors = Float64Array.from([0.1, 0.9, 1.1, -0.1, 0.2, -0.5, -0.8]);
  const { slopes } = outlookOf(evidence, factors);
  for (const [part, slope] of slopes.entries()) {
    const moved = (by: number) =>
      outlookOf(
        evidence,
        factors.map((factor, index) => (index === part ? factor + by : factor)),
      ).recovered;
    expect((moved(1e-5) - moved(-1e-5)) / 2e-5).toBeCloseTo(slope, 6);
  }
});

test("the error of a clustered mean counts values of one cluster together", () => {
  const values = [1, 1, 0, 0];
  const apart = meanInfluences(values, [1, 1, 1, 1], [0, 1, 2, 3]);
  const together = meanInfluences(values, [1, 1, 1, 1], [0, 0, 1, 1]);
  expect(apart.mean).toBe(0.5);
  expect(errorOf([apart.influences])).toBeCloseTo(Math.sqrt(1 / 12), 10);
  expect(errorOf([together.influences])).toBeCloseTo(0.5, 10);
  expect(slopeOf([2, 4, 6], [1, 2, 3])).toBe(2);
  expect(slopeOf([2, 4, 6], [1, 1, 1])).toBe(0);
  expect([...invertMatrix(Float64Array.from([0, 2, 4, 0]), 2)]).toEqual([0, 0.25, 0.5, 0]);
});

test("an unmapped code is suggested the class that it behaves like, and nothing where tries are few", async () => {
  const world = await worldOf("issuer-outages");
  const tries = (code: string): TryAfterCode[] =>
    playedPayments(world, scheduleOf("even-8"), 900, 4).flatMap((payment) =>
      payment.tries.slice(1).flatMap(({ at, approved }, index) => {
        const facts = toCaseAfter(payment, payment.tries.slice(0, index + 1));
        if (facts.attempts.at(-1)!.code !== code) return [];
        const attempts = facts.attempts.map((one) =>
          one.code === code ? { ...one, code: "Q-7", message: null } : one,
        );
        return [{ facts: { ...facts, attempts }, at, approved, payment: payment.id }];
      }),
    );
  const all = tries("91");
  expect(suggestClass("q-7", all, publishedModel())).toMatchObject({ reasonClass: "TECHNICAL", tries: all.length });
  expect(suggestClass("q-7", all.slice(0, 29), publishedModel())).toBeNull();
  expect(
    suggestClass(
      "q-7",
      all.map((one) => ({ ...one, approved: false })),
      publishedModel(),
    ),
  ).toBeNull();
});
