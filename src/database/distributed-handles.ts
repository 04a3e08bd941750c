import type { PgDialect, PgDatabase, PgQueryResultHKT } from "drizzle-orm/pg-core";
import type { Handle } from "./client.ts";

/** The dialects of distributed databases. A handle and its transactions have one dialect object. */
const distributed = new WeakSet<PgDialect>();

// A handle is always a whole database of Drizzle's, which keeps its dialect to itself.
const dialectOf = (handle: Handle): PgDialect =>
  (handle as PgDatabase<PgQueryResultHKT> & { readonly dialect: PgDialect }).dialect;

/** Marks a handle as one of a Citus cluster. */
export function markDistributed(handle: Handle): void {
  distributed.add(dialectOf(handle));
}

/**
 * Whether a handle, or the handle of its transaction, is one of a Citus cluster. A cluster executes `insert … values` as one task on
 * its node, but collects the rows of `insert … select` on the coordinator and commits them in two phases (decision 109).
 */
export const isDistributed = (handle: Handle): boolean => distributed.has(dialectOf(handle));
