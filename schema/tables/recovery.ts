import { sql } from "drizzle-orm";
import {
  boolean,
  check,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  type PgTableExtraConfigValue,
} from "drizzle-orm/pg-core";
import {
  Actor,
  AttemptKind,
  CoverEndReason,
  CoverEventType,
  CoverOrderStatus,
  CoverState,
  Initiator,
  Network,
  PaymentGateway,
  ReasonClass,
  RecurringInterval,
} from "../vocabulary.ts";
import { amount, identity, instant, instants, keys, oneOf, reference, vendorReference } from "./columns.ts";
import { vendors } from "./vendors.ts";

/*
 * What merchants register in the recovery module, and the covers that run on it. Its ids are a space of their own,
 * apart from those of the billing side. Every key begins with the vendor, so that a row can never point across vendors.
 */

/** Customers of the recovery module. */
export const coverCustomers = pgTable(
  "cover_customers",
  {
    vendorId: vendorReference(),
    id: identity(),
    partnerCustomerId: text("partner_customer_id").notNull(),
    name: text("name").notNull(),
    email: text("email").notNull(),
    phone: text("phone").notNull(),
    /** ISO 3166-1 alpha-2 code, where the merchant knows it. */
    country: text("country"),
    /** IANA zone that retries are planned in; without it the vendor's. */
    timeZone: text("time_zone"),
    createdAt: instant("created_at").notNull(),
    modifiedAt: instant("modified_at").notNull(),
  },
  (table) => [
    primaryKey({ name: "cover_customers_pk", columns: [table.vendorId, table.id] }),
    uniqueIndex("cover_customers_partner_id").on(table.vendorId, table.partnerCustomerId),
    index("cover_customers_created").on(table.vendorId, table.createdAt, table.id),
    index("cover_customers_email").on(table.vendorId, sql`lower(${table.email})`, table.createdAt, table.id),
    foreignKey({ name: "cover_customers_vendor_fk", columns: [table.vendorId], foreignColumns: [vendors.id] }),
  ],
);

/** Products of the recovery module. */
export const coverProducts = pgTable(
  "cover_products",
  {
    vendorId: vendorReference(),
    id: identity(),
    partnerProductId: text("partner_product_id").notNull(),
    name: text("name").notNull(),
    featuredImageUrl: text("featured_image_url").notNull().default(""),
    createdAt: instant("created_at").notNull(),
    modifiedAt: instant("modified_at").notNull(),
  },
  (table) => [
    primaryKey({ name: "cover_products_pk", columns: [table.vendorId, table.id] }),
    uniqueIndex("cover_products_partner_id").on(table.vendorId, table.partnerProductId),
    index("cover_products_created").on(table.vendorId, table.createdAt, table.id),
    foreignKey({ name: "cover_products_vendor_fk", columns: [table.vendorId], foreignColumns: [vendors.id] }),
  ],
);

/** Price plans of the recovery module. */
export const coverPrices = pgTable(
  "cover_prices",
  {
    vendorId: vendorReference(),
    id: identity(),
    partnerPriceId: text("partner_price_id").notNull(),
    productId: reference("product_id").notNull(),
    name: text("name").notNull(),
    price: amount("price").notNull(),
    isRecurring: boolean("is_recurring").notNull(),
    recurringInterval: text("recurring_interval", { enum: keys(RecurringInterval) }),
    recurringIntervalCount: integer("recurring_interval_count"),
    createdAt: instant("created_at").notNull(),
    modifiedAt: instant("modified_at").notNull(),
  },
  (table) => [
    primaryKey({ name: "cover_prices_pk", columns: [table.vendorId, table.id] }),
    uniqueIndex("cover_prices_partner_id").on(table.vendorId, table.partnerPriceId),
    index("cover_prices_created").on(table.vendorId, table.createdAt, table.id),
    index("cover_prices_product").on(table.vendorId, table.productId, table.createdAt, table.id),
    foreignKey({
      name: "cover_prices_product_fk",
      columns: [table.vendorId, table.productId],
      foreignColumns: [coverProducts.vendorId, coverProducts.id],
    }),
    oneOf("cover_prices_interval_word", table.recurringInterval, RecurringInterval),
    check(
      "cover_prices_cycle",
      sql`${table.isRecurring} = (${table.recurringInterval} is not null) and ${table.isRecurring} = (${table.recurringIntervalCount} is not null)`,
    ),
    check("cover_prices_price_not_negative", sql`${table.price} >= 0`),
  ],
);

