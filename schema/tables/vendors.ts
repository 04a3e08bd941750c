import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  check,
  date,
  doublePrecision,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import {
  type AppStatus,
  CustomDomainStatus,
  DeliveryChargeType,
  KeyScope,
  PasswordLinkPurpose,
  PersonRole,
} from "../vocabulary.ts";
import {
  amount,
  bytes,
  identity,
  instant,
  enumValues,
  enumCheck,
  rate,
  reference,
  vendorForeignKey,
  vendorPrimaryKey,
  vendorReference,
} from "./columns.ts";

/** Merchants. A child vendor points at its parent, and takes the time from the vendor at the top. */
export const vendors = pgTable(
  "vendors",
  {
    id: identity().primaryKey(),
    uuid: uuid("uuid").notNull(),
    name: text("name").notNull(),
    parentId: reference("parent_id"),
    /** IANA time zone in which the vendor's days begin. */
    zoneId: text("zone_id").notNull(),
    /** ISO 4217 code of the base currency. */
    currency: text("currency").notNull(),
    /** ISO 3166-1 alpha-2 code. */
    country: text("country").notNull(),
    enabled: boolean("enabled").notNull().default(true),
    sandbox: boolean("sandbox").notNull().default(false),
    /** The lead of a sandbox vendor's test clock over the real one. */
    clockAheadMs: bigint("clock_ahead_ms", { mode: "number" }).notNull().default(0),
    /** Number of charges that moves of the test clock made due on one day of the real time, and that day (UTC). */
    clockCharges: doublePrecision("clock_charges").notNull().default(0),
    clockDay: date("clock_day", { mode: "string" }),
    createdAt: instant("created_at").notNull(),
    modifiedAt: instant("modified_at").notNull(),
  },
  (table) => [
    uniqueIndex("vendors_uuid").on(table.uuid),
    index("vendors_ahead")
      .on(table.id)
      .where(sql`clock_ahead_ms > 0`),
    index("vendors_parent").on(table.parentId, table.id),
    index("vendors_parent_created").on(table.parentId, table.createdAt, table.id),
    index("vendors_parent_name").on(table.parentId, table.name, table.id),
    foreignKey({ name: "vendors_parent_fk", columns: [table.parentId], foreignColumns: [table.id] }),
    check(
      "vendors_clock_is_for_sandboxes",
      sql`${table.clockAheadMs} = 0 or (${table.sandbox} and ${table.parentId} is null)`,
    ),
    check("vendors_clock_never_goes_back", sql`${table.clockAheadMs} >= 0`),
  ],
);

/** Secret tokens of a vendor. Only the SHA-256 of a token is stored: 256 random bits need no slower hash. */
export const apiKeys = pgTable(
  "api_keys",
  {
    vendorId: vendorReference(),
    id: identity(),
    name: text("name").notNull(),
    hash: bytes("hash").notNull(),
    /** The last four characters, by which people recognize keys. */
    ending: text("ending").notNull(),
    createdAt: instant("created_at").notNull(),
    lastUsedAt: instant("last_used_at"),
    revokedAt: instant("revoked_at"),
    /** What it may be used for. */
    scopes: text("scopes", { enum: enumValues(KeyScope) })
      .array()
      .notNull()
      .default(sql`'{READ,WRITE,RECOVERY,ADMIN}'`),
    /** From then on it is refused, by the real time; null never. */
    expiresAt: instant("expires_at"),
    /** The time at which another key replaced it; null if none did. It is valid until `expires_at`. */
    rotatedAt: instant("rotated_at"),
  },
  (table) => [
    primaryKey({ name: "api_keys_pk", columns: [table.vendorId, table.id] }),
    uniqueIndex("api_keys_hash").on(table.hash),
    index("api_keys_created").on(table.vendorId, table.createdAt, table.id),
    foreignKey({ name: "api_keys_vendor_fk", columns: [table.vendorId], foreignColumns: [vendors.id] }),
  ],
);

