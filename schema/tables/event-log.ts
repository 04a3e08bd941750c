import { sql } from "drizzle-orm";
import { bigint, boolean, index, jsonb, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { Actor, EventAuthorKind, EventSubject, EventType } from "../vocabulary.ts";
import { enumCheck, enumValues, identity, instant, reference, traceId, vendorReference } from "./columns.ts";

/* The event log. It has no foreign keys: it outlives what it is about, and its writers wait for no row of others. */

/**
 * The product of an event of a product or of its price plans, which have no column of their own. An expression, so that
 * rows of older gateways have it too; the conditions of a timeline repeat it.
 */
export const productOfEvent = sql`(case "subject" when 'PRODUCT' then "subject_id" else ("facts" ->> 'productId')::bigint end)`;

/** Whether an event is one of a product or of its price plans. */
export const isEventOfProduct = sql`"subject" in ('PRODUCT', 'PRICE_PLAN')`;

/**
 * Events of all modules: one row for each change, written in the transaction of the change and never changed. Partitioned
 * by month of `recorded_at`, which drizzle-kit cannot say: see the migration. `type` and `subject` have no check,
 * because a new word would read the whole log.
 */
export const eventLog = pgTable(
  "event_log",
  {
    vendorId: vendorReference(),
    id: identity(),
    /** The real time of the database. The vendor's clock, which a sandbox moves, gives `occurred_at`. */
    recordedAt: instant("recorded_at").notNull().defaultNow(),
    type: text("type", { enum: enumValues(EventType) }).notNull(),
    subject: text("subject", { enum: enumValues(EventSubject) }).notNull(),
    subjectId: reference("subject_id").notNull(),
    /** The change in the words of its module: `payOrder`, `ORDER_REGISTERED`. More exact than the type. */
    trigger: text("trigger").notNull(),
    /** Null for the event that created the subject. */
    statusBefore: text("status_before"),
    /** Null for subjects without a state. */
    statusAfter: text("status_after"),
    customerId: reference("customer_id"),
    orderId: reference("order_id"),
    subscriptionId: reference("subscription_id"),
    /** The registered order and subscription, whose ids are a series of their own. */
    coverOrderId: reference("cover_order_id"),
    coverSubscriptionId: reference("cover_subscription_id"),
    coverId: reference("cover_id"),
    actor: text("actor", { enum: enumValues(Actor) }).notNull(),
    /** The kind of the author, without a check like `type`; null for events from before authors were recorded. */
    authorKind: text("author_kind", { enum: enumValues(EventAuthorKind) }),
    /** The id of the person or the key; null for other authors. */
    authorId: reference("author_id"),
    /** The browser's session for which the key created a token; null if there is none. */
    authorSession: text("author_session"),
    reason: text("reason"),
    facts: jsonb("facts").$type<Record<string, unknown>>().notNull().default({}),
    /** False if the merchant reported the change and asked for no notification of it. */
    notify: boolean("notify").notNull().default(true),
    occurredAt: instant("occurred_at").notNull(),
    /** The trace of an event of earlier versions, which wrote it as text. */
    traceText: text("trace_id"),
    /** The trace of the request or of the worker's step, in W3C form; null if it is not known. */
    traceId: traceId("trace"),
  },
  (table) => [
    primaryKey({ name: "event_log_pk", columns: [table.vendorId, table.id, table.recordedAt] }),
    // Without the id: events of one subject at one time are few and sorted when they are read, while rows that are alike are stored as one.
    index("event_log_customer_time")
      .on(table.vendorId, table.customerId, table.occurredAt)
      .where(sql`customer_id is not null`),
    index("event_log_order_time")
      .on(table.vendorId, table.orderId, table.occurredAt)
      .where(sql`order_id is not null`),
    index("event_log_subscription_time")
      .on(table.vendorId, table.subscriptionId, table.occurredAt)
      .where(sql`subscription_id is not null`),
    index("event_log_cover_order_time")
      .on(table.vendorId, table.coverOrderId, table.occurredAt)
      .where(sql`cover_order_id is not null`),
    index("event_log_cover_subscription_time")
      .on(table.vendorId, table.coverSubscriptionId, table.occurredAt)
      .where(sql`cover_subscription_id is not null`),
    index("event_log_cover_time")
      .on(table.vendorId, table.coverId, table.occurredAt)
      .where(sql`cover_id is not null`),
    index("event_log_product").on(table.vendorId, productOfEvent, table.occurredAt, table.id).where(isEventOfProduct),
    enumCheck("event_log_actor_word", table.actor, Actor),
  ],
);

/** Events that have no number yet. Each is written beside its event and deleted by the sequencer. */
export const unnumberedEvents = pgTable(
  "unnumbered_events",
  {
    vendorId: vendorReference(),
    eventId: reference("event_id").notNull(),
    recordedAt: instant("recorded_at").notNull(),
    type: text("type", { enum: enumValues(EventType) }).notNull(),
  },
  (table) => [primaryKey({ name: "unnumbered_events_pk", columns: [table.vendorId, table.eventId] })],
);

/** The numbers of a vendor's events: 1, 2, 3 … without gaps. A row is written once, by the sequencer. */
export const eventNumbers = pgTable(
  "event_numbers",
  {
    vendorId: vendorReference(),
    /** The number of the event within its vendor. */
    id: bigint("number", { mode: "number" }).notNull(),
    eventId: reference("event_id").notNull(),
    /** With the id it finds the event in its partition. */
    recordedAt: instant("recorded_at").notNull(),
    type: text("type", { enum: enumValues(EventType) }).notNull(),
  },
  (table) => [
    primaryKey({ name: "event_numbers_pk", columns: [table.vendorId, table.id] }),
    // Ranges of 256 numbers in place of the numbers: rows that are alike are stored as one.
    index("event_numbers_type_range").on(table.vendorId, table.type, sql`(number >> 8)`),
  ],
);

/** The last number that a vendor's events have. The sequencer locks this row, and for a moment the reader for messages. */
export const eventSequences = pgTable(
  "event_sequences",
  {
    vendorId: reference("vendor_id").primaryKey(),
    lastNumber: bigint("last_number", { mode: "number" }).notNull(),
    /** The number of the last event that was read to queue messages to customers. */
    messagesReadNumber: bigint("messages_read_number", { mode: "number" }).notNull().default(0),
  },
  (table) => [
    index("event_sequences_unread")
      .on(table.vendorId)
      .where(sql`last_number > messages_read_number`),
  ],
);
