import { setTimeout as sleep } from "node:timers/promises";

/** Waits until a condition is true. Unlike `expect.poll` it can be used by tests that run concurrently. */
export async function waitUntil(expectation: string, holds: () => Promise<boolean>, timeoutMs = 45_000): Promise<void> {
  for (const deadline = Date.now() + timeoutMs; !(await holds()); await sleep(5)) {
    if (Date.now() > deadline) throw new Error(`In ${timeoutMs} ms it never came that ${expectation}.`);
  }
}
