import { foreignKey, index, jsonb, pgTable, text, uniqueIndex } from "drizzle-orm/pg-core";
import { PaymentGateway } from "../vocabulary.ts";
import { amount, enumCheck, enumValues, identity, instant, vendorPrimaryKey, vendorReference } from "./columns.ts";
import { vendors } from "./vendors.ts";

/** A charge of a past payment, as JSON has it. The details of the decline are null if it was approved. */
interface PastTryJson {
  at: string;
  approved: boolean;
  network: string | null;
  code: string | null;
  message: string | null;
  adviceCode: string | null;
}

/**
 * Failed payments that a merchant had with another system, imported with their tries. Models are trained on them; nothing
 * else reads them. The tries are always read together.
 */
export const pastPayments = pgTable(
  "past_payments",
  {
    vendorId: vendorReference(),
    id: identity(),
    /** The merchant's own id of the payment. */
    partnerId: text("partner_id").notNull(),
    /** The merchant's own id of the payer. */
    payerId: text("payer_id").notNull(),
    amount: amount("amount").notNull(),
    /** ISO 4217 code. */
    currency: text("currency").notNull(),
    /** ISO 3166-1 alpha-2 code of the payer's country. */
    country: text("country"),
    zoneId: text("zone_id").notNull(),
    gateway: text("gateway", { enum: enumValues(PaymentGateway) }).notNull(),
    /** The name of the gateway in the file. */
    gatewayName: text("gateway_name").notNull(),
    /** Time of the first try. */
    startedAt: instant("started_at").notNull(),
    /** In order of time; only the last one can be approved. */
    tries: jsonb("tries").$type<PastTryJson[]>().notNull(),
    importedAt: instant("imported_at").notNull(),
  },
  (table) => [
    vendorPrimaryKey("past_payments_pk", table),
    uniqueIndex("past_payments_partner_id").on(table.vendorId, table.partnerId),
    index("past_payments_started").on(table.vendorId, table.startedAt, table.id),
    foreignKey({ name: "past_payments_vendor_fk", columns: [table.vendorId], foreignColumns: [vendors.id] }),
    enumCheck("past_payments_gateway_word", table.gateway, PaymentGateway),
  ],
);
