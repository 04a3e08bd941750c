import type postgres from "postgres";
import { withAdvisoryLock } from "../advisory-lock.ts";
import { withMigrationRetries } from "./migration-retries.ts";
import { applyMigration } from "./apply-migration.ts";
import { LAST_JOINT_MIGRATION, readMigrations, toStatementsOfTransaction } from "./migration-files.ts";
import { findPending, openMigrationSession, type MigrationOptions, type MigrationPlace } from "./migration-place.ts";
import { firstRow } from "../rows.ts";

/** Any number will do, as long as every version of the gateway uses the same one. */
const MIGRATION_LOCK_ID = 7_264_587_401;
/** The table of the migrations of the home database. */
export const HOME_JOURNAL = '"drizzle"."__drizzle_migrations"';
/** A migration from before each had a transaction of its own waits for locks for so long. */
const JOINT_LOCK_TIMEOUT = "2s";

/**
 * Brings the database to this version's tables. Many gateways may start at once: one migrates, the others wait for it. A new database is
 * made in one transaction; in one that is used, each migration is committed by itself. A migrator that was killed is followed by the next
 * one where it stopped.
 */
export async function migrateDatabase(url: string, options: MigrationOptions = {}): Promise<void> {
  await withMigrationRetries(() =>
    withMigrationLock(url, async (transaction) => {
      const isNew = await hasNoTables(transaction);
      // Nobody waits for the locks of new tables.
      if (!isNew) await transaction.unsafe(`set local lock_timeout = '${JOINT_LOCK_TIMEOUT}'`);
      await migrateWithin(transaction, isNew ? Infinity : lastJointTime());
    }),
  );
  await withHomePlace(url, options, async (place) => {
    for (const migration of await findPending(place, readMigrations())) await applyMigration(place, migration);
    await requireLedgerGuards(place.session);
  });
}

/** Runs work on the home database as a place that is migrated. */
export async function withHomePlace(
  url: string,
  { isPooled = false, report = () => undefined }: MigrationOptions,
  work: (place: MigrationPlace) => Promise<void>,
): Promise<void> {
  const openSession = () => openMigrationSession(url);
  const session = openSession();
  try {
    await work({
      ...{ session, openSession, schema: "public", journal: HOME_JOURNAL, tryLock: lockDatabase },
      ...{ adapt: (statement) => statement, isPooled, report },
    });
  } finally {
    await session.end({ timeout: 5 });
  }
}

/** Runs work in one transaction while nobody migrates the database. */
export const withMigrationLock = (
  url: string,
  work: (transaction: postgres.TransactionSql) => Promise<void>,
): Promise<void> => withAdvisoryLock(url, MIGRATION_LOCK_ID, work);

async function lockDatabase(transaction: postgres.TransactionSql): Promise<boolean> {
  const rows = await transaction.unsafe<{ free: boolean }[]>(
    `select pg_try_advisory_xact_lock(${MIGRATION_LOCK_ID}::bigint) as free`,
  );
  return firstRow(rows).free;
}

/**
 * Applies the migrations up to one, named by its time in the journal, in one transaction. Defaults to all of them. Only for a database
 * that nobody else uses, or for migrations from before each had a transaction of its own.
 */
export async function migrateWithin(transaction: postgres.TransactionSql, until = Infinity): Promise<void> {
  const { found } = firstRow(
    await transaction<{ found: boolean }[]>`select to_regclass(${HOME_JOURNAL}) is not null as found`,
  );
  if (!found) {
    await transaction.unsafe("create schema if not exists drizzle");
    await transaction.unsafe(
      `create table ${HOME_JOURNAL} (id serial primary key, hash text not null, created_at bigint)`,
    );
  }
  const rows = await transaction.unsafe<{ last: string | null }[]>(
    `select max(created_at) as last from ${HOME_JOURNAL}`,
  );
  const last = Number(firstRow(rows).last ?? 0);
  for (const migration of readMigrations().filter(({ at }) => at > last && at <= until)) {
    for (const statement of toStatementsOfTransaction(migration)) await transaction.unsafe(statement);
    await transaction`insert into drizzle.__drizzle_migrations ("hash", "created_at") values (${migration.hash}, ${migration.at})`;
  }
}

/** Whether this version has the migration, named by its time in the journal. */
export const hasMigration = (at: number): boolean => readMigrations().some((migration) => migration.at === at);

const lastJointTime = (): number => readMigrations().find(({ tag }) => tag === LAST_JOINT_MIGRATION)?.at ?? 0;

async function hasNoTables(transaction: postgres.TransactionSql): Promise<boolean> {
  const rows = await transaction<{ none: boolean }[]>`
    select to_regclass('public.vendors') is null and to_regclass(${HOME_JOURNAL}) is null as none`;
  return firstRow(rows).none;
}

const LEDGER_GUARDS = ["ledger_entries_append_only", "ledger_entries_balance", "ledger_entries_not_emptied"];

/** The owner of a table can disable its triggers, which no trigger can prevent: then the gateway refuses to start. */
async function requireLedgerGuards(session: postgres.Sql): Promise<void> {
  const enabled = await session<{ name: string }[]>`select tgname as name from pg_trigger
    where tgrelid = 'ledger_entries'::regclass and tgenabled in ('O', 'A')`;
  const missingGuards = LEDGER_GUARDS.filter((guard) => !enabled.some(({ name }) => name === guard));
  if (missingGuards.length > 0)
    throw new Error(
      `The ledger is not protected: its triggers ${missingGuards.join(", ")} are disabled or missing. Find the cause, compare the ledger with the payments, then run "alter table ledger_entries enable always trigger ..." for each.`,
    );
}
