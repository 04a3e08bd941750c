import { setTimeout as sleep } from "node:timers/promises";
import type postgres from "postgres";
import { isLockFailure } from "./migration-retries.ts";
import { firstRow } from "../rows.ts";
import { BATCH } from "./migration-files.ts";
import type { MigrationPlace, WorkBesideLock } from "./migration-place.ts";

/** How far a batched migration has come. */
interface BatchProgress {
  /** The last primary key that is done, as texts; null at the start. */
  after: string[] | null;
  rows: number;
  isDone: boolean;
}

const FIRST_SIZE = 1_000;
const MAX_SIZE = 20_000;
/** Writers of rows of a batch wait for it: it is made smaller until it is quick. */
const SLOW_MS = 400;
const QUICK_MS = 150;
const LOCK_TIMEOUT_MS = 300;
const STATEMENT_TIMEOUT_MS = 800;
/** Failures of batches of one row in a row, after which the migration fails: a pause of half a minute in all. */
const MAX_FAILURES = 60;
const FAILURE_PAUSE_MS = 500;
const REPORT_INTERVAL_MS = 10_000;

/**
 * Changes the rows of a table in the order of its primary key, a range of it in each transaction, which also saves how far it has come.
 * Half of the time is left to others.
 */
export async function changeInBatches(
  { session, place, tag, requireHeld }: WorkBesideLock,
  at: number,
  [statement]: readonly string[],
  table: string,
): Promise<void> {
  if (statement === undefined) return;
  const progressTable = progressTableOf(place);
  await session.unsafe(
    `create table if not exists ${progressTable} ("migration" bigint primary key, "after" text not null, "rows" bigint not null,
      "is_done" boolean not null, "changed_at" timestamptz not null)`,
  );
  await session.unsafe(`insert into ${progressTable} values (${at}, 'null', 0, false, now()) on conflict do nothing`);
  const key = await readPrimaryKey(session, place.schema, table);
  const change: BatchedChange = { session, place, statement, table, key, progressTable, at };
  let [size, failures, reportedAt] = [FIRST_SIZE, 0, -Infinity];
  for (let isDone = false; !isDone;) {
    requireHeld();
    const startedAt = performance.now();
    try {
      const progress = await changeBatch(change, size);
      isDone = progress.isDone;
      failures = 0;
      if (startedAt - reportedAt > REPORT_INTERVAL_MS) {
        place.report(`${tag} has changed ${progress.rows} rows`);
        reportedAt = startedAt;
      }
    } catch (error) {
      if (!isTransient(error) || (size === 1 && ++failures === MAX_FAILURES)) throw error;
      size = Math.max(1, Math.floor(size / 2));
      await sleep(FAILURE_PAUSE_MS);
      continue;
    }
    const milliseconds = performance.now() - startedAt;
    if (milliseconds > SLOW_MS) size = Math.max(1, Math.floor(size / 2));
    else if (milliseconds < QUICK_MS) size = Math.min(MAX_SIZE, size * 2);
    if (!isDone) await sleep(milliseconds);
  }
}

/** The table beside the journal in which a batched migration saves how far it has come. */
export const progressTableOf = ({ journal }: Pick<MigrationPlace, "journal">): string =>
  journal.replace(/"[^"]+"$/, '"__migration_batches"');

interface BatchedChange {
  session: postgres.Sql;
  place: MigrationPlace;
  statement: string;
  table: string;
  /** The columns of the primary key. */
  key: readonly string[];
  progressTable: string;
  at: number;
}

/** Changes the next range. Where the last one ended is read and locked first, so that no range is changed twice. */
async function changeBatch(
  { session, place, statement, table, key, progressTable, at }: BatchedChange,
  size: number,
): Promise<BatchProgress> {
  const columns = key.map((column) => `"${table}"."${column}"`).join(", ");
  const comparedWith = (operator: string, values: readonly string[]) =>
    `(${columns}) ${operator} (${values.map((value) => quoteValue(value)).join(", ")})`;
  return session.begin(async (transaction) => {
    await transaction.unsafe(`set local lock_timeout = ${LOCK_TIMEOUT_MS}`);
    await transaction.unsafe(`set local statement_timeout = ${STATEMENT_TIMEOUT_MS}`);
    // A range of a key with several columns is taken for up to a quarter of the table, which would then be read as a whole for each batch.
    await transaction.unsafe("set local enable_seqscan = off");
    await transaction.unsafe("set local enable_bitmapscan = off");
    if (place.searchPath !== undefined) await transaction.unsafe(`set local search_path = ${place.searchPath}`);
    const saved = firstRow(
      await transaction.unsafe<{ after: string; rows: string; isDone: boolean }[]>(
        `select "after", "rows", "is_done" as "isDone" from ${progressTable} where "migration" = ${at} for update`,
      ),
    );
    const [after, rows] = [JSON.parse(saved.after) as string[] | null, Number(saved.rows)];
    if (saved.isDone) return { after, rows, isDone: true };
    const rest = after === null ? "true" : comparedWith(">", after);
    const texts = key.map((column) => `"${table}"."${column}"::text`).join(", ");
    const [last] = await transaction.unsafe<{ key: string[] }[]>(
      `select json_build_array(${texts}) as key from "${place.schema}"."${table}" where ${rest} order by ${columns} offset ${size - 1} limit 1`,
    );
    const range = last ? `${rest} and ${comparedWith("<=", last.key)}` : rest;
    const changed = await transaction.unsafe(statement.replaceAll(BATCH, () => `(${range})`));
    const progress = { after: last?.key ?? after, rows: rows + changed.count, isDone: !last };
    await transaction.unsafe(
      `update ${progressTable} set "after" = ${quoteValue(JSON.stringify(progress.after))}, "rows" = ${progress.rows},
        "is_done" = ${String(progress.isDone)}, "changed_at" = now() where "migration" = ${at}`,
    );
    return progress;
  });
}

const quoteValue = (value: string): string => `'${value.replaceAll("'", "''")}'`;

async function readPrimaryKey(session: postgres.Sql, schema: string, table: string): Promise<string[]> {
  const { columns } = firstRow(
    await session<{ columns: string[] }[]>`
      select json_agg(attname order by array_position(indkey::int2[], attnum)) as columns
      from pg_index join pg_attribute on attrelid = indrelid and attnum = any(indkey::int2[])
      where indisprimary and indrelid = ${`"${schema}"."${table}"`}::regclass`,
  );
  return columns;
}

/** The batch was too large, or a request had its rows. */
const isTransient = (error: unknown): boolean =>
  isLockFailure(error) || ["57014", "40001"].includes((error as { code: string }).code);
