import { sql } from "drizzle-orm";
import {
  boolean,
  check,
  foreignKey,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  type PgTableExtraConfigValue,
} from "drizzle-orm/pg-core";
import { CoverOrderStatus, PaymentGateway, PaymentMethod, RecurringInterval } from "../vocabulary.ts";
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
import { vendors } from "./vendors.ts";

/*
 * Records that merchants register in the recovery module, and on which covers run. Its ids are separate from those of
 * the billing side. Every key begins with the vendor, so that a row can never reference another vendor's.
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
    /** ISO 3166-1 alpha-2 code, if the merchant knows it. */
    country: text("country"),
    /** IANA zone that retries are planned in; without it the vendor's. */
    timeZone: text("time_zone"),
    createdAt: instant("created_at").notNull(),
    modifiedAt: instant("modified_at").notNull(),
  },
  (table) => [
    vendorPrimaryKey("cover_customers_pk", table),
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
    vendorPrimaryKey("cover_products_pk", table),
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
    recurringInterval: text("recurring_interval", { enum: enumValues(RecurringInterval) }),
    recurringIntervalCount: integer("recurring_interval_count"),
    createdAt: instant("created_at").notNull(),
    modifiedAt: instant("modified_at").notNull(),
  },
  (table) => [
    vendorPrimaryKey("cover_prices_pk", table),
    uniqueIndex("cover_prices_partner_id").on(table.vendorId, table.partnerPriceId),
    index("cover_prices_created").on(table.vendorId, table.createdAt, table.id),
    index("cover_prices_product").on(table.vendorId, table.productId, table.createdAt, table.id),
    vendorForeignKey("cover_prices_product_fk", table.vendorId, table.productId, coverProducts),
    enumCheck("cover_prices_interval_word", table.recurringInterval, RecurringInterval),
    check(
      "cover_prices_cycle",
      sql`${table.isRecurring} = (${table.recurringInterval} is not null) and ${table.isRecurring} = (${table.recurringIntervalCount} is not null)`,
    ),
    check("cover_prices_price_not_negative", sql`${table.price} >= 0`),
  ],
);

/** Subscriptions of the recovery module. A running cover is not stored here: it is read from the covers. */
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
    /** The result of a policy's final action. */
    endedAs: text("ended_as", { enum: ["PAUSE", "EXPIRED"] }),
    cancelAtPeriodEnd: boolean("cancel_at_period_end").notNull().default(false),
    recurringInterval: text("recurring_interval", { enum: enumValues(RecurringInterval) }).notNull(),
    recurringIntervalCount: integer("recurring_interval_count").notNull(),
    createdAt: instant("created_at").notNull(),
    modifiedAt: instant("modified_at").notNull(),
  },
  (table): PgTableExtraConfigValue[] => [
    vendorPrimaryKey("cover_subscriptions_pk", table),
    uniqueIndex("cover_subscriptions_partner_id").on(table.vendorId, table.partnerSubscriptionId),
    index("cover_subscriptions_created").on(table.vendorId, table.createdAt, table.id),
    index("cover_subscriptions_customer").on(table.vendorId, table.customerId, table.createdAt, table.id),
    index("cover_subscriptions_initial_order").on(table.vendorId, table.initialOrderId),
    vendorForeignKey("cover_subscriptions_customer_fk", table.vendorId, table.customerId, coverCustomers),
    vendorForeignKey("cover_subscriptions_initial_order_fk", table.vendorId, table.initialOrderId, coverOrders),
    enumCheck("cover_subscriptions_interval_word", table.recurringInterval, RecurringInterval),
    check("cover_subscriptions_ended_word", sql`${table.endedAs} in ('PAUSE', 'EXPIRED')`),
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
    status: text("status", { enum: enumValues(CoverOrderStatus) }).notNull(),
    /** The state before the last named transition: a refused request returns to it. */
    previousStatus: text("previous_status", { enum: enumValues(CoverOrderStatus) }),
    amount: amount("amount").notNull(),
    amountReturned: amount("amount_returned").notNull(),
    idKey: text("id_key"),
    paymentDate: instant("payment_date"),
    canceledAt: instant("canceled_date"),
    paymentInfo: text("payment_info"),
    paymentGateway: text("payment_gateway", { enum: enumValues(PaymentGateway) }).notNull(),
    paymentMethod: text("payment_method", { enum: enumValues(PaymentMethod) }),
    createdAt: instant("created_at").notNull(),
    modifiedAt: instant("modified_at").notNull(),
  },
  (table): PgTableExtraConfigValue[] => [
    vendorPrimaryKey("cover_orders_pk", table),
    uniqueIndex("cover_orders_partner_id").on(table.vendorId, table.partnerOrderId),
    index("cover_orders_created").on(table.vendorId, table.createdAt, table.id),
    index("cover_orders_status").on(table.vendorId, table.status, table.createdAt, table.id),
    index("cover_orders_customer").on(table.vendorId, table.customerId, table.createdAt, table.id),
    index("cover_orders_subscription").on(table.vendorId, table.subscriptionId, table.createdAt, table.id),
    vendorForeignKey("cover_orders_customer_fk", table.vendorId, table.customerId, coverCustomers),
    vendorForeignKey("cover_orders_subscription_fk", table.vendorId, table.subscriptionId, coverSubscriptions),
    enumCheck("cover_orders_status_word", table.status, CoverOrderStatus),
    enumCheck("cover_orders_previous_status_word", table.previousStatus, CoverOrderStatus),
    enumCheck("cover_orders_gateway_word", table.paymentGateway, PaymentGateway),
    enumCheck("cover_orders_method_word", table.paymentMethod, PaymentMethod),
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
    vendorForeignKey("cover_order_items_order_fk", table.vendorId, table.orderId, coverOrders),
    vendorForeignKey("cover_order_items_price_fk", table.vendorId, table.priceId, coverPrices),
    check("cover_order_items_quantity", sql`${table.quantity} >= 1`),
  ],
);
