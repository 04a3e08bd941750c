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
} from "drizzle-orm/pg-core";
import {
  Actor,
  DisputeState,
  GatewayAdapter,
  GatewayMode,
  Initiator,
  LedgerAccount,
  Network,
  PaymentGateway,
  PaymentMethod,
  PaymentState,
} from "../vocabulary.ts";
import {
  amount,
  bytes,
  identity,
  instant,
  enumValues,
  enumCheck,
  vendorForeignKey,
  reference,
  vendorPrimaryKey,
  vendorReference,
} from "./columns.ts";
import { paymentMethods } from "./customers.ts";
import { orderItems, orders } from "./orders.ts";
import { vendors } from "./vendors.ts";

/** A vendor's accounts at payment gateways. Their order and capabilities determine which one charges an order. */
export const gatewayAccounts = pgTable(
  "gateway_accounts",
  {
    vendorId: vendorReference(),
    id: identity(),
    gateway: text("gateway", { enum: enumValues(PaymentGateway) }).notNull(),
    adapter: text("adapter", { enum: enumValues(GatewayAdapter) }).notNull(),
    enabled: boolean("enabled").notNull().default(true),
    /** The lowest that fits charges. */
    priority: integer("priority").notNull().default(0),
    methods: text("methods", { enum: enumValues(PaymentMethod) })
      .array()
      .notNull(),
    /** ISO 4217 codes; none is any. */
    currencies: text("currencies")
      .array()
      .notNull()
      .default(sql`'{}'`),
    /** Encrypted: what the adapter signs in with. */
    credentials: bytes("credentials"),
    /** The beginning and the last characters of the credentials, by which people recognize them. */
    credentialsHint: text("credentials_hint"),
    /** The public key with which browsers open the gateway's window. */
    clientKey: text("client_key"),
    /** Whether the credentials charge real money; null where the adapter has no modes. */
    mode: text("mode", { enum: enumValues(GatewayMode) }),
    /** Encrypted: what the gateway signs its callbacks with. */
    callbackSecret: bytes("callback_secret").notNull(),
    /**
     * When the operator confirmed that charges from before the last restore are known, although the gateway cannot be
     * searched.
     */
    releasedAt: instant("released_at"),
    createdAt: instant("created_at").notNull(),
    modifiedAt: instant("modified_at").notNull(),
  },
  (table) => [
    vendorPrimaryKey("gateway_accounts_pk", table),
    uniqueIndex("gateway_accounts_gateway").on(table.vendorId, table.gateway),
    foreignKey({ name: "gateway_accounts_vendor_fk", columns: [table.vendorId], foreignColumns: [vendors.id] }),
    enumCheck("gateway_accounts_gateway_word", table.gateway, PaymentGateway),
    enumCheck("gateway_accounts_adapter_word", table.adapter, GatewayAdapter),
    enumCheck("gateway_accounts_mode_word", table.mode, GatewayMode),
  ],
);

/**
 * Attempts to charge an order, as their gateway reported them; the newest is the order's payment. It contains no
 * complete card number. An attempt is saved before the gateway is called, so that a crash leaves a row to look up at
 * the gateway.
 */
