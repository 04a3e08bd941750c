import { describe, expect, test } from "vitest";
import { Chance } from "../../../src/recovery/simulation/random-source.ts";
import { clairvoyant } from "../../../src/recovery/simulation/clairvoyant.ts";
import { enginePolicy } from "../../../src/recovery/simulation/engine-strategies.ts";
import { play } from "../../../src/recovery/simulation/simulation-run.ts";
import { simulate } from "../../../src/recovery/simulation/simulate-world.ts";
import type { FailedPayment } from "../../../src/recovery/simulation/world.ts";
import { after, payment, stubborn, worldOf } from "../../support/simulation-fixtures.ts";

const ladder = enginePolicy("LADDER", null)!;
const played = (payments: FailedPayment[], contender = ladder) => play(payments, contender, new Chance(1), [1]);

describe("a payment that is played", () => {
  test("is tried at the times that the engine says until it works", () => {
    const one = payment(4, 9);
    const { days, tries, breaches } = played([one]);
    expect(one.asked).toEqual([after(1), after(3), after(5)]);
    expect([days[0], tries[0], breaches[0]]).toEqual([5, 3, 0]);
  });

  test("stays open when the tries are spent", () => {
    const { days, tries } = played([payment(20, 28)]);
    expect([days[0], tries[0]]).toEqual([NaN, 5]);
  });

  test("is not tried behind the window, nor by a caller who fell silent", () => {
    expect(played([payment(29, 60)], stubborn(10, 28, 29, 30)).tries[0]).toBe(2);
    const silent = payment(5, 28, { silentFrom: after(4) });
    expect(played([silent]).days[0]).toBeNaN();
    expect(silent.asked).toEqual([after(1), after(3)]);
    expect(played([payment(0.5, 28, { silentFrom: after(0) })]).tries[0]).toBe(0);
  });

  test("is not tried at all when its first decline forbids it, until there is a new payment method", () => {
    expect(played([payment(0.5, 28, { code: "54" })]).tries[0]).toBe(0);
    const renewed = payment(6, 28, { code: "54", methodChangedAt: [after(6)] });
    expect(played([renewed]).days[0]).toBe(7);
    expect(renewed.asked).toEqual([after(7)]);
  });

  test("goes on by its plan when the method changes on the way", () => {
    const changed = payment(9, 28, { methodChangedAt: [after(4)] });
    expect(played([changed]).days[0]).toBe(10);
    expect(changed.asked).toEqual([after(1), after(3), after(5), after(10)]);
  });

  test("counts what breaks the limits, and says what was broken first", () => {
    const lost = payment(9, 28, { code: "41" });
    const { breaches, firstBreach } = played([lost], stubborn(1, 2, 10));
    expect(breaches[0]).toBe(3);
    expect(firstBreach).toBe("payment 0 at 2026-03-02T09:30:00.000Z: Visa: a card that is gone was tried again");
    const renewed = payment(9, 28, { code: "41", methodChangedAt: [after(0.5)] });
    expect(played([renewed], stubborn(1, 2, 10)).breaches[0]).toBe(0);
  });

  test("keeps what was told of each try, with what came of it", () => {
    const { told } = played([payment(30, 40), payment(2, 3)], stubborn(1, 2));
    expect([...told.probability]).toEqual([0.5, 0.5, 0.5, 0.5]);
    expect([...told.index]).toEqual([0, 1, 0, 1]);
    expect([...told.approved]).toEqual([0, 0, 0, 1]);
  });
});

test("all charges of a world come in order of time", () => {
  const log: Date[] = [];
  const noting = (failedAt: Date): FailedPayment => ({
    ...payment(0, 0, { failedAt }),
    attempt: (at) => (log.push(at), { approved: false, code: "51" }),
  });
  played([noting(after(0)), noting(after(0.7)), noting(after(2.2))]);
  expect(log).toHaveLength(15);
  expect(log).toEqual([...log].sort((a, b) => +a - +b));
});

test("the same chance befalls a case under every policy, however the others fare", () => {
  const drawn: Record<string, number[]> = {};
  const drawing = (rng: () => number, index: number, into: number[]): FailedPayment => ({
    ...payment(0, 0, { payerId: String(rng()) }),
    attempt: () => {
      const chance = rng();
      if (index === 1) into.push(chance);
      return index === 0 && chance < 0.5 ? { approved: true } : { approved: false, code: "51" };
    },
  });
  for (const policy of ["LADDER", "EVEN-4", "daily"]) {
    const into: number[] = (drawn[policy] = []);
    simulate(
      worldOf((rng, index) => drawing(rng, index, into)),
      policy,
      { cases: 3, seed: 7 },
      [],
    );
  }
  expect(drawn["LADDER"]).toHaveLength(5);
  expect(drawn["EVEN-4"]).toEqual(drawn["LADDER"]!.slice(0, 4));
  expect(drawn["daily"]!.slice(0, 5)).toEqual(drawn["LADDER"]);
});

test("the clairvoyant needs one try, and no caller who is silent by then", () => {
  const { days, tries } = clairvoyant([payment(3, 4), payment(29.5, 40), payment(3, 4, { silentFrom: after(2) })]);
  expect([...days]).toEqual([3, NaN, NaN]);
  expect([...tries]).toEqual([1, 0, 0]);
});

test("a schedule that answers a time that has passed is a bug, and told", () => {
  const late = { ...stubborn(), next: () => ({ at: after(0), probability: null }) };
  expect(() => played([payment(1, 2)], late)).toThrow("stubborn wants a try at a time that has passed.");
});
