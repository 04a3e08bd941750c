import { sql } from "drizzle-orm";
import { boolean, check, pgTable, text } from "drizzle-orm/pg-core";
import { instant } from "./columns.ts";

/**
 * The identity of this database, in values that a backup does not contain: one row. If they differ from those of the
 * server, the database was restored, and the charges that its gateways made since the backup are unknown here.
 */
export const databaseIdentity = pgTable(
  "database_identity",
  {
    isOnly: boolean("is_only").primaryKey().default(true),
    identity: text("identity").notNull(),
    /** When a restore was last detected, or declared by the operator. */
    restoredAt: instant("restored_at"),
  },
  (table) => [check("database_identity_one_row", sql`${table.isOnly}`)],
);
