import { setTimeout as sleep } from "node:timers/promises";

/** The lock was not free in time; or the migrator and a request waited for each other, and the migrator gave way. */
const LOCK_FAILURES: ReadonlySet<unknown> = new Set(["55P03", "40P01"]);
const MIN_PAUSE_MS = 500;
/** Requests that queued behind the migrator go on in the pauses, which grow while it has no success. */
const MAX_PAUSE_MS = 5_000;
const GROWTH = 1.3;
/** About five minutes. */
const MAX_ATTEMPTS = 70;
/** Every so many attempts the operator is told. */
const REPORTED = 5;

export const isLockFailure = (error: unknown): boolean => LOCK_FAILURES.has((error as { code?: unknown }).code);

/** Runs migrations again while others have the locks that they need. */
export async function withMigrationRetries<Result>(
  migrate: () => Promise<Result>,
  reportWait: () => Promise<void> = () => Promise.resolve(),
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await migrate();
    } catch (error) {
      if (!isLockFailure(error) || attempt === MAX_ATTEMPTS) throw error;
      if (attempt % REPORTED === 0) await reportWait();
      await sleep(Math.min(MAX_PAUSE_MS, MIN_PAUSE_MS * GROWTH ** (attempt - 1)));
    }
  }
}
