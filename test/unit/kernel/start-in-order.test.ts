import { setTimeout as wait } from "node:timers/promises";
import { expect, test } from "vitest";
import { startInOrder } from "../../../src/kernel/scheduling/start-in-order.ts";

/** Work that reaches its first statement after some microtasks. */
async function send(sent: string[], name: string, microtasks: number): Promise<string> {
  for (let count = 0; count < microtasks; count++) await Promise.resolve();
  sent.push(name);
  await wait(1);
  return name;
}

test("first statements are sent in the order of the work, however many steps come before them, and before any result", async () => {
  const sent: string[] = [];
  const results: string[] = [];
  const work = (name: string, microtasks: number) => async () => {
    results.push(await send(sent, name, microtasks));
    expect(sent).toEqual(["slow", "fast", "last"]);
    return name.length;
  };
  const [slow, fast, last] = await startInOrder(work("slow", 50), work("fast", 0), work("last", 5));
  expect(results.toSorted()).toEqual(["fast", "last", "slow"]);
  expect(await Promise.all([slow, fast, last])).toEqual([4, 4, 4]);
});

test("all work has ended when one of it has failed, and each error is reported by its own promise", async () => {
  let hasEnded = false;
  const [first, second, third] = await startInOrder(
    () => Promise.reject(new Error("first")),
    () => Promise.reject(new Error("second")),
    async () => {
      await wait(5);
      hasEnded = true;
    },
  );
  expect(hasEnded).toBe(true);
  await expect(second).rejects.toThrow("second");
  await expect(first).rejects.toThrow("first");
  await third;
});
