import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import type postgres from "postgres";
import { migrateWithin, withMigrationLock } from "../../database/migrations/migrate.ts";
import { OperationError } from "../operation-error.ts";
import type { BackupHeader } from "./backup.format.ts";
import { dropTables, listTables, refuseIfInUse, setTextFormats } from "./backup-tables.ts";
import { loadBackup, markRestored, openBackup, requireUsable, type SecretsCheck } from "./load-backup.ts";

interface RestoreOptions extends SecretsCheck {
  /** Whether the contents of a database that is not empty are deleted. */
  replace: boolean;
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

/**
 * Restores a backup in one transaction: if it fails, or its process is killed, the database is as before. The tables are made as they
 * were at the time of the backup, and migrated to this version's once they are full.
 * @throws an OperationError if the backup is damaged or that of a cell, or the database is not empty or in use.
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
    const backup = await openBackup(source);
    const { header } = backup;
    if (header.cell !== undefined)
      throw new OperationError(
        "BACKUP_OF_OTHER_CELL",
        `The backup is that of the cell with the number ${header.cell}. Restore it by recoup cells restore.`,
      );
    requireUsable(header, options);
    await setTextFormats(session);
    await migrateWithin(session, header.migration);
    const rows = await loadBackup(session, backup);
    await migrateWithin(session);
    await markRestored(session);
    summary = { header, rows };
  });
  if (!summary) throw new Error("the restore has not run");
  return summary;
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
  // The list of migrations, and the queue.
  for (const schema of ["drizzle", "pgboss"]) await session.unsafe(`drop schema if exists ${schema} cascade`);
}
