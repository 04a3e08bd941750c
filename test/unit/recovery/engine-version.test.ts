import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { toAmount } from "../../../src/kernel/amounts.ts";
import type { OtherAttempt } from "../../../src/recovery/engine/recovery-case.ts";
import { decideRetry, engineVersion, equivalentEngineVersions } from "../../../src/recovery/engine/decide-retry.ts";
import type { ModelFallback } from "../../../src/recovery/engine/decision.ts";
import { explainDecision } from "../../../src/recovery/engine/explain-decision.ts";
import { defaultPolicy, createPolicy, type Policy } from "../../../src/recovery/engine/policy.ts";
import {
  readPolicy,
  replayStoredDecision,
  toDecisionInputs,
  toStoredJson,
  type StoredJson,
} from "../../../src/recovery/engine/decision-record.ts";
import type { Rulebook } from "../../../src/recovery/engine/rulebook.ts";
import { currentRulebook } from "../../../src/recovery/engine/rulebook.ts";
import { cellClasses, cellCount } from "../../../src/recovery/engine/model/cells.ts";
import { RetryModel } from "../../../src/recovery/engine/model/retry-model.ts";
import { RandomSource } from "../../../src/recovery/simulation/random-source.ts";
import { failedAttempt, recoveryCaseWith } from "../../support/fixtures/recovery-cases.ts";

const HOUR = 3_600_000;
const quietHours = { from: 22 * 60, until: 8 * 60 };
const policies = [
  defaultPolicy,
  createPolicy("even", { kind: "EVEN", tries: 8, windowInDays: 28 }, { quietHours }),
  createPolicy("smart", { kind: "SMART", tries: 30, windowInDays: 10 }),
  createPolicy(
    "both",
    { kind: "EVEN", tries: 6, windowInDays: 21 },
    {
      overrides: [{ reasonClass: "TECHNICAL", plan: { kind: "LADDER", offsetsInDays: [1, 2, 30] } }],
    },
  ),
];
const said = [
  { code: "51" },
  { code: "51", adviceCode: "27", network: "MASTERCARD" as const },
  { code: "91" },
  { code: "61" },
  { code: "59" },
  { code: "39" },
  { code: null },
  { code: "54" },
  { code: "AM04", network: "SEPA" as const },
];
// A new version of the tables that leaves these answers unchanged is no new version of the engine.
const rulebook: Rulebook = { version: "test", rows: currentRulebook.rows };

/** Attempts on the same card from hour to hour, for other orders. */
const alongside = Array.from({ length: 400 }, (_, index): OtherAttempt => ({
  at: new Date(Date.UTC(2026, 1, 20, 2 * index)),
  network: index % 5 ? "VISA" : null,
  initiator: index % 3 ? "MERCHANT" : "CUSTOMER",
  amount: toAmount(index % 2 ? 18_900 : 5_000),
  currency: "KRW",
}));

/** The engine's answers to many cases in a row, in short; `others` are attempts with the same card. */
function answers(others: readonly OtherAttempt[] = [], model: RetryModel | null = null): string {
  const hash = createHash("sha256");
  for (const policy of policies)
    for (const zoneId of ["Asia/Seoul", "America/New_York"])
      for (const [index, first] of said.entries()) {
        const windowStart = new Date(Date.UTC(2026, 1, 20 + index, 2 * index, 30));
        let facts = recoveryCaseWith(
          { windowStart, attempts: [failedAttempt(0, { ...first, at: windowStart })] },
          zoneId,
        );
        let now = windowStart;
        for (let number = 1; number < 40; number++) {
          const isDue = others.length > 0 && number % 2 === 0;
          const known = others.filter(({ at }) => at <= now);
          const asked = { ...facts, alongside: known, due: isDue && !facts.promised ? now : null };
          const decision = decideRetry(asked, policy, rulebook, model, now);
          const { declinesVersion: _own, ...steps } = toStoredJson(decision);
          hash.update(JSON.stringify(steps));
          if (!decision.retryAt) break;
          // Every third report is of an attempt outside the schedule.
          const besides = number % 3 === 0 && decision.retryAt.getTime() - now.getTime() > 2 * HOUR;
          now = besides ? new Date(now.getTime() + HOUR) : decision.retryAt;
          const next = failedAttempt(0, { ...said[(index + number) % 7], at: now });
          facts = {
            ...facts,
            attempts: [...facts.attempts, next],
            promised: besides ? decision.retryAt : null,
            used: besides ? null : decision.retryAt,
          };
        }
      }
  return hash.digest("hex").slice(0, 12);
}

