import { sql } from "drizzle-orm";
import { boolean, foreignKey, index, jsonb, pgTable, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { CustomerStatus, Network, PaymentGateway, PaymentMethod } from "../vocabulary.ts";
import type { RegionCode } from "../regions.ts";
import {
  bytes,
  identity,
  instant,
  enumValues,
  enumCheck,
  vendorForeignKey,
  reference,
  searchIndex,
  searchText,
  vendorPrimaryKey,
  vendorReference,
} from "./columns.ts";
import { vendors } from "./vendors.ts";

/** Customers of the billing side. Their ids are a space of their own, apart from the recovery module's. */
export const customers = pgTable(
  "customers",
  {
    vendorId: vendorReference(),
    id: identity(),
    uuid: uuid("uuid").notNull(),
    code: text("code").notNull(),
    status: text("status", { enum: enumValues(CustomerStatus) }).notNull(),
    username: text("username"),
    name: text("name").notNull(),
    email: text("email").notNull(),
    searchText: searchText("name", "email"),
    phone: text("phone").notNull(),
    marketingSms: boolean("marketing_sms").notNull().default(false),
    marketingEmail: boolean("marketing_email").notNull().default(false),
    marketingMessenger: boolean("marketing_messenger").notNull().default(false),
    region: text("region").$type<RegionCode>(),
    /** Custom fields: from their key to a JSON-encoded value. */
    attributes: jsonb("attributes").$type<Record<string, string>>().notNull().default({}),
    /** Further e-mail addresses that receive the customer's invoices. */
    additionalRecipients: text("additional_recipients")
      .array()
      .notNull()
      .default(sql`'{}'`),
    /** The last sign-in or order: a year without either makes the customer dormant. */
    lastActiveAt: instant("last_active_at").notNull(),
    /** The last activity since which the notice of dormancy was claimed. */
    noticedInactiveSince: instant("noticed_inactive_since"),
    dormantAt: instant("dormant_at"),
    /** Since when its personal data is erased, by the vendor's clock. The row stays for its orders. */
    erasedAt: instant("erased_at"),
    createdAt: instant("created_at").notNull(),
    modifiedAt: instant("modified_at").notNull(),
  },
  (table) => [
    vendorPrimaryKey("customers_pk", table),
    uniqueIndex("customers_uuid").on(table.vendorId, table.uuid),
    uniqueIndex("customers_code").on(table.vendorId, table.code),
    uniqueIndex("customers_username").on(table.vendorId, table.username),
    index("customers_created").on(table.vendorId, table.createdAt, table.id),
    index("customers_status").on(table.vendorId, table.status, table.createdAt, table.id),
    index("customers_waking")
      .on(table.vendorId, table.lastActiveAt, table.id)
      .where(sql`status = 'NORMAL'`),
    index("customers_dormancy_notice")
      .on(table.vendorId, table.lastActiveAt, table.id)
      .where(sql`status = 'NORMAL' and noticed_inactive_since is distinct from last_active_at`),
    index("customers_of_region")
      .on(table.vendorId, table.region, table.createdAt, table.id)
      .where(sql`region is not null`),
    index("customers_name").on(table.vendorId, table.name, table.id),
    index("customers_email").on(table.vendorId, table.email, table.id),
    searchIndex("customers_search", table.vendorId, table.searchText),
    searchIndex("customers_phone", table.vendorId, table.phone),
    foreignKey({ name: "customers_vendor_fk", columns: [table.vendorId], foreignColumns: [vendors.id] }),
    enumCheck("customers_status_word", table.status, CustomerStatus),
  ],
);

/** Delivery addresses of a customer; the one used last is the customer's. */
export const shippingAddresses = pgTable(
  "shipping_addresses",
  {
    vendorId: vendorReference(),
    id: identity(),
    customerId: reference("customer_id").notNull(),
    name: text("name").notNull(),
    phone: text("phone").notNull(),
    postcode: text("postcode").notNull(),
    address1: text("address1").notNull(),
    address2: text("address2").notNull().default(""),
    state: text("state").notNull().default(""),
    city: text("city").notNull().default(""),
    countryCode: text("country_code").notNull(),
    usedAt: instant("used_at").notNull(),
  },
  (table) => [
    vendorPrimaryKey("shipping_addresses_pk", table),
    index("shipping_addresses_customer").on(table.vendorId, table.customerId, table.usedAt, table.id),
    vendorForeignKey("shipping_addresses_customer_fk", table.vendorId, table.customerId, customers),
  ],
);

/** Payment methods that a customer stored. Their data at the gateway is not here; the text has no card number in it. */
export const paymentMethods = pgTable(
  "payment_methods",
  {
    vendorId: vendorReference(),
    id: identity(),
    customerId: reference("customer_id").notNull(),
    /** A label by which people recognize it: issuer and last four digits. */
    paymentInfo: text("payment_info").notNull(),
    method: text("method", { enum: enumValues(PaymentMethod) }).notNull(),
    gateway: text("gateway", { enum: enumValues(PaymentGateway) }).notNull(),
    /** Encrypted token of the method at the gateway. */
    token: bytes("token"),
    /** Identifies the same card again without revealing its number. */
    fingerprint: text("fingerprint"),
    network: text("network", { enum: enumValues(Network) }),
    /** The start of the month after the last one in which the card is valid, in UTC; null if it is not known. */
    expiresAt: instant("expires_at"),
    /** The expiry that was announced; a renewed card has another one. */
    noticedExpiry: instant("noticed_expiry"),
    createdAt: instant("created_at").notNull(),
    /** Since when it is no longer charged. */
    removedAt: instant("removed_at"),
    /** The next attempt to detach it at its gateway, by the real time: the customer was erased. Then the token is deleted. */
    detachAt: instant("detach_at"),
  },
  (table) => [
    vendorPrimaryKey("payment_methods_pk", table),
    uniqueIndex("payment_methods_fingerprint").on(table.vendorId, table.customerId, table.gateway, table.fingerprint),
    enumCheck("payment_methods_network_word", table.network, Network),
    index("payment_methods_expiring")
      .on(table.vendorId, table.expiresAt, table.id)
      .where(sql`removed_at is null and noticed_expiry is distinct from expires_at`),
    index("payment_methods_to_detach")
      .on(table.vendorId, table.detachAt, table.id)
      .where(sql`detach_at is not null`),
    // The same card as other customers stored it.
    index("payment_methods_card").on(table.vendorId, table.gateway, table.fingerprint, table.id),
    index("payment_methods_customer").on(table.vendorId, table.customerId, table.id),
    vendorForeignKey("payment_methods_customer_fk", table.vendorId, table.customerId, customers),
    enumCheck("payment_methods_method_word", table.method, PaymentMethod),
    enumCheck("payment_methods_gateway_word", table.gateway, PaymentGateway),
  ],
);
