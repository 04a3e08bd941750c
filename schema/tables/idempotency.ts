import { boolean, foreignKey, index, integer, jsonb, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { bytes, instant, vendorReference } from "./columns.ts";
import { vendors } from "./vendors.ts";

/**
 * Requests with an idempotency key, saved in the transaction of their changes. A request that calls a payment gateway
 * is saved without an answer when its charge or refund is claimed, and answered once the outcome is known.
 */
export const idempotencyKeys = pgTable(
  "idempotency_keys",
  {
    vendorId: vendorReference(),
    key: text("key").notNull(),
    /** SHA-256 of the call and its body: one key cannot be used for two requests. Empty if it is sealed. */
    requestHash: bytes("request_hash").notNull(),
    status: integer("status").notNull(),
    /** Empty where it is sealed. */
    body: text("body").notNull(),
    /** Hash and body together, encrypted: where there is a secret in one of them. */
    sealed: bytes("sealed"),
    /** False while only the effect is known. An older gateway reads such a row as an answer, so its status is 409. */
    answered: boolean("answered").notNull().default(true),
    /** The effect of a request that moves money: a payment, refunds, or a change with the order that charges for it. */
    effect: jsonb("effect").$type<
      { paymentId: number } | { refundIds: number[] } | { orderId: number | null; refundable: string }
    >(),
    createdAt: instant("created_at").notNull(),
  },
  (table) => [
    primaryKey({ name: "idempotency_keys_pk", columns: [table.vendorId, table.key] }),
    index("idempotency_keys_age").on(table.vendorId, table.createdAt),
    // Finds vendors with keys to delete: the cost grows with the due keys, not with the number of vendors.
    index("idempotency_keys_due").on(table.createdAt, table.vendorId),
    foreignKey({ name: "idempotency_keys_vendor_fk", columns: [table.vendorId], foreignColumns: [vendors.id] }),
  ],
);
