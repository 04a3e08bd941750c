import type postgres from "postgres";
import { withMigrationRetries } from "../migration-retries.ts";
import { changeInBatches, progressTableOf } from "./batched-change.ts";
import { runOutsideOfTransaction } from "./repeatable-statements.ts";
import type { Migration } from "./migration-files.ts";
import { withJournalLock, type JournalLock, type MigrationPlace, type WorkBesideLock } from "./migration-place.ts";

/**
 * A transaction waits for locks for so long in all, then gives up and tries again: requests queue behind a lock that is waited for, and
 * they wait for those that the transaction has already. It is less than the second after which a request that waits looks for a
 * deadlock and may be its victim.
 */
const LOCK_BUDGET_MS = 600;
/** The last locks of a transaction that had to wait for the first ones. */
const MIN_LOCK_TIMEOUT_MS = 50;

/** Applies one migration, unless the journal has it, and writes it into the journal. Several processes at once apply it once. */
export const applyMigration = (place: MigrationPlace, migration: Migration): Promise<void> =>
  withMigrationRetries(
    () => withJournalLock(place, (lock) => applyWithin(lock, place, migration)),
    async () => place.report(`${migration.tag} waits for locks${await describeLongTransactions(place.session)}`),
  );

async function applyWithin(
  { transaction, requireHeld }: JournalLock,
  place: MigrationPlace,
  migration: Migration,
): Promise<void> {
  const { tag, at, hash, mode } = migration;
  const [done] = await transaction.unsafe(`select from ${place.journal} where created_at = ${at}`);
  if (done) return;
  const statements = migration.statements.flatMap((statement) => place.adapt(statement) ?? []);
  place.report(`${tag} begins`);
  if (mode.kind === "transaction") await runWithinLockBudget(transaction, statements);
  else {
    const session = place.openSession();
    const beside: WorkBesideLock = { session, place, tag, requireHeld };
    try {
      if (mode.kind === "batches") await changeInBatches(beside, at, statements, mode.table);
      else await runOutsideOfTransaction(beside, statements);
    } finally {
      await session.end({ timeout: 5 });
    }
  }
  // In the same transaction, so that a migrator that is killed here does not begin anew.
  if (mode.kind === "batches") await transaction.unsafe(`drop table if exists ${progressTableOf(place)}`);
  await transaction.unsafe(`insert into ${place.journal} ("hash", "created_at") values ('${hash}', ${at})`);
  place.report(`${tag} is applied`);
}

/** Runs statements in one transaction, whose locks keep requests waiting for less than a second. */
async function runWithinLockBudget(transaction: postgres.TransactionSql, statements: readonly string[]): Promise<void> {
  const end = performance.now() + LOCK_BUDGET_MS;
  for (const statement of statements) {
    const left = Math.max(MIN_LOCK_TIMEOUT_MS, Math.round(end - performance.now()));
    await transaction.unsafe(`set local lock_timeout = ${left}`);
    await transaction.unsafe(statement);
  }
}

/** The transactions that are likely to have the locks: who runs them, and for how long. */
async function describeLongTransactions(session: postgres.Sql): Promise<string> {
  const rows = await session<{ pid: number; name: string; seconds: number }[]>`
    select pid, application_name as name, extract(epoch from now() - xact_start)::int as seconds from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and xact_start < now() - interval '1 second'
    order by xact_start limit 3`;
  if (rows.length === 0) return ".";
  return `; the longest transactions are ${rows.map(({ pid, name, seconds }) => `${pid} (${name || "unnamed"}, ${seconds} s)`).join(", ")}.`;
}
