/** Things to come, given out in order of time; those of one instant in the order of their numbers. A binary heap. */
export class Queue<T extends { at: number; index: number }> {
  private readonly heap: T[] = [];

  push(one: T): void {
    const { heap } = this;
    let place = heap.push(one) - 1;
    for (;;) {
      const parent = (place - 1) >> 1;
      if (place === 0 || !isBefore(one, heap[parent]!)) break;
      heap[place] = heap[parent]!;
      place = parent;
    }
    heap[place] = one;
  }

  /** The next to come, or undefined when nothing is left. */
  pop(): T | undefined {
    const { heap } = this;
    const first = heap[0];
    const last = heap.pop();
    if (!first || !last || heap.length === 0) return first;
    let place = 0;
    for (;;) {
      let child = 2 * place + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && isBefore(heap[child + 1]!, heap[child]!)) child++;
      if (!isBefore(heap[child]!, last)) break;
      heap[place] = heap[child]!;
      place = child;
    }
    heap[place] = last;
    return first;
  }
}

const isBefore = (a: { at: number; index: number }, b: { at: number; index: number }): boolean =>
  a.at < b.at || (a.at === b.at && a.index < b.index);
