import { sql } from "drizzle-orm";
import {
  boolean,
  check,
  date,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
  type PgTableExtraConfigValue,
} from "drizzle-orm/pg-core";
import {
  Actor,
  ClaimMethodType,
  HistoryCategory,
  OrderItemStatus,
  OrderItemType,
  OrderLogType,
  OrderType,
  PaymentGateway,
  PaymentMethod,
  RecurringInterval,
  ProductType,
  SetupOptionType,
} from "../vocabulary.ts";
import type { RegionCode } from "../regions.ts";
import {
  amount,
  identity,
  instant,
  enumValues,
  referenceArray,
  enumCheck,
  vendorForeignKey,
  rate,
  reference,
  searchIndex,
  searchText,
  vendorPrimaryKey,
  vendorReference,
} from "./columns.ts";
import { customers } from "./customers.ts";
import { pricePlans, type CurrencyAmounts } from "./price-plans.ts";
import { products } from "./products.ts";
import { subscriptionItems, subscriptions } from "./subscriptions.ts";

/** States of an order's line that end by time. */
export const timedStatuses = [
  "ORDER_DELIVERY_COMPLETED",
  "EXCHANGE_DELIVERY_COMPLETED",
  "FINISHED_EXCHANGE_AVAILABLE",
  "FINISHED_RETURN_AVAILABLE",
  "RETURN_REQUEST_REJECTED",
  "EXCHANGE_REQUEST_REJECTED",
] as const satisfies readonly OrderItemStatus[];

