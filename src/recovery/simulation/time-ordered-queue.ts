import { itemAt } from "../../kernel/required-values.ts";
/** Things to come, given out in order of time; those of one instant in the order of their numbers. A binary heap. */
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

  /** The next to come, or undefined when nothing is left. */
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
