/** Lets at most so many pieces of work run at the same time; the others wait in the order in which they came. */
export function limitConcurrency(limit: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running >= limit) await new Promise<void>((resolve) => waiting.push(resolve));
    else running++;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      // The slot is handed straight to the next one, so that a newcomer cannot overtake it.
      if (next) next();
      else running--;
    }
  };
}