/** Orders of customers. The buyer's name and contact data are those at the time of the order. */
export const orders = pgTable(
  "orders",
  {
    vendorId: vendorReference(),
    id: identity(),
    code: text("code").notNull(),
    /**
     * 0 for the first order that has its code. Orders of other vendors that had the same code before codes were unique over
     * all vendors count from 1.
     */
    codeRepeat: integer("code_repeat").notNull().default(0),
    /** The key for look-ups of payment information. */
    idKey: text("id_key").notNull(),
    type: text("type", { enum: enumValues(OrderType) }).notNull(),
    customerId: reference("customer_id").notNull(),
    customerName: text("customer_name").notNull(),
    customerPhone: text("customer_phone").notNull(),
    customerEmail: text("customer_email").notNull(),
    productName: text("product_name").notNull(),
    /** The phone number in it is its digits. */
    searchText: searchText(
      "code",
      "product_name",
      "customer_name",
      "customer_email",
      "replace(customer_phone, '+', '')",
    ),
    currency: text("currency").notNull(),
    baseCurrency: text("base_currency").notNull(),
    /** The exchange rate from the base currency. */
    exchangeRate: rate("exchange_rate").notNull(),
    region: text("region").$type<RegionCode>(),
    /** The sum of the lines. */
    amount: amount("amount").notNull(),
    discountedAmount: amount("discounted_amount").notNull(),
    paidAmount: amount("paid_amount").notNull(),
    returnedAmount: amount("returned_amount").notNull(),
    /** The order's sum in each currency that all its plans have a price in. */
    currencyPrice: jsonb("currency_price").$type<CurrencyAmounts>().notNull().default({}),
    claimMethodType: text("claim_method_type", { enum: enumValues(ClaimMethodType) }).notNull(),
    paymentMethod: text("payment_method", { enum: enumValues(PaymentMethod) }),
    /** The only ways in which it can be paid; none is any. */
    allowedPaymentMethods: text("allowed_payment_methods", { enum: enumValues(PaymentMethod) })
      .array()
      .notNull()
      .default(sql`'{}'`),
    paymentGateway: text("payment_gateway", { enum: enumValues(PaymentGateway) }),
    paymentDate: instant("payment_date"),
    paymentDueDate: instant("payment_due_date"),
    /** Whether it is charged to its subscription's method as soon as it exists; a renewal is charged by its schedule. */
    chargedAtOnce: boolean("charged_at_once").notNull().default(false),
    purchaseDeadline: instant("purchase_deadline"),
    /** When its stock was returned because it was unpaid at the deadline; a late payment takes it again. */
    stockReturnedAt: instant("stock_returned_at"),
    calculateStartDate: instant("calculate_start_date"),
    calculateEndDate: instant("calculate_end_date"),
    /** The subscription that a renewal charges. */
    parentSubscriptionId: reference("parent_subscription_id"),
    /** The order of the parent vendor that this order of a child belongs to: the one reference across vendors. */
    parentVendorId: reference("parent_vendor_id"),
    parentOrderId: reference("parent_order_id"),
    createdAt: instant("created_at").notNull(),
    modifiedAt: instant("modified_at").notNull(),
  },
  (table): PgTableExtraConfigValue[] => [
    vendorPrimaryKey("orders_pk", table),
    uniqueIndex("orders_code").on(table.vendorId, table.code),
    uniqueIndex("orders_public_code").on(table.code, table.codeRepeat),
    index("orders_shared_code")
      .on(table.code)
      .where(sql`code_repeat > 0`),
    uniqueIndex("orders_id_key").on(table.vendorId, table.idKey),
    index("orders_created").on(table.vendorId, table.createdAt, table.id),
    index("orders_modified").on(table.vendorId, table.modifiedAt, table.id),
    // An unset time counts as earliest, so that a slice after any row is one range.
    index("orders_payment_date").on(table.vendorId, sql`coalesce(payment_date, '-infinity')`, table.id),
    index("orders_purchase_deadline").on(table.vendorId, sql`coalesce(purchase_deadline, '-infinity')`, table.id),
    index("orders_stock_held")
      .on(table.vendorId, table.createdAt, table.id)
      .where(sql`stock_returned_at is null and payment_date is null`),
    // For all vendors, to find orders that are to be charged at once.
    index("orders_uncharged_anywhere")
      .on(table.createdAt, table.vendorId)
      .where(sql`charged_at_once and payment_date is null`),
    index("orders_paid_amount").on(table.vendorId, table.paidAmount, table.id),
    index("orders_customer_name").on(table.vendorId, table.customerName, table.id),
    index("orders_product_name").on(table.vendorId, table.productName, table.id),
    index("orders_type").on(table.vendorId, table.type, table.createdAt, table.id),
    index("orders_of_region")
      .on(table.vendorId, table.region, table.createdAt, table.id)
      .where(sql`region is not null`),
    index("orders_customer").on(table.vendorId, table.customerId, table.createdAt, table.id),
    index("orders_subscription").on(table.vendorId, table.parentSubscriptionId, table.createdAt, table.id),
    searchIndex("orders_search", table.vendorId, table.searchText),
    index("orders_of_parent")
      .on(table.parentVendorId, table.parentOrderId)
      .where(sql`parent_order_id is not null`),
    vendorForeignKey("orders_customer_fk", table.vendorId, table.customerId, customers),
    vendorForeignKey("orders_subscription_fk", table.vendorId, table.parentSubscriptionId, subscriptions),
    foreignKey({
      name: "orders_parent_fk",
      columns: [table.parentVendorId, table.parentOrderId],
      foreignColumns: [table.vendorId, table.id],
    }),
    enumCheck("orders_type_word", table.type, OrderType),
    enumCheck("orders_claim_word", table.claimMethodType, ClaimMethodType),
    enumCheck("orders_method_word", table.paymentMethod, PaymentMethod),
    enumCheck("orders_gateway_word", table.paymentGateway, PaymentGateway),
    check("orders_parent_whole", sql`(${table.parentVendorId} is null) = (${table.parentOrderId} is null)`),
    check(
      "orders_amounts",
      sql`${table.amount} >= 0 and ${table.paidAmount} >= 0 and ${table.returnedAmount} between 0 and ${table.paidAmount}`,
    ),
  ],
);

/** Lines that an older version of the gateway moved have no time yet; a worker sets it. */
const itemTransitionDueAt = sql`coalesce(transition_at, modified_at)`;

const hasTimedStatus = sql.raw(`status in ('${timedStatuses.join("', '")}')`);

