import { randomBytes } from "node:crypto";
import { link, open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { PassThrough } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import type postgres from "postgres";
import { progressTableOf } from "../../database/migrations/batched-change.ts";
import { HOME_JOURNAL } from "../../database/migrations/migrate.ts";
import { journalOfSchema } from "../../database/migrations/migrate-schema.ts";
import { firstRow } from "../../database/rows.ts";
import { OperationError } from "../operation-error.ts";
import { countRows, END_OF_ROWS, endLine, headerLine, tableLine } from "./backup.format.ts";
import {
  inCopyTransaction,
  listCopiedTables,
  listPartitions,
  listSequences,
  readRows,
  refuseIfInUse,
} from "./backup-tables.ts";

/** The database of a backup, and the key that encrypts its secrets. */
export interface BackupSource {
  url: string;
  /** The number and the schema of the cell; undefined for the home database. */
  cell?: { number: number; schema: string };
  keyId: string | null;
  createdAt: Date;
}

/**
 * Writes a backup as of one instant, while gateways and workers go on. The file gets its name when it is whole and on the disk: a
 * process that is killed leaves `<file>.partial-…`.
 * @returns the number of rows of each table.
 * @throws EEXIST if the file exists and is not to be replaced.
 */
export async function writeBackupFile(
  source: BackupSource,
  path: string,
  replace: boolean,
): Promise<Record<string, number>> {
  const partial = `${path}.partial-${randomBytes(4).toString("hex")}`;
  const rows: Record<string, number> = {};
  try {
    // Personal data: for the user of the command only. Opened before the stream, whose error nobody would hear yet.
    const file = (await open(partial, "wx", 0o600)).createWriteStream({ flush: true });
    try {
      await withSnapshot(source, (session) => pipeline(readBackup(session, source, rows), createGzip(), file));
    } finally {
      file.destroy();
    }
    // A link, other than a rename, never replaces a file.
    await (replace ? rename(partial, path) : link(partial, path));
  } finally {
    await rm(partial, { force: true });
  }
  await syncFolder(dirname(path));
  return rows;
}

/** A backup that is never a file, of a database that nobody uses: what would be written meanwhile would be missing in it. */
export async function* streamBackup(source: BackupSource): AsyncGenerator<Buffer> {
  const stream = new PassThrough();
  withSnapshot(source, async (session) => {
    await refuseIfInUse(session);
    await pipeline(readBackup(session, source, {}), stream);
  }).catch((error: unknown) => stream.destroy(error as Error));
  yield* stream as AsyncIterable<Buffer>;
}

const withSnapshot = (
  { url, cell }: BackupSource,
  work: (session: postgres.TransactionSql) => Promise<void>,
): Promise<void> =>
  inCopyTransaction({ url, schema: cell?.schema, mode: "isolation level repeatable read read only" }, work);

/** The parts of a backup. It counts the rows of each table in `rows`. */
export async function* readBackup(
  session: postgres.TransactionSql,
  { cell, keyId, createdAt }: Omit<BackupSource, "url">,
  rows: Record<string, number>,
): AsyncGenerator<Buffer> {
  const journal = cell === undefined ? HOME_JOURNAL : journalOfSchema(cell.schema);
  const [migrations] = await session`select where to_regclass(${journal}) is not null`;
  if (!migrations)
    throw new OperationError(
      "DATABASE_WITHOUT_TABLES",
      `The ${cell ? "place of the cell" : "database"} has no tables of Recoup, so that there is nothing to back up.${cell ? "" : " Check DATABASE_URL or DATA_DIR."}`,
    );
  const [batches] = await session`select where to_regclass(${progressTableOf({ journal })}) is not null`;
  // Where it has come to is not in a backup, so that it would change the rows again that it has changed.
  if (batches)
    throw new OperationError(
      "DATABASE_IN_USE",
      "A migration is changing rows in batches. Wait until it has ended, or let recoup cells migrate continue it; then back up.",
    );
  const { version, migration } = firstRow(
    await session.unsafe<{ version: string; migration: string }[]>(
      `select current_setting('server_version') as version, max(created_at)::text as migration from ${journal}`,
    ),
  );
  const header = headerLine({
    ...{ createdAt: createdAt.toISOString(), cell: cell?.number, postgres: version, migration: Number(migration) },
    ...{ keyId, partitions: await listPartitions(session) },
  });
  yield Buffer.from(header);
  for (const table of await listCopiedTables(session)) {
    yield Buffer.from(tableLine(table));
    let count = 0;
    for await (const chunk of readRows(session, table)) {
      count += countRows(chunk);
      yield chunk;
    }
    rows[table.table] = count;
    yield Buffer.from(END_OF_ROWS);
  }
  yield Buffer.from(endLine({ rows, sequences: await listSequences(session) }));
}

/** The new name of the file survives a power failure too. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r");
  await folder.sync().finally(() => folder.close());
}
