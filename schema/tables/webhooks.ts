import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  check,
  foreignKey,
  index,
  integer,
  pgTable,
  primaryKey,
  smallint,
  text,
} from "drizzle-orm/pg-core";
import { EventSubject, WebhookDeliveryState, WebhookDisabledReason } from "../vocabulary.ts";
import {
  bytes,
  enumCheck,
  enumValues,
  identity,
  instant,
  reference,
  vendorForeignKey,
  vendorPrimaryKey,
  vendorReference,
} from "./columns.ts";
import { vendors } from "./vendors.ts";

/* Webhooks. All their times are real: the clock of a sandbox moves its events, not the attempts to deliver them. */

/** Addresses to which a vendor's events are sent. */
export const webhookEndpoints = pgTable(
  "webhook_endpoints",
  {
    vendorId: vendorReference(),
    id: identity(),
    url: text("url").notNull(),
    description: text("description"),
    /** The names of the types, such as `order.paid`; null for all. */
    eventTypes: text("event_types").array(),
    enabled: boolean("enabled").notNull().default(true),
    disabledReason: text("disabled_reason", { enum: enumValues(WebhookDisabledReason) }),
    disabledAt: instant("disabled_at"),
    /** Encrypted. */
    secret: bytes("secret").notNull(),
    /** The secret before the last rotation. It signs too, until the time beside it. */
    previousSecret: bytes("previous_secret"),
    previousSecretUntil: instant("previous_secret_until"),
    /** The number of the last event that was read for this endpoint. */
    lastReadNumber: bigint("last_read_number", { mode: "number" }).notNull(),
    /** The earliest time at which one of its deliveries is due; null if none waits for a time. */
    dueAt: instant("due_at"),
    /** The first failed attempt since the last success; null if the last attempt succeeded. */
    failingSince: instant("failing_since"),
    lastSuccessAt: instant("last_success_at"),
    createdAt: instant("created_at").notNull(),
    modifiedAt: instant("modified_at").notNull(),
    /** A deleted endpoint is shown nowhere; a task removes its deliveries, and then it. */
    deletedAt: instant("deleted_at"),
  },
  (table) => [
    vendorPrimaryKey("webhook_endpoints_pk", table),
    index("webhook_endpoints_due")
      .on(table.dueAt, table.vendorId, table.id)
      .where(sql`enabled and due_at is not null`),
    index("webhook_endpoints_enabled")
      .on(table.vendorId, table.lastReadNumber, table.id)
      .where(sql`enabled`),
    index("webhook_endpoints_deleted")
      .on(table.vendorId, table.deletedAt)
      .where(sql`deleted_at is not null`),
    index("webhook_endpoints_created").on(table.vendorId, table.createdAt, table.id),
    foreignKey({ name: "webhook_endpoints_vendor_fk", columns: [table.vendorId], foreignColumns: [vendors.id] }),
    enumCheck("webhook_endpoints_disabled_word", table.disabledReason, WebhookDisabledReason),
    check(
      "webhook_endpoints_disabled",
      sql`${table.enabled} = (${table.disabledReason} is null) and ${table.enabled} = (${table.disabledAt} is null)`,
    ),
    check("webhook_endpoints_deleted", sql`${table.deletedAt} is null or not ${table.enabled}`),
    check(
      "webhook_endpoints_previous_secret",
      sql`(${table.previousSecret} is null) = (${table.previousSecretUntil} is null)`,
    ),
  ],
);

/** Events that an endpoint receives, each with the body that is sent. Rows that ended long ago are deleted: by default after 30 days. */
export const webhookDeliveries = pgTable(
  "webhook_deliveries",
  {
    vendorId: vendorReference(),
    id: identity(),
    endpointId: reference("endpoint_id").notNull(),
    /** The `webhook-id`. */
    eventId: text("event_id").notNull(),
    eventType: text("event_type").notNull(),
    /** What is delivered in order: the events of one subject. Null for a test or a redelivery, which waits for nothing. */
    subject: text("subject", { enum: enumValues(EventSubject) }),
    subjectId: reference("subject_id"),
    body: text("body").notNull(),
    state: text("state", { enum: enumValues(WebhookDeliveryState) }).notNull(),
    /** The next attempt, or the end of the lease of the one under way; null while an earlier event of its subject is open. */
    dueAt: instant("due_at"),
    /** Attempts that were begun. */
    attempts: smallint("attempts").notNull().default(0),
    /** The start of the three days after which a delivery has failed. */
    firstAttemptAt: instant("first_attempt_at"),
    createdAt: instant("created_at").notNull(),
    endedAt: instant("ended_at"),
  },
  (table) => [
    vendorPrimaryKey("webhook_deliveries_pk", table),
    index("webhook_deliveries_due")
      .on(table.vendorId, table.endpointId, table.dueAt, table.id)
      .where(sql`due_at is not null`),
    index("webhook_deliveries_subject")
      .on(table.vendorId, table.endpointId, table.subject, table.subjectId, table.id)
      .where(sql`state = 'PENDING'`),
    index("webhook_deliveries_created").on(table.vendorId, table.createdAt, table.id),
    index("webhook_deliveries_endpoint").on(table.vendorId, table.endpointId, table.createdAt, table.id),
    index("webhook_deliveries_ended")
      .on(table.vendorId, table.endedAt, table.id)
      .where(sql`ended_at is not null`),
    index("webhook_deliveries_event").on(table.vendorId, table.eventId, table.createdAt, table.id),
    vendorForeignKey("webhook_deliveries_endpoint_fk", table.vendorId, table.endpointId, webhookEndpoints),
    enumCheck("webhook_deliveries_state_word", table.state, WebhookDeliveryState),
    check(
      "webhook_deliveries_end",
      sql`(${table.state} = 'PENDING') = (${table.endedAt} is null) and (${table.state} = 'PENDING' or ${table.dueAt} is null)`,
    ),
    check("webhook_deliveries_subject_id", sql`(${table.subject} is null) = (${table.subjectId} is null)`),
  ],
);

/**
 * Attempts to deliver, with the receiver's answer. An attempt whose worker was killed has no row. Partitioned by month of
 * `started_at`, which drizzle-kit cannot say: each partition has the key, the table as a whole has none, so that the table of
 * before became a partition without a new index. Months that are no longer kept are dropped whole, after the deliveries: so there is
 * no foreign key to them.
 */
export const webhookAttempts = pgTable(
  "webhook_attempts",
  {
    vendorId: vendorReference(),
    deliveryId: reference("delivery_id").notNull(),
    number: smallint("number").notNull(),
    startedAt: instant("started_at").notNull(),
    durationMs: integer("duration_ms").notNull(),
    /** The HTTP status; null without an answer. */
    status: smallint("status"),
    /** The reason of a failure in words; null for a success. */
    error: text("error"),
    /** The first bytes of the answer's body; null without an answer. */
    response: text("response"),
  },
  (table) => [primaryKey({ name: "webhook_attempts_pk", columns: [table.vendorId, table.deliveryId, table.number] })],
);
