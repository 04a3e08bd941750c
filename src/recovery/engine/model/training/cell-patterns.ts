import { cellBlocks, type CaseBlock, type SourceBlock, type TimeBlock } from "../cells.ts";
import { GrowingArray } from "./growing-array.ts";

/*
 * Cells that go together. The cells of an attempt repeat in groups: the hour, its three and six hours and its weekday are the same few
 * combinations a million times. A combination is kept once, as a pattern, and its weights are added up once for all attempts that have it.
 */

/** The group of each block. Blocks that determine each other are in one, so that a group has thousands of patterns and not millions. */
const groupOfBlock: Readonly<Record<CaseBlock | TimeBlock | SourceBlock, number>> = {
  all: 0,
  class: 0,
  "first class": 0,
  "class and network": 0,
  network: 0,
  advice: 0,
  gateway: 1,
  country: 1,
  "unmapped code": 1,
  amount: 1,
  "days since first failure": 2,
  "days since first failure, coarse": 2,
  "hours since last attempt": 2,
  "hours since last attempt, coarse": 2,
  hour: 3,
  "3 hours": 3,
  "6 hours": 3,
  weekday: 3,
  "weekday and 3 hours": 3,
  "bank day": 4,
  "day of month": 4,
  "days to end of month": 4,
  "attempt number": 5,
  "attempts in 7 days": 5,
  "repeated hour": 5,
  "repeated weekday": 5,
  sources: 0,
  source: 0,
  "source in country": 0,
  "source, failed after earlier arrival": 0,
  "source, days since arrival": 1,
  "source, days and 3 hours": 1,
  "source, first day's hour": 1,
  "source, class": 2,
  "source, amount": 2,
  "source, failed on the day": 2,
  "source, attempt number": 2,
};

/** Number of patterns of an attempt's own cells. */
export const OWN_PATTERNS = 6;
/** Number of patterns of the cells of each of its sources. */
export const SOURCE_PATTERNS = 3;

const isKnown = (name: string): name is keyof typeof groupOfBlock => Object.hasOwn(groupOfBlock, name);

const groupOfCell = Uint8Array.from(
  cellBlocks.flatMap(({ name, size }) => {
    const common = name.replace(/ by class$/, "");
    return Array<number>(size).fill(isKnown(common) ? groupOfBlock[common] : 0);
  }),
);

const EMPTY = -1;

/** Combinations of cells, each kept once and known by its number. */
export class CellPatterns {
  /** Where the cells of each pattern begin; one more at the end. */
  private readonly from = new GrowingArray((size) => new Int32Array(size));
  private readonly cells = new GrowingArray((size) => new Uint16Array(size));
  /** Numbers of patterns by the hash of their cells: open addressing, at most half full. */
  private slots = new Int32Array(2048).fill(EMPTY);
  private readonly groups = Array.from({ length: OWN_PATTERNS }, (): number[] => []);

  constructor() {
    this.from.push(0);
  }

  /** Number of patterns. */
  get count(): number {
    return this.from.length - 1;
  }

  /** Calls back with the number of the pattern of each group of some cells, in the order of the groups. */
  split(
    cells: readonly number[],
    from: number,
    until: number,
    groupCount: number,
    add: (pattern: number) => void,
  ): void {
    const { groups } = this;
    for (let group = 0; group < groupCount; group++) (groups[group] as number[]).length = 0;
    for (let at = from; at < until; at++) {
      const cell = cells[at] as number;
      (groups[groupOfCell[cell] as number] as number[]).push(cell);
    }
    for (let group = 0; group < groupCount; group++) add(this.numberOf(groups[group] as number[]));
  }

  /** The place of each pattern's cell in a block of cells; -1 where it has none of them. */
  placesIn(first: number, size: number): Int32Array {
    const places = new Int32Array(this.count).fill(-1);
    const cells = this.cells.values();
    for (let pattern = 0, at = 0; pattern < places.length; pattern++)
      for (const until = this.from.at(pattern + 1); at < until; at++) {
        const place = (cells[at] as number) - first;
        if (place >= 0 && place < size) places[pattern] = place;
      }
    return places;
  }

  /** The sum of the weights of each pattern. */
  sumsOf(weights: Float64Array): Float64Array<ArrayBuffer> {
    const sums = new Float64Array(this.count);
    const cells = this.cells.values();
    for (let pattern = 0, at = 0; pattern < sums.length; pattern++) {
      let sum = 0;
      for (const until = this.from.at(pattern + 1); at < until; at++) sum += weights[cells[at] as number] as number;
      sums[pattern] = sum;
    }
    return sums;
  }

  /** Adds to each cell what belongs to the patterns that it is in. */
  addToCells(ofPatterns: Float64Array, into: Float64Array): void {
    const cells = this.cells.values();
    for (let pattern = 0, at = 0; pattern < ofPatterns.length; pattern++) {
      const amount = ofPatterns[pattern] as number;
      for (const until = this.from.at(pattern + 1); at < until; at++) {
        const cell = cells[at] as number;
        into[cell] = (into[cell] as number) + amount;
      }
    }
  }

  /** The number of a pattern, which is added if it is new. */
  private numberOf(cells: readonly number[]): number {
    const mask = this.slots.length - 1;
    for (let slot = hashOf(cells) & mask; ; slot = (slot + 1) & mask) {
      const known = this.slots[slot] as number;
      if (known !== EMPTY) {
        if (this.isPattern(known, cells)) return known;
        continue;
      }
      const pattern = this.count;
      for (const cell of cells) this.cells.push(cell);
      this.from.push(this.cells.length);
      this.slots[slot] = pattern;
      if (pattern * 2 > mask) this.enlarge();
      return pattern;
    }
  }

  private cellsOf(pattern: number): Uint16Array {
    return this.cells.values().subarray(this.from.at(pattern), this.from.at(pattern + 1));
  }

  private isPattern(pattern: number, cells: readonly number[]): boolean {
    const from = this.from.at(pattern);
    if (this.from.at(pattern + 1) - from !== cells.length) return false;
    for (let index = 0; index < cells.length; index++) if (this.cells.at(from + index) !== cells[index]) return false;
    return true;
  }

  private enlarge(): void {
    this.slots = new Int32Array(this.slots.length * 2).fill(EMPTY);
    const mask = this.slots.length - 1;
    for (let pattern = 0; pattern < this.count; pattern++) {
      let slot = hashOf(this.cellsOf(pattern)) & mask;
      while (this.slots[slot] !== EMPTY) slot = (slot + 1) & mask;
      this.slots[slot] = pattern;
    }
  }
}

/** FNV-1a over the numbers of the cells, with its high bits mixed in. */
function hashOf(cells: ArrayLike<number>): number {
  let hash = 2166136261;
  for (let index = 0; index < cells.length; index++) hash = Math.imul(hash ^ (cells[index] as number), 16777619);
  return hash ^ (hash >>> 15);
}
