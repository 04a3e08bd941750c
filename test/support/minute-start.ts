import { setTimeout as sleep } from "node:timers/promises";

const MINUTE_MS = 60_000;

/** Waits for the next minute if this one ends too soon for a test that counts requests by minutes. */
export async function awaitTimeInMinute(neededMs: number): Promise<void> {
  const left = MINUTE_MS - (Date.now() % MINUTE_MS);
  if (left < neededMs) await sleep(left + 50);
}
