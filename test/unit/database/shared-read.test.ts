import { expect, test } from "vitest";
import { SharedRead } from "../../../src/database/replica/shared-read.ts";

/** Queries whose answers the test gives one after the other. */
function openQueries() {
  const queries: { resolve: (value: number) => void; reject: (error: Error) => void }[] = [];
  const shared = new SharedRead(() => new Promise<number>((resolve, reject) => queries.push({ resolve, reject })));
  return { shared, queries };
}

test("callers during a query share the next one, which begins after they called", async () => {
  const { shared, queries } = openQueries();
  const first = shared.read();
  const later = [shared.read(), shared.read()];
  expect(queries).toHaveLength(1);
  queries[0]!.resolve(1);
  expect(await first).toBe(1);
  await new Promise(setImmediate);
  expect(queries).toHaveLength(2);
  // One who comes now must not get the answer to the query that is under way.
  const last = shared.read();
  queries[1]!.resolve(2);
  expect(await Promise.all(later)).toEqual([2, 2]);
  await new Promise(setImmediate);
  queries[2]!.resolve(3);
  expect(await last).toBe(3);
  expect(queries).toHaveLength(3);
});

test("a failed query fails those who waited for it only", async () => {
  const { shared, queries } = openQueries();
  const first = shared.read();
  const second = shared.read();
  queries[0]!.reject(new Error("lost"));
  await expect(first).rejects.toThrow("lost");
  await new Promise(setImmediate);
  queries[1]!.resolve(2);
  expect(await second).toBe(2);
});
