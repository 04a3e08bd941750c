/**
 * Does work for all items at the same time, and waits for the end of all before it reports the first error: a transaction may
 * only be undone when none of its work goes on.
 */
export async function runTogether<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const ended = await Promise.allSettled(items.map(work));
  return ended.map((end) => {
    if (end.status === "rejected") throw end.reason;
    return end.value;
  });
}
