import type postgres from "postgres";
import { firstRow } from "../rows.ts";
import { progressTableOf } from "./batched-change.ts";
import { readMigrations } from "./migration-files.ts";

/** How far a database or a schema is behind this version. */
export interface MigrationStatus {
  applied: number;
  /** Names of the migrations that are missing, in their order. */
  pending: string[];
  /** Rows that the batched migration under way, or the one that was stopped, has changed; null without one. */
  batchRows: number | null;
  /** The share of the index that is being built, from 0 to 1; null without one. */
  indexShare: number | null;
}

/** Reads how far a place is behind this version. It changes nothing. */
export async function readMigrationStatus(session: postgres.Sql, journal: string): Promise<MigrationStatus> {
  const migrations = readMigrations();
  const progressTable = progressTableOf({ journal });
  const { hasJournal, hasProgress } = firstRow(
    await session<{ hasJournal: boolean; hasProgress: boolean }[]>`
      select to_regclass(${journal}) is not null as "hasJournal", to_regclass(${progressTable}) is not null as "hasProgress"`,
  );
  const rows = hasJournal ? await session.unsafe<{ at: string }[]>(`select created_at as at from ${journal}`) : [];
  const applied = new Set(rows.map(({ at }) => Number(at)));
  const pending = migrations.flatMap(({ at, tag }) => (applied.has(at) ? [] : [tag]));
  const [batch] = hasProgress ? await session.unsafe<{ rows: string }[]>(`select "rows" from ${progressTable}`) : [];
  const [index] = await session<{ share: number }[]>`
    select (case when blocks_total > 0 then blocks_done::float8 / blocks_total else 0 end) as share
    from pg_stat_progress_create_index where datname = current_database() order by blocks_total desc limit 1`;
  return {
    ...{ applied: migrations.length - pending.length, pending },
    batchRows: batch ? Number(batch.rows) : null,
    indexShare: index?.share ?? null,
  };
}
