import { sql } from "drizzle-orm";
import { date, foreignKey, integer, pgTable, primaryKey, smallint, text } from "drizzle-orm/pg-core";
import { BusinessMetric } from "../vocabulary.ts";
import { enumValues, enumCheck, vendorForeignKey, reference, totalAmount, vendorReference } from "./columns.ts";
import { subscriptions } from "./subscriptions.ts";
import { vendors } from "./vendors.ts";

/**
 * Counts of the billing side by the days of the vendor's zone, saved in the transactions of what they count. Each count is
 * spread over a few rows (`shard`), so that transactions of one moment seldom wait for each other; readers add them up.
 */
export const businessDays = pgTable(
  "business_days",
  {
    vendorId: vendorReference(),
    day: date("day").notNull(),
    metric: text("metric", { enum: enumValues(BusinessMetric) }).notNull(),
    currency: text("currency").notNull(),
    /**
     * For a failed charge: its gateway and codes, as they were sent; below the code, on a second line, the message.
     * Empty for other metrics.
     */
    gateway: text("gateway").notNull().default(""),
    code: text("code").notNull().default(""),
    advice: text("advice").notNull().default(""),
    shard: smallint("shard").notNull(),
    count: integer("count").notNull(),
    amount: totalAmount("amount")
      .notNull()
      .default(sql`0`),
  },
  (table) => [
    primaryKey({
      name: "business_days_pk",
      columns: [
        table.vendorId,
        table.metric,
        table.day,
        table.currency,
        table.gateway,
        table.code,
        table.advice,
        table.shard,
      ],
    }),
    foreignKey({ name: "business_days_vendor_fk", columns: [table.vendorId], foreignColumns: [vendors.id] }),
    enumCheck("business_days_metric_word", table.metric, BusinessMetric),
  ],
);

/** The current monthly recurring revenue of each subscription; its changes are counted in `business_days`. */
export const recurringAmounts = pgTable(
  "recurring_amounts",
  {
    vendorId: vendorReference(),
    subscriptionId: reference("subscription_id").notNull(),
    /** In the subscription's currency; 0 where it does not count. */
    amount: totalAmount("amount").notNull(),
  },
  (table) => [
    primaryKey({ name: "recurring_amounts_pk", columns: [table.vendorId, table.subscriptionId] }),
    vendorForeignKey("recurring_amounts_subscription_fk", table.vendorId, table.subscriptionId, subscriptions),
  ],
);
