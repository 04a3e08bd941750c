import { index, integer, pgTable, primaryKey, text, uniqueIndex } from "drizzle-orm/pg-core";
import { amount, instant, vendorReference } from "./columns.ts";

/*
 * The tables of the simulated gateway. It represents an external system: it writes outside the transactions of the
 * service, references none of its rows, and tests read from it the charges that were really made. The vendor is its
 * client.
 */

/** Payment methods that the simulated gateway stores under a token. */
export const simulatedMethods = pgTable(
  "simulated_methods",
  {
    vendorId: vendorReference(),
    token: text("token").notNull(),
    /** Its behaviour when it is charged. */
    behaviour: text("behaviour").notNull(),
    ending: text("ending").notNull(),
    createdAt: instant("created_at").notNull(),
  },
  (table) => [primaryKey({ name: "simulated_methods_pk", columns: [table.vendorId, table.token] })],
);

/** Charges, one for each idempotency key. */
export const simulatedCharges = pgTable(
  "simulated_charges",
  {
    vendorId: vendorReference(),
    idempotencyKey: text("idempotency_key").notNull(),
    reference: text("reference").notNull(),
    /** The client's reference for the order. */
    orderReference: text("order_reference").notNull(),
    /** The client's subject of the charge and the number of the attempt: charges are found by it. */
    subject: text("subject"),
    attempt: integer("attempt"),
    amount: amount("amount").notNull(),
    currency: text("currency").notNull(),
    method: text("method").notNull(),
    behaviour: text("behaviour").notNull(),
    ending: text("ending"),
    /** The token of the stored instrument, if it was stored. */
    token: text("token"),
    /** APPROVED, DECLINED, or what is waited for: CHALLENGE, DEPOSIT. */
    status: text("status").notNull(),
    code: text("code"),
    adviceCode: text("advice_code"),
    message: text("message"),
    createdAt: instant("created_at").notNull(),
    settledAt: instant("settled_at"),
  },
  (table) => [
    primaryKey({ name: "simulated_charges_pk", columns: [table.vendorId, table.idempotencyKey] }),
    uniqueIndex("simulated_charges_reference").on(table.vendorId, table.reference),
    index("simulated_charges_subject").on(table.vendorId, table.subject),
    index("simulated_charges_order").on(table.vendorId, table.orderReference),
    index("simulated_charges_token").on(table.vendorId, table.token),
  ],
);

/** Refunds, one for each idempotency key. */
export const simulatedRefunds = pgTable(
  "simulated_refunds",
  {
    vendorId: vendorReference(),
    idempotencyKey: text("idempotency_key").notNull(),
    reference: text("reference").notNull(),
    chargeReference: text("charge_reference").notNull(),
    amount: amount("amount").notNull(),
    createdAt: instant("created_at").notNull(),
  },
  (table) => [
    primaryKey({ name: "simulated_refunds_pk", columns: [table.vendorId, table.idempotencyKey] }),
    index("simulated_refunds_charge").on(table.vendorId, table.chargeReference),
  ],
);
