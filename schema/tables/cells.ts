import { boolean, check, integer, pgTable, text, unique } from "drizzle-orm/pg-core";
import { sql } from "drizzle-orm";
import { CellState } from "../vocabulary.ts";
import { bytes, enumCheck, enumValues, instant } from "./columns.ts";

/**
 * The databases and schemas that vendors' families are in besides the home database. Only the home database has rows here. The
 * identifiers of a cell's vendors contain its number, so a number is never used again.
 */
export const cells = pgTable(
  "cells",
  {
    number: integer("number").primaryKey(),
    name: text("name").notNull(),
    /** The address without its password. */
    url: text("url").notNull(),
    /** The password of the address, encrypted; null if the address has none. */
    password: bytes("password"),
    /** The schema of the address that is the cell; null for `public`. */
    schema: text("schema"),
    /** The address of a read replica without its password; null without one. */
    replicaUrl: text("replica_url"),
    replicaPassword: bytes("replica_password"),
    /** Whether the address is that of a Citus cluster. */
    isDistributed: boolean("is_distributed").notNull(),
    state: text("state", { enum: enumValues(CellState) }).notNull(),
    createdAt: instant("created_at").notNull(),
  },
  (table) => [
    unique("cells_name").on(table.name),
    enumCheck("cells_state", table.state, CellState),
    check("cells_number_fits_into_codes", sql`${table.number} between 1 and 3843`),
  ],
);