/** A model of arbitrary weights, whatever the one is that ships. */
function arbitraryModel(): RetryModel {
  const random = new RandomSource(1);
  const weights = Float64Array.from({ length: cellCount }, () => (random.next() - 0.5) / 2);
  const classTries = new Float64Array(cellClasses.length).fill(Infinity);
  const variances = new Float64Array(cellCount).fill(0.01);
  return new RetryModel({ version: "arbitrary", weights, variances, usualAmounts: {}, classTries, ownTries: 0 });
}

test("the engine's version stands for its answers: a change of its steps needs a new one", () => {
  expect({ [engineVersion]: [answers(alongside), answers(alongside, arbitraryModel())] }).toMatchInlineSnapshot(`
    {
      "2026-11-23.5": [
        "10ee93e192b1",
        "bf1ccb7059fd",
      ],
    }
  `);
});

test("the engine still gives the answers of older versions, so it can reproduce their decisions", () => {
  expect(
    equivalentEngineVersions.map((version) => [version, answers(version === "2026-11-21" ? [] : alongside)]),
  ).toEqual([
    ["2026-11-21", "90e01804d184"],
    ["2026-11-21.2", "10ee93e192b1"],
    ["2026-11-23", "10ee93e192b1"],
    ["2026-11-23.2", "10ee93e192b1"],
    ["2026-11-23.3", "10ee93e192b1"],
    ["2026-11-23.4", "10ee93e192b1"],
  ]);
});

test("a policy without a model term chooses by a model, and a fallback and OFF are replayed from what is stored", () => {
  const now = new Date("2026-03-01T09:30:00.000Z");
  const smart = createPolicy("smart", { kind: "SMART", tries: 8, windowInDays: 28 });
  const { model: _none, ...older } = toStoredJson(smart);
  expect(readPolicy(older)).toEqual(smart);
  const model = arbitraryModel();
  const fallbackOf = (policy: Policy, by: RetryModel | null, fallback: ModelFallback | null) => {
    const decision = decideRetry(recoveryCaseWith(), policy, currentRulebook, by, now, fallback);
    const inputs = toStoredJson(toDecisionInputs(recoveryCaseWith(), policy, now, fallback));
    expect(replayStoredDecision(inputs, decision.modelVersion, () => model)).toEqual(decision);
    const { by: to, reason } = decision.effects.find(({ kind }) => kind === "FALLBACK") ?? {};
    return [to, reason, decision.modelVersion, explainDecision(decision, recoveryCaseWith().zone, "ENGLISH")];
  };
  expect(fallbackOf(smart, model, null).slice(0, 3)).toEqual([undefined, undefined, "arbitrary"]);
  expect(fallbackOf({ ...smart, model: "OFF" }, model, null)).toEqual([
    ...["EVEN", "OFF", null],
    expect.stringMatching(/, evenly within the window, because the policy uses no model\.$/),
  ]);
  expect(fallbackOf(smart, model, { to: "PUBLISHED", reason: "STALE" })).toContain("PUBLISHED");
  expect(fallbackOf(smart, null, { to: "EVEN", reason: "MISCALIBRATED" })).toEqual([
    ...["EVEN", "MISCALIBRATED", null],
    expect.stringContaining("because the model's probabilities were wrong lately"),
  ]);
});

test("a decision of an older version, whose facts lack other attempts, is reproduced", () => {
  const now = new Date("2026-03-01T09:30:00.000Z");
  const inputs = toStoredJson(toDecisionInputs(recoveryCaseWith(), defaultPolicy, now));
  const { alongside: _none, due: _never, ...older } = inputs["case"] as StoredJson;
  const decision = decideRetry(recoveryCaseWith(), defaultPolicy, currentRulebook, null, now);
  expect(replayStoredDecision({ ...inputs, case: older, engineVersion: "2026-11-21" }, null)).toEqual(decision);
  expect(replayStoredDecision({ ...inputs, engineVersion: "2001-01-01" }, null)).toBeUndefined();
  const damaged = { ...older, windowStart: "yesterday" };
  expect(() => replayStoredDecision({ ...inputs, case: damaged }, null)).toThrow("windowStart");
});
