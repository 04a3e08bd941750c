import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { currentTraceId, traceWork } from "../../../src/kernel/tracing.ts";

test("each turn of a worker has a trace id of its own while nothing is traced", async () => {
  const turn = () =>
    traceWork("due work", 1, async () => {
      const before = currentTraceId();
      await sleep(0);
      return [before, currentTraceId()];
    });
  const [one, other] = await Promise.all([turn(), turn()]);
  expect(one[0]).toMatch(/^[0-9a-f]{32}$/);
  expect(one[1]).toBe(one[0]);
  expect(other[0]).toMatch(/^[0-9a-f]{32}$/);
  expect(other[0]).not.toBe(one[0]);
  expect(currentTraceId()).toBeNull();
});
