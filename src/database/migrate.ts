import { drizzle } from "drizzle-orm/postgres-js";
import { migrate as applyMigrations } from "drizzle-orm/postgres-js/migrator";
import type postgres from "postgres";
import { asset } from "../kernel/assets.ts";
import { alone } from "./alone.ts";

/** Any number will do, as long as every version of the gateway uses the same one. */
const MIGRATIONS = 7_264_587_401;

/**
 * Brings the database to this version's tables. Many gateways may start at once: one migrates, the others wait for it.
 * A killed migrator leaves nothing behind.
 */
export const migrate = (url: string): Promise<void> =>
  alone(url, MIGRATIONS, async (transaction, { options }) => {
    // The transaction that Drizzle opens becomes a savepoint in ours.
    const begin = (work: (savepoint: postgres.TransactionSql) => unknown) => transaction.savepoint(work);
    const inner = Object.assign(transaction, { options, begin }) as unknown as postgres.Sql;
    await applyMigrations(drizzle(inner), { migrationsFolder: asset("schema/migrations") });
  });
