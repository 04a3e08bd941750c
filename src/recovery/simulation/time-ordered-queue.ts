import { itemAt } from "../../kernel/required-values.ts";
/** A priority queue by time, then by index, implemented as a binary heap. */
export class TimeOrderedQueue<T extends { at: number; index: number }> {
  private readonly heap: T[] = [];

  push(item: T): void {
    const { heap } = this;
    let position = heap.push(item) - 1;
    for (;;) {
      const parent = (position - 1) >> 1;
      if (position === 0 || !isBefore(item, itemAt(heap, parent))) break;
      heap[position] = itemAt(heap, parent);
      position = parent;
    }
    heap[position] = item;
  }

  /** Removes and returns the first item, or returns undefined if the queue is empty. */
  pop(): T | undefined {
    const { heap } = this;
    const first = heap[0];
    const last = heap.pop();
    if (!first || !last || heap.length === 0) return first;
    let position = 0;
    for (;;) {
      let child = 2 * position + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && isBefore(itemAt(heap, child + 1), itemAt(heap, child))) child++;
      if (!isBefore(itemAt(heap, child), last)) break;
      heap[position] = itemAt(heap, child);
      position = child;
    }
    heap[position] = last;
    return first;
  }
}

const isBefore = (a: { at: number; index: number }, b: { at: number; index: number }): boolean =>
  a.at < b.at || (a.at === b.at && a.index < b.index);
