import { setTimeout as wait } from "node:timers/promises";
import { expect, test } from "vitest";
import { limitConcurrency } from "../../../src/kernel/scheduling/concurrency-limit.ts";

test("no more pieces of work than the limit run at the same time, in their order, also after one has failed", async () => {
  const limited = limitConcurrency(3);
  const started: number[] = [];
  let [running, most] = [0, 0];
  const ends = await Promise.allSettled(
    Array.from({ length: 10 }, (_, index) =>
      limited(async () => {
        started.push(index);
        most = Math.max(most, ++running);
        await wait(2);
        running--;
        if (index === 1) throw new Error("failed");
        return index;
      }),
    ),
  );
  expect(most).toBe(3);
  expect(started).toEqual(Array.from({ length: 10 }, (_, index) => index));
  expect(ends.filter(({ status }) => status === "rejected")).toHaveLength(1);
});
