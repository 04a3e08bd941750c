import { firstOf } from "../../../../kernel/required-values.ts";
import { CELLS_OF_SOURCE, type AttemptCells } from "../case-features.ts";
import { CellPatterns, OWN_PATTERNS, SOURCE_PATTERNS } from "./cell-patterns.ts";
import { GrowingArray } from "./growing-array.ts";

/** Attempts with their results, as the fit reads them: of each, the patterns of its cells. About 170 bytes an attempt. */
export interface TryTable {
  count: number;
  /** The patterns that the numbers below name. */
  patterns: CellPatterns;
  /** `OWN_PATTERNS` of each attempt. */
  own: Int32Array;
  /** Where those of each attempt's sources begin; one more at the end. */
  sourcesFrom: Int32Array;
  /** `SOURCE_PATTERNS` of each source. */
  sources: Int32Array;
  approved: Uint8Array;
  /** The weight of each: 1 for one of today. */
  weights: Float32Array;
}

/** Collects attempts with their results. */
export class TryCollector {
  private readonly own = new GrowingArray((size) => new Int32Array(size));
  private readonly sourcesFrom = new GrowingArray((size) => new Int32Array(size));
  private readonly sources = new GrowingArray((size) => new Int32Array(size));
  private readonly approved = new GrowingArray((size) => new Uint8Array(size));
  private readonly weights = new GrowingArray((size) => new Float32Array(size));
  private readonly addOwn = (pattern: number) => {
    this.own.push(pattern);
  };
  private readonly addSource = (pattern: number) => {
    this.sources.push(pattern);
  };

  /** Collectors whose tables are joined share their patterns. */
  constructor(private readonly patterns = new CellPatterns()) {
    this.sourcesFrom.push(0);
  }

  get count(): number {
    return this.approved.length;
  }

  add({ own, sources }: AttemptCells, approved: boolean, weight = 1): void {
    this.patterns.split(own, 0, own.length, OWN_PATTERNS, this.addOwn);
    for (let at = 0; at < sources.length; at += CELLS_OF_SOURCE)
      this.patterns.split(sources, at, at + CELLS_OF_SOURCE, SOURCE_PATTERNS, this.addSource);
    this.sourcesFrom.push(this.sources.length);
    this.approved.push(approved ? 1 : 0);
    this.weights.push(weight);
  }

  toTable(): TryTable {
    return {
      count: this.count,
      patterns: this.patterns,
      own: this.own.values(),
      sourcesFrom: this.sourcesFrom.values(),
      sources: this.sources.values(),
      approved: this.approved.values(),
      weights: this.weights.values(),
    };
  }
}

/** Adds the weight of some attempts, from one to before another, to each cell that they are in. */
export function addCellWeights(
  { patterns, own, sources, sourcesFrom, weights }: TryTable,
  { first, end }: { first: number; end: number },
  into: Float64Array,
): void {
  const ofPatterns = new Float64Array(patterns.count);
  const add = (pattern: number, weight: number) => {
    ofPatterns[pattern] = (ofPatterns[pattern] as number) + weight;
  };
  for (let index = first; index < end; index++) {
    const weight = weights[index] as number;
    for (let at = index * OWN_PATTERNS; at < (index + 1) * OWN_PATTERNS; at++) add(own[at] as number, weight);
    for (let at = sourcesFrom[index] as number; at < (sourcesFrom[index + 1] as number); at++)
      add(sources[at] as number, weight);
  }
  patterns.addToCells(ofPatterns, into);
}

/** The attempts of several tables as one. @throws if their patterns are not the same. */
export function joinTables(tables: readonly TryTable[]): TryTable {
  const { patterns } = firstOf(tables);
  if (tables.some((table) => table.patterns !== patterns)) throw new Error("The tables were collected apart.");
  const sizeOf = (list: "own" | "sources" | "approved") => tables.reduce((sum, table) => sum + table[list].length, 0);
  const joined: TryTable = {
    count: sizeOf("approved"),
    patterns,
    own: new Int32Array(sizeOf("own")),
    sourcesFrom: new Int32Array(sizeOf("approved") + 1),
    sources: new Int32Array(sizeOf("sources")),
    approved: new Uint8Array(sizeOf("approved")),
    weights: new Float32Array(sizeOf("approved")),
  };
  let [row, source] = [0, 0];
  for (const { count, own, sourcesFrom, sources, approved, weights } of tables) {
    joined.own.set(own, row * OWN_PATTERNS);
    joined.sources.set(sources, source);
    joined.approved.set(approved, row);
    joined.weights.set(weights, row);
    for (let index = 1; index <= count; index++)
      joined.sourcesFrom[row + index] = (sourcesFrom[index] as number) + source;
    row += count;
    source += sources.length;
  }
  return joined;
}
