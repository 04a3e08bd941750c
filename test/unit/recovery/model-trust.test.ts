import { describe, expect, test } from "vitest";
import type { ModelSource } from "../../../schema/vocabulary.ts";
import { selectDecidingModel } from "../../../src/recovery/model-trust/deciding-model.ts";
import { newDriftState } from "../../../src/recovery/model-trust/drift-test.ts";
import {
  updateTrust,
  type KnownModel,
  type TestedResult,
  type TrustState,
} from "../../../src/recovery/model-trust/update-trust.ts";
import { RandomSource } from "../../../src/recovery/simulation/random-source.ts";

const DAY = 86_400_000;
const NOW = new Date("2026-06-01T00:00:00Z");
const daysLater = (days: number) => new Date(NOW.getTime() + days * DAY);

const modelOf = (source: KnownModel["source"], version: string, rest: Partial<KnownModel> = {}): KnownModel => ({
  ...{ source, version, madeAt: source === "PUBLISHED" ? null : NOW, isReadable: true },
  ...{ tries: 1000, importedTries: null, triesFrom: null, triesUntil: null },
  ...rest,
});
const own = modelOf("VENDOR", "own");
const published = modelOf("PUBLISHED", "published");
const stateOf = (source: ModelSource): TrustState => ({
  ...{ source, drift: newDriftState(), testedFrom: NOW },
  ...{ givenUpVersion: null, givenUpAt: null, givenUpFor: null },
});
const statesOf = () => [stateOf("VENDOR"), stateOf("PUBLISHED")];

/** Results of a day, of which each was predicted at one half and a share was approved. */
function resultsOf(day: number, source: ModelSource, share: number, chosenAt = daysLater(day)): TestedResult[] {
  const random = new RandomSource(day);
  return Array.from({ length: 40 }, (_, number) => ({
    ...{ at: daysLater(day + number / 40), approved: random.next() < share, chosenAt },
    ...{ source, probability: 0.5, reasonClass: "INSUFFICIENT_FUNDS", attempt: 1 + (number % 4) },
  }));
}

describe("what decides", () => {
  test.each([
    ["the own model", [], [], "own", null],
    ["the published one if the own one was given up", ["own"], [], "published", ["PUBLISHED", "STALE"]],
    ["the published one if the own one cannot be read", [], ["own"], "published", ["PUBLISHED", "MISSING"]],
    [
      "the even schedule if none is trusted, for the first one's reason",
      ["own", "published"],
      [],
      null,
      ["EVEN", "STALE"],
    ],
    ["the next version of a model that was given up", ["older"], [], "own", null],
  ])("is %s", (_name, givenUp, unreadable: string[], version, fallback) => {
    const decided = selectDecidingModel(
      [own, published],
      givenUp.map((one) => ({
        source: one === "published" ? "PUBLISHED" : "VENDOR",
        version: one,
        reason: one === "published" ? "MISCALIBRATED" : "STALE",
      })),
      (one) => !unreadable.includes(one),
    );
    expect(decided.candidate?.version ?? null).toBe(version);
    expect(decided.fallback && [decided.fallback.to, decided.fallback.reason]).toEqual(fallback);
  });

  test("is no fallback while a vendor has no own model", () => {
    expect(selectDecidingModel([published], [], () => true)).toEqual({ candidate: published, fallback: null });
  });
});

describe("trust", () => {
  test("is lost when a law turns, is tested on what decides instead, and comes back with the next version", () => {
    const states = statesOf();
    const events = [];
    for (let day = 0; day < 20; day++)
      events.push(
        ...updateTrust(states, resultsOf(day, "VENDOR", 0.5), [own, published], daysLater(day), daysLater(day)),
      );
    expect(events).toEqual([]);
    let day = 20;
    for (; events.length === 0 && day < 60; day++)
      events.push(
        ...updateTrust(states, resultsOf(day, "VENDOR", 0.1), [own, published], daysLater(day), daysLater(day)),
      );
    expect(events).toEqual([{ source: "VENDOR", version: "own", decides: "PUBLISHED", reason: "MISCALIBRATED" }]);
    expect(day).toBeLessThan(30);
    // Late results of the model that was given up test nothing.
    expect(
      updateTrust(states, resultsOf(day, "VENDOR", 0.1), [own, published], daysLater(day), daysLater(day)),
    ).toEqual([]);
    for (; events.length === 1 && day < 90; day++)
      events.push(
        ...updateTrust(states, resultsOf(day, "PUBLISHED", 0.1), [own, published], daysLater(day), daysLater(day)),
      );
    expect(events.at(-1)).toMatchObject({ source: "PUBLISHED", decides: "EVEN" });
    const next = modelOf("VENDOR", "next", { madeAt: daysLater(day) });
    const late = resultsOf(day, "VENDOR", 0.1, daysLater(day - 5));
    expect(updateTrust(states, late, [next, published], daysLater(day), daysLater(day))).toEqual([
      { source: "VENDOR", version: "next", decides: "VENDOR", reason: null },
    ]);
    expect(states[0]!.drift.windows).toEqual([]);
  });

  test("is lost 45 days after the training and the last result, and comes back with a result", () => {
    const states = statesOf();
    const models = [own, published];
    const look = (days: number, lastResultDay: number) =>
      updateTrust(states, [], models, daysLater(lastResultDay), daysLater(days)).map(({ decides, reason }) => [
        decides,
        reason,
      ]);
    expect(look(45, -3)).toEqual([]);
    expect(look(46, 2)).toEqual([]);
    expect(look(46, -3)).toEqual([["PUBLISHED", "STALE"]]);
    expect(look(47, -3)).toEqual([]);
    expect(look(48, 48)).toEqual([["VENDOR", null]]);
  });

  test("is lost when a model cannot be read, and comes back when it can", () => {
    const states = statesOf();
    const look = (isReadable: boolean) =>
      updateTrust(states, [], [{ ...own, isReadable }, published], NOW, NOW).map(({ decides, reason }) => [
        decides,
        reason,
      ]);
    expect([look(false), look(false), look(true)]).toEqual([[["PUBLISHED", "MISSING"]], [], [["VENDOR", null]]]);
  });

  test("needs a model: results without one only count", () => {
    const [state] = [stateOf("PUBLISHED")];
    const results = resultsOf(1, "EVEN", 0.5).map((result) => ({ ...result, source: null, probability: null }));
    expect(updateTrust([state], results, [published], NOW, NOW)).toEqual([]);
    expect([state.drift.windows, state.drift.counts["ALL"]?.[0]]).toEqual([[], 40]);
  });
});
