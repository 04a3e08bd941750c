import type postgres from "postgres";
import { limitConcurrency } from "../../kernel/scheduling/concurrency-limit.ts";
import { isLockFailure } from "./migration-retries.ts";
import { applyMigration } from "./apply-migration.ts";
import { readMigrations, toStatementsOfTransaction, withoutComments, type Migration } from "./migration-files.ts";
import {
  findPending,
  JournalLockedError,
  openMigrationSession,
  type MigrationOptions,
  type MigrationPlace,
} from "./migration-place.ts";
import { firstRow } from "../rows.ts";

/** The table of the migrations of a schema. */
export const journalOfSchema = (schema: string): string => `"${schema}"."__drizzle_migrations"`;

/** So many schemas are migrated by one process at the same time; those that are up to date do not count. */
const takeTurn = limitConcurrency(4);
/** Another migrator has the journal for as long as its migration takes: it is asked for again, so that nothing queues behind the wait. */
const JOURNAL_LOCK_TIMEOUT = "100ms";

interface SchemaMigrationOptions extends MigrationOptions {
  /** The last migration, named by its time in the journal. Defaults to the newest one. */
  until?: number;
}

/**
 * Brings one schema of a database to this version's tables, and makes the schema if it is missing; nothing else is made. Each migration
 * is committed with its row in the schema's own journal, so that a migrator that was killed is followed by the next one where it stopped,
 * and several at once do each migration once.
 */
export async function migrateSchema(
  url: string,
  schema: string,
  { until = Infinity, ...options }: SchemaMigrationOptions = {},
): Promise<void> {
  const openSession = () =>
    openMigrationSession(url, {
      // A cell that is down must not keep those who open it waiting.
      connect_timeout: 5,
      connection: { application_name: "recoup-migrations" },
    });
  const session = openSession();
  try {
    const migrations = readMigrations().filter(({ at }) => at <= until);
    const journal = journalOfSchema(schema);
    if ((await hasTable(session, journal)) && (await findPending({ session, journal }, migrations)).length === 0)
      return;
    options.onPending?.();
    await takeTurn(async () => {
      await prepareSchema(session, schema);
      const traits = { extensions: await listExtensions(session), isEmpty: await hasNoVendors(session, schema) };
      const place: MigrationPlace = {
        ...{ session, openSession, schema, searchPath: `"${schema}", public`, journal },
        tryLock: (transaction) => lockJournal(transaction, journal),
        adapt: (statement) => (isNeeded(statement, traits) ? rewrite(statement, schema) : undefined),
        isPooled: options.isPooled ?? false,
        isEmpty: traits.isEmpty,
        report: options.report ?? (() => undefined),
      };
      for (const migration of await findPending(place, migrations))
        // Nobody waits for the locks of empty tables.
        await applyMigration(place, traits.isEmpty ? toTransaction(migration) : migration);
    });
  } finally {
    await session.end({ timeout: 5 });
  }
}

const toTransaction = (migration: Migration): Migration => ({
  ...migration,
  mode: { kind: "transaction" },
  statements: toStatementsOfTransaction(migration),
});

async function lockJournal(transaction: postgres.TransactionSql, journal: string): Promise<true> {
  await transaction.unsafe(`set local lock_timeout = '${JOURNAL_LOCK_TIMEOUT}'`);
  try {
    await transaction.unsafe(`lock table ${journal} in exclusive mode`);
  } catch (error) {
    throw isLockFailure(error) ? new JournalLockedError() : error;
  }
  return true;
}

async function hasTable(session: postgres.Sql, table: string): Promise<boolean> {
  const rows = await session<{ found: boolean }[]>`select to_regclass(${table}) is not null as found`;
  return firstRow(rows).found;
}

async function listExtensions(session: postgres.Sql): Promise<ReadonlySet<string>> {
  const rows = await session<{ name: string }[]>`select extname as name from pg_extension`;
  return new Set(rows.map(({ name }) => name));
}

/** Makes the schema and its journal. */
async function prepareSchema(session: postgres.Sql, schema: string): Promise<void> {
  await makeSchema(session, schema);
  await session.unsafe(
    `create table if not exists "${schema}"."__drizzle_migrations" ("hash" text not null, "created_at" bigint primary key)`,
  );
}

/** Makes a schema unless it is there. @returns whether it was made. */
export async function makeSchema(session: postgres.Sql, schema: string): Promise<boolean> {
  const isCitus = (await listExtensions(session)).has("citus");
  return session.begin(async (transaction) => {
    // Only who may create schemas in the database may even ask for one that is there.
    const [present] = await transaction`select from pg_namespace where nspname = ${schema}`;
    if (present) return false;
    // In this transaction alone: other schemas that are made on the server are not the migrator's business.
    if (isCitus) await transaction.unsafe("set local citus.enable_schema_based_sharding = on");
    await transaction.unsafe(`create schema if not exists "${schema}"`);
    return true;
  });
}

async function hasNoVendors(session: postgres.Sql, schema: string): Promise<boolean> {
  const table = `"${schema}"."vendors"`;
  return !(await hasTable(session, table)) || (await session.unsafe(`select from ${table} limit 1`)).length === 0;
}

/** What decides which statements a schema needs. */
interface SchemaTraits {
  extensions: ReadonlySet<string>;
  /** Without vendors there are no rows to change: Citus refuses some of the old statements that changed them. */
  isEmpty: boolean;
}

/** Whether a statement is sent: an extension may be there, there may be no rows, and Citus refuses triggers. */
function isNeeded(statement: string, { extensions, isEmpty }: SchemaTraits): boolean {
  const [, extension] = /create extension if not exists (\w+)/i.exec(statement) ?? [];
  // Even where it is there, only its owner may ask Citus for it.
  if (extension !== undefined && extensions.has(extension)) return false;
  if (isEmpty && CHANGES_OF_ROWS.test(withoutComments(statement))) return false;
  return !(extensions.has("citus") && TRIGGERS.test(withoutComments(statement)));
}

/** A statement of a migration for another schema than `public`, in which only extensions stay. */
const rewrite = (statement: string, schema: string): string =>
  withPlainColumns(statement)
    .replaceAll('"public".', `"${schema}".`)
    .replace(/^(\s*create extension if not exists \w+)\s*$/im, "$1 schema public");

/** Drizzle puts the table before the columns of a check, which Citus cannot repeat on its nodes. */
function withPlainColumns(statement: string): string {
  const [, table] = /^(?:create|alter) table "(\w+)"/i.exec(withoutComments(statement)) ?? [];
  return table === undefined ? statement : statement.replaceAll(`"${table}"."`, '"');
}

/** Statements that only change rows which are there already, or the numbers that follow them. */
const CHANGES_OF_ROWS =
  /^(?:update|delete|lock table|select setval|insert into \S+(?: \([^)]*\))?\s+(?:overriding system value\s+)?select)\b/i;

/** Triggers, and the functions whose presence says that triggers count orders: what they write or refuse is written and refused by the gateway there (docs/scale.md). */
const TRIGGERS =
  /^(?:create (?:or replace )?(?:constraint )?trigger|drop trigger|do \$\$[^]*drop trigger|create function keep_order_\w+\(|alter table \S+ (?:enable|disable) .*trigger)/i;
