import { sql } from "drizzle-orm";
import {
  boolean,
  check,
  index,
  integer,
  pgTable,
  text,
  uniqueIndex,
  type PgTableExtraConfigValue,
} from "drizzle-orm/pg-core";
import {
  ClaimMethodType,
  OrderItemType,
  RecurringInterval,
  SubscriptionStatus,
  WhenToClaimType,
} from "../vocabulary.ts";
import {
  amount,
  identity,
  instant,
  enumValues,
  referenceArray,
  enumCheck,
  vendorForeignKey,
  reference,
  vendorPrimaryKey,
  vendorReference,
} from "./columns.ts";
import { customers, paymentMethods } from "./customers.ts";
import { pricePlans } from "./price-plans.ts";
import { products } from "./products.ts";

/** Subscriptions, which renew automatically. A customer's first payment of a plan with a cycle activates one. */
export const subscriptions = pgTable(
  "subscriptions",
  {
    vendorId: vendorReference(),
    id: identity(),
    code: text("code").notNull(),
    status: text("status", { enum: enumValues(SubscriptionStatus) }).notNull(),
    customerId: reference("customer_id").notNull(),
    /** The plan of its first item. */
    priceId: reference("price_id").notNull(),
    paymentMethodId: reference("payment_method_id"),
    /** When its payment method was replaced while a charge was open, until recovery has taken note of it. */
    methodChangedAt: instant("method_changed_at"),
    currency: text("currency").notNull(),
    interval: text("interval", { enum: enumValues(RecurringInterval) }).notNull(),
    intervalCount: integer("interval_count").notNull(),
    claimMethodType: text("claim_method_type", { enum: enumValues(ClaimMethodType) }).notNull(),
    whenToClaimType: text("when_to_claim_type", { enum: enumValues(WhenToClaimType) }),
    /** Day of the following month on which a postpaid period is charged. */
    billingDate: integer("billing_date"),
    /** Day of the month on which service starts. */
    provideStartDay: integer("provide_start_day"),
    /** The cycle that follows the one under way, where it was changed. */
    nextInterval: text("next_interval", { enum: enumValues(RecurringInterval) }),
    nextIntervalCount: integer("next_interval_count"),
    startDate: instant("start_date").notNull(),
    /** The instant that cycles are counted from. */
    cycleAnchor: instant("cycle_anchor").notNull(),
    /** Number of the last charged cycle, counted from the anchor; 0 is none. */
    chargedCycle: integer("charged_cycle").notNull().default(0),
    /** Number of cycles charged since its start. */
    renewalCount: integer("renewal_count").notNull().default(0),
    /** The period under way; its end is no part of it. */
    currentPeriodStart: instant("current_period_start").notNull(),
    currentPeriodEnd: instant("current_period_end").notNull(),
    /** The end of its term, independent of charges. */
    membershipEndDate: instant("membership_end_date"),
    /** Number of charged cycles before it ends; null means no end. */
    expiryRecurringCount: integer("expiry_recurring_count"),
    /** When a pause, its end or a cancellation takes effect; and since when it is paused or cancelled. */
    pauseAt: instant("pause_at"),
    resumeAt: instant("resume_at"),
    cancelAt: instant("cancel_at"),
    pausedAt: instant("paused_at"),
    canceledAt: instant("canceled_at"),
    /** The time of the first due transition other than a charge: one of those above, or its end. */
    actAt: instant("act_at"),
    /** The unused value of paid time after decreases and removals. It is recorded, not refunded. */
    refundableAmount: amount("refundable_amount")
      .notNull()
      .default(sql`0`),
    lastPaymentDate: instant("last_payment_date"),
    nextPaymentDate: instant("next_payment_date"),
    endDate: instant("end_date"),
    trialEndDate: instant("trial_end_date"),
    /** The next charge that the customer's notice was claimed for; a charge at another time has a notice of its own. */
    noticedChargeAt: instant("noticed_charge_at"),
    /** The same for the notices of usage charges and of the end of the trial. */
    noticedUsageChargeAt: instant("noticed_usage_charge_at"),
    noticedTrialEnd: instant("noticed_trial_end"),
    /** Imported: before this the previous system charges it, and Recoup charges nothing. */
    chargesFrom: instant("charges_from"),
    /** Until when a worker has its renewal to itself. */
    leaseUntil: instant("lease_until"),
    createdAt: instant("created_at").notNull(),
    modifiedAt: instant("modified_at").notNull(),
  },
  (table) => [
    vendorPrimaryKey("subscriptions_pk", table),
    uniqueIndex("subscriptions_code").on(table.vendorId, table.code),
    index("subscriptions_created").on(table.vendorId, table.createdAt, table.id),
    index("subscriptions_status").on(table.vendorId, table.status, table.createdAt, table.id),
    index("subscriptions_customer").on(table.vendorId, table.customerId, table.createdAt, table.id),
    index("subscriptions_next_payment").on(table.vendorId, sql`coalesce(next_payment_date, '-infinity')`, table.id),
    index("subscriptions_live")
      .on(table.vendorId, table.customerId)
      .where(sql`status not in ('CANCELED', 'EXPIRED')`),
    index("subscriptions_acting")
      .on(table.vendorId, table.actAt, table.id)
      .where(sql`act_at is not null`),
    index("subscriptions_due")
      .on(table.vendorId, table.nextPaymentDate, table.id)
      .where(sql`status in ('ACTIVE', 'QUEUEING', 'PENDING_PAUSE', 'PENDING_CANCEL')`),
    index("subscriptions_charge_notice")
      .on(table.vendorId, table.nextPaymentDate, table.id)
      .where(
        sql`status in ('ACTIVE', 'PENDING_PAUSE', 'PENDING_CANCEL') and noticed_charge_at is distinct from next_payment_date`,
      ),
    index("subscriptions_usage_notice")
      .on(table.vendorId, table.nextPaymentDate, table.id)
      .where(
        sql`status in ('ACTIVE', 'PENDING_PAUSE', 'PENDING_CANCEL') and claim_method_type = 'POST' and noticed_usage_charge_at is distinct from next_payment_date`,
      ),
    index("subscriptions_trial_notice")
      .on(table.vendorId, table.trialEndDate, table.id)
      .where(
        sql`status in ('ACTIVE', 'PENDING_PAUSE', 'PENDING_CANCEL') and noticed_trial_end is distinct from trial_end_date`,
      ),
    // For all vendors, to find work: leased subscriptions are not due.
    index("subscriptions_due_anywhere")
      .on(sql`greatest(next_payment_date, lease_until)`, table.vendorId)
      .where(
        sql`status in ('ACTIVE', 'QUEUEING', 'PENDING_PAUSE', 'PENDING_CANCEL') and next_payment_date is not null`,
      ),
    index("subscriptions_acting_anywhere")
      .on(table.actAt, table.vendorId)
      .where(sql`act_at is not null and status <> 'QUEUEING'`),
    // For all vendors, to find work.
    index("subscriptions_method_changed")
      .on(table.methodChangedAt, table.vendorId)
      .where(sql`method_changed_at is not null`),
    index("subscriptions_price").on(table.vendorId, table.priceId),
    index("subscriptions_method").on(table.vendorId, table.paymentMethodId),
    vendorForeignKey("subscriptions_customer_fk", table.vendorId, table.customerId, customers),
    vendorForeignKey("subscriptions_price_fk", table.vendorId, table.priceId, pricePlans),
    vendorForeignKey("subscriptions_method_fk", table.vendorId, table.paymentMethodId, paymentMethods),
    enumCheck("subscriptions_status_word", table.status, SubscriptionStatus),
    enumCheck("subscriptions_interval_word", table.interval, RecurringInterval),
    enumCheck("subscriptions_claim_word", table.claimMethodType, ClaimMethodType),
    enumCheck("subscriptions_when_word", table.whenToClaimType, WhenToClaimType),
    enumCheck("subscriptions_next_word", table.nextInterval, RecurringInterval),
    check("subscriptions_next_cycle", sql`(${table.nextInterval} is null) = (${table.nextIntervalCount} is null)`),
    check(
      "subscriptions_counts",
      sql`${table.chargedCycle} >= 0 and ${table.renewalCount} >= 0 and ${table.refundableAmount} >= 0`,
    ),
  ],
);

