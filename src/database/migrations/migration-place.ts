import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";
import { withDriverFixes } from "../driver/driver.ts";
import type { Migration } from "./migration-files.ts";

/** A database or a schema that is migrated. */
export interface MigrationPlace {
  /** The session whose transactions lock the journal. */
  session: postgres.Sql;
  /** Opens a session beside it, for what cannot be in the transaction that locks the journal. */
  openSession: () => postgres.Sql;
  /** The schema of the tables. */
  schema: string;
  /** The search path of sessions, if it is not the database's own. */
  searchPath?: string;
  /** The table of migrations that were applied, with its schema. */
  journal: string;
  /** Locks the journal until the transaction ends. False if another process has it. */
  tryLock: (transaction: postgres.TransactionSql) => Promise<boolean>;
  /** A statement as it is sent here; undefined if it is not needed. */
  adapt: (statement: string) => string | undefined;
  /** Whether a transaction pooler is between, in which no setting outlives a transaction. */
  isPooled: boolean;
  /** Whether it has no rows yet, so that nobody waits for its locks. */
  isEmpty?: boolean;
  report: MigrationReport;
}

/** Gets sentences about what a migrator does, for the operator. */
export type MigrationReport = (sentence: string) => void;

/** Settings of one migrator. */
export interface MigrationOptions {
  isPooled?: boolean;
  report?: MigrationReport;
  /** Is called if a migration is missing, before any is applied. */
  onPending?: () => void;
}

/** Opens a session for migrations. In its transactions statements are sent by `unsafe` only: then a connection that breaks fails them alone. */
export const openMigrationSession = (
  url: string,
  options: postgres.Options<Record<string, never>> = {},
): postgres.Sql =>
  withDriverFixes(
    postgres(url, { max: 1, onnotice: () => undefined, prepare: false, fetch_types: false, ...options }),
    () => false,
  );

/** Another process migrates the place. */
export class JournalLockedError extends Error {}

const POLL_INTERVAL_MS = 100;

/** The journal's lock, which ends with the connection that has it. */
export interface JournalLock {
  transaction: postgres.TransactionSql;
  /** @throws if the lock is lost, and another process may have begun with what this one does. */
  requireHeld: () => void;
}

/** Work of a migration in a session beside the transaction that locks the journal. */
export interface WorkBesideLock {
  session: postgres.Sql;
  place: MigrationPlace;
  /** Name of the migration. */
  tag: string;
  requireHeld: JournalLock["requireHeld"];
}

/**
 * Runs work in a transaction while no other process migrates the place. The transaction takes no snapshot that lasts, so that an index
 * can be built beside it, and its end frees the journal, however it ends.
 */
export async function withJournalLock(
  { session, tryLock, searchPath }: MigrationPlace,
  work: (lock: JournalLock) => Promise<void>,
): Promise<void> {
  const runOnce = async () => {
    let isHeld = true;
    const requireHeld = () => {
      if (!isHeld) throw new Error("The connection that locks the journal of migrations is lost.");
    };
    try {
      return await session.begin(async (transaction) => {
        await transaction.unsafe("set transaction isolation level read committed");
        await transaction.unsafe("set local idle_in_transaction_session_timeout = 0");
        await transaction.unsafe("set local statement_timeout = 0");
        if (searchPath !== undefined) await transaction.unsafe(`set local search_path = ${searchPath}`);
        const isLocked = await tryLock(transaction);
        if (isLocked) await work({ transaction, requireHeld });
        return isLocked;
      });
    } catch (error) {
      if (error instanceof JournalLockedError) return false;
      throw error;
    } finally {
      isHeld = false;
    }
  };
  while (!(await runOnce())) await sleep(POLL_INTERVAL_MS);
}

/** A migration as the journal has it. */
interface JournalEntry {
  at: string;
  hash: string;
}

/** The migrations that the journal does not have. @throws if one that it has was changed since. */
export async function findPending(
  { session, journal }: Pick<MigrationPlace, "session" | "journal">,
  migrations: readonly Migration[],
): Promise<Migration[]> {
  const rows = await session.unsafe<JournalEntry[]>(`select created_at as at, hash from ${journal}`);
  const applied = new Map(rows.map((entry) => [Number(entry.at), entry.hash]));
  for (const { tag, at, hash } of migrations) {
    const appliedHash = applied.get(at);
    if (appliedHash !== undefined && appliedHash !== hash)
      throw new Error(
        `The migration ${tag} was changed after it was applied here, so that nobody knows which tables this database has: ${journal} has the hash ${appliedHash}, the file has ${hash}. Put back the file as it was, and make the change by a new migration.`,
      );
  }
  return migrations.filter(({ at }) => !applied.has(at));
}
