import { bigint, date, pgTable } from "drizzle-orm/pg-core";
import { countColumn, instant } from "./columns.ts";

/**
 * The checks of the ledger, one for each day (UTC) on which one began: how far it has come, and what it found. The check reads the
 * entries of all vendors in their order.
 */
export const ledgerChecks = pgTable("ledger_checks", {
  day: date("day", { mode: "string" }).primaryKey(),
  /** The last order that was checked; 0 before the first. */
  vendorId: bigint("vendor_id_read", { mode: "number" }).notNull().default(0),
  orderId: bigint("order_id_read", { mode: "number" }).notNull().default(0),
  /** Payments whose entries do not sum to zero. */
  unbalancedPayments: countColumn("unbalanced_payments"),
  startedAt: instant("started_at").notNull(),
  finishedAt: instant("finished_at"),
});
