import { eq, sql, type SQL } from "drizzle-orm";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";
import { allOf } from "./conditions.ts";

/**
 * The rows of one kind of scheduled work. The repository that owns the table exports the one condition under which a row is
 * due. The claim takes rows by it, and the search for vendors with work finds vendors by it, so that no vendor is served for
 * a row that the claim leaves.
 */
export interface DueRows {
  table: PgTable & { vendorId: PgColumn };
  /**
   * The condition that a row is due at an instant, in the terms of the index over all vendors. Its words are literals: a plan
   * that is made for every parameter could not use a partial index otherwise.
   */
  isDue: (at: SQL) => SQL;
  /** A condition that follows from it for the rows of one vendor, in the terms of the vendor's index; where that needs none, none. */
  ofOneVendor?: (at: SQL, vendorId: SQL | number) => SQL;
}

/** The condition that a row of one vendor is due at an instant. */
export const dueRowsOf = ({ table, isDue, ofOneVendor }: DueRows, vendorId: SQL | number, at: SQL): SQL =>
  allOf(eq(table.vendorId, vendorId), ofOneVendor?.(at, vendorId), isDue(at));

/** An instant as a parameter. */
export const timestamp = (instant: Date): SQL => sql`${instant.toISOString()}::timestamptz`;

/** An instant as a literal, for a statement without parameters. */
export const timestampLiteral = (instant: Date): SQL => sql.raw(`'${instant.toISOString()}'::timestamptz`);

/** A span of time as a literal. */
export const interval = (milliseconds: number): SQL => sql.raw(`interval '${milliseconds} milliseconds'`);

/** Words as literals, for a partial index or a statement without parameters. */
export const literals = (words: readonly string[]): SQL =>
  sql.raw(words.map((word) => `'${word.replaceAll("'", "''")}'`).join(", "));
