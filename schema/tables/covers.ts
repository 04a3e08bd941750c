import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  check,
  date,
  index,
  integer,
  jsonb,
  pgTable,
  smallint,
  text,
  uniqueIndex,
} from "drizzle-orm/pg-core";
import {
  AttemptKind,
  CoverEndReason,
  CoverState,
  Initiator,
  MessageArm,
  Network,
  PaymentGateway,
  ReasonClass,
} from "../vocabulary.ts";
import {
  amount,
  identity,
  instant,
  instantArray,
  enumValues,
  enumCheck,
  vendorForeignKey,
  reference,
  vendorPrimaryKey,
  vendorReference,
} from "./columns.ts";
import { orders } from "./orders.ts";
import { payments } from "./payments.ts";
import { coverOrders, coverSubscriptions } from "./recovery-registry.ts";
import { subscriptions } from "./subscriptions.ts";

/* Recovery: covers on registered orders and on renewals, their attempts and the engine's decisions. */

/**
 * Covers: one recovery scenario of one order. That is a registered order, whose merchant charges and reports, or the order of
 * a renewal, which the service charges itself.
 */
export const covers = pgTable(
  "covers",
  {
    vendorId: vendorReference(),
    id: identity(),
    orderId: reference("order_id"),
    subscriptionId: reference("subscription_id"),
    /** The order of a renewal, and its subscription; set exactly where no registered order is. */
    renewalOrderId: reference("renewal_order_id"),
    renewalSubscriptionId: reference("renewal_subscription_id"),
    state: text("state", { enum: enumValues(CoverState) }).notNull(),
    endReason: text("end_reason", { enum: enumValues(CoverEndReason) }),
    /** The instant that the policy's offsets count from. */
    windowStart: instant("window_start").notNull(),
    /** The payer's zone as known at the start: a running cover stays with it. */
    zoneId: text("zone_id").notNull(),
    /** The try that a report is awaited for; set exactly while the cover is in progress. */
    retryAt: instant("retry_at"),
    /** The tries planned from here on, `retry_at` first: what to answer once that has passed unreported. */
    planned: instantArray("planned").notNull(),
    /** The planned date whose coming is to be announced to the caller; null if Recoup makes the retries, and for advice. */
    announceAt: instant("announce_at"),
    policyVersion: text("policy_version").notNull(),
    /**
     * The vendor's own policy as of the start, which the cover stays with; null for a built-in one, identified by its
     * version.
     */
    policy: jsonb("policy").$type<Record<string, unknown>>(),
    /**
     * Whether the caller keeps its own schedule and the cover only records what it would advise. Once the advice is to stop, `retry_at` is
     * the time of that advice and nothing is planned.
     */
    shadow: boolean("shadow").notNull().default(false),
    /** The dimensions under which the cover is counted: null in covers that an older version of the gateway started. */
    startedOn: date("started_on"),
    reasonClass: text("reason_class", { enum: enumValues(ReasonClass) }),
    gateway: text("gateway", { enum: enumValues(PaymentGateway) }),
    country: text("country"),
    amount: amount("amount"),
    /**
     * The experiment that chose the policy, its arm and the payer's number in it; null without one. The experiment can be the
     * parent's, so that no key refers to it.
     */
    experimentId: reference("experiment_id"),
    experimentArm: smallint("experiment_arm"),
    experimentPayer: bigint("experiment_payer", { mode: "number" }),
    /** Whether the payer of a renewal gets messages; null where the vendor has no holdout. */
    messageArm: text("message_arm", { enum: enumValues(MessageArm) }),
    /** The payer's last change of the payment method of a renewal since the start. */
    methodChangedAt: instant("method_changed_at"),
    /** The date on which the payer asked to be charged, until its try is made; `retry_at` is the same date, unless a rule deferred it. */
    promisedAt: instant("promised_at"),
    /** Until when a worker has the next try of a renewal to itself. */
    leaseUntil: instant("lease_until"),
    startedAt: instant("started_at").notNull(),
    endedAt: instant("ended_at"),
  },
  (table) => [
    vendorPrimaryKey("covers_pk", table),
    uniqueIndex("covers_one_in_progress")
      .on(table.vendorId, table.orderId)
      .where(sql`state = 'IN_PROGRESS'`),
    uniqueIndex("covers_one_in_progress_of_renewal")
      .on(table.vendorId, table.renewalOrderId)
      .where(sql`state = 'IN_PROGRESS'`),
    index("covers_renewals_due")
      .on(table.vendorId, table.retryAt, table.id)
      .where(sql`state = 'IN_PROGRESS' and renewal_order_id is not null`),
    // For all vendors, to find work: leased covers are not due.
    index("covers_retries_anywhere")
      .on(sql`greatest(retry_at, lease_until)`, table.vendorId)
      .where(sql`state = 'IN_PROGRESS' and renewal_order_id is not null and retry_at is not null`),
    index("covers_announcements")
      .on(table.vendorId, table.announceAt, table.id)
      .where(sql`state = 'IN_PROGRESS' and announce_at is not null`),
    index("covers_renewal_order").on(table.vendorId, table.renewalOrderId, table.startedAt, table.id),
    index("covers_renewal_subscription").on(table.vendorId, table.renewalSubscriptionId, table.startedAt, table.id),
    index("covers_order").on(table.vendorId, table.orderId, table.startedAt, table.id),
    index("covers_subscription").on(table.vendorId, table.subscriptionId, table.startedAt, table.id),
    index("covers_started").on(table.vendorId, table.startedAt, table.id),
    // The covers of shadow reports.
    index("covers_shadows")
      .on(table.vendorId, table.startedAt, table.id)
      .where(sql`shadow`),
    // The cases of a country, for its pooled prior.
    index("covers_country").on(table.vendorId, table.country, table.startedAt, table.id),
    index("covers_state").on(table.vendorId, table.state, table.startedAt, table.id),
    // What messages recover, by the day of the failure.
    index("covers_message_arms")
      .on(table.vendorId, table.startedOn, table.id)
      .where(sql`message_arm is not null`),
    // Results of retries as they come in, for the tests of models.
    index("covers_recovered")
      .on(table.vendorId, table.endedAt, table.id)
      .where(sql`state = 'RECOVERED'`),
    index("covers_next").on(table.vendorId, sql`coalesce(retry_at, ended_at)`, table.id),
    vendorForeignKey("covers_order_fk", table.vendorId, table.orderId, coverOrders),
    vendorForeignKey("covers_subscription_fk", table.vendorId, table.subscriptionId, coverSubscriptions),
    vendorForeignKey("covers_renewal_order_fk", table.vendorId, table.renewalOrderId, orders),
    vendorForeignKey("covers_renewal_subscription_fk", table.vendorId, table.renewalSubscriptionId, subscriptions),
    enumCheck("covers_state_word", table.state, CoverState),
    enumCheck("covers_end_reason_word", table.endReason, CoverEndReason),
    enumCheck("covers_message_arm_word", table.messageArm, MessageArm),
    enumCheck("covers_class_word", table.reasonClass, ReasonClass),
    enumCheck("covers_gateway_word", table.gateway, PaymentGateway),
    check(
      "covers_one_order",
      sql`(${table.orderId} is null) = (${table.renewalOrderId} is not null) and (${table.renewalOrderId} is null) = (${table.renewalSubscriptionId} is null) and (${table.orderId} is not null or ${table.subscriptionId} is null)`,
    ),
    check(
      "covers_experiment",
      sql`(${table.experimentId} is null) = (${table.experimentArm} is null) and (${table.experimentId} is null) = (${table.experimentPayer} is null)`,
    ),
    check(
      "covers_end",
      sql`(${table.state} = 'IN_PROGRESS') = (${table.retryAt} is not null) and (${table.state} = 'IN_PROGRESS') = (${table.endedAt} is null) and (${table.state} = 'IN_PROGRESS') = (${table.endReason} is null)`,
    ),
  ],
);

