import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";
import { firstRow } from "./rows.ts";

const POLL_INTERVAL_MS = 100;

/**
 * Runs work while no other process runs work of this number on the same database, in a transaction whose end always
 * frees the number. Waiting processes do not occupy a connection: behind a small pooler, the running one may need it. A
 * statement timeout does not end the wait.
 */
export async function withAdvisoryLock(
  url: string,
  lockId: number,
  work: (transaction: postgres.TransactionSql, session: postgres.Sql) => Promise<void>,
): Promise<void> {
  const session = postgres(url, { max: 1, onnotice: () => undefined, prepare: false, fetch_types: false });
  const tryOnce = () =>
    session.begin(async (transaction) => {
      const row = firstRow(
        await transaction<{ free: boolean }[]>`select pg_try_advisory_xact_lock(${lockId}::bigint) as free`,
      );
      if (row.free) await work(transaction, session);
      return row.free;
    });
  try {
    while (!(await tryOnce())) await sleep(POLL_INTERVAL_MS);
  } finally {
    await session.end({ timeout: 5 });
  }
}
