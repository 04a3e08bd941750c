import { index, pgTable, text } from "drizzle-orm/pg-core";
import { Actor, UnitSeries } from "../vocabulary.ts";
import {
  amount,
  identity,
  instant,
  enumValues,
  enumCheck,
  vendorForeignKey,
  reference,
  vendorPrimaryKey,
  vendorReference,
} from "./columns.ts";
import { orders } from "./orders.ts";
import { subscriptionItems } from "./subscriptions.ts";

/** Signed changes of the units of a subscription's item: of used units, and of allowed units. Append-only. */
export const subscriptionUnits = pgTable(
  "subscription_units",
  {
    vendorId: vendorReference(),
    id: identity(),
    itemId: reference("item_id").notNull(),
    series: text("series", { enum: enumValues(UnitSeries) }).notNull(),
    /** Since when the change counts. */
    at: instant("at").notNull(),
    change: amount("change").notNull(),
    /** The order that the change was bought with. */
    orderId: reference("order_id"),
    actor: text("actor", { enum: enumValues(Actor) }).notNull(),
    note: text("note"),
    createdAt: instant("created_at").notNull(),
  },
  (table) => [
    vendorPrimaryKey("subscription_units_pk", table),
    index("subscription_units_item").on(table.vendorId, table.itemId, table.at, table.id),
    index("subscription_units_order").on(table.vendorId, table.orderId),
    vendorForeignKey("subscription_units_item_fk", table.vendorId, table.itemId, subscriptionItems),
    vendorForeignKey("subscription_units_order_fk", table.vendorId, table.orderId, orders),
    enumCheck("subscription_units_series_word", table.series, UnitSeries),
    enumCheck("subscription_units_actor_word", table.actor, Actor),
  ],
);
