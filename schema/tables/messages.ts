import { sql } from "drizzle-orm";
import {
  check,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  smallint,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { EventSubject, Language, MessageKind, MessageState, PublishMethod } from "../vocabulary.ts";
import {
  enumCheck,
  enumValues,
  identity,
  instant,
  reference,
  vendorForeignKey,
  vendorPrimaryKey,
  vendorReference,
} from "./columns.ts";
import { customers } from "./customers.ts";
import { vendors } from "./vendors.ts";

/* Messages to customers. Their times are by the vendor's clock, but for `attempt_at`: attempts run by the real time. */

/** Messages to customers and payers: one row for each channel and recipient. Rows that ended long ago are deleted: by default after 400 days. */
export const messages = pgTable(
  "messages",
  {
    vendorId: vendorReference(),
    id: identity(),
    /** The `Message-ID` and the idempotency key: a receiver recognizes a repeated attempt by it. */
    uuid: uuid("uuid").notNull(),
    kind: text("kind", { enum: enumValues(MessageKind) }).notNull(),
    channel: text("channel", { enum: enumValues(PublishMethod) }).notNull(),
    state: text("state", { enum: enumValues(MessageState) }).notNull(),
    /** An e-mail address or a phone number, as the customer has it; empty if it has none. */
    recipient: text("recipient").notNull(),
    language: text("language", { enum: enumValues(Language) }).notNull(),
    /** What the message is about. */
    subject: text("subject", { enum: enumValues(EventSubject) }).notNull(),
    subjectId: reference("subject_id").notNull(),
    /** What the message is sent for: with the kind and the subject it makes the message unique. */
    occurrence: text("occurrence").notNull(),
    customerId: reference("customer_id"),
    orderId: reference("order_id"),
    subscriptionId: reference("subscription_id"),
    invoiceId: reference("invoice_id"),
    coverId: reference("cover_id"),
    /** What the text needs beside the records that it is about. */
    facts: jsonb("facts").$type<Record<string, unknown>>().notNull().default({}),
    /** The message is not sent before this time. */
    dueAt: instant("due_at").notNull(),
    /** The next attempt, or the end of the lease of the one in progress, by the real time; null before `due_at`. */
    attemptAt: instant("attempt_at"),
    /** Attempts that were begun. */
    attempts: smallint("attempts").notNull().default(0),
    /** The text, as of the last attempt. */
    subjectLine: text("subject_line"),
    textBody: text("text_body"),
    htmlBody: text("html_body"),
    attachmentNames: text("attachment_names")
      .array()
      .notNull()
      .default(sql`'{}'`),
    lastError: text("last_error"),
    createdAt: instant("created_at").notNull(),
    endedAt: instant("ended_at"),
  },
  (table) => [
    vendorPrimaryKey("messages_pk", table),
    uniqueIndex("messages_occurrence").on(
      table.vendorId,
      table.subject,
      table.subjectId,
      table.kind,
      table.occurrence,
      table.channel,
      table.recipient,
    ),
    index("messages_waiting")
      .on(table.vendorId, table.dueAt, table.id)
      .where(sql`state = 'QUEUED' and attempt_at is null`),
    index("messages_attempt")
      .on(table.vendorId, table.attemptAt, table.id)
      .where(sql`attempt_at is not null`),
    index("messages_created").on(table.vendorId, table.createdAt, table.id),
    index("messages_kind").on(table.vendorId, table.kind, table.createdAt, table.id),
    index("messages_customer").on(table.vendorId, table.customerId, table.createdAt, table.id),
    index("messages_ended")
      .on(table.vendorId, table.endedAt, table.id)
      .where(sql`ended_at is not null`),
    vendorForeignKey("messages_customer_fk", table.vendorId, table.customerId, customers),
    enumCheck("messages_kind_word", table.kind, MessageKind),
    enumCheck("messages_channel_word", table.channel, PublishMethod),
    enumCheck("messages_state_word", table.state, MessageState),
    enumCheck("messages_language_word", table.language, Language),
    check(
      "messages_end",
      sql`(${table.state} in ('QUEUED', 'SENDING')) = (${table.endedAt} is null) and (${table.endedAt} is null or ${table.attemptAt} is null) and (${table.state} <> 'SENDING' or ${table.attemptAt} is not null)`,
    ),
  ],
);

/** A vendor's settings for messages. A vendor without a row has the defaults. */
export const messageSettings = pgTable(
  "message_settings",
  {
    vendorId: vendorReference().primaryKey(),
    /** The sender's name; null for the vendor's name. */
    senderName: text("sender_name"),
    /** The address that answers go to; null for the vendor's e-mail address. */
    replyTo: text("reply_to"),
    /** The kinds that are not sent. */
    disabledKinds: text("disabled_kinds", { enum: enumValues(MessageKind) })
      .array()
      .notNull()
      .default(sql`'{}'`),
    /** How long before a retry its payer gets a notice: an ISO 8601 duration; null for the default. */
    retryNoticeLead: text("retry_notice_lead"),
    /** The channels of messages about failed renewals. */
    dunningChannels: text("dunning_channels", { enum: enumValues(PublishMethod) })
      .array()
      .notNull()
      .default(sql`'{EMAIL}'`),
    /** The share of payers who get no messages about failed renewals, in ten-thousandths. */
    holdoutParts: integer("holdout_parts").notNull().default(0),
    /** How much later than its event a kind is due: an ISO 8601 duration. */
    delays: jsonb("delays").$type<{ kind: MessageKind; delay: string }[]>().notNull().default([]),
    /** The vendor's own words, by kind and language. */
    wordings: jsonb("wordings")
      .$type<{ kind: MessageKind; language: Language; subjectLine: string | null; opening: string | null }[]>()
      .notNull()
      .default([]),
    modifiedAt: instant("modified_at").notNull(),
  },
  (table) => [
    check("message_settings_holdout", sql`${table.holdoutParts} between 0 and 5000`),
    foreignKey({ name: "message_settings_vendor_fk", columns: [table.vendorId], foreignColumns: [vendors.id] }),
  ],
);
