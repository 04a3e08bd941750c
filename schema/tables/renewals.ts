import { sql } from "drizzle-orm";
import { bigint, check, index, integer, pgTable, primaryKey, text, uniqueIndex } from "drizzle-orm/pg-core";
import { CoverEndReason, CoverState, Network, ReasonClass } from "../vocabulary.ts";
import { instant, instants, keys, oneOf, pointsAt, reference, vendorKey, vendorReference } from "./columns.ts";
import { orders } from "./orders.ts";
import { payments } from "./payments.ts";
import { subscriptions } from "./subscriptions.ts";

/** Which order charges which period of a subscription: whatever crashes, a period has one order. */
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
    pointsAt("renewals_subscription_fk", table.vendorId, table.subscriptionId, subscriptions),
    pointsAt("renewals_order_fk", table.vendorId, table.orderId, orders),
  ],
);

/**
 * Covers of renewals that failed: the service makes the tries itself. Their numbers come from the sequence of the covers
 * of registered orders, so that the number of a cover is one cover's.
 */
export const renewalCovers = pgTable(
  "renewal_covers",
  {
    vendorId: vendorReference(),
    id: bigint("id", { mode: "number" })
      .notNull()
      .default(sql`nextval('covers_id_seq')`),
    orderId: reference("order_id").notNull(),
    subscriptionId: reference("subscription_id").notNull(),
    state: text("state", { enum: keys(CoverState) }).notNull(),
    endReason: text("end_reason", { enum: keys(CoverEndReason) }),
    /** The instant that the policy's offsets count from. */
    windowStart: instant("window_start").notNull(),
    zoneId: text("zone_id").notNull(),
    /** The next try; set exactly while the cover is in progress. */
    retryAt: instant("retry_at"),
    planned: instants("planned").notNull(),
    policyVersion: text("policy_version").notNull(),
    /** Until when a worker has its next try to itself. */
    leaseUntil: instant("lease_until"),
    startedAt: instant("started_at").notNull(),
    endedAt: instant("ended_at"),
  },
  (table) => [
    vendorKey("renewal_covers_pk", table),
    uniqueIndex("renewal_covers_one_in_progress")
      .on(table.vendorId, table.orderId)
      .where(sql`state = 'IN_PROGRESS'`),
    index("renewal_covers_order").on(table.vendorId, table.orderId, table.id),
    index("renewal_covers_subscription").on(table.vendorId, table.subscriptionId, table.id),
    index("renewal_covers_started").on(table.vendorId, table.startedAt, table.id),
    index("renewal_covers_due")
      .on(table.vendorId, table.retryAt, table.id)
      .where(sql`state = 'IN_PROGRESS'`),
    pointsAt("renewal_covers_order_fk", table.vendorId, table.orderId, orders),
    pointsAt("renewal_covers_subscription_fk", table.vendorId, table.subscriptionId, subscriptions),
    oneOf("renewal_covers_state_word", table.state, CoverState),
    oneOf("renewal_covers_end_reason_word", table.endReason, CoverEndReason),
    check(
      "renewal_covers_end",
      sql`(${table.state} = 'IN_PROGRESS') = (${table.retryAt} is not null) and (${table.state} = 'IN_PROGRESS') = (${table.endedAt} is null) and (${table.state} = 'IN_PROGRESS') = (${table.endReason} is null)`,
    ),
  ],
);

/** Charges of a renewal that failed, each with what the engine decided then. */
export const renewalCoverAttempts = pgTable(
  "renewal_cover_attempts",
  {
    vendorId: vendorReference(),
    coverId: reference("cover_id").notNull(),
    /** 1, 2, 3 … within the cover. */
    number: integer("number").notNull(),
    /** The charge that failed; null where there was nothing to charge. */
    paymentId: reference("payment_id"),
    attemptedAt: instant("attempted_at").notNull(),
    errorCode: text("error_code"),
    errorMessage: text("error_message"),
    adviceCode: text("advice_code"),
    network: text("network", { enum: keys(Network) }),
    reasonClass: text("reason_class", { enum: keys(ReasonClass) }),
    /** What was decided: the next try, or why there is none. */
    retryAt: instant("retry_at"),
    endReason: text("end_reason", { enum: keys(CoverEndReason) }),
    floorRow: text("floor_row"),
    rulebookVersion: text("rulebook_version").notNull(),
  },
  (table) => [
    primaryKey({ name: "renewal_cover_attempts_pk", columns: [table.vendorId, table.coverId, table.number] }),
    uniqueIndex("renewal_cover_attempts_payment").on(table.vendorId, table.paymentId),
    pointsAt("renewal_cover_attempts_cover_fk", table.vendorId, table.coverId, renewalCovers),
    pointsAt("renewal_cover_attempts_payment_fk", table.vendorId, table.paymentId, payments),
    oneOf("renewal_cover_attempts_network_word", table.network, Network),
    oneOf("renewal_cover_attempts_class_word", table.reasonClass, ReasonClass),
    oneOf("renewal_cover_attempts_end_reason_word", table.endReason, CoverEndReason),
  ],
);
