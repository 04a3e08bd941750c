import { setTimeout as sleep } from "node:timers/promises";

/** Waits until something holds. Unlike `expect.poll` it can be used by tests that run at the same time. */
export async function until(what: string, holds: () => Promise<boolean>, patienceMs = 45_000): Promise<void> {
  for (const deadline = Date.now() + patienceMs; !(await holds()); await sleep(5)) {
    if (Date.now() > deadline) throw new Error(`In ${patienceMs} ms it never came that ${what}.`);
  }
}
