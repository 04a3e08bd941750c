import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type postgres from "postgres";
import { firstRow } from "../rows.ts";
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
  table: string;
  isUnique: boolean;
  /** The statement that makes such an index, as the server writes it. */
  statement: string;
}

const POLL_INTERVAL_MS = 500;
const LOCK_TIMEOUT_MS = 500;

const DUPLICATE_NAME = "42P07";

const MAX_NAME_LENGTH = 63;
const HASH_LENGTH = 8;

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

async function buildOnTable(session: postgres.Sql, place: MigrationPlace, build: IndexBuild): Promise<void> {
  const { schema, report } = place;
  const { unique, name, table, definition } = build;
  const indexName = `"${schema}"."${name}"`;
  let found = await findIndex(session, schema, name);
  while (found?.isBuilt && !found.isValid) {
    report(`The index ${name} is being built by a session that was left behind; waiting for it.`);
    await sleep(POLL_INTERVAL_MS);
    found = await findIndex(session, schema, name);
  }
  if (found) {
    // One that is not valid is built again anyway, also if its migration was corrected since.
    if (found.isValid || found.table !== table) await requireSameIndex(session, schema, build, found);
    if (found.isValid) return;
    report(`The index ${name} is not valid, because its build was stopped; it is built again.`);
    await runWithoutLimit(session, place, `drop index concurrently if exists ${indexName}`);
  }
  try {
    await runWithoutLimit(
      session,
      place,
      `create ${unique}index concurrently "${name}" on "${schema}"."${table}" ${definition}`,
    );
  } catch (error) {
    // An invalid unique index would refuse rows already. An index of somebody who was faster is not ours to drop.
    if ((error as { code?: unknown }).code === DUPLICATE_NAME) throw error;
    await session.unsafe(`drop index concurrently if exists ${indexName}`).catch(() => undefined);
    throw error;
  }
}

/**
 * Runs a statement that waits for all transactions that are older, however long they take, while nobody waits for it. The settings are
 * made for each such statement, because a connection that was lost and opened again does not have them.
 */
export async function runWithoutLimit(
  session: postgres.Sql,
  { isPooled }: Pick<MigrationPlace, "isPooled">,
  statement: string,
): Promise<void> {
  if (!isPooled) await session.unsafe("set statement_timeout = 0; set lock_timeout = 0");
  await session.unsafe(statement);
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
  if (found) await requireSameIndex(session, schema, { unique, name, table, definition }, found);
  if (found?.isValid) return;
  const runLocked = (statement: string) =>
    session.begin(async (transaction) => {
      await transaction.unsafe(`set local lock_timeout = ${LOCK_TIMEOUT_MS}`);
      await transaction.unsafe(statement);
    });
  if (!found) await runLocked(`create ${unique}index "${name}" on only "${schema}"."${table}" ${definition}`);
  for (const { partition } of await listPartitionsWithout(session, schema, table, name)) {
    const own = nameOnPartition(partition, name);
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
    select indisvalid as "isValid", indisunique as "isUnique", of.relname as table, pg_get_indexdef(indexrelid) as statement,
      exists (select from pg_stat_progress_create_index p where p.datname = current_database() and p.relid = indrelid) as "isBuilt"
    from pg_index join pg_class index on index.oid = indexrelid join pg_class of on of.oid = indrelid
    where index.relnamespace = (select oid from pg_namespace where nspname = ${schema}) and index.relname = ${name}`;
  return found;
}

/** @throws if an index of the name is not the one that a migration builds: it is someone else's, or the migration was changed. */
async function requireSameIndex(
  session: postgres.Sql,
  schema: string,
  build: IndexBuild,
  found: FoundIndex,
): Promise<void> {
  const wanted = await describeBuild(session, schema, build);
  const isUnique = build.unique !== "";
  if (found.table === build.table && found.isUnique === isUnique && definitionOf(found.statement) === wanted) return;
  throw new Error(
    `There is an index ${build.name} already, and it is another one than the migration builds: it is ${found.statement}; the migration's is on ${build.table}${isUnique ? ", unique," : ""} ${wanted}. If nobody needs the index, drop it (DROP INDEX CONCURRENTLY "${schema}"."${build.name}"), else rename it; then migrate again.`,
  );
}

/** The definition of an index as the server writes it, from an index of an empty copy of the table, which is rolled back. */
async function describeBuild(
  session: postgres.Sql,
  schema: string,
  { table, definition }: IndexBuild,
): Promise<string> {
  let statement = "";
  const rolledBack = new Error();
  await session
    .begin(async (transaction) => {
      await transaction.unsafe(`create temporary table "recoup_described" (like "${schema}"."${table}")`);
      await transaction.unsafe(`create index "recoup_described_index" on pg_temp."recoup_described" ${definition}`);
      const rows = await transaction.unsafe<{ statement: string }[]>(
        `select pg_get_indexdef('pg_temp.recoup_described_index'::regclass) as statement`,
      );
      statement = firstRow(rows).statement;
      throw rolledBack;
    })
    .catch((error: unknown) => {
      if (error !== rolledBack) throw error;
    });
  return definitionOf(statement);
}

/** The part of a statement of the server that follows the table. */
const definitionOf = (statement: string): string => statement.slice(statement.indexOf(" USING ") + 1);

/** The name of an index of a partition: those that would be too long end with a hash of the whole name. */
function nameOnPartition(partition: string, index: string): string {
  const whole = `${partition}_${index}`;
  if (whole.length <= MAX_NAME_LENGTH) return whole;
  const hash = createHash("sha256").update(whole).digest("hex").slice(0, HASH_LENGTH);
  return `${whole.slice(0, MAX_NAME_LENGTH - HASH_LENGTH - 1)}_${hash}`;
}

/** The partitions that have no part of an index yet. */
const listPartitionsWithout = (session: postgres.Sql, schema: string, table: string, index: string) =>
  session<{ partition: string }[]>`
    select child.relname as partition from pg_inherits join pg_class child on child.oid = inhrelid
    where inhparent = ${`"${schema}"."${table}"`}::regclass and not exists (
      select from pg_index own join pg_inherits attached on attached.inhrelid = own.indexrelid
      where own.indrelid = child.oid and attached.inhparent = ${`"${schema}"."${index}"`}::regclass)
    order by 1`;
