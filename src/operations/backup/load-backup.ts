import { pipeline } from "node:stream/promises";
import type postgres from "postgres";
import { hasMigration } from "../../database/migrations/migrate.ts";
import { firstRow } from "../../database/rows.ts";
import { OperationError } from "../operation-error.ts";
import { countRows, readHeaderLine, readTableOrEndLine, type BackupEnd, type BackupHeader } from "./backup.format.ts";
import { BackupReader } from "./backup-reader.ts";
import { addPartition, copyIn, listWriteRules } from "./backup-tables.ts";

export interface SecretsCheck {
  /** Whether the key that encrypts the secrets of the backup is one of the installation's. */
  hasKey: (keyId: string) => boolean;
  /** Whether secrets that cannot be decrypted are accepted. */
  withoutSecrets: boolean;
}

/** A backup whose header was read. */
export interface OpenBackup {
  header: BackupHeader;
  reader: BackupReader;
}

/** Reads the header of a backup. @throws an OperationError if it is none. */
export async function openBackup(source: AsyncIterable<Buffer>): Promise<OpenBackup> {
  const reader = new BackupReader(source);
  return { reader, header: await orDamaged(async () => readHeaderLine(await reader.readLine())) };
}

/** Reads a whole backup, before a long restore is begun. @throws an OperationError if it is damaged. */
export async function checkBackup(source: AsyncIterable<Buffer>): Promise<BackupHeader> {
  const { header, reader } = await openBackup(source);
  const counts: Record<string, number> = {};
  await orDamaged(async () => {
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
  return header;
}

/** @throws an OperationError if this version of Recoup, or this installation, cannot use the backup. */
export function requireUsable({ migration, keyId }: BackupHeader, { hasKey, withoutSecrets }: SecretsCheck): void {
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

/**
 * Loads the rows and the sequences of a backup into empty tables, which have the migrations of its time.
 * @returns the number of rows of each table.
 */
export async function loadBackup(
  session: postgres.TransactionSql,
  { header, reader }: OpenBackup,
): Promise<Record<string, number>> {
  const rules = await listWriteRules(session);
  for (const { suspend } of rules) await session.unsafe(suspend);
  await addPartitions(session, header);
  const rows = await loadTables(session, reader);
  for (const { resume } of rules) await session.unsafe(resume);
  await session.unsafe(
    `analyze ${Object.keys(rows)
      .map((table) => `"${table}"`)
      .join(", ")}`,
  );
  return rows;
}

/**
 * Lets the first charge notice the restore, also in the database that the backup was made of, and where nothing was charged before it:
 * charges are then searched at their gateways before they are made.
 */
export const markRestored = (session: postgres.TransactionSql): Promise<unknown> =>
  session.unsafe(
    `insert into database_identity (identity) values ('restored') on conflict (is_only) do update set identity = excluded.identity`,
  );

async function addPartitions(session: postgres.TransactionSql, { partitions }: BackupHeader): Promise<void> {
  for (const partition of partitions) {
    const [found] =
      await session`select from pg_class where relname = ${partition.name} and relnamespace = current_schema()::regnamespace`;
    if (!found) await addPartition(session, partition);
  }
}

async function loadTables(session: postgres.TransactionSql, reader: BackupReader): Promise<Record<string, number>> {
  for (;;) {
    const next = await orDamaged(async () => readTableOrEndLine(await reader.readLine()));
    if (!("table" in next)) {
      await finishLoad(session, next);
      await orDamaged(() => reader.readEnd());
      return next.rows;
    }
    // Migrations have put rows into some tables, which the backup has too.
    await session.unsafe(`delete from "${next.table}"`);
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
