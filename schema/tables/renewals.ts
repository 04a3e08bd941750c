import { pgTable, primaryKey, uniqueIndex } from "drizzle-orm/pg-core";
import { instant, vendorForeignKey, reference, vendorReference } from "./columns.ts";
import { orders } from "./orders.ts";
import { subscriptions } from "./subscriptions.ts";

/** The order that charges each period of a subscription: whatever crashes, a period has one order. */
export const renewals = pgTable(
  "renewals",
  {
    vendorId: vendorReference(),
    subscriptionId: reference("subscription_id").notNull(),
    /** When the period was due. */
    dueAt: instant("due_at").notNull(),
    orderId: reference("order_id").notNull(),
    createdAt: instant("created_at").notNull(),
  },
  (table) => [
    primaryKey({ name: "renewals_pk", columns: [table.vendorId, table.subscriptionId, table.dueAt] }),
    uniqueIndex("renewals_order").on(table.vendorId, table.orderId),
    vendorForeignKey("renewals_subscription_fk", table.vendorId, table.subscriptionId, subscriptions),
    vendorForeignKey("renewals_order_fk", table.vendorId, table.orderId, orders),
  ],
);
