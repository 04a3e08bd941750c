import { drizzle } from "drizzle-orm/postgres-js";
import { migrate as applyMigrations } from "drizzle-orm/postgres-js/migrator";
import type postgres from "postgres";
import { projectFile } from "../kernel/project-files.ts";
import { withAdvisoryLock } from "./advisory-lock.ts";

/** Any number will do, as long as every version of the gateway uses the same one. */
const MIGRATION_LOCK_ID = 7_264_587_401;

/**
 * Brings the database to this version's tables. Many gateways may start at once: one migrates, the others wait for it.
 * A killed migrator leaves nothing behind.
 */
export const migrateDatabase = (url: string): Promise<void> =>
  withAdvisoryLock(url, MIGRATION_LOCK_ID, async (transaction, { options }) => {
    // The transaction that Drizzle opens becomes a savepoint in ours.
    const begin = (work: (savepoint: postgres.TransactionSql) => unknown) => transaction.savepoint(work);
    // The driver's type of a transaction lacks these two, which are all that Drizzle needs besides.
    const inner = Object.assign(transaction, { options, begin }) as postgres.TransactionSql & postgres.Sql;
    await applyMigrations(drizzle(inner), { migrationsFolder: projectFile("schema/migrations") });
    await requireLedgerGuards(transaction);
  });

const LEDGER_GUARDS = ["ledger_entries_append_only", "ledger_entries_balance", "ledger_entries_not_emptied"];

/** The owner of a table can disable its triggers, which no trigger can prevent: then the gateway refuses to start. */
async function requireLedgerGuards(transaction: postgres.TransactionSql): Promise<void> {
  const enabled = await transaction<{ name: string }[]>`select tgname as name from pg_trigger
    where tgrelid = 'ledger_entries'::regclass and tgenabled in ('O', 'A')`;
  const missingGuards = LEDGER_GUARDS.filter((guard) => !enabled.some(({ name }) => name === guard));
  if (missingGuards.length > 0)
    throw new Error(
      `The ledger is not protected: its triggers ${missingGuards.join(", ")} are disabled or missing. Find the cause, compare the ledger with the payments, then run "alter table ledger_entries enable always trigger ..." for each.`,
    );
}