/** Subscriptions of the recovery module. Whether a cover runs is not stored here: it is asked of the covers. */
export const coverSubscriptions = pgTable(
  "cover_subscriptions",
  {
    vendorId: vendorReference(),
    id: identity(),
    partnerSubscriptionId: text("partner_subscription_id").notNull(),
    customerId: reference("customer_id").notNull(),
    initialOrderId: reference("initial_order_id"),
    trialStart: instant("trial_start"),
    trialEnd: instant("trial_end"),
    start: instant("start"),
    currentPeriodStart: instant("current_period_start").notNull(),
    currentPeriodEnd: instant("current_period_end").notNull(),
    canceledAt: instant("canceled_at"),
    cancelAtPeriodEnd: boolean("cancel_at_period_end").notNull().default(false),
    recurringInterval: text("recurring_interval", { enum: keys(RecurringInterval) }).notNull(),
    recurringIntervalCount: integer("recurring_interval_count").notNull(),
    createdAt: instant("created_at").notNull(),
    modifiedAt: instant("modified_at").notNull(),
  },
  (table): PgTableExtraConfigValue[] => [
    primaryKey({ name: "cover_subscriptions_pk", columns: [table.vendorId, table.id] }),
    uniqueIndex("cover_subscriptions_partner_id").on(table.vendorId, table.partnerSubscriptionId),
    index("cover_subscriptions_created").on(table.vendorId, table.createdAt, table.id),
    index("cover_subscriptions_customer").on(table.vendorId, table.customerId, table.createdAt, table.id),
    index("cover_subscriptions_initial_order").on(table.vendorId, table.initialOrderId),
    foreignKey({
      name: "cover_subscriptions_customer_fk",
      columns: [table.vendorId, table.customerId],
      foreignColumns: [coverCustomers.vendorId, coverCustomers.id],
    }),
    foreignKey({
      name: "cover_subscriptions_initial_order_fk",
      columns: [table.vendorId, table.initialOrderId],
      foreignColumns: [coverOrders.vendorId, coverOrders.id],
    }),
    oneOf("cover_subscriptions_interval_word", table.recurringInterval, RecurringInterval),
  ],
);

/** Orders of the recovery module: what was, or should have been, paid elsewhere. */
export const coverOrders = pgTable(
  "cover_orders",
  {
    vendorId: vendorReference(),
    id: identity(),
    partnerOrderId: text("partner_order_id").notNull(),
    customerId: reference("customer_id").notNull(),
    subscriptionId: reference("subscription_id"),
    status: text("status", { enum: keys(CoverOrderStatus) }).notNull(),
    amount: amount("amount").notNull(),
    amountReturned: amount("amount_returned").notNull(),
    idKey: text("id_key"),
    paymentDate: instant("payment_date"),
    canceledDate: instant("canceled_date"),
    paymentInfo: text("payment_info"),
    paymentGateway: text("payment_gateway", { enum: keys(PaymentGateway) }).notNull(),
    createdAt: instant("created_at").notNull(),
    modifiedAt: instant("modified_at").notNull(),
  },
  (table): PgTableExtraConfigValue[] => [
    primaryKey({ name: "cover_orders_pk", columns: [table.vendorId, table.id] }),
    uniqueIndex("cover_orders_partner_id").on(table.vendorId, table.partnerOrderId),
    index("cover_orders_created").on(table.vendorId, table.createdAt, table.id),
    index("cover_orders_status").on(table.vendorId, table.status, table.createdAt, table.id),
    index("cover_orders_customer").on(table.vendorId, table.customerId, table.createdAt, table.id),
    index("cover_orders_subscription").on(table.vendorId, table.subscriptionId, table.createdAt, table.id),
    foreignKey({
      name: "cover_orders_customer_fk",
      columns: [table.vendorId, table.customerId],
      foreignColumns: [coverCustomers.vendorId, coverCustomers.id],
    }),
    foreignKey({
      name: "cover_orders_subscription_fk",
      columns: [table.vendorId, table.subscriptionId],
      foreignColumns: [coverSubscriptions.vendorId, coverSubscriptions.id],
    }),
    oneOf("cover_orders_status_word", table.status, CoverOrderStatus),
    oneOf("cover_orders_gateway_word", table.paymentGateway, PaymentGateway),
    check("cover_orders_amounts", sql`${table.amountReturned} >= 0 and ${table.amountReturned} <= ${table.amount}`),
  ],
);