/** The items that a subscription charges each period. */
export const subscriptionItems = pgTable(
  "subscription_items",
  {
    vendorId: vendorReference(),
    id: identity(),
    code: text("code").notNull(),
    subscriptionId: reference("subscription_id").notNull(),
    position: integer("position").notNull(),
    type: text("type", { enum: enumValues(OrderItemType) }).notNull(),
    productId: reference("product_id").notNull(),
    priceId: reference("price_id").notNull(),
    /** The current unit price, in the subscription's currency. */
    price: amount("price").notNull(),
    currency: text("currency").notNull(),
    quantity: integer("quantity").notNull(),
    optionIds: referenceArray("option_ids")
      .notNull()
      .default(sql`'{}'`),
    optionLabel: text("option_label").notNull().default(""),
    optionPrice: amount("option_price").notNull(),
    /** Added after the subscription began. */
    isAdditional: boolean("is_additional").notNull().default(false),
    /** Whether an added item stays at the next renewal. */
    keepWhenRenew: boolean("keep_when_renew").notNull().default(true),
    /** The bundle's item that this one is a member of. */
    parentItemId: reference("parent_item_id"),
    /** The plan and the price of the cycles that follow the one under way, where they were changed. */
    nextPriceId: reference("next_price_id"),
    nextPrice: amount("next_price"),
    /** Number of cycles charged for it. */
    chargedCycles: integer("charged_cycles").notNull().default(0),
    /** Since when it belongs to the subscription; null while the order that adds it is not paid. */
    activatedAt: instant("activated_at"),
    removedAt: instant("removed_at"),
    createdAt: instant("created_at").notNull(),
    modifiedAt: instant("modified_at").notNull(),
  },
  (table): PgTableExtraConfigValue[] => [
    vendorPrimaryKey("subscription_items_pk", table),
    uniqueIndex("subscription_items_code").on(table.vendorId, table.code),
    uniqueIndex("subscription_items_position").on(table.vendorId, table.subscriptionId, table.position),
    index("subscription_items_product").on(table.vendorId, table.productId),
    index("subscription_items_price").on(table.vendorId, table.priceId),
    index("subscription_items_next_price").on(table.vendorId, table.nextPriceId),
    index("subscription_items_parent").on(table.vendorId, table.parentItemId),
    vendorForeignKey("subscription_items_subscription_fk", table.vendorId, table.subscriptionId, subscriptions),
    vendorForeignKey("subscription_items_product_fk", table.vendorId, table.productId, products),
    vendorForeignKey("subscription_items_price_fk", table.vendorId, table.priceId, pricePlans),
    vendorForeignKey("subscription_items_next_price_fk", table.vendorId, table.nextPriceId, pricePlans),
    vendorForeignKey("subscription_items_parent_fk", table.vendorId, table.parentItemId, table),
    enumCheck("subscription_items_type_word", table.type, OrderItemType),
    check("subscription_items_quantity", sql`${table.quantity} >= 1`),
  ],
);
