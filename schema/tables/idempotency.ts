import { foreignKey, index, integer, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { bytes, instant, vendorReference } from "./columns.ts";
import { vendors } from "./vendors.ts";

/** Answers to requests that carried an idempotency key: kept in the transaction of what the request changed. */
export const idempotencyKeys = pgTable(
  "idempotency_keys",
  {
    vendorId: vendorReference(),
    key: text("key").notNull(),
    /** SHA-256 of the call and its body: the same key must not stand for two requests. Empty where it is sealed. */
    requestHash: bytes("request_hash").notNull(),
    status: integer("status").notNull(),
    /** Empty where it is sealed. */
    body: text("body").notNull(),
    /** Hash and body together, encrypted: where there is a secret in one of them. */
    sealed: bytes("sealed"),
    createdAt: instant("created_at").notNull(),
  },
  (table) => [
    primaryKey({ name: "idempotency_keys_pk", columns: [table.vendorId, table.key] }),
    index("idempotency_keys_age").on(table.vendorId, table.createdAt),
    foreignKey({ name: "idempotency_keys_vendor_fk", columns: [table.vendorId], foreignColumns: [vendors.id] }),
  ],
);