/** Lines of a registered order, in the order in which they were sent. */
export const coverOrderItems = pgTable(
  "cover_order_items",
  {
    vendorId: vendorReference(),
    orderId: reference("order_id").notNull(),
    position: integer("position").notNull(),
    priceId: reference("price_id").notNull(),
    quantity: integer("quantity").notNull(),
  },
  (table) => [
    primaryKey({ name: "cover_order_items_pk", columns: [table.vendorId, table.orderId, table.position] }),
    index("cover_order_items_price").on(table.vendorId, table.priceId),
    foreignKey({
      name: "cover_order_items_order_fk",
      columns: [table.vendorId, table.orderId],
      foreignColumns: [coverOrders.vendorId, coverOrders.id],
    }),
    foreignKey({
      name: "cover_order_items_price_fk",
      columns: [table.vendorId, table.priceId],
      foreignColumns: [coverPrices.vendorId, coverPrices.id],
    }),
    check("cover_order_items_quantity", sql`${table.quantity} >= 1`),
  ],
);

/** Covers: one recovery scenario of one order. */
export const covers = pgTable(
  "covers",
  {
    vendorId: vendorReference(),
    id: identity(),
    orderId: reference("order_id").notNull(),
    subscriptionId: reference("subscription_id"),
    state: text("state", { enum: keys(CoverState) }).notNull(),
    endReason: text("end_reason", { enum: keys(CoverEndReason) }),
    /** The instant that the policy's offsets count from. */
    windowStart: instant("window_start").notNull(),
    /** The payer's zone as it was known at the start: a running scenario keeps its clock. */
    zoneId: text("zone_id").notNull(),
    /** The try that a report is awaited for; set exactly while the cover is in progress. */
    retryAt: instant("retry_at"),
    /** The tries planned from here on, `retry_at` first: what to answer once that has passed unreported. */
    planned: instants("planned").notNull(),
    policyVersion: text("policy_version").notNull(),
    startedAt: instant("started_at").notNull(),
    endedAt: instant("ended_at"),
  },
  (table) => [
    primaryKey({ name: "covers_pk", columns: [table.vendorId, table.id] }),
    uniqueIndex("covers_one_in_progress")
      .on(table.vendorId, table.orderId)
      .where(sql`state = 'IN_PROGRESS'`),
    index("covers_order").on(table.vendorId, table.orderId, table.startedAt, table.id),
    index("covers_subscription").on(table.vendorId, table.subscriptionId, table.startedAt, table.id),
    index("covers_started").on(table.vendorId, table.startedAt, table.id),
    index("covers_state").on(table.vendorId, table.state, table.startedAt, table.id),
    index("covers_next").on(table.vendorId, sql`coalesce(retry_at, ended_at)`, table.id),
    foreignKey({
      name: "covers_order_fk",
      columns: [table.vendorId, table.orderId],
      foreignColumns: [coverOrders.vendorId, coverOrders.id],
    }),
    foreignKey({
      name: "covers_subscription_fk",
      columns: [table.vendorId, table.subscriptionId],
      foreignColumns: [coverSubscriptions.vendorId, coverSubscriptions.id],
    }),
    oneOf("covers_state_word", table.state, CoverState),
    oneOf("covers_end_reason_word", table.endReason, CoverEndReason),
    check(
      "covers_end",
      sql`(${table.state} = 'IN_PROGRESS') = (${table.retryAt} is not null) and (${table.state} = 'IN_PROGRESS') = (${table.endedAt} is null) and (${table.state} = 'IN_PROGRESS') = (${table.endReason} is null)`,
    ),
  ],
);

