import { itemAt } from "../../../kernel/required-values.ts";
import type { AttemptCells } from "./case-features.ts";

/** An array of whole numbers that grows. */
export class GrowingArray<Numbers extends Uint16Array | Int32Array | Float32Array | Float64Array> {
  length = 0;
  constructor(
    private readonly create: (size: number) => Numbers,
    private numbers: Numbers = create(1024),
  ) {}

  push(value: number): void {
    if (this.length === this.numbers.length) {
      const larger = this.create(this.length * 2);
      larger.set(this.numbers);
      this.numbers = larger;
    }
    this.numbers[this.length++] = value;
  }

  /** The values so far, without a copy. */
  values(): Numbers {
    return this.numbers.subarray(0, this.length) as Numbers;
  }
}

const growing = <Numbers extends Uint16Array | Int32Array | Float32Array>(create: (size: number) => Numbers) =>
  new GrowingArray(create, create(1024));

/** Attempts with their results, as the fit reads them: the cells of all attempts one after the other. */
export interface TryTable {
  count: number;
  /** Where the cells of each attempt begin, and those of its sources; one more at the end. */
  from: Int32Array;
  sourcesFrom: Int32Array;
  cells: Uint16Array;
  approved: Uint16Array;
  /** The weight of each: 1 for one of today. */
  weights: Float32Array;
}

/** Collects attempts with their results. */
export class TryCollector {
  private readonly from = growing((size) => new Int32Array(size));
  private readonly sourcesFrom = growing((size) => new Int32Array(size));
  private readonly cells = growing((size) => new Uint16Array(size));
  private readonly approved = growing((size) => new Uint16Array(size));
  private readonly weights = growing((size) => new Float32Array(size));

  get count(): number {
    return this.approved.length;
  }

  add({ own, sources }: AttemptCells, approved: boolean, weight = 1): void {
    this.from.push(this.cells.length);
    for (const cell of own) this.cells.push(cell);
    this.sourcesFrom.push(this.cells.length);
    for (const cell of sources) this.cells.push(cell);
    this.approved.push(approved ? 1 : 0);
    this.weights.push(weight);
  }

  toTable(): TryTable {
    const from = Int32Array.from([...this.from.values(), this.cells.length]);
    return {
      count: this.count,
      from,
      sourcesFrom: this.sourcesFrom.values(),
      cells: this.cells.values(),
      approved: this.approved.values(),
      weights: this.weights.values(),
    };
  }
}

/** The attempts of several tables as one. */
export function joinTables(tables: readonly TryTable[]): TryTable {
  const count = tables.reduce((sum, table) => sum + table.count, 0);
  const cellCount = tables.reduce((sum, table) => sum + table.cells.length, 0);
  const joined = {
    count,
    from: new Int32Array(count + 1),
    sourcesFrom: new Int32Array(count),
    cells: new Uint16Array(cellCount),
    approved: new Uint16Array(count),
    weights: new Float32Array(count),
  };
  let [row, cell] = [0, 0];
  for (const { count: rows, from, sourcesFrom, cells, approved, weights } of tables) {
    for (let index = 0; index < rows; index++) {
      joined.from[row + index] = itemAt(from, index) + cell;
      joined.sourcesFrom[row + index] = itemAt(sourcesFrom, index) + cell;
    }
    joined.cells.set(cells, cell);
    joined.approved.set(approved, row);
    joined.weights.set(weights, row);
    row += rows;
    cell += cells.length;
  }
  joined.from[count] = cell;
  return joined;
}
