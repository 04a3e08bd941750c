import { drizzle } from "drizzle-orm/postgres-js";
import { migrate as applyMigrations } from "drizzle-orm/postgres-js/migrator";
import postgres from "postgres";
import { asset } from "../kernel/assets.ts";

/** Any number will do, as long as every version of the gateway uses the same one. */
const MIGRATION_LOCK = 7_264_587_401;

/**
 * Brings the database to this version's tables. Many gateways may start at once: one migrates, the others wait for it.
 * The lock belongs to the transaction-less session that also migrates, so a killed migrator frees it.
 */
export async function migrate(url: string): Promise<void> {
  const session = postgres(url, { max: 1, onnotice: () => undefined, prepare: false });
  try {
    await session`select pg_advisory_lock(${MIGRATION_LOCK}::bigint)`;
    await applyMigrations(drizzle(session), { migrationsFolder: asset("schema/migrations") });
    await session`select pg_advisory_unlock(${MIGRATION_LOCK}::bigint)`;
  } finally {
    await session.end({ timeout: 5 });
  }
}
