import { describe, expect, test } from "vitest";
import { readStoredModel } from "../../../src/recovery/engine/model/stored-model.ts";
import { trainModel, type ActiveModel } from "../../../src/recovery/engine/model/training/train-model.ts";
import { TrainingSetCollector } from "../../../src/recovery/engine/model/training/training-set.ts";
import type { RecordedCase } from "../../../src/recovery/engine/recorded-case.ts";
import type { CaseAttempt } from "../../../src/recovery/engine/recovery-case.ts";
import { publishedPrior } from "../../../src/recovery/models/published-prior.ts";
import { RandomSource } from "../../../src/recovery/simulation/random-source.ts";
import { daysAfterFailure, failedAttempt, recoveryCaseWith } from "../../support/fixtures/recovery-cases.ts";
import { decideBy, smart8 } from "../../support/fixtures/retry-models.ts";

/* What a training makes of histories that teach nothing: a model that still decides sensibly, or none. */

const DAY = 86_400_000;
const CASES = 400;
const NOW = daysAfterFailure(0);

/** A case with one retry two days after its failure. */
function caseOf(id: number, daysAgo: number, approved: boolean, decline: Partial<CaseAttempt>): RecordedCase {
  const startedAt = new Date(NOW.getTime() - daysAgo * DAY);
  const at = new Date(startedAt.getTime() + 2 * DAY);
  const facts = recoveryCaseWith({
    windowStart: startedAt,
    attempts: [failedAttempt(0, { ...decline, at: startedAt })],
  });
  const stated = { chosenAt: startedAt, propensity: 1, probability: null, modelVersion: null, explored: false };
  return {
    ...{ id, startedAt, payer: `payer ${id}`, facts, policy: smart8, shadow: false, lastChoice: null, end: null },
    firstModelVersion: null,
    retries: [{ facts, at, approved, declinedAs: approved ? null : "GENERIC_REFUSAL", ...stated, choice: null }],
  };
}

function train(cases: readonly RecordedCase[], rest: Partial<ActiveModel> = {}) {
  const prior = publishedPrior();
  const collector = new TrainingSetCollector(prior.usualAmounts, readStoredModel(prior), NOW);
  for (const one of cases) collector.addCase(one);
  const active = { model: prior, triesUntil: null, ...rest };
  const outcome = trainModel(collector.toSet(), prior, active, prior.usualAmounts);
  // What is stored can be read again: no weight, variance or figure is none.
  const model = readStoredModel(JSON.parse(JSON.stringify(outcome.candidate!.model)));
  for (const score of [outcome.evaluation!.candidate, outcome.evaluation!.active])
    expect([score.logLoss, score.calibrationError].every(Number.isFinite)).toBe(true);
  return { ...outcome, model };
}

/** The probability that a model states for a retry after a decline. */
const probabilityAfter = (model: ReturnType<typeof train>["model"], decline: Partial<CaseAttempt>): number => {
  const decision = decideBy(recoveryCaseWith({ attempts: [failedAttempt(0, decline)] }), NOW, smart8, model);
  expect(decision.retryAt!.getTime()).toBeLessThanOrEqual(decision.budget.windowEnds.getTime());
  return decision.probability!;
};

/** Cases from old to new, of which a share succeeds by chance alone. */
function casesOf(
  share: number,
  decline: (daysAgo: number) => Partial<CaseAttempt>,
  isDown = (_daysAgo: number) => false,
) {
  const random = new RandomSource(11);
  return Array.from({ length: CASES }, (_, id) => {
    const daysAgo = 120 - (id * 116) / CASES;
    return caseOf(id, daysAgo, !isDown(daysAgo) && random.next() < share, decline(daysAgo));
  });
}

describe("a history in which", () => {
  test('every answer is "declined" teaches the share of successes, and no hour', () => {
    const declined = { code: "declined", message: "declined" };
    const { model, tries } = train(casesOf(0.3, () => declined));
    expect(tries).toBe(CASES);
    const probability = probabilityAfter(model, declined);
    expect(probability).toBeGreaterThan(0.2);
    expect(probability).toBeLessThan(0.4);
  });

  test.each([0, 1])("a share of %i was approved makes a model that is certain of nothing", (share) => {
    const { model } = train(casesOf(share, () => ({})));
    const probability = probabilityAfter(model, {});
    expect(Math.abs(probability - share)).toBeLessThan(0.15);
    expect(probability > 0 && probability < 1).toBe(true);
  });

  test("the gateway was down for a month teaches that, and leaves the other declines as they were", () => {
    const isDown = (daysAgo: number) => daysAgo > 40 && daysAgo < 70;
    const { model } = train(casesOf(0.4, (daysAgo) => ({ code: isDown(daysAgo) ? "91" : "51" }), isDown));
    expect(probabilityAfter(model, { code: "51" })).toBeGreaterThan(0.3);
    expect(probabilityAfter(model, { code: "91" })).toBeLessThan(probabilityAfter(model, { code: "51" }));
  });

  test("nothing can be told is too short for a model", () => {
    const prior = publishedPrior();
    const collector = new TrainingSetCollector({}, readStoredModel(prior), NOW);
    collector.addCase(caseOf(1, 9, true, {}));
    const active = { model: prior, triesUntil: null };
    expect(trainModel(collector.toSet(), prior, active, {})).toEqual({
      ...{ result: "TOO_FEW_TRIES", tries: 1, evaluation: null, candidate: null },
    });
  });
});

test("where no model decides any more, a candidate must also predict better than counting", () => {
  // Nothing is ever approved: counting knows all of it, and leaves nothing to a model.
  const never = casesOf(0, () => ({}));
  expect(train(never).result).toBe("ACTIVATED");
  expect(train(never, { isGivenUp: true }).result).toBe("NOT_BETTER");
  // An hour that works is a law that counting does not know.
  const random = new RandomSource(3);
  const hourly = Array.from({ length: CASES }, (_, id) => {
    const daysAgo = 120 - (id * 116) / CASES + random.next();
    const hour = new Date(NOW.getTime() - daysAgo * DAY).getUTCHours();
    return caseOf(id, daysAgo, hour >= 8 && hour < 16, {});
  });
  expect(train(hourly, { isGivenUp: true }).result).toBe("ACTIVATED");
});
