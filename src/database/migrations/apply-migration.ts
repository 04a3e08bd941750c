import type postgres from "postgres";
import { withMigrationRetries } from "./migration-retries.ts";
import { changeInBatches, progressTableOf } from "./batched-change.ts";
import { runOutsideOfTransaction } from "./repeatable-statements.ts";
import { withoutComments, type Migration } from "./migration-files.ts";
import { withJournalLock, type JournalLock, type MigrationPlace, type WorkBesideLock } from "./migration-place.ts";

/**
 * A transaction waits for locks for so long in all, then gives up and tries again: requests queue behind a lock that is waited for, and
 * they wait for those that the transaction has already. It is less than the second after which a request that waits looks for a
 * deadlock and may be its victim.
 */
const LOCK_BUDGET_MS = 600;
/** The last locks of a transaction that had to wait for the first ones. */
const MIN_LOCK_TIMEOUT_MS = 50;

/** A vacuum gives way only to those who wait for longer than a second. */
const VACUUM_LOCK_TIMEOUT_MS = 3_000;

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
  if (mode.kind === "transaction") {
    if (!place.isEmpty) await keepVacuumsOut(transaction, statements);
    await runWithinLockBudget(transaction, statements);
  } else {
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

/**
 * Locks the tables that will be changed against vacuums and other migrations, and nobody else. An automatic vacuum of a large table takes
 * long, and would not give way to a wait that is shorter than a second.
 */
async function keepVacuumsOut(transaction: postgres.TransactionSql, statements: readonly string[]): Promise<void> {
  const named = statements.flatMap(
    (statement) => /^alter table (?:if exists )?(?:only )?"(\w+)"/i.exec(withoutComments(statement))?.[1] ?? [],
  );
  if (named.length === 0) return;
  await transaction.unsafe(`set local lock_timeout = ${VACUUM_LOCK_TIMEOUT_MS}`);
  const names = [...new Set(named)].map((name) => `'${name}'`).join(", ");
  // A cell's role may not change entries of the ledger, so it may not lock them either.
  const tables = await transaction.unsafe<{ name: string }[]>(
    `select relname as name from pg_class where relname in (${names}) and relkind in ('r', 'p') and pg_table_is_visible(oid)
      and has_table_privilege(oid, 'update') order by relname`,
  );
  for (const { name } of tables) await transaction.unsafe(`lock table "${name}" in share update exclusive mode`);
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