/** Failed payment attempts that a merchant reported to a cover. */
export const coverAttempts = pgTable(
  "cover_attempts",
  {
    vendorId: vendorReference(),
    id: identity(),
    coverId: reference("cover_id").notNull(),
    /** 1, 2, 3 … within the cover. */
    number: integer("number").notNull(),
    kind: text("kind", { enum: keys(AttemptKind) }).notNull(),
    attemptedAt: instant("attempted_at").notNull(),
    errorCode: text("error_code"),
    errorMessage: text("error_message"),
    adviceCode: text("advice_code"),
    network: text("network", { enum: keys(Network) }),
    initiator: text("initiator", { enum: keys(Initiator) }).notNull(),
    reasonClass: text("reason_class", { enum: keys(ReasonClass) }).notNull(),
  },
  (table) => [
    primaryKey({ name: "cover_attempts_pk", columns: [table.vendorId, table.id] }),
    uniqueIndex("cover_attempts_number").on(table.vendorId, table.coverId, table.number),
    foreignKey({
      name: "cover_attempts_cover_fk",
      columns: [table.vendorId, table.coverId],
      foreignColumns: [covers.vendorId, covers.id],
    }),
    oneOf("cover_attempts_kind_word", table.kind, AttemptKind),
    oneOf("cover_attempts_network_word", table.network, Network),
    oneOf("cover_attempts_initiator_word", table.initiator, Initiator),
    oneOf("cover_attempts_class_word", table.reasonClass, ReasonClass),
  ],
);

/** What the engine decided, and when: one row each time a cover got a date or lost it to the engine. */
export const coverDecisions = pgTable(
  "cover_decisions",
  {
    vendorId: vendorReference(),
    id: identity(),
    coverId: reference("cover_id").notNull(),
    decidedAt: instant("decided_at").notNull(),
    retryAt: instant("retry_at"),
    endReason: text("end_reason", { enum: keys(CoverEndReason) }),
    reasonClass: text("reason_class", { enum: keys(ReasonClass) }),
    /** The earliest instant that the rulebook allowed, and the row that said so. */
    floor: instant("floor"),
    floorRow: text("floor_row"),
    alternatives: instants("alternatives").notNull(),
    budgetUsed: integer("budget_used").notNull(),
    budgetLimit: integer("budget_limit").notNull(),
    windowEnds: instant("window_ends").notNull(),
    policyVersion: text("policy_version").notNull(),
    rulebookVersion: text("rulebook_version").notNull(),
  },
  (table) => [
    primaryKey({ name: "cover_decisions_pk", columns: [table.vendorId, table.id] }),
    index("cover_decisions_cover").on(table.vendorId, table.coverId, table.decidedAt, table.id),
    foreignKey({
      name: "cover_decisions_cover_fk",
      columns: [table.vendorId, table.coverId],
      foreignColumns: [covers.vendorId, covers.id],
    }),
    oneOf("cover_decisions_end_reason_word", table.endReason, CoverEndReason),
    oneOf("cover_decisions_class_word", table.reasonClass, ReasonClass),
  ],
);

/** What happened, who did it and why: the timeline, and the rows that are to be posted to the merchant. */
export const coverEvents = pgTable(
  "cover_events",
  {
    vendorId: vendorReference(),
    id: identity(),
    type: text("type", { enum: keys(CoverEventType) }).notNull(),
    orderId: reference("order_id"),
    subscriptionId: reference("subscription_id"),
    coverId: reference("cover_id"),
    actor: text("actor", { enum: keys(Actor) }).notNull(),
    /** Facts of the event: states before and after, dates, codes. */
    facts: jsonb("facts").$type<Record<string, unknown>>().notNull(),
    /** Whether the merchant asked for the event to be posted. */
    notify: boolean("notify").notNull().default(false),
    occurredAt: instant("occurred_at").notNull(),
  },
  (table) => [
    primaryKey({ name: "cover_events_pk", columns: [table.vendorId, table.id] }),
    index("cover_events_order").on(table.vendorId, table.orderId, table.occurredAt, table.id),
    index("cover_events_subscription").on(table.vendorId, table.subscriptionId, table.occurredAt, table.id),
    index("cover_events_cover").on(table.vendorId, table.coverId, table.occurredAt, table.id),
    foreignKey({
      name: "cover_events_order_fk",
      columns: [table.vendorId, table.orderId],
      foreignColumns: [coverOrders.vendorId, coverOrders.id],
    }),
    foreignKey({
      name: "cover_events_subscription_fk",
      columns: [table.vendorId, table.subscriptionId],
      foreignColumns: [coverSubscriptions.vendorId, coverSubscriptions.id],
    }),
    foreignKey({
      name: "cover_events_cover_fk",
      columns: [table.vendorId, table.coverId],
      foreignColumns: [covers.vendorId, covers.id],
    }),
    oneOf("cover_events_type_word", table.type, CoverEventType),
    oneOf("cover_events_actor_word", table.actor, Actor),
  ],
);
