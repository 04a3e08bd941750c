import { setTimeout as sleep } from "node:timers/promises";
import type postgres from "postgres";
import { migrateSchema } from "../database/migrations/migrate-schema.ts";
import { inCopyTransaction, listCopiedTables, listTables } from "../operations/backup/backup-tables.ts";
import { openBackup } from "../operations/backup/load-backup.ts";
import { readBackup } from "../operations/backup/write-backup.ts";
import { OperationError } from "../operations/operation-error.ts";
import { isSamePlace, type Cell, type CellPlace } from "./cell.ts";
import type { CellChange } from "./cell-lock.ts";
import {
  fillNewPlace,
  prepareNewPlace,
  refuseTakenPlace,
  releaseNewPlace,
  toCellPlace,
  type FilledPlace,
} from "./cell-place.ts";

/** After this time every process that can read the list of cells has noticed a change of it. */
export const NOTICE_MS = 2_500;

/** After this time they have opened the cell at its new place, and closed it at the old one. */
const SWITCH_MS = 4_000;

/** What was moved. */
interface CellMove {
  rows: FilledPlace["rows"];
  /** For how long the cell took no writes. */
  milliseconds: number;
}

/**
 * Copies a cell to an empty schema of another PostgreSQL server, by a backup that is never a file. Meanwhile the cell takes no writes. A
 * move that fails changes nothing.
 */
export async function moveCell(change: CellChange, to: Pick<CellPlace, "url" | "schema">): Promise<CellMove> {
  const { service, cell, connection } = change;
  refuseTakenPlace(await service.all(), to);
  const schema = cell.schema ?? "public";
  // The new place is empty: what a migration of the old one has left to do would never be done there.
  await migrateSchema(cell.url, schema);
  const { number, name } = cell;
  const place = await prepareNewPlace({ number, name, url: to.url, schema: to.schema ?? "public" }, connection);
  const source = { cell: { number, schema }, keyId: null, createdAt: new Date() };
  const startedAt = performance.now();
  const { rows } = await replaceServedPlace(change, async (from) =>
    fillNewPlace(place, await openBackup(readBackup(from, source, {}))),
  );
  return { rows, milliseconds: Math.round(performance.now() - startedAt) };
}

/**
 * Replaces the place of a cell that is served. Until the new one is registered the cell takes no writes: processes refuse them, and the old
 * tables are locked against processes that have not heard of it. The old tables are then in a schema of another name, where nothing
 * writes to them.
 */
export async function replaceServedPlace(
  change: CellChange,
  fill: (from: postgres.TransactionSql) => Promise<FilledPlace>,
): Promise<FilledPlace> {
  const { service, cell } = change;
  const progress = { isMoved: false };
  await service.setState(cell.number, "MOVING");
  try {
    await sleep(NOTICE_MS);
    return await inCopyTransaction({ url: cell.url, schema: cell.schema ?? "public" }, async (from) => {
      await lockTables(from);
      const filled = await fill(from);
      await registerNewPlace(change, filled);
      progress.isMoved = true;
      // Until then processes read at the old place.
      await sleep(SWITCH_MS);
      await setAside(from, cell, `moved_cell_${cell.number}`);
      return filled;
    });
  } finally {
    if (!progress.isMoved) await undoMoving(change);
  }
}

/**
 * Makes a filled place that of its cell, which takes writes again. @throws an OperationError if another command was quicker: the lock may have
 * been lost with its connection.
 */
export async function registerNewPlace({ service, cell, lock }: CellChange, filled: FilledPlace): Promise<void> {
  if (!(await lock.isHeld()) || !isSamePlace(await service.require(cell.name), cell))
    throw new OperationError(
      "CELL_BUSY",
      `Another command has begun to move or restore the cell ${cell.name} meanwhile. This one has changed nothing.`,
    );
  await releaseNewPlace(filled);
  await service.setPlace(cell.number, toCellPlace(filled), stateAfterMove(cell));
}

/** Lets a cell whose place was not replaced take writes again, unless another command has begun to replace it. */
export async function undoMoving({ service, cell, lock }: CellChange): Promise<void> {
  if (await lock.isHeld()) await service.setState(cell.number, stateAfterMove(cell));
}

/** The state of a cell after a move: an attempt that was killed has left it as MOVING. */
const stateAfterMove = ({ state }: Cell): Cell["state"] => (state === "MOVING" ? "OPEN" : state);

/** Locks all tables against writes, and waits for those that are under way. */
async function lockTables(session: postgres.TransactionSql): Promise<void> {
  // Entries come with payments and refunds. The role of a cell may not change them, so it may not lock them either.
  const tables = (await listCopiedTables(session)).filter(({ table }) => table !== "ledger_entries");
  if (tables.length === 0) return;
  await session.unsafe(`lock table ${tables.map(({ table }) => `"${table}"`).join(", ")} in share mode`);
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
