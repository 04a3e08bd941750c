import { date, foreignKey, integer, pgTable, primaryKey, smallint, text } from "drizzle-orm/pg-core";
import { PaymentGateway, ReasonClass } from "../vocabulary.ts";
import { amountColumn, countColumn, instant, enumValues, enumCheck, vendorReference } from "./columns.ts";
import { vendors } from "./vendors.ts";

/*
 * Counts of the recovery module, updated as covers start and end, so that no scan is needed. Each count is spread over
 * a few rows (`shard`), so that covers which start or end at the same time seldom wait for each other; readers add them
 * up.
 */

/** Covers by the day on which they started and what they are about. */
export const recoveryCases = pgTable(
  "recovery_cases",
  {
    vendorId: vendorReference(),
    day: date("day").notNull(),
    reasonClass: text("reason_class", { enum: enumValues(ReasonClass) }).notNull(),
    gateway: text("gateway", { enum: enumValues(PaymentGateway) }).notNull(),
    country: text("country").notNull(),
    shard: smallint("shard").notNull(),
    cases: countColumn("cases"),
    amount: amountColumn("amount"),
    recovered: countColumn("recovered"),
    recoveredAmount: amountColumn("recovered_amount"),
    /** Ended without payment. Covers that are neither recovered nor lost are open. */
    lost: countColumn("lost"),
    lostAmount: amountColumn("lost_amount"),
  },
  (table) => [
    primaryKey({
      name: "recovery_cases_pk",
      columns: [table.vendorId, table.day, table.reasonClass, table.gateway, table.country, table.shard],
    }),
    foreignKey({ name: "recovery_cases_vendor_fk", columns: [table.vendorId], foreignColumns: [vendors.id] }),
    enumCheck("recovery_cases_class_word", table.reasonClass, ReasonClass),
    enumCheck("recovery_cases_gateway_word", table.gateway, PaymentGateway),
  ],
);

/** Covers that were recovered, by the day on which they started, the try that worked and how long it took. */
export const recoveryTries = pgTable(
  "recovery_tries",
  {
    vendorId: vendorReference(),
    day: date("day").notNull(),
    /** 1 for the first try after the failure. */
    attempt: integer("attempt").notNull(),
    /** Whole days from the start to the money. */
    daysTaken: integer("days_taken").notNull(),
    shard: smallint("shard").notNull(),
    recovered: countColumn("recovered"),
    recoveredAmount: amountColumn("recovered_amount"),
  },
  (table) => [
    primaryKey({
      name: "recovery_tries_pk",
      columns: [table.vendorId, table.day, table.attempt, table.daysTaken, table.shard],
    }),
    foreignKey({ name: "recovery_tries_vendor_fk", columns: [table.vendorId], foreignColumns: [vendors.id] }),
  ],
);

/** Unmapped declines, by gateway and code. */
export const unmappedDeclines = pgTable(
  "unmapped_declines",
  {
    vendorId: vendorReference(),
    gateway: text("gateway", { enum: enumValues(PaymentGateway) }).notNull(),
    /** Empty where the gateway sent none. */
    code: text("code").notNull(),
    shard: smallint("shard").notNull(),
    /** The latest message with this code. */
    message: text("message"),
    declines: countColumn("declines"),
    /** Covers that ended without payment, this being their last decline. */
    lost: countColumn("lost"),
    lostAmount: amountColumn("lost_amount"),
    firstSeenAt: instant("first_seen").notNull(),
    lastSeenAt: instant("last_seen").notNull(),
  },
  (table) => [
    primaryKey({ name: "unmapped_declines_pk", columns: [table.vendorId, table.gateway, table.code, table.shard] }),
    foreignKey({ name: "unmapped_declines_vendor_fk", columns: [table.vendorId], foreignColumns: [vendors.id] }),
    enumCheck("unmapped_declines_gateway_word", table.gateway, PaymentGateway),
  ],
);
