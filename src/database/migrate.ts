import { drizzle } from "drizzle-orm/postgres-js";
import { migrate as applyMigrations } from "drizzle-orm/postgres-js/migrator";
import postgres from "postgres";
import { asset } from "../kernel/assets.ts";

/** Any number will do, as long as every version of the gateway uses the same one. */
const MIGRATION_LOCK = 7_264_587_401;

/**
 * Brings the database to this version's tables. Many gateways may start at once: one migrates, the others wait for it.
 * Lock and migrations share one transaction: a killed migrator frees the lock and leaves nothing behind, and a pooler
 * that hands out connections by transaction cannot part them.
 */
export async function migrate(url: string): Promise<void> {
  const session = postgres(url, { max: 1, onnotice: () => undefined, prepare: false, fetch_types: false });
  try {
    await session.begin(async (transaction) => {
      await transaction`select pg_advisory_xact_lock(${MIGRATION_LOCK}::bigint)`;
      // The transaction that Drizzle opens becomes a savepoint in ours.
      const begin = (work: (savepoint: postgres.TransactionSql) => unknown) => transaction.savepoint(work);
      const inner = Object.assign(transaction, { options: session.options, begin }) as unknown as postgres.Sql;
      await applyMigrations(drizzle(inner), { migrationsFolder: asset("schema/migrations") });
    });
  } finally {
    await session.end({ timeout: 5 });
  }
}
