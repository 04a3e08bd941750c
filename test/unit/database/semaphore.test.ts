import { expect, test } from "vitest";
import { NO_CONNECTION_FREE, ConnectionSemaphore } from "../../../src/database/driver/semaphore.ts";

/** Work that ends when the test says so. */
function work() {
  let end!: () => void;
  const ended = new Promise<void>((resolve) => (end = resolve));
  return { end, begin: () => ended };
}

test("so many run at once; the others wait in the order of their arrival", async () => {
  const turnstile = new ConnectionSemaphore(2, 10_000);
  const begun: string[] = [];
  const pieces = ["a", "b", "c", "d"].map((name) => {
    const { begin, end } = work();
    const passed = turnstile.run(() => {
      begun.push(name);
      return begin();
    });
    return { end, passed };
  });
  await expect.poll(() => begun).toEqual(["a", "b"]);
  pieces[1]!.end();
  await pieces[1]!.passed;
  await expect.poll(() => begun).toEqual(["a", "b", "c"]);
  for (const { end } of pieces) end();
  await Promise.all(pieces.map(({ passed }) => passed));
  expect(begun).toEqual(["a", "b", "c", "d"]);
});

test("a waiter that times out gets an error, does not run, and takes no slot", async () => {
  const turnstile = new ConnectionSemaphore(1, 20);
  const { begin, end } = work();
  const first = turnstile.run(begin);
  let late = false;
  await expect(turnstile.run(async () => void (late = true))).rejects.toMatchObject({ code: NO_CONNECTION_FREE });
  end();
  await first;
  expect(await turnstile.run(async () => "next")).toBe("next");
  expect(late).toBe(false);
});

test("failed work releases its slot too", async () => {
  const turnstile = new ConnectionSemaphore(1, 20);
  await expect(turnstile.run(() => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(await turnstile.run(async () => "next")).toBe("next");
});
