import { readFileSync } from "node:fs";
import { copyFile, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { drizzle } from "drizzle-orm/postgres-js";
import { migrate as applyMigrations } from "drizzle-orm/postgres-js/migrator";
import type postgres from "postgres";
import { projectFile } from "../kernel/project-files.ts";
import { withAdvisoryLock } from "./advisory-lock.ts";
import { withMigrationRetries } from "./migration-retries.ts";

const MIGRATIONS = projectFile("schema/migrations");
/** Any number will do, as long as every version of the gateway uses the same one. */
const MIGRATION_LOCK_ID = 7_264_587_401;

/**
 * Brings the database to this version's tables. Many gateways may start at once: one migrates, the others wait for it.
 * A killed migrator leaves nothing behind.
 */
export const migrateDatabase = (url: string): Promise<void> =>
  withMigrationRetries(() =>
    withMigrationLock(url, async (transaction) => {
      await migrateWithin(transaction);
    }),
  );

/** Runs work in one transaction while nobody migrates the database. */
export const withMigrationLock = (
  url: string,
  work: (transaction: MigrationTransaction) => Promise<void>,
): Promise<void> =>
  withAdvisoryLock(url, MIGRATION_LOCK_ID, async (transaction, { options }) => {
    // The transaction that Drizzle opens becomes a savepoint in ours.
    const begin = (step: (savepoint: postgres.TransactionSql) => unknown) => transaction.savepoint(step);
    // The driver's type of a transaction lacks these two, which are all that Drizzle needs besides.
    await work(Object.assign(transaction, { options, begin }) as MigrationTransaction);
  });

export type MigrationTransaction = postgres.TransactionSql & postgres.Sql;

/** Applies the migrations up to one, named by its time in the journal. Defaults to all of them. */
export async function migrateWithin(transaction: MigrationTransaction, until = Infinity): Promise<void> {
  const { entries, ...journal } = readJournal();
  const applied = entries.filter(({ when }) => when <= until);
  if (applied.length === entries.length) {
    await applyMigrations(drizzle(transaction), { migrationsFolder: MIGRATIONS });
    await requireLedgerGuards(transaction);
    return;
  }
  // Drizzle applies all migrations of a folder.
  const folder = await mkdtemp(join(tmpdir(), "recoup-migrations-"));
  try {
    await mkdir(join(folder, "meta"));
    await writeFile(join(folder, "meta/_journal.json"), JSON.stringify({ ...journal, entries: applied }));
    for (const { tag } of applied) await copyFile(join(MIGRATIONS, `${tag}.sql`), join(folder, `${tag}.sql`));
    await applyMigrations(drizzle(transaction), { migrationsFolder: folder });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Whether this version has the migration, named by its time in the journal. */
export const hasMigration = (at: number): boolean => readJournal().entries.some(({ when }) => when === at);

const readJournal = () =>
  JSON.parse(readFileSync(join(MIGRATIONS, "meta/_journal.json"), "utf8")) as {
    entries: { when: number; tag: string }[];
  };

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
