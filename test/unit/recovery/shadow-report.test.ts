import { expect, test } from "vitest";
import { toAmount } from "../../../src/kernel/amounts.ts";
import { projectFile } from "../../../src/kernel/project-files.ts";
import type { RecordedCase } from "../../../src/recovery/engine/recorded-case.ts";
import { createPolicy } from "../../../src/recovery/engine/policy.ts";
import { toCaseAfter, type PastPayment } from "../../../src/recovery/estimates/past-payment.ts";
import { publishedModel, publishedPrior } from "../../../src/recovery/models/published-prior.ts";
import { toShadowPayment } from "../../../src/recovery/shadow-mode/shadow-payment.ts";
import { reportShadow } from "../../../src/recovery/shadow-mode/shadow-report.ts";
import { fixedBaselines } from "../../../src/recovery/simulation/baselines.ts";
import { engineStrategyOf } from "../../../src/recovery/simulation/engine-strategies.ts";
import { loadWorld } from "../../../src/recovery/simulation/load-world.ts";
import { playedPayments, recoveredShare } from "../../support/simulated-failures.ts";
import { isLong } from "../../support/test-form.ts";

const NOW = new Date("2027-01-01T00:00:00Z");
const day = (days: number) => new Date(Date.UTC(2026, 2, 1 + days));
const smart = createPolicy("SMART-4/21", { kind: "SMART", tries: 4, windowInDays: 21 });

const decline = { code: "51", message: null, adviceCode: null, network: null, initiator: "MERCHANT" as const };
const failedOn = (...days: number[]) => days.map((one) => ({ ...decline, at: day(one) }));
const payment: PastPayment = {
  ...{ id: "1", payerId: "payer", amount: toAmount("10"), currency: "USD", country: "US", gateway: null },
  ...{ paymentMethod: null, zone: { zoneId: "UTC", offsets: [{ from: new Date(0), aheadMs: 0 }] } },
  tries: failedOn(0).map((one) => ({ ...one, approved: false })),
};

/** A recorded case that failed on some days, and was paid on one by a try of the schedule, or in person. */
function recorded(days: number[], paidOn: number | null, rest: Partial<RecordedCase> = {}): RecordedCase {
  const facts = toCaseAfter(payment, failedOn(...days));
  const about = { facts, chosenAt: day(0), propensity: null, probability: null, modelVersion: null, explored: false };
  const retry = (on: number, approved: boolean) => ({
    ...{ ...about, at: day(on), approved, declinedAs: approved ? null : ("INSUFFICIENT_FUNDS" as const), choice: null },
  });
  return {
    ...{ id: 7, startedAt: day(0), payer: "payer", facts, policy: smart, shadow: true, lastChoice: null },
    ...{ firstModelVersion: null, end: paidOn === null ? null : { at: day(paidOn), reason: "PAID" } },
    retries: [...days.slice(1).map((on) => retry(on, false)), ...(paidOn === null ? [] : [retry(paidOn, true)])],
    ...rest,
  };
}

test("a recorded case becomes a payment with its own tries, unless it says nothing about a schedule", () => {
  const paid = toShadowPayment(recorded([0, 2], 5), NOW);
  expect(paid?.tries.map(({ at, approved, code }) => [at, approved, code])).toEqual([
    [day(0), false, "51"],
    [day(2), false, "51"],
    [day(5), true, null],
  ]);
  const unpaid = recorded([0, 2], null);
  expect(toShadowPayment(unpaid, NOW)?.tries).toHaveLength(2);
  const inPerson = recorded([0, 2], null, { end: { at: day(5), reason: "PAID" } });
  expect(toShadowPayment(inPerson, NOW)).toBeUndefined();
  // By a clock that was set back, it has not been paid yet.
  expect(toShadowPayment(inPerson, day(4))?.tries).toHaveLength(2);
  expect(toShadowPayment({ ...unpaid, startedAt: day(-1) }, NOW)).toBeUndefined();
  expect(toShadowPayment({ ...unpaid, facts: { ...unpaid.facts, attempts: [] } }, NOW)).toBeUndefined();
  expect(toShadowPayment({ ...unpaid, facts: toCaseAfter(payment, failedOn(0)) }, NOW)).toBeUndefined();
});

test("one payer's cases, and none at all, give no figure and no NaN", () => {
  const one = toShadowPayment(recorded([0, 2], 5), NOW)!;
  const many = Array.from({ length: 120 }, (_, index) => ({ ...one, id: `payment ${index}` }));
  for (const payments of [[], [one], many]) {
    const result = reportShadow(payments, publishedPrior(), NOW);
    expect(result).toMatchObject({ cases: payments.length, noFigureReason: "TOO_FEW_CASES", difference: null });
    expect([result.own?.recovered ?? 0, result.own?.attemptsPerCase ?? 0, result.covered].every(Number.isFinite)).toBe(
      true,
    );
  }
});

/** Worlds with a schedule of the merchant, and the advice. */
const questions = [
  ["salary-united-states", "ladder-2-5-7-7", "SMART-4/21"],
  ["salary-korea", "ladder-2-5-7-7", "SMART-4/21"],
  ["mixed-networks", "ladder-2-5-7-7", "SMART-4/21"],
  ["no-calendar", "ladder-2-5-7-7", "SMART-4/21"],
  ["velocity-limits", "ladder-2-5-7-7", "SMART-4/21"],
  ["salary-united-states", "ladder-1-3-5-10-14", "SMART-4/14"],
  ["salary-korea", "ladder-1-3-5-10-14", "SMART-4/14"],
] as const;

test.runIf(isLong)(
  "the interval holds the true difference in at least nine of ten shops in shadow mode",
  async () => {
    const results: string[] = [];
    let held = 0;
    for (const [file, own, name] of questions) {
      const world = await loadWorld(projectFile(`test/worlds/${file}.mjs`));
      const schedule = fixedBaselines.find((one) => one.name === own)!;
      const strategy = engineStrategyOf(name, publishedModel())!;
      const truth = recoveredShare(world, strategy, 2000, 901) - recoveredShare(world, schedule, 2000, 901);
      const policy = createPolicy(name, { kind: "SMART", tries: 4, windowInDays: Number(name.split("/")[1]) });
      const advice = { policy, modelVersion: publishedModel().version };
      for (const seed of [3, 4]) {
        const payments = playedPayments(world, schedule, 700, seed).filter(({ tries }) => !tries[0]!.approved);
        const shadows = payments.map((one) => ({ ...one, ...advice }));
        const { value, low, high } = reportShadow(shadows, publishedPrior(), NOW, { maxPlanned: 300 }).difference!
          .recovered;
        const points = [truth, value, low, high].map((one) => (one * 100).toFixed(1)).join(" ");
        results.push(`${file} ${own} ${name} seed ${seed}: ${points}`);
        if (truth >= low && truth <= high) held++;
      }
    }
    process.stdout.write(`${results.join("\n")}\n`);
    expect(held).toBeGreaterThanOrEqual(0.9 * results.length);
  },
  3_600_000,
);