/** An app that a vendor has. */
export interface StoredVendorApp {
  productCode: string;
  priceCode: string;
  status: AppStatus;
  installed: boolean;
  subscriptionId: number | null;
  settings: Record<string, unknown>;
}

/** A clause that buyers agree to. */
export interface StoredVendorTerm {
  field: boolean;
  title: string;
  order: number;
  content: string;
}

/** A vendor's settings for billing, delivery and presentation: one row each, read only when needed. */
export const vendorSettings = pgTable(
  "vendor_settings",
  {
    vendorId: vendorReference().primaryKey(),
    description: text("description").notNull().default(""),
    email: text("email").notNull().default(""),
    contactUrl: text("contact_url").notNull().default(""),
    featuredImageUrl: text("featured_image_url").notNull().default(""),
    /** SHA-256 of the payment key. */
    paymentKeyHash: bytes("payment_key_hash"),
    useDefaultCourier: boolean("use_default_courier").notNull().default(false),
    useDeliveryCharge: boolean("use_delivery_charge").notNull().default(false),
    useLocalShipCharge: boolean("use_local_ship_charge").notNull().default(false),
    jejuShipAmount: amount("jeju_ship_amount")
      .notNull()
      .default(sql`0`),
    islandAndMountainShipAmount: amount("island_and_mountain_ship_amount")
      .notNull()
      .default(sql`0`),
    defaultCourierId: text("default_courier_id"),
    deliveryChargeType: text("delivery_charge_type", { enum: enumValues(DeliveryChargeType) })
      .notNull()
      .default("FREE"),
    defaultDeliveryCharge: amount("default_delivery_charge")
      .notNull()
      .default(sql`0`),
    freeShipOverAmount: amount("free_ship_over_amount")
      .notNull()
      .default(sql`0`),
    /** Whether prices contain value added tax. */
    vatIncluded: boolean("vat_included").notNull().default(true),
    /** Per cent. */
    vatRate: amount("vat_rate")
      .notNull()
      .default(sql`10`),
    /** Hours after the arrival of goods: until when they have only arrived, can be exchanged, can be returned. */
    finishedAfterHours: integer("finished_after_hours").notNull().default(24),
    exchangeUntilHours: integer("exchange_until_hours").notNull().default(168),
    returnUntilHours: integer("return_until_hours").notNull().default(720),
    notiBeforePayment: boolean("noti_before_payment").notNull().default(true),
    notiBeforePaymentDays: integer("noti_before_payment_days").notNull().default(7),
    /** Seconds of the day, in the vendor's zone. */
    notiBeforePaymentTime: integer("noti_before_payment_time").notNull().default(36_000),
    usageAutoRefund: boolean("usage_auto_refund").notNull().default(false),
    /** Decimals of charged amounts; null is the currency's own. */
    paymentAmountScale: integer("payment_amount_scale"),
    workspace: text("workspace").notNull().default(""),
    customDomainStatus: text("custom_domain_status", { enum: enumValues(CustomDomainStatus) })
      .notNull()
      .default("NONE"),
    customDomain: text("custom_domain"),
    checkFirstActivation: boolean("check_first_activation").notNull().default(false),
    surveyed: boolean("surveyed").notNull().default(false),
    useDormantCustomer: boolean("use_dormant_customer").notNull().default(false),
    useDormantNotification: boolean("use_dormant_notification").notNull().default(false),
    useAuth: boolean("use_auth").notNull().default(false),
    useStore: boolean("use_store").notNull().default(false),
    usePayout: boolean("use_payout").notNull().default(false),
    currencyLock: boolean("currency_lock").notNull().default(false),
    realmEmailAsUsername: boolean("realm_email_as_username").notNull().default(true),
    realmIdentityProviderId: uuid("realm_identity_provider_id"),
    realmName: text("realm_name").notNull().default(""),
    checkFailBuilder: text("check_fail_builder").notNull().default(""),
    consumerKey: text("consumer_key"),
    /** Encrypted; prefixed with the id of its key. */
    consumerSecret: bytes("consumer_secret"),
    apps: jsonb("apps").$type<StoredVendorApp[]>().notNull().default([]),
    termsUseCheckBox: boolean("terms_use_check_box").notNull().default(false),
    termsAgree: jsonb("terms_agree").$type<StoredVendorTerm[]>().notNull().default([]),
    /** Origins that a payer's browser may be sent back to; none is any. */
    returnOrigins: text("return_origins")
      .array()
      .notNull()
      .default(sql`'{}'`),
    draftInvoicesByDefault: boolean("draft_invoices_by_default").notNull().default(false),
    /** Whether covers only record what they would advise; null as the parent does. */
    recoveryShadowMode: boolean("recovery_shadow_mode"),
    /** Whether the family's retries go into the pooled prior of their country; read of a vendor at the top of its family. */
    recoveryPooling: boolean("recovery_pooling").notNull().default(false),
  },
  (table) => [
    foreignKey({ name: "vendor_settings_vendor_fk", columns: [table.vendorId], foreignColumns: [vendors.id] }),
    enumCheck("vendor_settings_delivery_word", table.deliveryChargeType, DeliveryChargeType),
    enumCheck("vendor_settings_domain_word", table.customDomainStatus, CustomDomainStatus),
    check("vendor_settings_scale", sql`${table.paymentAmountScale} between 0 and 6`),
    check("vendor_settings_vat_is_per_cent", sql`${table.vatRate} between 0 and 100`),
    check("vendor_settings_notice_is_before", sql`${table.notiBeforePaymentDays} between 0 and 365`),
    check(
      "vendor_settings_finish_in_order",
      sql`0 < ${table.finishedAfterHours} and ${table.finishedAfterHours} < ${table.exchangeUntilHours} and ${table.exchangeUntilHours} < ${table.returnUntilHours}`,
    ),
    check("vendor_settings_notice_time", sql`${table.notiBeforePaymentTime} between 0 and 86399`),
  ],
);

