import fc from "fast-check";
import { expect, test } from "vitest";
import { ReasonClass } from "../../../schema/vocabulary.ts";
import { toAmount } from "../../../src/kernel/amounts.ts";
import { decideRetry } from "../../../src/recovery/engine/decide-retry.ts";
import type { Decision } from "../../../src/recovery/engine/decision.ts";
import { explainDecision } from "../../../src/recovery/engine/explain-decision.ts";
import { minuteOfDay } from "../../../src/recovery/engine/local-time.ts";
import { cellBlocks, cellCount } from "../../../src/recovery/engine/model/cells.ts";
import type { RetryModel } from "../../../src/recovery/engine/model/retry-model.ts";
import { readStoredModel, type StoredModel } from "../../../src/recovery/engine/model/stored-model.ts";
import { createPolicy, type Policy } from "../../../src/recovery/engine/policy.ts";
import { currentRulebook } from "../../../src/recovery/engine/rulebook.ts";
import { publishedPrior } from "../../../src/recovery/models/published-prior.ts";
import { RandomSource } from "../../../src/recovery/simulation/random-source.ts";
import { brokenNetworkRules } from "../../support/network-rule-oracle.ts";
import { assertProperty, PROPERTY_SEED } from "../../support/property-tests.ts";
import { failedAttempt, recoveryCaseWith } from "../../support/fixtures/recovery-cases.ts";

/* Whatever model can be imported, whatever was reported and whatever a policy says: a decision has no number that is none. */

const HOUR = 3_600_000;

/** Weights of all cells by a seed: none, as a fit gives them, or as large as an import accepts. */
const weightsOf = (seed: number, largest: number): number[] => {
  const random = new RandomSource(seed);
  return Array.from({ length: cellCount }, () => {
    const share = 2 * random.next() - 1;
    return largest === 100 ? Math.sign(share) * 100 : share * largest;
  });
};

const someModel: fc.Arbitrary<StoredModel> = fc
  .record({
    seed: fc.integer({ min: 1, max: 1_000_000 }),
    largest: fc.constantFrom(0, 0.5, 3, 30, 100),
    sign: fc.constantFrom(0, 1, -1),
    variance: fc.constantFrom(1e-6, 0.05, 9, 100),
    variances: fc.constantFrom(undefined, 0, 0.01, 100),
    usual: fc.constantFrom(-1e308, 0, 9.8, 1e308),
    tries: fc.constantFrom(0, 5_000, 2_147_483_647),
    taught: fc.constantFrom(0, 100, 1e308),
  })
  .map(({ seed, largest, sign, variance, variances, usual, tries, taught }) => {
    const weights = weightsOf(seed, largest).map((weight) => (sign === 0 ? weight : sign * Math.abs(weight)));
    const { features } = publishedPrior();
    return {
      ...{ features, tries, worlds: [], weights, usualAmounts: { KRW: usual, USD: usual } },
      blockVariances: cellBlocks.map(() => variance),
      ...(variances !== undefined && { variances: weights.map(() => variances) }),
      classTries: Object.fromEntries(Object.keys(ReasonClass).map((name) => [name, taught])),
    };
  });

const somePolicy: fc.Arbitrary<Policy> = fc
  .record({
    tries: fc.integer({ min: 1, max: 60 }),
    windowInDays: fc.integer({ min: 1, max: 90 }),
    quietHours: fc.option(
      fc.record({ from: fc.nat(1_439), until: fc.nat(1_439) }).filter(({ from, until }) => from !== until),
    ),
    price: fc.constantFrom(null, "0", "0.0001", "35.5", "99999999"),
  })
  .map(({ tries, windowInDays, quietHours, price }) =>
    createPolicy(
      "any",
      { kind: "SMART", tries, windowInDays },
      { quietHours, tryPrice: price === null ? null : toAmount(price), tryPriceCurrency: "KRW" },
    ),
  );

