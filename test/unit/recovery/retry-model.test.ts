import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CaseFeatures, CELLS_OF_SOURCE } from "../../../src/recovery/engine/model/case-features.ts";
import { cellCount } from "../../../src/recovery/engine/model/cells.ts";
import { fitWeights, vaguePrior } from "../../../src/recovery/engine/model/training/fit-model.ts";
import { minimize } from "../../../src/recovery/engine/model/training/minimize.ts";
import type { RetryModel } from "../../../src/recovery/engine/model/retry-model.ts";
import { readStoredModel, toStoredModel } from "../../../src/recovery/engine/model/stored-model.ts";
import { TryCollector } from "../../../src/recovery/engine/model/training/training-tries.ts";
import { publishedModel } from "../../../src/recovery/models/published-prior.ts";
import { toEngineCase } from "../../../src/recovery/simulation/engine-case.ts";
import { engineStrategyOf } from "../../../src/recovery/simulation/engine-strategies.ts";
import { RandomSource } from "../../../src/recovery/simulation/random-source.ts";
import type { RetryStrategy } from "../../../src/recovery/simulation/retry-strategy.ts";
import { playPayments } from "../../../src/recovery/simulation/simulation-run.ts";
import { assertProperty } from "../../support/property-tests.ts";
import { daysAfterFailure, failedAttempt, recoveryCaseWith } from "../../support/fixtures/recovery-cases.ts";
import { simulatedPayment } from "../../support/fixtures/simulation-fixtures.ts";

const model = publishedModel();

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