/** The managers of a vendor; the first was created with it. */
export const managers = pgTable(
  "managers",
  {
    vendorId: vendorReference(),
    id: identity(),
    uuid: uuid("uuid").notNull(),
    username: text("username").notNull(),
    nickname: text("nickname").notNull().default(""),
    /** argon2id. */
    passwordHash: text("password_hash").notNull(),
    phone: text("phone"),
    role: text("role", { enum: enumValues(PersonRole) })
      .notNull()
      .default("OWNER"),
    enabled: boolean("enabled").notNull().default(true),
    choo: boolean("choo").notNull().default(false),
    emailVerified: boolean("email_verified").notNull().default(false),
    createdAt: instant("created_at").notNull(),
  },
  (table) => [
    primaryKey({ name: "managers_pk", columns: [table.vendorId, table.id] }),
    uniqueIndex("managers_uuid").on(table.uuid),
    uniqueIndex("managers_username").on(table.vendorId, sql`lower(${table.username})`),
    // Over all vendors: a sign-in names an address and no vendor.
    index("managers_sign_in").on(sql`lower(${table.username})`),
    index("managers_created").on(table.vendorId, table.createdAt, table.id),
    enumCheck("managers_role_word", table.role, PersonRole),
    foreignKey({ name: "managers_vendor_fk", columns: [table.vendorId], foreignColumns: [vendors.id] }),
  ],
);