export const payments = pgTable(
  "payments",
  {
    vendorId: vendorReference(),
    id: identity(),
    orderId: reference("order_id").notNull(),
    state: text("state", { enum: enumValues(PaymentState) }).notNull(),
    /** The idempotency key of the attempt at the gateway: however often it is sent, it is charged once. */
    idempotencyKey: text("idempotency_key").notNull(),
    /**
     * The subject of the charge, in terms that a restored backup has too: a vendor's subscription and due time, or an
     * order. Gateways are searched by it.
     */
    subject: text("subject"),
    /** The number of the attempt among those on its order. */
    attempt: integer("attempt"),
    amount: amount("amount").notNull(),
    discount: amount("discount").notNull(),
    currency: text("currency").notNull(),
    paymentMethod: text("payment_method", { enum: enumValues(PaymentMethod) }),
    /** The stored method that was charged. */
    methodId: reference("method_id"),
    /** The initiator: the payer in person, or the merchant with a stored method. */
    initiator: text("initiator", { enum: enumValues(Initiator) }).notNull(),
    paymentDate: instant("payment_date"),
    paymentGateway: text("payment_gateway", { enum: enumValues(PaymentGateway) }).notNull(),
    /** The gateway's own name of the charge. */
    gatewayReference: text("gateway_reference"),
    /** The refunded total. */
    paymentReturn: amount("payment_return").notNull(),
    paymentReceiptUrl: text("payment_receipt_url").notNull().default(""),
    cardNumber: text("card_number"),
    network: text("network", { enum: enumValues(Network) }),
    vbank: jsonb("vbank").$type<Record<string, string>>(),
    /** The address at which the payer confirms the charge; set while a confirmation is pending. */
    challengeUrl: text("challenge_url"),
    customerName: text("customer_name").notNull(),
    customerEmail: text("customer_email").notNull(),
    customerPhone: text("customer_phone").notNull(),
    errorCode: text("error_code"),
    adviceCode: text("advice_code"),
    errorMessage: text("error_message"),
    /** When an open attempt is looked up at its gateway, unless its own process has recorded the outcome by then. */
    lookUpAt: instant("look_up_at"),
    createdAt: instant("created_at").notNull(),
    settledAt: instant("settled_at"),
  },
  (table) => [
    vendorPrimaryKey("payments_pk", table),
    uniqueIndex("payments_idempotency_key").on(table.vendorId, table.idempotencyKey),
    uniqueIndex("payments_one_open")
      .on(table.vendorId, table.orderId)
      .where(sql`state in ('PENDING', 'UNKNOWN')`),
    uniqueIndex("payments_gateway_reference").on(table.vendorId, table.paymentGateway, table.gatewayReference),
    index("payments_order").on(table.vendorId, table.orderId, table.id),
    // Without the id, as those of events: what has the same time is sorted when it is read.
    index("payments_created_time").on(table.vendorId, table.createdAt),
    index("payments_state_time").on(table.vendorId, table.state, table.createdAt),
    index("payments_paid_time")
      .on(table.vendorId, table.paymentDate)
      .where(sql`payment_date is not null`),
    index("payments_paid_by_time").on(table.vendorId, table.paymentMethod, table.createdAt),
    index("payments_taken_by_time").on(table.vendorId, table.paymentGateway, table.createdAt),
    index("payments_error_time")
      .on(table.vendorId, table.errorCode, table.createdAt)
      .where(sql`error_code is not null`),
    // Counts recent attempts with a stored method.
    index("payments_method_created").on(table.vendorId, table.methodId, table.createdAt),
    index("payments_to_look_up")
      .on(table.lookUpAt, table.vendorId, table.id)
      .where(sql`look_up_at is not null`),
    vendorForeignKey("payments_order_fk", table.vendorId, table.orderId, orders),
    vendorForeignKey("payments_method_fk", table.vendorId, table.methodId, paymentMethods),
    enumCheck("payments_state_word", table.state, PaymentState),
    enumCheck("payments_method_word", table.paymentMethod, PaymentMethod),
    enumCheck("payments_gateway_word", table.paymentGateway, PaymentGateway),
    enumCheck("payments_network_word", table.network, Network),
    enumCheck("payments_initiator_word", table.initiator, Initiator),
    check("payments_return", sql`${table.paymentReturn} between 0 and ${table.amount}`),
    check(
      "payments_settled",
      sql`(${table.state} in ('SUCCEEDED', 'FAILED')) = (${table.settledAt} is not null) and (${table.state} = 'SUCCEEDED') = (${table.paymentDate} is not null)`,
    ),
  ],
);

/** Refunds of a payment, sent or to be sent. As an attempt, a refund is saved before the gateway is called. */
export const refunds = pgTable(
  "refunds",
  {
    vendorId: vendorReference(),
    id: identity(),
    orderId: reference("order_id").notNull(),
    paymentId: reference("payment_id").notNull(),
    state: text("state", { enum: enumValues(PaymentState) }).notNull(),
    idempotencyKey: text("idempotency_key").notNull(),
    amount: amount("amount").notNull(),
    gatewayReference: text("gateway_reference"),
    actor: text("actor", { enum: enumValues(Actor) }).notNull(),
    reason: text("reason"),
    errorCode: text("error_code"),
    errorMessage: text("error_message"),
    lookUpAt: instant("look_up_at"),
    createdAt: instant("created_at").notNull(),
    settledAt: instant("settled_at"),
  },
  (table) => [
    vendorPrimaryKey("refunds_pk", table),
    uniqueIndex("refunds_idempotency_key").on(table.vendorId, table.idempotencyKey),
    uniqueIndex("refunds_one_open")
      .on(table.vendorId, table.paymentId)
      .where(sql`state in ('PENDING', 'UNKNOWN')`),
    index("refunds_order").on(table.vendorId, table.orderId, table.id),
    index("refunds_payment").on(table.vendorId, table.paymentId, table.id),
    index("refunds_to_look_up")
      .on(table.lookUpAt, table.vendorId, table.id)
      .where(sql`look_up_at is not null`),
    vendorForeignKey("refunds_order_fk", table.vendorId, table.orderId, orders),
    vendorForeignKey("refunds_payment_fk", table.vendorId, table.paymentId, payments),
    enumCheck("refunds_state_word", table.state, PaymentState),
    enumCheck("refunds_actor_word", table.actor, Actor),
    check("refunds_amount", sql`${table.amount} > 0`),
    check("refunds_settled", sql`(${table.state} in ('SUCCEEDED', 'FAILED')) = (${table.settledAt} is not null)`),
  ],
);

