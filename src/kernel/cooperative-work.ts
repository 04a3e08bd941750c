import { setImmediate as next } from "node:timers/promises";

/** How long work holds the process before whatever else has arrived has its turn, in milliseconds. */
const TURN_MS = 10;

/** A list of at most so many items is worked on at once. */
export const SHORT = 100;

/** Long work has its turns one after the other: between two of them everything else that has arrived has its own. */
let queue = Promise.resolve();

/** The turns of long work: it asks now and then whether its turn is over, and if so waits for the next one. */
export class Turns {
  private since = performance.now();

  get isOver(): boolean {
    return performance.now() - this.since > TURN_MS;
  }

  async next(): Promise<void> {
    await (queue = queue.then(() => next()));
    this.since = performance.now();
  }
}

/** Does work for each item of a list. Where the list is long, others have their turns meanwhile. */
export async function inTurns<Item, Result>(items: readonly Item[], work: (item: Item) => Result): Promise<Result[]> {
  const turns = new Turns();
  const results: Result[] = [];
  for (const item of items) {
    results.push(work(item));
    if (items.length > SHORT && turns.isOver) await turns.next();
  }
  return results;
}
