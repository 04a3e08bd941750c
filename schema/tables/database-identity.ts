import { sql } from "drizzle-orm";
import { boolean, check, pgTable, text } from "drizzle-orm/pg-core";
import { instant } from "./columns.ts";

/**
 * Which database this is, in words that do not come with a backup: one row. Where they differ from those of the server that
 * it runs on, it was restored, and what its gateways did since the backup is not known here.
 */
export const databaseIdentity = pgTable(
  "database_identity",
  {
    isOnly: boolean("is_only").primaryKey().default(true),
    identity: text("identity").notNull(),
    /** When a restore was last noticed, or declared by the operator. */
    restoredAt: instant("restored_at"),
  },
  (table) => [check("database_identity_one_row", sql`${table.isOnly}`)],
);
