import { LRUCache } from "lru-cache";
import type { SharedRecord } from "./shared-records.ts";

/** Of all texts together, in characters with their keys: about two bytes each at most. */
const MAX_CHARACTERS = 8_000_000;

/**
 * How long a text is kept. A gateway of a version before the first that moved versions does not move them: what it changes
 * while both serve is seen after this time.
 */
const MAX_AGE_MS = 10_000;

const texts = new LRUCache<string, string>({
  maxSize: MAX_CHARACTERS,
  sizeCalculation: (text, key) => text.length + key.length,
  ttl: MAX_AGE_MS,
});

const numbers = new WeakMap<SharedRecord, number>();
let lastNumber = 0;

/** The texts of shared records by the version of what they are made of. A version names its vendor, too. */
export const keptTexts = {
  get: (record: SharedRecord, version: string, row: number): string | undefined =>
    texts.get(keyOf(record, version, row)),
  set: (record: SharedRecord, version: string, row: number, text: string): void => {
    texts.set(keyOf(record, version, row), text);
  },
};

function keyOf(record: SharedRecord, version: string, row: number): string {
  const number = numbers.get(record) ?? ++lastNumber;
  numbers.set(record, number);
  return `${number}:${version}:${row}`;
}
