import { setTimeout as wait } from "node:timers/promises";
import { expect, test } from "vitest";
import { MicroBatches } from "../../../src/kernel/scheduling/micro-batches.ts";

function recordingBatches(options: { maxSize?: number; fails?: (items: readonly number[]) => boolean } = {}) {
  const batches: number[][] = [];
  const faults: unknown[] = [];
  const run = async (items: readonly number[]): Promise<number[]> => {
    batches.push([...items]);
    await wait(5);
    if (options.fails?.(items) === true) throw new Error(`${items.join()} failed`);
    return items.map((item) => item * 10);
  };
  const work = new MicroBatches<number, number>({
    runBatch: run,
    runOne: async (item) => (await run([item]))[0]!,
    maxSize: options.maxSize ?? 3,
    gatherMs: 1,
    onFault: (error) => faults.push(error),
  });
  return { work, batches, faults };
}

test("items that arrive together form batches of the largest size, one after the other", async () => {
  const { work, batches } = recordingBatches();
  const results = await Promise.all([1, 2, 3, 4].map((item) => work.add(item)));
  expect(results).toEqual([10, 20, 30, 40]);
  expect(batches).toEqual([[1, 2, 3], [4]]);
});

test("items that arrive while a batch is worked on form the next one", async () => {
  const { work, batches } = recordingBatches();
  const first = work.add(1);
  await wait(4);
  await Promise.all([first, work.add(2), work.add(3)]);
  expect(batches).toEqual([[1], [2, 3]]);
});

test("each item of a batch that fails is done by itself, its error is reported, and only those that fail again are rejected", async () => {
  const { work, batches, faults } = recordingBatches({ fails: (items) => items.includes(2) });
  const ends = await Promise.allSettled([1, 2, 3].map((item) => work.add(item)));
  expect(ends.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(batches).toEqual([[1, 2, 3], [1], [2], [3]]);
  expect(faults).toEqual([new Error("1,2,3 failed")]);
});