/** Failed payment attempts of a cover: what a merchant reported, or charges of a renewal. */
export const coverAttempts = pgTable(
  "cover_attempts",
  {
    vendorId: vendorReference(),
    id: identity(),
    coverId: reference("cover_id").notNull(),
    /** 1, 2, 3 … within the cover. */
    number: integer("number").notNull(),
    kind: text("kind", { enum: enumValues(AttemptKind) }).notNull(),
    /** The charge of a renewal; null without a charge, and for charges by a merchant. */
    paymentId: reference("payment_id"),
    attemptedAt: instant("attempted_at").notNull(),
    errorCode: text("error_code"),
    errorMessage: text("error_message"),
    adviceCode: text("advice_code"),
    network: text("network", { enum: enumValues(Network) }),
    initiator: text("initiator", { enum: enumValues(Initiator) }).notNull(),
    reasonClass: text("reason_class", { enum: enumValues(ReasonClass) }).notNull(),
  },
  (table) => [
    vendorPrimaryKey("cover_attempts_pk", table),
    uniqueIndex("cover_attempts_number").on(table.vendorId, table.coverId, table.number),
    uniqueIndex("cover_attempts_payment").on(table.vendorId, table.paymentId),
    // Results of retries as they come in, for the tests of models.
    index("cover_attempts_results")
      .on(table.vendorId, table.attemptedAt, table.id)
      .where(sql`kind = 'SCHEDULED'`),
    // Retries after an unmapped code, for suggestions of its meaning.
    index("cover_attempts_unmapped")
      .on(
        table.vendorId,
        sql`regexp_replace(upper(btrim(error_code)), '^([0-9])$', '0\\1')`,
        table.attemptedAt,
        table.id,
      )
      .where(sql`reason_class = 'UNKNOWN'`),
    vendorForeignKey("cover_attempts_payment_fk", table.vendorId, table.paymentId, payments),
    vendorForeignKey("cover_attempts_cover_fk", table.vendorId, table.coverId, covers),
    enumCheck("cover_attempts_kind_word", table.kind, AttemptKind),
    enumCheck("cover_attempts_network_word", table.network, Network),
    enumCheck("cover_attempts_initiator_word", table.initiator, Initiator),
    enumCheck("cover_attempts_class_word", table.reasonClass, ReasonClass),
  ],
);

