import { bigint, pgTable, text } from "drizzle-orm/pg-core";

/**
 * The requests of a caller in the newest minute that any gateway has settled: one row for each key or person. A caller
 * is `key:` or `person:` with its id, so the table has no data of vendors.
 */
export const requestCounts = pgTable("request_counts", {
  caller: text("caller").primaryKey(),
  /** Minutes since 1970. */
  minute: bigint("minute", { mode: "number" }).notNull(),
  requests: bigint("requests", { mode: "number" }).notNull(),
});