/** Sessions of managers in the console. A row is deleted when its session ends, at the latest after its expiry. All times are real ones. */
export const sessions = pgTable(
  "sessions",
  {
    vendorId: vendorReference(),
    id: identity(),
    managerId: reference("manager_id").notNull(),
    /** SHA-256 of the cookie's token: 256 random bits need no slower hash. */
    hash: bytes("hash").notNull(),
    createdAt: instant("created_at").notNull(),
    /** Saved at most once a minute. */
    lastSeenAt: instant("last_seen_at").notNull(),
    /** The session ends then, however often it is used. */
    expiresAt: instant("expires_at").notNull(),
  },
  (table) => [
    vendorPrimaryKey("sessions_pk", table),
    uniqueIndex("sessions_hash").on(table.hash),
    index("sessions_manager").on(table.vendorId, table.managerId),
    index("sessions_expired").on(table.vendorId, table.expiresAt, table.id),
    vendorForeignKey("sessions_manager_fk", table.vendorId, table.managerId, managers),
  ],
);

/**
 * The last link by which a person may set a new password: one row for each person. Its token exists in the mail only: it is
 * made when the mail is sent, and a repeated attempt makes another. All times are real ones.
 */
export const passwordLinks = pgTable(
  "password_links",
  {
    vendorId: vendorReference(),
    id: identity(),
    managerId: reference("manager_id").notNull(),
    purpose: text("purpose", { enum: enumValues(PasswordLinkPurpose) })
      .notNull()
      .default("RESET"),
    /** Another one for each request. */
    uuid: uuid("uuid").notNull(),
    /** SHA-256 of the token of the last mail; null before the first, and after the link was used. */
    hash: bytes("hash"),
    createdAt: instant("created_at").notNull(),
    expiresAt: instant("expires_at").notNull(),
    /** The next attempt to send the mail, or the end of the lease of the one in progress; null if none follows. */
    sendAt: instant("send_at"),
    /** Attempts that were begun. */
    attempts: integer("attempts").notNull().default(0),
  },
  (table) => [
    vendorPrimaryKey("password_links_pk", table),
    uniqueIndex("password_links_manager").on(table.vendorId, table.managerId),
    uniqueIndex("password_links_hash").on(table.hash),
    index("password_links_due")
      .on(table.vendorId, table.sendAt)
      .where(sql`send_at is not null`),
    enumCheck("password_links_purpose_word", table.purpose, PasswordLinkPurpose),
    vendorForeignKey("password_links_manager_fk", table.vendorId, table.managerId, managers),
  ],
);

/** The second factors of people (TOTP): one row for each person. All times are real ones. */
export const secondFactors = pgTable(
  "second_factors",
  {
    vendorId: vendorReference(),
    id: identity(),
    managerId: reference("manager_id").notNull(),
    /** Encrypted. */
    secret: bytes("secret").notNull(),
    /** It is required at sign-ins from then on; null until a code has proved that the person has the secret. */
    confirmedAt: instant("confirmed_at"),
    /** The last 30 seconds, counted from 1970, whose code was accepted: each code is accepted once. */
    lastStep: bigint("last_step", { mode: "number" }),
    /** SHA-256 of the recovery codes that are left, in hexadecimal digits: 80 random bits need no slower hash. */
    recoveryHashes: text("recovery_hashes")
      .array()
      .notNull()
      .default(sql`'{}'`),
    createdAt: instant("created_at").notNull(),
  },
  (table) => [
    vendorPrimaryKey("second_factors_pk", table),
    uniqueIndex("second_factors_manager").on(table.vendorId, table.managerId),
    vendorForeignKey("second_factors_manager_fk", table.vendorId, table.managerId, managers),
  ],
);

/** A vendor's exchange rates from its base currency. */
export const exchangeRates = pgTable(
  "exchange_rates",
  {
    vendorId: vendorReference(),
    currency: text("currency").notNull(),
    rate: rate("rate").notNull(),
    modifiedAt: instant("modified_at").notNull(),
  },
  (table) => [
    primaryKey({ name: "exchange_rates_pk", columns: [table.vendorId, table.currency] }),
    foreignKey({ name: "exchange_rates_vendor_fk", columns: [table.vendorId], foreignColumns: [vendors.id] }),
    check("exchange_rates_positive", sql`${table.rate} > 0`),
  ],
);
