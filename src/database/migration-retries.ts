import { setTimeout as sleep } from "node:timers/promises";
import { DrizzleQueryError } from "drizzle-orm";

/** A migrator that waits for a lock must not make the requests behind it wait: it gives up and tries again. */
export const MIGRATION_LOCK_TIMEOUT = "2s";

/** The lock was not free in time; or the migrator and a request waited for each other, and the migrator gave way. */
const LOCK_FAILURES: ReadonlySet<unknown> = new Set(["55P03", "40P01"]);
const PAUSE_MS = 500;
const MAX_ATTEMPTS = 60;

/** Runs migrations again while gateways of an older version hold the locks that they need. */
export async function withMigrationRetries(migrate: () => Promise<unknown>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await migrate();
      return;
    } catch (error) {
      const { code } = (error instanceof DrizzleQueryError ? error.cause : error) as { code?: unknown };
      if (!LOCK_FAILURES.has(code) || attempt === MAX_ATTEMPTS) throw error;
      await sleep(PAUSE_MS);
    }
  }
}
