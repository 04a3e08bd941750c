import { setTimeout as sleep } from "node:timers/promises";
import { pipeline } from "node:stream/promises";
import postgres from "postgres";
import { migrateSchema } from "../database/migrations/migrate-schema.ts";
import { firstRow } from "../database/rows.ts";
import {
  addPartition,
  copyIn,
  listPartitions,
  listSequences,
  listTables,
  listWriteRules,
  readRows,
  setTextFormats,
} from "../operations/backup/backup-tables.ts";
import type { BackupTable } from "../operations/backup/backup.format.ts";
import { OperationError } from "../operations/operation-error.ts";
import type { Cell, CellPlace } from "./cell.ts";
import type { CellService } from "./cell.service.ts";

/** After this time every process that can read the list of cells has noticed a change of it. */
const NOTICE_MS = 2_500;

/** After this time they have opened the cell at its new place, and closed it at the old one. */
const SWITCH_MS = 4_000;

/**
 * Tables that are not copied: the new place has a list of migrations of its own, and requests of this minute are counted while the
 * cell is moved.
 */
const LEFT_OUT = new Set(["__drizzle_migrations", "request_counts"]);

/** What was moved. */
export interface CellMove {
  tables: number;
  rows: number;
  /** For how long the cell took no writes. */
  milliseconds: number;
}

/**
 * Copies a cell to an empty schema of another PostgreSQL server. Meanwhile the cell takes no writes: processes refuse them, and the old
 * tables are locked against processes that have not heard of the move. The cell is opened at its new place before the lock ends, and the
 * old tables are then in a schema of another name, where nothing writes to them. A move that fails changes nothing.
 */
export async function moveCell(
  service: CellService,
  cell: Cell,
  to: Pick<CellPlace, "url" | "schema">,
): Promise<CellMove> {
  const [oldSchema, newSchema] = [cell.schema ?? "public", to.schema ?? "public"];
  const stateAfter = cell.state === "MOVING" ? "OPEN" : cell.state;
  await refuseCitus(to.url);
  // The new place is empty: what a migration of the old one has left to do would never be done there.
  await migrateSchema(cell.url, oldSchema);
  await migrateSchema(to.url, newSchema);
  const startedAt = performance.now();
  await service.setState(cell.number, "MOVING");
  const progress = { isMoved: false };
  try {
    await sleep(NOTICE_MS);
    const copied = await inTransaction(cell.url, oldSchema, async (from) => {
      const tables = await lockTables(from);
      const rows = await inTransaction(to.url, newSchema, (target) => copyTables(from, target, tables));
      await service.setPlace(cell.number, { ...to, replicaUrl: null, isDistributed: false }, stateAfter);
      progress.isMoved = true;
      // Until then processes read at the old place.
      await sleep(SWITCH_MS);
      await setAside(from, cell, `moved_cell_${cell.number}`);
      return { tables: tables.length, rows };
    });
    return { ...copied, milliseconds: Math.round(performance.now() - startedAt) };
  } finally {
    if (!progress.isMoved) await service.setState(cell.number, stateAfter);
  }
}

/** @throws an OperationError if the database is a Citus cluster, which refuses what a copy does: keys that are dropped, and tables that change their schema. */
async function refuseCitus(url: string): Promise<void> {
  const session = postgres(url, { max: 1, fetch_types: false, onnotice: () => undefined, connect_timeout: 5 });
  try {
    const [citus] = await session`select from pg_extension where extname = 'citus'`;
    if (citus)
      throw new OperationError(
        "CELL_NOT_OPEN",
        "A cell is not copied to a Citus cluster. Choose a database of a plain PostgreSQL server, or add a cell on the cluster for new families.",
      );
  } finally {
    await session.end({ timeout: 5 });
  }
}

/** Runs work in a transaction whose tables are those of a schema. */
async function inTransaction<Result>(
  url: string,
  schema: string,
  work: (session: postgres.TransactionSql) => Promise<Result>,
): Promise<Result> {
  const client = postgres(url, { max: 1, prepare: false, fetch_types: false, onnotice: () => undefined });
  try {
    // The driver's type flattens promises within a result, of which there are none here.
    return (await client.begin(async (session) => {
      await setTextFormats(session);
      await session.unsafe(`set local search_path = "${schema}", public`);
      return work(session);
    })) as Result;
  } finally {
    await client.end({ timeout: 5 });
  }
}

/** Locks all tables against writes, and waits for those that are under way. @returns the tables. */
async function lockTables(session: postgres.TransactionSql): Promise<BackupTable[]> {
  const tables = (await listTables(session)).filter(({ table }) => !LEFT_OUT.has(table));
  // Entries come with payments and refunds. The role of a cell may not change them, so it may not lock them either.
  const names = tables.flatMap(({ table }) => (table === "ledger_entries" ? [] : [`"${table}"`])).join(", ");
  if (tables.length > 0) await session.unsafe(`lock table ${names} in share mode`);
  return tables;
}

/** Copies the rows and the sequences. @returns the number of rows. */
async function copyTables(
  from: postgres.TransactionSql,
  to: postgres.TransactionSql,
  tables: readonly BackupTable[],
): Promise<number> {
  if ((await to`select from vendors limit 1`).length > 0)
    throw new OperationError("DATABASE_NOT_EMPTY", "The new place has vendors already. Choose an empty schema.");
  const rules = await listWriteRules(to);
  for (const { suspend } of rules) await to.unsafe(suspend);
  const present = new Set((await listPartitions(to)).map(({ name }) => name));
  for (const partition of await listPartitions(from))
    if (!present.has(partition.name)) await addPartition(to, partition);
  let rows = 0;
  for (const table of tables) {
    // Migrations have put rows into some tables.
    await to.unsafe(`delete from "${table.table}"`);
    await pipeline(readRows(from, table), await to.unsafe(copyIn(table)).writable());
    rows += Number(firstRow(await to.unsafe<{ count: string }[]>(`select count(*) from "${table.table}"`)).count);
  }
  for (const { name, value, isCalled } of await listSequences(from))
    await to`select setval(${`"${name}"`}::regclass, ${value}::bigint, ${isCalled})`;
  for (const { resume } of rules) await to.unsafe(resume);
  return rows;
}

/** Puts tables where nothing looks for them: a process that has not heard of the move must not write to them. */
async function setAside(session: postgres.TransactionSql, cell: Cell, schema: string): Promise<void> {
  await session.unsafe(`drop schema if exists "${schema}" cascade`);
  // Citus lets no table leave the schema that it keeps on a node; the schema is the cell's own there.
  if (cell.isDistributed) {
    await session.unsafe(`alter schema "${cell.schema ?? "public"}" rename to "${schema}"`);
    return;
  }
  const tables = await listTables(session);
  await session.unsafe(`create schema "${schema}"`);
  for (const { table } of tables) await session.unsafe(`alter table "${table}" set schema "${schema}"`);
}
