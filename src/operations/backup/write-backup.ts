import { randomBytes } from "node:crypto";
import { link, open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { PassThrough } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import postgres from "postgres";
import { firstRow } from "../../database/rows.ts";
import { OperationError } from "../operation-error.ts";
import { countRows, END_OF_ROWS, endLine, headerLine, tableLine } from "./backup.format.ts";
import { listPartitions, listSequences, listTables, readRows, refuseIfInUse, setTextFormats } from "./backup-tables.ts";

/** The database of a backup, and the key that encrypts its secrets. */
export interface BackupSource {
  url: string;
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
      await withSnapshot(source.url, (session) => pipeline(readBackup(session, source, rows), createGzip(), file));
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
  withSnapshot(source.url, async (session) => {
    await refuseIfInUse(session);
    await pipeline(readBackup(session, source, {}), stream);
  }).catch((error: unknown) => stream.destroy(error as Error));
  yield* stream as AsyncIterable<Buffer>;
}

async function withSnapshot(url: string, work: (session: postgres.TransactionSql) => Promise<void>): Promise<void> {
  const client = postgres(url, { max: 1, prepare: false, fetch_types: false, onnotice: () => undefined });
  try {
    await new Promise<void>((resolve, reject) => {
      const transaction = client.begin("isolation level repeatable read read only", async (session) => {
        await setTextFormats(session);
        // Reported at once: rows that nobody reads any more, as on a full disk, would keep the rollback waiting.
        await work(session).catch(reject);
      });
      transaction.then(() => resolve(), reject);
    });
  } finally {
    await client.end({ timeout: 1 });
  }
}

/** The parts of a backup. It counts the rows of each table in `rows`. */
async function* readBackup(
  session: postgres.TransactionSql,
  { keyId, createdAt }: BackupSource,
  rows: Record<string, number>,
): AsyncGenerator<Buffer | string> {
  const [migrations] = await session`select where to_regclass('drizzle.__drizzle_migrations') is not null`;
  if (!migrations)
    throw new OperationError(
      "DATABASE_WITHOUT_TABLES",
      "The database has no tables of Recoup, so that there is nothing to back up. Check DATABASE_URL or DATA_DIR.",
    );
  const { version, migration } = firstRow(
    await session<{ version: string; migration: string }[]>`
      select current_setting('server_version') as version, max(created_at)::text as migration from drizzle.__drizzle_migrations`,
  );
  const partitions = await listPartitions(session);
  yield headerLine({
    ...{ createdAt: createdAt.toISOString(), postgres: version, migration: Number(migration) },
    ...{ keyId, partitions },
  });
  for (const table of await listTables(session)) {
    yield tableLine(table);
    let count = 0;
    for await (const chunk of readRows(session, table)) {
      count += countRows(chunk);
      yield chunk;
    }
    rows[table.table] = count;
    yield END_OF_ROWS;
  }
  yield endLine({ rows, sequences: await listSequences(session) });
}

/** The new name of the file survives a power failure too. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r");
  await folder.sync().finally(() => folder.close());
}