/** The engine's decisions: one row each time a cover got a date or lost it to the engine. */
export const coverDecisions = pgTable(
  "cover_decisions",
  {
    vendorId: vendorReference(),
    id: identity(),
    coverId: reference("cover_id").notNull(),
    decidedAt: instant("decided_at").notNull(),
    retryAt: instant("retry_at"),
    endReason: text("end_reason", { enum: enumValues(CoverEndReason) }),
    reasonClass: text("reason_class", { enum: enumValues(ReasonClass) }),
    /** The earliest instant that the rulebook allowed, and the row that set it. */
    floor: instant("floor"),
    floorRow: text("floor_row"),
    alternatives: instantArray("alternatives").notNull(),
    budgetUsed: integer("budget_used").notNull(),
    budgetLimit: integer("budget_limit").notNull(),
    windowEnds: instant("window_ends").notNull(),
    policyVersion: text("policy_version").notNull(),
    rulebookVersion: text("rulebook_version").notNull(),
    /** The complete input and output of the engine, which a replay compares. */
    inputs: jsonb("inputs").$type<Record<string, unknown>>(),
    outcome: jsonb("outcome").$type<Record<string, unknown>>(),
  },
  (table) => [
    vendorPrimaryKey("cover_decisions_pk", table),
    index("cover_decisions_cover").on(table.vendorId, table.coverId, table.decidedAt, table.id),
    vendorForeignKey("cover_decisions_cover_fk", table.vendorId, table.coverId, covers),
    enumCheck("cover_decisions_end_reason_word", table.endReason, CoverEndReason),
    enumCheck("cover_decisions_class_word", table.reasonClass, ReasonClass),
  ],
);
