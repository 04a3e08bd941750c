import { describe, expect, test } from "vitest";
import { RandomSource } from "../../../src/recovery/simulation/random-source.ts";
import { playWithPerfectForesight } from "../../../src/recovery/simulation/clairvoyant.ts";
import { engineStrategyOf } from "../../../src/recovery/simulation/engine-strategies.ts";
import { playPayments } from "../../../src/recovery/simulation/simulation-run.ts";
import { simulateWorld } from "../../../src/recovery/simulation/simulate-world.ts";
import type { FailedPayment } from "../../../src/recovery/simulation/world.ts";
import {
  daysAfterFailedPayments,
  simulatedPayment,
  fixedDaysContender,
  worldWith,
} from "../../support/fixtures/simulation-fixtures.ts";

const ladder = engineStrategyOf("LADDER")!;
const played = (payments: FailedPayment[], contender = ladder) =>
  playPayments(payments, contender, new RandomSource(1), [1]);

describe("a simulated payment", () => {
  test("is retried at the engine's times until it succeeds", () => {
    const one = simulatedPayment(4, 9);
    const { days, tries, breaches } = played([one]);
    expect(one.asked).toEqual([daysAfterFailedPayments(1), daysAfterFailedPayments(3), daysAfterFailedPayments(5)]);
    expect([days[0], tries[0], breaches[0]]).toEqual([5, 3, 0]);
  });

  test("stays open after the last retry", () => {
    const { days, tries } = played([simulatedPayment(20, 28)]);
    expect([days[0], tries[0]]).toEqual([NaN, 5]);
  });

  test("is not retried after the window, nor by a caller who has stopped reporting", () => {
    expect(played([simulatedPayment(29, 60)], fixedDaysContender(10, 28, 29, 30)).tries[0]).toBe(2);
    const silent = simulatedPayment(5, 28, { silentFrom: daysAfterFailedPayments(4) });
    expect(played([silent]).days[0]).toBeNaN();
    expect(silent.asked).toEqual([daysAfterFailedPayments(1), daysAfterFailedPayments(3)]);
    expect(played([simulatedPayment(0.5, 28, { silentFrom: daysAfterFailedPayments(0) })]).tries[0]).toBe(0);
  });

  test("is not retried at all when its first decline forbids it, until there is a new payment method", () => {
    expect(played([simulatedPayment(0.5, 28, { code: "54" })]).tries[0]).toBe(0);
    const renewed = simulatedPayment(6, 28, { code: "54", methodChangedAt: [daysAfterFailedPayments(6)] });
    expect(played([renewed]).days[0]).toBe(7);
    expect(renewed.asked).toEqual([daysAfterFailedPayments(7)]);
  });

  test("continues by its plan when the method changes meanwhile", () => {
    const changed = simulatedPayment(9, 28, { methodChangedAt: [daysAfterFailedPayments(4)] });
    expect(played([changed]).days[0]).toBe(10);
    expect(changed.asked).toEqual([
      daysAfterFailedPayments(1),
      daysAfterFailedPayments(3),
      daysAfterFailedPayments(5),
      daysAfterFailedPayments(10),
    ]);
  });

  test("counts breaches of the limits, and names the first", () => {
    const lost = simulatedPayment(9, 28, { code: "41" });
    const { breaches, firstBreach } = played([lost], fixedDaysContender(1, 2, 10));
    expect(breaches[0]).toBe(3);
    expect(firstBreach).toBe(
      "payment 0 at 2026-03-02T09:30:00.000Z: Visa: a card with a permanent decline was tried again",
    );
    const renewed = simulatedPayment(9, 28, { code: "41", methodChangedAt: [daysAfterFailedPayments(0.5)] });
    expect(played([renewed], fixedDaysContender(1, 2, 10)).breaches[0]).toBe(0);
  });

  test("records each retry with its report and its result", () => {
    const { predictions } = played([simulatedPayment(30, 40), simulatedPayment(2, 3)], fixedDaysContender(1, 2));
    expect([...predictions.probability]).toEqual([0.5, 0.5, 0.5, 0.5]);
    expect([...predictions.index]).toEqual([0, 1, 0, 1]);
    expect([...predictions.approved]).toEqual([0, 0, 0, 1]);
  });
});

test("all charges of a world are ordered by time", () => {
  const log: Date[] = [];
  const noting = (failedAt: Date): FailedPayment => ({
    ...simulatedPayment(0, 0, { failedAt }),
    attempt: (at) => (log.push(at), { approved: false, code: "51" }),
  });
  played([
    noting(daysAfterFailedPayments(0)),
    noting(daysAfterFailedPayments(0.7)),
    noting(daysAfterFailedPayments(2.2)),
  ]);
  expect(log).toHaveLength(15);
  expect(log).toEqual([...log].sort((a, b) => +a - +b));
});

test("a case has the same random events under every policy, whatever the others do", () => {
  const drawn: Record<string, number[]> = {};
  const drawing = (rng: () => number, index: number, into: number[]): FailedPayment => ({
    ...simulatedPayment(0, 0, { payerId: String(rng()) }),
    attempt: () => {
      const chance = rng();
      if (index === 1) into.push(chance);
      return index === 0 && chance < 0.5 ? { approved: true } : { approved: false, code: "51" };
    },
  });
  for (const policy of ["LADDER", "EVEN-4", "daily"]) {
    const into: number[] = (drawn[policy] = []);
    simulateWorld(
      worldWith((rng, index) => drawing(rng, index, into)),
      policy,
      { cases: 3, seed: 7, history: 0 },
    );
  }
  expect(drawn["LADDER"]).toHaveLength(5);
  expect(drawn["EVEN-4"]).toEqual(drawn["LADDER"]!.slice(0, 4));
  expect(drawn["daily"]!.slice(0, 5)).toEqual(drawn["LADDER"]);
});

test("the clairvoyant policy needs one retry, and no caller who has stopped reporting by then", () => {
  const { days, tries } = playWithPerfectForesight([
    simulatedPayment(3, 4),
    simulatedPayment(29.5, 40),
    simulatedPayment(3, 4, { silentFrom: daysAfterFailedPayments(2) }),
  ]);
  expect([...days]).toEqual([3, NaN, NaN]);
  expect([...tries]).toEqual([1, 0, 0]);
});

test("a schedule that answers a past time is a bug, and raises an error", () => {
  const late = { ...fixedDaysContender(), next: () => ({ at: daysAfterFailedPayments(0), probability: null }) };
  expect(() => played([simulatedPayment(1, 2)], late)).toThrow("stubborn planned a retry at a time that has passed.");
});
