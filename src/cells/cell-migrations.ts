import postgres from "postgres";
import { HOME_JOURNAL } from "../database/migrations/migrate.ts";
import { journalOfSchema, migrateSchema } from "../database/migrations/migrate-schema.ts";
import type { MigrationOptions } from "../database/migrations/migration-place.ts";
import { readMigrationStatus, type MigrationStatus } from "../database/migrations/migration-status.ts";
import type { Cell } from "./cell.ts";

/** The result of migrating a cell. */
export interface CellMigration {
  name: string;
  /** Why it failed; null if the cell has this version's tables. */
  fault: string | null;
}

/**
 * Migrates cells one after the other. One that fails leaves those after it alone to try; each that is done stays done, so that a call
 * that was stopped is repeated.
 */
export async function migrateCells(cells: readonly Cell[], options: MigrationOptions): Promise<CellMigration[]> {
  const results: CellMigration[] = [];
  for (const { name, url, schema } of cells) {
    const report = (sentence: string) => options.report?.(`${name}: ${sentence}`);
    try {
      await migrateSchema(url, schema ?? "public", { ...options, report });
      results.push({ name, fault: null });
    } catch (error) {
      const fault = (error as Error).message;
      report(fault);
      results.push({ name, fault });
    }
  }
  return results;
}

/** The status of a cell, or of the home database without a cell. Null if it does not answer. */
export async function readCellStatus(
  cell: Pick<Cell, "url" | "schema"> | null,
  homeUrl: string,
): Promise<MigrationStatus | null> {
  const address = cell?.url ?? homeUrl;
  const session = postgres(address, { max: 1, onnotice: () => undefined, fetch_types: false, connect_timeout: 5 });
  try {
    return await readMigrationStatus(session, cell ? journalOfSchema(cell.schema ?? "public") : HOME_JOURNAL);
  } catch {
    return null;
  } finally {
    await session.end({ timeout: 1 });
  }
}
