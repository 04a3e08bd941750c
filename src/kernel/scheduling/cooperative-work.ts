import { setImmediate as next } from "node:timers/promises";

/** Maximum time that work blocks the process before other events are handled, in milliseconds. */
const TIME_SLICE_MS = 10;

/** A list of at most this many items is processed at once. */
export const SYNCHRONOUS_LIMIT = 100;

/** Long work has its turns one after the other: between two of them everything else that has arrived has its own. */
let sliceQueue = Promise.resolve();

/**
 * Divides long work into time slices: the work checks now and then whether its slice has ended, and if so waits for the
 * next one.
 */
export class TimeSlices {
  private startedAt = performance.now();

  get isOver(): boolean {
    return performance.now() - this.startedAt > TIME_SLICE_MS;
  }

  async yieldToOthers(): Promise<void> {
    await (sliceQueue = sliceQueue.then(() => next()));
    this.startedAt = performance.now();
  }
}

/** Maps each item of a list. Long lists yield to other requests meanwhile. */
export async function mapInTimeSlices<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Result,
): Promise<Result[]> {
  const slices = new TimeSlices();
  const results: Result[] = [];
  for (const item of items) {
    results.push(work(item));
    if (items.length > SYNCHRONOUS_LIMIT && slices.isOver) await slices.yieldToOthers();
  }
  return results;
}