/** The refunded amount of each line. */
export const refundItems = pgTable(
  "refund_items",
  {
    vendorId: vendorReference(),
    refundId: reference("refund_id").notNull(),
    itemId: reference("item_id").notNull(),
    amount: amount("amount").notNull(),
  },
  (table) => [
    primaryKey({ name: "refund_items_pk", columns: [table.vendorId, table.refundId, table.itemId] }),
    index("refund_items_item").on(table.vendorId, table.itemId),
    vendorForeignKey("refund_items_refund_fk", table.vendorId, table.refundId, refunds),
    vendorForeignKey("refund_items_item_fk", table.vendorId, table.itemId, orderItems),
  ],
);

/** Disputes of payments: a payer's bank takes back an amount, for good or until the merchant wins. */
export const disputes = pgTable(
  "disputes",
  {
    vendorId: vendorReference(),
    id: identity(),
    orderId: reference("order_id").notNull(),
    paymentId: reference("payment_id").notNull(),
    /** The gateway's own name of the dispute. */
    gatewayReference: text("gateway_reference").notNull(),
    state: text("state", { enum: enumValues(DisputeState) }).notNull(),
    /** The payer's reason, in the gateway's word. */
    reason: text("reason").notNull(),
    amount: amount("amount").notNull(),
    currency: text("currency").notNull(),
    /** Until when the merchant can send evidence. */
    respondBy: instant("respond_by"),
    createdAt: instant("created_at").notNull(),
    closedAt: instant("closed_at"),
  },
  (table) => [
    vendorPrimaryKey("disputes_pk", table),
    uniqueIndex("disputes_reference").on(table.vendorId, table.paymentId, table.gatewayReference),
    index("disputes_order").on(table.vendorId, table.orderId, table.id),
    vendorForeignKey("disputes_order_fk", table.vendorId, table.orderId, orders),
    vendorForeignKey("disputes_payment_fk", table.vendorId, table.paymentId, payments),
    enumCheck("disputes_state_word", table.state, DisputeState),
    check("disputes_amount", sql`${table.amount} > 0`),
    check("disputes_closed", sql`(${table.state} = 'OPEN') = (${table.closedAt} is null)`),
  ],
);

/**
 * The double-entry ledger of orders: an amount is positive on the account that receives it, and negative on the one
 * that it comes from. It is append-only, and a trigger refuses a transaction after which an order's entries do not sum
 * to zero.
 */
export const ledgerEntries = pgTable(
  "ledger_entries",
  {
    vendorId: vendorReference(),
    id: identity(),
    orderId: reference("order_id").notNull(),
    paymentId: reference("payment_id").notNull(),
    refundId: reference("refund_id"),
    disputeId: reference("dispute_id"),
    account: text("account", { enum: enumValues(LedgerAccount) }).notNull(),
    amount: amount("amount").notNull(),
    currency: text("currency").notNull(),
    createdAt: instant("created_at").notNull(),
  },
  (table) => [
    vendorPrimaryKey("ledger_entries_pk", table),
    index("ledger_entries_of_order").on(table.vendorId, table.orderId),
    index("ledger_entries_time").on(table.vendorId, table.createdAt),
    // A capture, a refund and each end of a dispute are recorded once, however often a gateway reports them. An account
    // that a dispute enters and leaves has one row of each sign. Captures, which are most entries, have narrow rows.
    uniqueIndex("ledger_entries_captured_once")
      .on(table.vendorId, table.paymentId, table.account, sql`(${table.amount} > 0)`)
      .where(sql`refund_id is null and dispute_id is null`),
    uniqueIndex("ledger_entries_returned_once")
      .on(
        table.vendorId,
        table.paymentId,
        sql`coalesce(${table.refundId}, 0)`,
        sql`coalesce(${table.disputeId}, 0)`,
        table.account,
        sql`(${table.amount} > 0)`,
      )
      .where(sql`refund_id is not null or dispute_id is not null`),
    vendorForeignKey("ledger_entries_order_fk", table.vendorId, table.orderId, orders),
    vendorForeignKey("ledger_entries_payment_fk", table.vendorId, table.paymentId, payments),
    vendorForeignKey("ledger_entries_refund_fk", table.vendorId, table.refundId, refunds),
    vendorForeignKey("ledger_entries_dispute_fk", table.vendorId, table.disputeId, disputes),
    enumCheck("ledger_entries_account_word", table.account, LedgerAccount),
  ],
);
