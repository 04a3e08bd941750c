import { setImmediate as nextTurn } from "node:timers/promises";
import { afterEach, beforeAll, expect, test, vi } from "vitest";
import { overLimit } from "../../../src/kernel/refusals.ts";
import { computeInThread } from "../../../src/recovery/case-threads/case-computation.ts";
import { REQUEST_LIMITS } from "../../../src/recovery/case-threads/family-cases.ts";
import type { RecordedCaseRow } from "../../../src/recovery/models/recorded-case.repository.ts";
import { buildOnce } from "../../support/build-once.ts";

/* Whose computation is next. The computations here only read, until the test ends them. */

beforeAll(buildOnce, 240_000);
afterEach(() => {
  vi.useRealTimers();
});

const started: string[] = [];

/** Requests a computation of a vendor, which reads its cases until it is ended. */
function request(vendorId: number, name: string): { end: () => void; failure: Promise<string> } {
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const read = async function* (): AsyncGenerator<RecordedCaseRow[]> {
    started.push(name);
    yield [];
    await ended;
    throw new Error("ended by the test");
  };
  const computation = computeInThread<object, object>(vendorId, {
    ...{ program: "code-suggestions/code-suggestion-thread", pages: read(), job: {} },
    ...{
      timeoutMs: REQUEST_LIMITS.timeoutMs,
      busyCode: "ESTIMATES_BUSY",
      refuseSlow: () => overLimit("ESTIMATES_BUSY", "too slow", 60),
    },
  } as const);
  return {
    end,
    failure: computation.then(
      () => "none",
      (error: unknown) => (error as Error).message,
    ),
  };
}

async function waitForStart(name: string): Promise<void> {
  while (!started.includes(name)) await nextTurn();
}

test("a vendor waits longer than one computation, and comes before the others of a vendor that requests many", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const many = ["first", "second", "third"].map((name) => request(1, name));
  await waitForStart("first");
  expect(await request(1, "fourth").failure).toContain("wait 60 seconds");
  const other = request(2, "other vendor's");
  vi.advanceTimersByTime(REQUEST_LIMITS.timeoutMs - 1);
  many[0]!.end();
  await waitForStart("other vendor's");
  expect(started).toEqual(["first", "other vendor's"]);
  for (const { end } of [other, ...many]) end();
  expect(await Promise.all([...many, other].map(({ failure }) => failure))).toEqual(
    Array.from({ length: 4 }, () => "ended by the test"),
  );
});