/** Lines of an order: they add up to it. */
export const orderItems = pgTable(
  "order_items",
  {
    vendorId: vendorReference(),
    id: identity(),
    code: text("code").notNull(),
    orderId: reference("order_id").notNull(),
    position: integer("position").notNull(),
    type: text("type", { enum: enumValues(OrderItemType) }).notNull(),
    status: text("status", { enum: enumValues(OrderItemStatus) }).notNull(),
    /** The amount that the line adds to the order; negative for a discount. */
    amount: amount("amount").notNull(),
    paidAmount: amount("paid_amount").notNull(),
    returnedAmount: amount("returned_amount").notNull(),
    currency: text("currency").notNull(),
    quantity: integer("quantity").notNull(),
    minimumQuantity: integer("minimum_quantity"),
    maximumQuantity: integer("maximum_quantity"),
    productId: reference("product_id"),
    priceId: reference("price_id"),
    /** The unit price in the order's currency, options included. */
    unitPrice: amount("unit_price").notNull(),
    optionIds: referenceArray("option_ids")
      .notNull()
      .default(sql`'{}'`),
    optionLabel: text("option_label").notNull().default(""),
    orderedProductType: text("ordered_product_type", { enum: enumValues(ProductType) }),
    orderedProductName: text("ordered_product_name").notNull(),
    orderedPlanName: text("ordered_plan_name").notNull().default(""),
    featuredImageUrl: text("featured_image_url").notNull().default(""),
    discountName: text("discount_name"),
    /** The line that this one reduces or taxes. */
    relatedItemId: reference("related_item_id"),
    /** The bundle's line that this one is a member of. */
    parentItemId: reference("parent_item_id"),
    relatedSubscriptionItemId: reference("related_subscription_item_id"),
    /** Whether its payment gives the subscription's item the plan of the line. */
    changesPlan: boolean("changes_plan").notNull().default(false),
    priceSetupType: text("price_setup_type", { enum: enumValues(SetupOptionType) }),
    demoCycleNum: integer("demo_cycle_num"),
    demoCycleType: text("demo_cycle_type", { enum: enumValues(RecurringInterval) }),
    /** Whether another order of the customer used the trial that this line was ordered with. */
    trialLost: boolean("trial_lost").notNull().default(false),
    usedCount: amount("used_count"),
    usageFormula: text("usage_formula"),
    deliveryCode: text("delivery_code"),
    unitCount: amount("unit_count"),
    /** Changes of the number of units and the days they counted for. */
    unitChangeHistory: jsonb("unit_change_history").$type<{ changedCount: number; days: number }[]>(),
    /** The status before a request that can be withdrawn or denied. */
    statusBefore: text("status_before", { enum: enumValues(OrderItemStatus) }),
    canceledAt: instant("canceled_at"),
    /** When the goods, or their exchange, arrived; null before. */
    arrivedAt: instant("arrived_at"),
    /** When the line's next transition is due by time; null if none is. */
    transitionAt: instant("transition_at"),
    createdAt: instant("created_at").notNull(),
    modifiedAt: instant("modified_at").notNull(),
  },
  (table): PgTableExtraConfigValue[] => [
    vendorPrimaryKey("order_items_pk", table),
    uniqueIndex("order_items_code").on(table.vendorId, table.code),
    uniqueIndex("order_items_position").on(table.vendorId, table.orderId, table.position),
    // Without the id, so that the rows of a product are stored as one.
    index("order_items_of_product").on(table.vendorId, table.productId),
    index("order_items_price").on(table.vendorId, table.priceId),
    index("order_items_subscription_item").on(table.vendorId, table.relatedSubscriptionItemId),
    // Lines with a due transition: those of a vendor, and those of all vendors, to find due work.
    index("order_items_due").on(table.vendorId, itemTransitionDueAt, table.id).where(hasTimedStatus),
    index("order_items_due_anywhere").on(itemTransitionDueAt, table.vendorId).where(hasTimedStatus),
    vendorForeignKey("order_items_order_fk", table.vendorId, table.orderId, orders),
    vendorForeignKey("order_items_product_fk", table.vendorId, table.productId, products),
    vendorForeignKey("order_items_price_fk", table.vendorId, table.priceId, pricePlans),
    vendorForeignKey("order_items_related_fk", table.vendorId, table.relatedItemId, table),
    vendorForeignKey("order_items_parent_fk", table.vendorId, table.parentItemId, table),
    vendorForeignKey(
      "order_items_subscription_item_fk",
      table.vendorId,
      table.relatedSubscriptionItemId,
      subscriptionItems,
    ),
    enumCheck("order_items_type_word", table.type, OrderItemType),
    enumCheck("order_items_status_word", table.status, OrderItemStatus),
    check("order_items_quantity", sql`${table.quantity} >= 1`),
  ],
);

