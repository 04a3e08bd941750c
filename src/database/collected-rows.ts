import { sql } from "drizzle-orm";

/**
 * A condition that is always true, for the source of an `insert … select` that reads a table. Citus sends such a statement to the
 * node as a whole, and its text is broken there where parameters or functions such as `now()` are filled in (13.0.5). It
 * does not send a volatile function: it collects the rows first, and then inserts them.
 */
export const isCollected = sql`random() >= 0`;
