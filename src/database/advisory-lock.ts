import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";

const AGAIN_MS = 100;

/**
 * Does work while no other process does work of this number on the same database, in a transaction that frees the number
 * however it ends. Who waits holds no connection meanwhile: behind a pooler that shares out few of them, the one at work
 * may need it; and a limit on the time of statements does not end the wait.
 */
export async function alone(
  url: string,
  number: number,
  work: (transaction: postgres.TransactionSql, session: postgres.Sql) => Promise<void>,
): Promise<void> {
  const session = postgres(url, { max: 1, onnotice: () => undefined, prepare: false, fetch_types: false });
  const attempt = () =>
    session.begin(async (transaction) => {
      const [row] = await transaction<{ free: boolean }[]>`select pg_try_advisory_xact_lock(${number}::bigint) as free`;
      if (row!.free) await work(transaction, session);
      return row!.free;
    });
  try {
    while (!(await attempt())) await sleep(AGAIN_MS);
  } finally {
    await session.end({ timeout: 5 });
  }
}
