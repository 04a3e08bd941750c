import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import type postgres from "postgres";
import { hasMigration, migrateWithin, withMigrationLock } from "../../database/migrations/migrate.ts";
import { firstRow } from "../../database/rows.ts";
import { OperationError } from "../operation-error.ts";
import { countRows, readHeaderLine, readTableOrEndLine, type BackupEnd, type BackupHeader } from "./backup.format.ts";
import { BackupReader } from "./backup-reader.ts";
import {
  addPartition,
  copyIn,
  dropTables,
  listTables,
  listWriteRules,
  refuseIfInUse,
  setTextFormats,
} from "./backup-tables.ts";

export interface RestoreOptions {
  /** Whether the contents of a database that is not empty are deleted. */
  replace: boolean;
  /** Whether the key that encrypts the secrets of the backup is one of the installation's. */
  hasKey: (keyId: string) => boolean;
  /** Whether secrets that cannot be decrypted are accepted. */
  withoutSecrets: boolean;
}

/** What was restored. */
export interface RestoreSummary {
  header: BackupHeader;
  rows: Record<string, number>;
}

/** The chunks of a backup file. */
export async function* readBackupFile(path: string): AsyncGenerator<Buffer> {
  const unzipped = createGunzip();
  // The error of either stream is thrown by the loop.
  const reading = pipeline(createReadStream(path), unzipped).catch((error: unknown) =>
    unzipped.destroy(error as Error),
  );
  yield* unzipped as AsyncIterable<Buffer>;
  await reading;
}

/** Reads a whole backup, before a long restore is begun. @throws an OperationError if it is damaged. */
export async function checkBackupFile(path: string): Promise<void> {
  const reader = new BackupReader(readBackupFile(path));
  const counts: Record<string, number> = {};
  await orDamaged(async () => {
    readHeaderLine(await reader.readLine());
    for (;;) {
      const next = readTableOrEndLine(await reader.readLine());
      if (!("table" in next)) {
        compareCounts(next, counts);
        return reader.readEnd();
      }
      counts[next.table] = 0;
      for await (const chunk of reader.readRows()) counts[next.table] = (counts[next.table] ?? 0) + countRows(chunk);
    }
  });
}

/**
 * Restores a backup in one transaction: if it fails, or its process is killed, the database is as before. The tables are made as they
 * were at the time of the backup, and migrated to this version's once they are full.
 * @throws an OperationError if the backup is damaged, or the database is not empty or in use.
 */
export async function restoreBackup(
  source: AsyncIterable<Buffer>,
  url: string,
  options: RestoreOptions,
): Promise<RestoreSummary> {
  let summary: RestoreSummary | undefined;
  await withMigrationLock(url, async (session) => {
    // First, so that a refused move has not begun to read its source.
    await makeRoom(session, options.replace);
    const reader = new BackupReader(source);
    const header = await orDamaged(async () => readHeaderLine(await reader.readLine()));
    checkHeader(header, options);
    await setTextFormats(session);
    await migrateWithin(session, header.migration);
    const rules = await listWriteRules(session);
    for (const { suspend } of rules) await session.unsafe(suspend);
    await addPartitions(session, header);
    const rows = await loadTables(session, reader);
    for (const { resume } of rules) await session.unsafe(resume);
    await migrateWithin(session);
    await session.unsafe("analyze");
    summary = { header, rows };
  });
  if (!summary) throw new Error("the restore has not run");
  return summary;
}

function checkHeader({ migration, keyId }: BackupHeader, { hasKey, withoutSecrets }: RestoreOptions): void {
  if (!hasMigration(migration))
    throw new OperationError(
      "BACKUP_NEWER",
      "The backup was made by a newer version of Recoup. Restore it with that version or a later one.",
    );
  if (keyId !== null && !withoutSecrets && !hasKey(keyId))
    throw new OperationError(
      "SECRETS_KEY_DIFFERS",
      "The secrets in the backup were encrypted with another key. Set SECRETS_KEY to the key of the installation that it was made of (for an embedded database the content of secrets.key in its DATA_DIR), or add --without-secrets: then credentials of payment gateways, secrets of webhooks and passwords of mail senders must be entered again.",
    );
}

/** @throws an OperationError if the database is in use, or has data that are not to be replaced. */
async function makeRoom(session: postgres.TransactionSql, replace: boolean): Promise<void> {
  await refuseIfInUse(session);
  const tables = await listTables(session);
  if (tables.length === 0) return;
  const isRecoup = tables.some(({ table }) => table === "vendors") && tables.some(({ table }) => table === "event_log");
  const isEmpty = isRecoup && (await session`select from vendors limit 1`).length === 0;
  if (!replace && !isEmpty)
    throw new OperationError(
      "DATABASE_NOT_EMPTY",
      "The database is not empty. Choose an empty one, or add --replace, which deletes everything in it first.",
    );
  await dropTables(session);
}

async function addPartitions(session: postgres.TransactionSql, { partitions }: BackupHeader): Promise<void> {
  for (const partition of partitions) {
    const [found] =
      await session`select from pg_class where relname = ${partition.name} and relnamespace = current_schema()::regnamespace`;
    if (!found) await addPartition(session, partition);
  }
}

async function loadTables(session: postgres.TransactionSql, reader: BackupReader): Promise<Record<string, number>> {
  // Migrations have put rows into some tables, which the backup has too.
  for (const { table } of await listTables(session)) await session.unsafe(`delete from "${table}"`);
  for (;;) {
    const next = await orDamaged(async () => readTableOrEndLine(await reader.readLine()));
    if (!("table" in next)) {
      await finishLoad(session, next);
      await orDamaged(() => reader.readEnd());
      return next.rows;
    }
    const target = await session.unsafe(copyIn(next)).writable();
    await pipeline(orDamagedRows(reader.readRows()), target);
  }
}

/** Sets the sequences, and compares the rows with those that were written. */
async function finishLoad(session: postgres.TransactionSql, end: BackupEnd): Promise<void> {
  for (const { name, value, isCalled } of end.sequences)
    await session`select setval(${`"${name}"`}::regclass, ${value}::bigint, ${isCalled})`;
  const counts: Record<string, number> = {};
  for (const table of Object.keys(end.rows)) {
    const rows = await session.unsafe<{ count: string }[]>(`select count(*) from "${table}"`);
    counts[table] = Number(firstRow(rows).count);
  }
  await orDamaged(async () => compareCounts(end, counts));
}

function compareCounts({ rows }: BackupEnd, counts: Record<string, number>): void {
  for (const [table, expected] of Object.entries(rows))
    if (counts[table] !== expected)
      throw new Error(`it has ${counts[table] ?? "no"} rows of ${table} instead of ${expected}`);
}

async function* orDamagedRows(rows: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* rows;
  } catch (error) {
    throw explainReadError(error);
  }
}

/** The result of reading the backup. @throws an OperationError if it cannot be read. */
async function orDamaged<Result>(read: () => Promise<Result>): Promise<Result> {
  try {
    return await read();
  } catch (error) {
    throw explainReadError(error);
  }
}

function explainReadError(error: unknown): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  // An operation was refused, or the file is missing or may not be read, which the system says.
  const isExplained = error instanceof OperationError || (code !== undefined && !code.startsWith("Z_"));
  return isExplained ? error : damaged(message);
}

const damaged = (reason: string): OperationError =>
  new OperationError("BACKUP_DAMAGED", `The file is no whole backup: ${reason}. Nothing was changed.`);
