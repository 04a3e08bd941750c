import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Cell } from "../../../src/cells/cell.ts";
import { OpenCells } from "../../../src/cells/open-cells.ts";

const cellOf = (number: number): Cell => ({
  ...{ number, name: `cell-${number}`, url: `postgres://127.0.0.1/${number}`, schema: null, replicaUrl: null },
  ...{ isDistributed: false, state: "OPEN" },
});

const closeable = { close: async () => undefined, retire: async () => undefined };

/** Cells of which each is opened by a function of its own. */
const openCells = (...opens: (() => Promise<typeof closeable>)[]) =>
  new OpenCells({
    readAll: async () => opens.map((_, index) => cellOf(index + 1)),
    open: ({ number }) => opens[number - 1]!(),
    isMigrating: () => false,
    logger: { info: () => undefined, warn: () => undefined },
  });

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "performance"] }));
afterEach(() => void vi.useRealTimers());

const after = (milliseconds: number) => () =>
  new Promise<typeof closeable>((resolve) => setTimeout(() => resolve(closeable), milliseconds));

/** Starts the cells, and returns after how many seconds it had ended. */
async function secondsOfStart(cells: ReturnType<typeof openCells>): Promise<number> {
  const startedAt = performance.now();
  const start = { isOver: false };
  const over = cells.start().then(() => (start.isOver = true));
  while (!start.isOver) await vi.advanceTimersByTimeAsync(500);
  await over;
  return (performance.now() - startedAt) / 1_000;
}

test("the start of a process waits for cells that are slow to open, longer than a request does", async () => {
  const cells = openCells(after(0), after(20_000));
  expect(await secondsOfStart(cells)).toBeCloseTo(20, 0);
  expect(cells.states().map(({ isOpen }) => isOpen)).toEqual([true, true]);
});

test("the start of a process does not wait for a cell that cannot be opened", async () => {
  const cells = openCells(after(0), () => Promise.reject(new Error("ECONNREFUSED")));
  expect(await secondsOfStart(cells)).toBeLessThan(1);
  expect(cells.states().map(({ isOpen }) => isOpen)).toEqual([true, false]);
});

test("the start of a process ends beside a cell that never answers", async () => {
  const cells = openCells(after(0), () => new Promise(() => undefined));
  expect(await secondsOfStart(cells)).toBeLessThanOrEqual(65);
  expect(cells.states().map(({ isOpen }) => isOpen)).toEqual([true, false]);
});