const someDecline = fc.record({
  code: fc.constantFrom("51", "51", "51", "61", "91", "05", "59", "Q7", "declined", null),
  adviceCode: fc.constantFrom(null, null, null, "02", "24", "25", "30", "99"),
  network: fc.constantFrom("VISA", "MASTERCARD", "SEPA", null),
});
const someCase = fc.record({
  model: someModel,
  policy: somePolicy,
  zoneId: fc.constantFrom("Asia/Seoul", "America/New_York", "Australia/Lord_Howe", "Africa/Casablanca", "UTC"),
  start: fc.date({ min: new Date("1926-01-01"), max: new Date("2126-01-01"), noInvalidDate: true }),
  amount: fc.constantFrom("0", "0.000001", "18900", "99999999999999999999"),
  currency: fc.constantFrom("KRW", "USD", "XTS"),
  country: fc.constantFrom("KR", "US", "NL", "??", null),
  declines: fc.array(someDecline, { minLength: 1, maxLength: 5 }),
  draws: fc.constantFrom(null, { key: "a", share: 1 }, { key: "b", share: 1e-9 }, { key: "c", share: 0.5 }),
  /** How long after its date each attempt is reported, in hours; attempts at once, too. */
  late: fc.constantFrom(0, 0, 5, 1_000),
});
type SomeCase = typeof someCase extends fc.Arbitrary<infer C> ? C : never;

/** Every number and date below a value. */
function leavesOf(value: unknown): (number | Date)[] {
  if (typeof value === "number" || value instanceof Date) return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(leavesOf) : [];
}

const probabilitiesOf = ({ probability, interval, alternatives, choice }: Decision): (number | null)[] => [
  probability,
  ...(interval ? [interval.low, interval.high] : []),
  ...alternatives.map((one) => one.probability),
  ...(choice?.considered.map((one) => one.probability) ?? []),
];

/** The decisions about a case whose attempts fail one after the other, with what was known and when. */
function* decisionsOf({ policy, zoneId, declines, late, start, ...rest }: SomeCase, model: RetryModel) {
  const { amount, currency, country, draws } = rest;
  const [first, ...later] = declines;
  let facts = recoveryCaseWith(
    {
      ...{ windowStart: start, amount: toAmount(amount), currency, country, draws },
      attempts: [failedAttempt(0, { ...first, at: start })],
    },
    zoneId,
  );
  let now = start;
  for (;;) {
    const decision = decideRetry(facts, policy, currentRulebook, model, now);
    yield { facts, now, decision };
    const next = later.shift();
    const { retryAt } = decision;
    if (!retryAt || !next) return;
    now = new Date(retryAt.getTime() + late * HOUR);
    facts = { ...facts, attempts: [...facts.attempts, failedAttempt(0, { ...next, at: now })], used: retryAt };
  }
}

test(`a decision by any model has finite odds, probabilities inside of 0 and 1, and a legal time (seed ${PROPERTY_SEED})`, () => {
  const seen = { dates: 0, chosen: 0, explored: 0, notWorth: 0 };
  assertProperty(
    someCase,
    (some) => {
      const model = readStoredModel(some.model);
      for (const { facts, now, decision } of decisionsOf(some, model)) {
        for (const leaf of leavesOf(decision))
          expect(Number.isFinite(Number(leaf)), JSON.stringify(decision)).toBe(true);
        for (const probability of probabilitiesOf(decision))
          if (probability !== null) expect(probability > 0 && probability < 1, String(probability)).toBe(true);
        for (const { odds } of decision.choice?.factors ?? []) expect(odds).toBeGreaterThan(0);
        expect(decision.propensity > 0 && decision.propensity <= 1, String(decision.propensity)).toBe(true);
        for (const language of ["ENGLISH", "KOREAN"] as const)
          expect(explainDecision(decision, facts.zone, language)).not.toMatch(/NaN|Infinity|undefined|Invalid/);
        const { retryAt, interval, choice, probability } = decision;
        if (decision.endReason === "NOT_WORTH_RETRYING") seen.notWorth++;
        if (!retryAt) continue;
        seen.dates++;
        if (choice && retryAt.getTime() !== choice.even.getTime()) seen.chosen++;
        if (choice?.explored) seen.explored++;
        if (interval && probability) expect(interval.low <= probability && probability <= interval.high).toBe(true);
        expect(retryAt.getTime()).toBeGreaterThan(now.getTime());
        expect(brokenNetworkRules(facts.attempts, retryAt)).toEqual([]);
        const { quietHours } = some.policy;
        if (quietHours) {
          const minute = minuteOfDay(retryAt, facts.zone);
          const { from, until } = quietHours;
          expect(from < until ? minute >= from && minute < until : minute >= from || minute < until).toBe(false);
        }
      }
    },
    250,
  );
  // Models that never decide would prove little.
  expect(Math.min(seen.dates, seen.chosen, seen.explored, seen.notWorth)).toBeGreaterThan(20);
});
