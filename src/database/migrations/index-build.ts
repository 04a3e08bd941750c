import { setTimeout as sleep } from "node:timers/promises";
import type postgres from "postgres";
import type { MigrationPlace } from "./migration-place.ts";

/** `CREATE INDEX CONCURRENTLY`, in its parts. */
export interface IndexBuild {
  unique: string;
  name: string;
  table: string;
  /** From the columns on. */
  definition: string;
}

/** An index of the name, as the catalogue has it. */
interface FoundIndex {
  isValid: boolean;
  /** Whether a session builds it: a migrator that was killed leaves its statement running on the server. */
  isBuilt: boolean;
}

const POLL_INTERVAL_MS = 500;
const LOCK_TIMEOUT_MS = 500;

/** The parts of a statement that builds an index beside writers. Undefined for every other statement. */
export function parseIndexBuild(statement: string): IndexBuild | undefined {
  const [, unique = "", name, table, definition] =
    /^create (unique )?index concurrently "(\w+)" on "(\w+)"\s*([^]+)$/i.exec(statement) ?? [];
  if (name === undefined || table === undefined || definition === undefined) return undefined;
  return { unique, name, table, definition };
}

/** Builds an index beside writers, unless it is there. What a build that was stopped has left is dropped first. */
export async function buildIndex(session: postgres.Sql, place: MigrationPlace, build: IndexBuild): Promise<void> {
  if (await isPartitioned(session, place.schema, build.table)) await buildOnPartitions(session, place, build);
  else await buildOnTable(session, place, build);
}

async function buildOnTable(
  session: postgres.Sql,
  { schema, report }: MigrationPlace,
  { unique, name, table, definition }: IndexBuild,
): Promise<void> {
  const indexName = `"${schema}"."${name}"`;
  let found = await findIndex(session, schema, name);
  while (found?.isBuilt && !found.isValid) {
    report(`The index ${name} is being built by a session that was left behind; waiting for it.`);
    await sleep(POLL_INTERVAL_MS);
    found = await findIndex(session, schema, name);
  }
  if (found?.isValid) return;
  if (found) {
    report(`The index ${name} is not valid, because its build was stopped; it is built again.`);
    await session.unsafe(`drop index concurrently if exists ${indexName}`);
  }
  try {
    await session.unsafe(`create ${unique}index concurrently "${name}" on "${schema}"."${table}" ${definition}`);
  } catch (error) {
    // An invalid unique index would refuse rows already.
    await session.unsafe(`drop index concurrently if exists ${indexName}`).catch(() => undefined);
    throw error;
  }
}

/**
 * Builds the index of a partitioned table, which cannot be built beside writers as a whole: an empty one first, which partitions that are
 * made from then on have too, then that of each partition. It is valid once the last one is attached.
 */
async function buildOnPartitions(
  session: postgres.Sql,
  place: MigrationPlace,
  { unique, name, table, definition }: IndexBuild,
): Promise<void> {
  const { schema } = place;
  const found = await findIndex(session, schema, name);
  if (found?.isValid) return;
  const runLocked = (statement: string) =>
    session.begin(async (transaction) => {
      await transaction.unsafe(`set local lock_timeout = ${LOCK_TIMEOUT_MS}`);
      await transaction.unsafe(statement);
    });
  if (!found) await runLocked(`create ${unique}index "${name}" on only "${schema}"."${table}" ${definition}`);
  for (const { partition } of await listPartitionsWithout(session, schema, table, name)) {
    // Names have 63 characters at most.
    const own = `${partition.slice(0, 31)}_${name.slice(0, 31)}`;
    await buildOnTable(session, place, { unique, name: own, table: partition, definition });
    await runLocked(`alter index "${schema}"."${name}" attach partition "${schema}"."${own}"`);
  }
}

async function isPartitioned(session: postgres.Sql, schema: string, table: string): Promise<boolean> {
  const rows = await session`select from pg_class
    where relnamespace = (select oid from pg_namespace where nspname = ${schema}) and relname = ${table} and relkind = 'p'`;
  return rows.length > 0;
}

async function findIndex(session: postgres.Sql, schema: string, name: string): Promise<FoundIndex | undefined> {
  const [found] = await session<FoundIndex[]>`
    select indisvalid as "isValid",
      exists (select from pg_stat_progress_create_index p where p.datname = current_database() and p.relid = indrelid) as "isBuilt"
    from pg_index join pg_class on pg_class.oid = indexrelid
    where relnamespace = (select oid from pg_namespace where nspname = ${schema}) and relname = ${name}`;
  return found;
}

/** The partitions that have no part of an index yet. */
const listPartitionsWithout = (session: postgres.Sql, schema: string, table: string, index: string) =>
  session<{ partition: string }[]>`
    select child.relname as partition from pg_inherits join pg_class child on child.oid = inhrelid
    where inhparent = ${`"${schema}"."${table}"`}::regclass and not exists (
      select from pg_index own join pg_inherits attached on attached.inhrelid = own.indexrelid
      where own.indrelid = child.oid and attached.inhparent = ${`"${schema}"."${index}"`}::regclass)
    order by 1`;
