import { sql } from "drizzle-orm";
import { index, jsonb, pgTable, text } from "drizzle-orm/pg-core";
import { Actor, EventSubject } from "../vocabulary.ts";
import {
  identity,
  instant,
  enumValues,
  enumCheck,
  vendorForeignKey,
  reference,
  vendorPrimaryKey,
  vendorReference,
} from "./columns.ts";
import { customers } from "./customers.ts";
import { orders } from "./orders.ts";
import { subscriptions } from "./subscriptions.ts";

/**
 * Events of the billing side: one row for each state change, written in the transaction of the change. It is the
 * timeline of customers, orders and subscriptions, and the outbox of events to post to the merchant.
 */
export const events = pgTable(
  "events",
  {
    vendorId: vendorReference(),
    id: identity(),
    subject: text("subject", { enum: enumValues(EventSubject) }).notNull(),
    subjectId: reference("subject_id").notNull(),
    /** The trigger: `payOrder`, `failRenewal`. The column has the name that gateways of earlier versions read. */
    trigger: text("happening").notNull(),
    /** Null for the event that created the subject. */
    statusBefore: text("status_before"),
    statusAfter: text("status_after").notNull(),
    customerId: reference("customer_id"),
    orderId: reference("order_id"),
    subscriptionId: reference("subscription_id"),
    actor: text("actor", { enum: enumValues(Actor) }).notNull(),
    reason: text("reason"),
    facts: jsonb("facts").$type<Record<string, unknown>>().notNull().default({}),
    occurredAt: instant("occurred_at").notNull(),
    /** When it was handed to the posting worker. */
    postedAt: instant("posted_at"),
  },
  (table) => [
    vendorPrimaryKey("events_pk", table),
    index("events_customer").on(table.vendorId, table.customerId, table.occurredAt, table.id),
    index("events_order").on(table.vendorId, table.orderId, table.occurredAt, table.id),
    index("events_subscription").on(table.vendorId, table.subscriptionId, table.occurredAt, table.id),
    index("events_subject").on(table.vendorId, table.subject, table.subjectId, table.id),
    index("events_unposted")
      .on(table.vendorId, table.id)
      .where(sql`posted_at is null`),
    vendorForeignKey("events_customer_fk", table.vendorId, table.customerId, customers),
    vendorForeignKey("events_order_fk", table.vendorId, table.orderId, orders),
    vendorForeignKey("events_subscription_fk", table.vendorId, table.subscriptionId, subscriptions),
    enumCheck("events_subject_word", table.subject, EventSubject),
    enumCheck("events_actor_word", table.actor, Actor),
  ],
);
