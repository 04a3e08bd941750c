import { describe, expect, test } from "vitest";
import { cellBlocks } from "../../../src/recovery/engine/model/cells.ts";
import { replayStoredDecision, toDecisionInputs, toStoredJson } from "../../../src/recovery/engine/decision-record.ts";
import { RetryModel } from "../../../src/recovery/engine/model/retry-model.ts";
import {
  InvalidModelError,
  modelVersionOf,
  readStoredModel,
  toPrior,
  type StoredModel,
} from "../../../src/recovery/engine/model/stored-model.ts";
import { createPolicy } from "../../../src/recovery/engine/policy.ts";
import { publishedModel, publishedPrior } from "../../../src/recovery/models/published-prior.ts";
import { daysAfterFailure, recoveryCaseWith } from "../../support/fixtures/recovery-cases.ts";
import { decideBy as decide, smart8 } from "../../support/fixtures/retry-models.ts";

const model = publishedModel();

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
    ["with a variance that no fit gives", { blockVariances: stored.blockVariances.map(() => 1e300) }],
    ["with weights that are not known at all", { variances: stored.weights.map(() => 1e300) }],
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
