type Works = readonly (() => Promise<unknown>)[];
type Started<All extends Works> = { readonly [Index in keyof All]: ReturnType<All[Index]> };

/**
 * Starts pieces of work one after the other without waiting for their results: their first statements are sent in this order and
 * together. Waits for the end of all of them, because a transaction may only be undone when none of its work goes on.
 * @returns their promises. The caller awaits these in the order in which it reports errors.
 */
export async function startInOrder<const All extends Works>(...works: All): Promise<Started<All>> {
  const started: Promise<unknown>[] = [];
  for (const work of works) {
    started.push(work());
    // The steps between a call of a repository and its statement are microtasks: all of them come before the next tick.
    await new Promise<void>((resolve) => process.nextTick(resolve));
  }
  await Promise.allSettled(started);
  return started as Started<All>;
}
