import { sql } from "drizzle-orm";
import { foreignKey, index, jsonb, pgTable, primaryKey, text, uniqueIndex } from "drizzle-orm/pg-core";
import { PaymentGateway, PolicyState, ReasonClass } from "../vocabulary.ts";
import { identity, instant, enumValues, enumCheck, vendorPrimaryKey, vendorReference } from "./columns.ts";
import { vendors } from "./vendors.ts";

/* A vendor's input to the engine: policies, and the meaning of otherwise unknown codes. */

/** Policies of a vendor. Their terms never change; at most one is active. */
export const recoveryPolicies = pgTable(
  "recovery_policies",
  {
    vendorId: vendorReference(),
    id: identity(),
    state: text("state", { enum: enumValues(PolicyState) }).notNull(),
    terms: jsonb("terms").$type<Record<string, unknown>>().notNull(),
    proposedAt: instant("proposed_at").notNull(),
    activatedAt: instant("activated_at"),
    retiredAt: instant("retired_at"),
    /** The last backtest of its terms; null if there was none. */
    lastBacktest: jsonb("last_backtest").$type<Record<string, unknown>>(),
  },
  (table) => [
    vendorPrimaryKey("recovery_policies_pk", table),
    uniqueIndex("recovery_policies_one_active")
      .on(table.vendorId)
      .where(sql`state = 'ACTIVE'`),
    index("recovery_policies_proposed").on(table.vendorId, table.proposedAt, table.id),
    foreignKey({ name: "recovery_policies_vendor_fk", columns: [table.vendorId], foreignColumns: [vendors.id] }),
    enumCheck("recovery_policies_state_word", table.state, PolicyState),
  ],
);

/** A vendor's mappings of gateway codes. */
export const declineMappings = pgTable(
  "decline_mappings",
  {
    vendorId: vendorReference(),
    gateway: text("gateway", { enum: enumValues(PaymentGateway) }).notNull(),
    code: text("code").notNull(),
    reasonClass: text("reason_class", { enum: enumValues(ReasonClass) }).notNull(),
    mappedAt: instant("mapped_at").notNull(),
  },
  (table) => [
    primaryKey({ name: "decline_mappings_pk", columns: [table.vendorId, table.gateway, table.code] }),
    foreignKey({ name: "decline_mappings_vendor_fk", columns: [table.vendorId], foreignColumns: [vendors.id] }),
    enumCheck("decline_mappings_gateway_word", table.gateway, PaymentGateway),
    enumCheck("decline_mappings_class_word", table.reasonClass, ReasonClass),
  ],
);