/** The history of a line: events with their actor and reason. */
export const orderItemHistories = pgTable(
  "order_item_histories",
  {
    vendorId: vendorReference(),
    id: identity(),
    itemId: reference("item_id").notNull(),
    actor: text("actor", { enum: enumValues(Actor) }).notNull(),
    category: text("category", { enum: enumValues(HistoryCategory) }).notNull(),
    status: text("status", { enum: enumValues(OrderItemStatus) }).notNull(),
    reason: text("reason"),
    createdAt: instant("created_at").notNull(),
  },
  (table) => [
    vendorPrimaryKey("order_item_histories_pk", table),
    index("order_item_histories_item").on(table.vendorId, table.itemId, table.id),
    vendorForeignKey("order_item_histories_item_fk", table.vendorId, table.itemId, orderItems),
    enumCheck("order_item_histories_actor_word", table.actor, Actor),
    enumCheck("order_item_histories_category_word", table.category, HistoryCategory),
    enumCheck("order_item_histories_status_word", table.status, OrderItemStatus),
  ],
);

/** The log of an order: events as text. */
export const orderLogs = pgTable(
  "order_logs",
  {
    vendorId: vendorReference(),
    id: identity(),
    orderId: reference("order_id").notNull(),
    type: text("type", { enum: enumValues(OrderLogType) }).notNull(),
    content: text("content").notNull(),
    createdAt: instant("created_at").notNull(),
  },
  (table) => [
    vendorPrimaryKey("order_logs_pk", table),
    index("order_logs_order").on(table.vendorId, table.orderId, table.id),
    vendorForeignKey("order_logs_order_fk", table.vendorId, table.orderId, orders),
    enumCheck("order_logs_type_word", table.type, OrderLogType),
  ],
);

/** The subscriptions of orders: the first order, renewals, usage, additions, changes of the method. */
export const orderSubscriptions = pgTable(
  "order_subscriptions",
  {
    vendorId: vendorReference(),
    orderId: reference("order_id").notNull(),
    subscriptionId: reference("subscription_id").notNull(),
  },
  (table) => [
    primaryKey({ name: "order_subscriptions_pk", columns: [table.vendorId, table.orderId, table.subscriptionId] }),
    index("order_subscriptions_of_subscription").on(table.vendorId, table.subscriptionId),
    vendorForeignKey("order_subscriptions_order_fk", table.vendorId, table.orderId, orders),
    vendorForeignKey("order_subscriptions_subscription_fk", table.vendorId, table.subscriptionId, subscriptions),
  ],
);

/**
 * The states of each order's product lines: one row for each state that at least one of them has. The repository of orders writes it in
 * the transaction that moves the lines; lists by status are read from it alone.
 */
export const orderStates = pgTable(
  "order_states",
  {
    vendorId: vendorReference(),
    status: text("status", { enum: enumValues(OrderItemStatus) }).notNull(),
    createdAt: instant("created_at").notNull(),
    orderId: reference("order_id").notNull(),
  },
  (table) => [
    primaryKey({ name: "order_states_pk", columns: [table.vendorId, table.orderId, table.status] }),
    index("order_states_list").on(table.vendorId, table.status, table.createdAt, table.orderId),
    vendorForeignKey("order_states_order_fk", table.vendorId, table.orderId, orders),
  ],
);

/**
 * The number of a vendor's orders from each day (UTC), in all (status '') and with lines in each state, without the changes that were not
 * folded yet. The worker writes slot 0; the triggers of earlier versions spread each number over eight slots.
 */
export const orderCounts = pgTable(
  "order_counts",
  {
    vendorId: vendorReference(),
    status: text("status").notNull(),
    day: date("day", { mode: "string" }).notNull(),
    slot: smallint("slot").notNull(),
    total: integer("total").notNull(),
  },
  (table) => [primaryKey({ name: "order_counts_pk", columns: [table.vendorId, table.status, table.day, table.slot] })],
);

/**
 * Changes of these numbers: what a transaction adds or takes away, each in a row of its own, so that no transaction waits for another.
 * A total is the sum of both tables. The worker adds the changes to the numbers, and deletes them.
 */
export const orderCountChanges = pgTable(
  "order_count_changes",
  {
    vendorId: vendorReference(),
    id: identity(),
    status: text("status").notNull(),
    day: date("day", { mode: "string" }).notNull(),
    change: integer("change").notNull(),
    /** The real time of the database. */
    recordedAt: instant("recorded_at").notNull().defaultNow(),
  },
  (table) => [vendorPrimaryKey("order_count_changes_pk", table)],
);
