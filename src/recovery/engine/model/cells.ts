import { Network, PaymentGateway, ReasonClass } from "../../../../schema/vocabulary.ts";
import { getOrThrow, itemAt } from "../../../kernel/required-values.ts";

/*
 * The cells of the model: each weight belongs to one, and each can be read by a person. A block is a group of cells of one
 * kind; its weights share one variance, which is learned.
 */

/** Version of the cells and of how facts choose among them: weights of one version mean nothing to another. */
export const featureVersion = "2026-11-23";

/** Classes of the last decline, as the cells have them; NONE is a new payment method without a decline. */
export const cellClasses = [...Object.keys(ReasonClass), "NONE"] as readonly (ReasonClass | "NONE")[];
const networks = [...Object.keys(Network), "NONE"];
const gateways = Object.keys(PaymentGateway);
/** Countries with effects of their own; the others share one cell. */
export const cellCountries = ["KR", "US", "JP", "GB", "DE", "FR", "BR", "IN", "OTHER"] as const;

/** Upper bounds, in hours, of the cells of the time since the last attempt. */
export const hoursSinceLast = [2, 6, 12, 18, 26, 36, 50, 74, 100, 124, 150, 200, 270, 340] as const;
/** The same, coarse. */
export const hoursSinceLastCoarse = [12, 30, 80, 180] as const;
/** Upper bounds, in days, of the coarse cells of the time since the first failure. */
export const daysSinceFirstCoarse = [1, 3, 7, 14, 21] as const;
/** Days after which a source of money is spent: it counts no longer. */
export const SOURCE_DAYS = 14;
/** Sources: paydays on the days 1 to 31 of the month, where 31 is its last, then weekly ones from Monday to Friday. */
export const SOURCE_COUNT = 36;
/** Number of buckets that unmapped codes share. */
const CODE_BUCKETS = 64;

/** Effects of the time of an attempt: each has a copy for each class of the last decline. */
const timeBlocks = {
  "attempt number": 8,
  "days since first failure": 32,
  "days since first failure, coarse": daysSinceFirstCoarse.length + 1,
  "hours since last attempt": hoursSinceLast.length + 1,
  "hours since last attempt, coarse": hoursSinceLastCoarse.length + 1,
  hour: 24,
  "3 hours": 8,
  "6 hours": 4,
  weekday: 7,
  "weekday and 3 hours": 56,
  "bank day": 3,
  "day of month": 31,
  "days to end of month": 31,
  "attempts in 7 days": 6,
  "repeated hour": 3,
  "repeated weekday": 2,
} as const;

const classCount = cellClasses.length;

/** Effects of the case. */
const caseBlocks = {
  all: 1,
  class: classCount,
  "first class": classCount,
  "class and network": classCount * networks.length,
  network: networks.length,
  gateway: gateways.length,
  country: cellCountries.length,
  "unmapped code": CODE_BUCKETS,
  amount: 5,
  advice: 4 * 9,
} as const;

/** Effects of a source of money that has arrived since the last attempt. */
const sourceBlocks = {
  sources: 1,
  source: SOURCE_COUNT,
  "source in country": SOURCE_COUNT * cellCountries.length,
  "source, days since arrival": 2 * SOURCE_DAYS,
  "source, days and 3 hours": 2 * 3 * 8,
  "source, first day's hour": 2 * 24,
  "source, class": 2 * classCount,
  "source, amount": 5,
  "source, failed on the day": 2 * 8,
  "source, failed after earlier arrival": 2 * 2,
  "source, attempt number": 8,
} as const;

export type TimeBlock = keyof typeof timeBlocks;
export type CaseBlock = keyof typeof caseBlocks;
export type SourceBlock = keyof typeof sourceBlocks;

/** A group of cells with one variance. */
export interface CellBlock {
  name: string;
  from: number;
  size: number;
}

const blocks: CellBlock[] = [];
const firstCells = new Map<string, number>();
let cells = 0;

function addBlocks(sizes: Record<string, number>, suffix = "", copies = 1): void {
  for (const [name, size] of Object.entries(sizes)) {
    blocks.push({ name: name + suffix, from: cells, size: size * copies });
    firstCells.set(name + suffix, cells);
    cells += size * copies;
  }
}
addBlocks(caseBlocks);
addBlocks(timeBlocks);
addBlocks(timeBlocks, " by class", classCount);
addBlocks(sourceBlocks);

/** All blocks, in the order of their cells. */
export const cellBlocks: readonly CellBlock[] = blocks;

/** Number of cells, and of weights. */
export const cellCount = cells;

/** The index of the first cell of each block of the case, and of each block of sources. */
export const firstCellOf = (block: CaseBlock | SourceBlock): number => getOrThrow(firstCells, block);

/** The first cell of a block of times, and the one of its copy for the first class; copies follow one another. */
export const firstTimeCellOf = (block: TimeBlock): { common: number; byClass: number; size: number } => ({
  common: getOrThrow(firstCells, block),
  byClass: getOrThrow(firstCells, `${block} by class`),
  size: timeBlocks[block],
});

export const classIndexOf = (reason: ReasonClass | null): number => cellClasses.indexOf(reason ?? "NONE");
export const networkIndexOf = (network: Network | null): number => networks.indexOf(network ?? "NONE");
export const gatewayIndexOf = (gateway: PaymentGateway | null): number =>
  Math.max(0, gateways.indexOf(gateway ?? "UNKNOWN"));
export function countryIndexOf(country: string | null): number {
  const index = (cellCountries as readonly string[]).indexOf(country ?? "OTHER");
  return index < 0 ? cellCountries.length - 1 : index;
}

/** The bucket of a gateway's code or message that no table has. */
export function codeBucketOf(text: string): number {
  let hash = 2166136261;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 16777619);
  return (hash >>> 0) % CODE_BUCKETS;
}

/** The index of the first bound above a value. */
export function bucketOf(value: number, bounds: readonly number[]): number {
  let index = 0;
  while (index < bounds.length && value >= itemAt(bounds, index)) index++;
  return index;
}
