import { describe, expect, test } from "vitest";
import { CaseFeatures, CELLS_OF_SOURCE, type AttemptCells } from "../../../src/recovery/engine/model/case-features.ts";
import { CellPatterns } from "../../../src/recovery/engine/model/training/cell-patterns.ts";
import { cellClasses, cellCount, classIndexOf } from "../../../src/recovery/engine/model/cells.ts";
import {
  countByClass,
  fitWeights,
  logOddsOfTries,
  vaguePrior,
} from "../../../src/recovery/engine/model/training/fit-model.ts";
import { logOddsOfCells } from "../../../src/recovery/engine/model/log-odds.ts";
import { joinTables, TryCollector } from "../../../src/recovery/engine/model/training/training-tries.ts";
import { TryOdds } from "../../../src/recovery/engine/model/training/try-odds.ts";
import { RandomSource } from "../../../src/recovery/simulation/random-source.ts";
import { daysAfterFailure, failedAttempt, recoveryCaseWith } from "../../support/fixtures/recovery-cases.ts";

/* The fit adds up patterns of cells. Here its sums are compared with those of the cells one by one. */

interface Attempt {
  cells: AttemptCells;
  approved: boolean;
  weight: number;
}

function randomAttempts(count: number, seed: number, code?: string): Attempt[] {
  const random = new RandomSource(seed);
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random.next() * items.length)]!;
  return Array.from({ length: count }, () => {
    const codeOfFirst = code ?? pick(["51", "91", "05", null]);
    const facts = recoveryCaseWith({
      country: pick(["KR", "US", "FR", null]),
      attempts: [
        failedAttempt(0, { code: codeOfFirst, adviceCode: pick([null, "24"]) }),
        ...(random.next() < 0.5 ? [failedAttempt(2, { code: code ?? pick(["51", "91", "???"]) })] : []),
      ],
    });
    const at = daysAfterFailure(3 + Math.floor(random.next() * 24), Math.floor(random.next() * 24));
    return {
      cells: new CaseFeatures(facts, {}).cellsAt(at),
      approved: random.next() < 0.3,
      weight: pick([1, 0.5, 0.25]),
    };
  });
}

function collect(attempts: readonly Attempt[], patterns?: CellPatterns) {
  const tries = new TryCollector(patterns);
  for (const { cells, approved, weight } of attempts) tries.add(cells, approved, weight);
  return tries.toTable();
}

const attempts = randomAttempts(1_500, 3);
const random = new RandomSource(5);
const weights = Float64Array.from({ length: cellCount }, () => random.next() - 0.5);

/** How far the log-odds of an attempt move with each cell. */
function sharesOf({ own, sources }: AttemptCells): { cell: number; share: number }[] {
  const odds: number[] = [];
  for (let at = 0; at < sources.length; at += CELLS_OF_SOURCE)
    odds.push(Math.exp(sources.slice(at, at + CELLS_OF_SOURCE).reduce((sum, cell) => sum + weights[cell]!, 0)));
  const total = odds.reduce((sum, one) => sum + one, 1);
  return [
    ...own.map((cell) => ({ cell, share: 1 })),
    ...sources.map((cell, index) => ({ cell, share: odds[Math.floor(index / CELLS_OF_SOURCE)]! / total })),
  ];
}

function expectClose(actual: ArrayLike<number>, expected: ArrayLike<number>): void {
  expect(actual).toHaveLength(expected.length);
  const worst = Math.max(...Array.from(expected, (value, index) => Math.abs(value - actual[index]!)));
  expect(worst).toBeLessThan(1e-9);
}

describe("patterns of cells", () => {
  const table = collect(attempts);

  test("are few, and give the log-odds of the cells", () => {
    expect(table.patterns.count).toBeLessThan(attempts.length * 2);
    const all = Int32Array.from(attempts.keys());
    expectClose(
      logOddsOfTries(table, weights, all),
      attempts.map(({ cells }) => logOddsOfCells(weights, cells)),
    );
  });

  test.each(["addShares", "addSquaredShares"] as const)("%s adds to each cell what belongs to it", (add) => {
    const odds = new TryOdds(table, weights);
    const [found, expected] = [new Float64Array(cellCount), new Float64Array(cellCount)];
    for (const [index, { cells, weight }] of attempts.entries()) {
      odds.logOddsOf(index);
      odds[add](index, weight);
      for (const { cell, share } of sharesOf(cells))
        expected[cell]! += weight * (add === "addShares" ? share : share * share);
    }
    odds.takeShares(found);
    expectClose(found, expected);
  });

  test("stay numbers with weights that no fit finds", () => {
    const odds = new TryOdds(table, new Float64Array(cellCount).fill(100));
    expect(attempts.every((_, index) => Number.isFinite(odds.logOddsOf(index)))).toBe(true);
  });

  test("are shared by tables that are joined", () => {
    const patterns = new CellPatterns();
    const few = attempts.slice(0, 60);
    const parts = [few.slice(0, 25), [], few.slice(25)].map((part) => collect(part, patterns));
    const joined = joinTables(parts);
    const { patterns: ofJoined, ...columns } = joined;
    const { patterns: ofWhole, ...expected } = collect(few);
    expect(columns).toEqual(expected);
    expect(ofJoined.count).toBe(ofWhole.count);
    expect(() => joinTables([collect(few), collect(few)])).toThrow("collected apart");
  });
});

describe("attempts without weight", () => {
  const left = collect([
    ...randomAttempts(300, 8, "91").map((attempt) => ({ ...attempt, weight: 0 })),
    ...randomAttempts(300, 9, "51"),
  ]);
  const kept = collect(randomAttempts(300, 9, "51"));

  test("teach no class its law", () => {
    const counts = countByClass(left);
    expect(counts).toEqual(countByClass(kept));
    expect(counts[classIndexOf("TECHNICAL")]).toBe(0);
    expect(counts[classIndexOf("INSUFFICIENT_FUNDS")]).toBeGreaterThan(100);
    expect(counts).toHaveLength(cellClasses.length);
  });

  test("change no weight of a fit", () => {
    expectClose(fitWeights(left, vaguePrior()).weights, fitWeights(kept, vaguePrior()).weights);
  });

  test("alone, or none at all, leave the prior as it is", () => {
    const { means } = vaguePrior();
    for (const empty of [collect([]), collect(randomAttempts(5, 8).map((one) => ({ ...one, weight: 0 })))])
      expectClose(fitWeights(empty, vaguePrior()).weights, means);
  });
});
