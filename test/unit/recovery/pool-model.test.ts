import { describe, expect, test } from "vitest";
import { cellCount, firstCellOf, firstTimeCellOf } from "../../../src/recovery/engine/model/cells.ts";
import { familyFactors } from "../../../src/recovery/engine/model/training/family-factors.ts";
import { logOddsOfTries, vaguePrior } from "../../../src/recovery/engine/model/training/fit-model.ts";
import { poolModel, type FamilyRange } from "../../../src/recovery/engine/model/training/pool-model.ts";
import { findSharedCells } from "../../../src/recovery/engine/model/training/shared-cells.ts";
import { checkModel, toStoredModel, type StoredModel } from "../../../src/recovery/engine/model/stored-model.ts";
import { TryCollector } from "../../../src/recovery/engine/model/training/training-tries.ts";
import { RandomSource } from "../../../src/recovery/simulation/random-source.ts";

describe("familyFactors", () => {
  test.each([
    [[100, 100, 100, 100, 100]],
    [[100, 100, 100, 100, 10_000]],
    [[7, 3000, 100, 900, 2, 50_000, 800]],
    [[5, 5, 900, 900, 900, 900]],
    [[1, 2, 3, 4]],
  ])("gives no family of %j more than a quarter, and takes no more than that needs", (sizes) => {
    const reduced = sizes.map((size, index) => size * familyFactors(sizes)[index]!);
    const total = reduced.reduce((sum, size) => sum + size, 0);
    const largest = Math.max(...reduced);
    expect(largest / total).toBeLessThanOrEqual(0.25 + 1e-12);
    // All who are reduced are reduced to the bound, and it is the largest: either nobody is, or it is a quarter.
    for (const [index, size] of sizes.entries()) expect(reduced[index]).toBeCloseTo(Math.min(size, largest), 6);
    if (reduced.some((size, index) => size < sizes[index]!)) expect(largest / total).toBeCloseTo(0.25, 9);
  });
});

test("a cell is shared by five families of which none has more than half of it", () => {
  const families = Array.from({ length: 5 }, () => new Float64Array(cellCount));
  const put = (cell: number, weights: number[]) => {
    for (const [index, weight] of weights.entries()) families[index]![cell] = weight;
  };
  put(0, [1, 1, 1, 1, 1]);
  put(1, [10, 10, 10, 10, 0]);
  put(2, [4, 1, 1, 1, 1]);
  put(3, [5, 1, 1, 1, 1]);
  expect([...findSharedCells(families).subarray(0, 5)]).toEqual([1, 0, 1, 0, 0]);
});

const { means, blockVariances } = vaguePrior();
const published: StoredModel = toStoredModel(
  { weights: means, blockVariances, variances: new Float64Array(cellCount), classTries: new Float64Array(0) },
  { tries: 0, worlds: [], usualAmounts: { KRW: 9.5 } },
  true,
);

const morning = firstTimeCellOf("6 hours").common;
const [gateway, everyone] = [firstCellOf("gateway"), firstCellOf("all")];

/** The log-odds of a family's attempts: in the morning or not. */
interface Law {
  morning: number;
  later: number;
  tries?: number;
  /** A gateway that only this family has, with odds of its own. */
  gateway?: number;
}

function attemptsOf(laws: readonly Law[], seed = 3) {
  const random = new RandomSource(seed);
  const collector = new TryCollector();
  const ranges: FamilyRange[] = [];
  for (const [familyId, law] of laws.entries()) {
    const first = collector.count;
    for (let number = 0; number < (law.tries ?? 400); number++) {
      const isMorning = random.next() < 0.5;
      const logOdds = (isMorning ? law.morning : law.later) + (law.gateway ?? 0);
      const own = [everyone, morning + (isMorning ? 0 : 1), ...(law.gateway === undefined ? [] : [gateway + 2])];
      collector.add({ own, sources: [] }, random.next() < 1 / (1 + Math.exp(-logOdds)));
    }
    ranges.push({ familyId, first, end: collector.count });
  }
  const tries = collector.toTable();
  const all = Int32Array.from({ length: tries.count }, (_, index) => index);
  const activeLogOdds = logOddsOfTries(tries, Float64Array.from(published.weights), all);
  return { set: { tries, times: new Float64Array(tries.count), activeLogOdds }, ranges };
}
const pool = (laws: readonly Law[]) => {
  const { set, ranges } = attemptsOf(laws);
  return poolModel(set, ranges, published);
};
const same = { morning: 1.5, later: -2 };

describe("pooling", () => {
  test("finds what five families have in common, and proves it on those that it was not fitted on", () => {
    const { result, evaluation, candidate, familyIds, tries } = pool([same, same, same, same, same]);
    expect([result, familyIds, tries, candidate!.tries]).toEqual(["ACTIVATED", [0, 1, 2, 3, 4], 2000, 2000]);
    expect(evaluation!.candidate.logLoss).toBeLessThan(evaluation!.published.logLoss - 0.1);
    checkModel(candidate);
    // A prior: it says neither how many attempts a cell has nor what amounts are usual.
    expect([candidate!.variances, candidate!.usualAmounts]).toEqual([undefined, published.usualAmounts]);
    const difference = candidate!.weights[morning]! - candidate!.weights[morning + 1]!;
    expect(Math.abs(difference - 3.5)).toBeLessThan(0.5);
  });

  test("is refused for four families, and for a fifth with too few attempts", () => {
    const refused = { result: "TOO_FEW_VENDORS", evaluation: null, candidate: null };
    expect(pool([same, same, same, same])).toMatchObject(refused);
    expect(pool([same, same, same, same, { ...same, tries: 99 }])).toMatchObject({
      ...refused,
      familyIds: [0, 1, 2, 3],
    });
    expect(pool([])).toMatchObject({ ...refused, tries: 0 });
  });

  test("is not used where families contradict each other", () => {
    const [always, never] = [
      { morning: 3, later: 3 },
      { morning: -3, later: -3 },
    ];
    expect(pool([always, never, always, never, never]).result).not.toBe("ACTIVATED");
  });

  test("of a family forty times as large as the others does not follow it alone", () => {
    const small = { morning: 1.5, later: -2, tries: 200 };
    const large = { morning: -2, later: 1.5, tries: 8000 };
    const { weights } = pool([small, small, small, small, large]).candidate!;
    // A quarter of the weight is the large one's.
    expect(weights[morning]! - weights[morning + 1]!).toBeGreaterThan(1);
  });

  test("keeps the prior's weight where fewer than five families have attempts", () => {
    const { candidate } = pool([{ ...same, gateway: -2 }, same, same, same, same]);
    expect(candidate!.weights[gateway + 2]).toBe(published.weights[gateway + 2]);
    const all = pool([same, same, same, same, same].map((law) => ({ ...law, gateway: -2 }))).candidate!;
    expect(all.weights[gateway + 2]).not.toBe(published.weights[gateway + 2]);
  });

  test("of the same attempts is the same, to the byte", () => {
    const laws = [same, same, same, same, same, same];
    expect(JSON.stringify(pool(laws))).toBe(JSON.stringify(pool(laws)));
  });
});
