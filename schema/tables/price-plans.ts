import { sql } from "drizzle-orm";
import { boolean, check, index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex } from "drizzle-orm/pg-core";
import {
  AdditionalBillingType,
  AggregateUsageType,
  ClaimMethodType,
  PricePlanType,
  RecurringInterval,
  SetupOptionType,
  UsageType,
  WhenToClaimType,
} from "../vocabulary.ts";
import {
  amount,
  identity,
  instant,
  enumValues,
  enumCheck,
  vendorForeignKey,
  reference,
  vendorPrimaryKey,
  vendorReference,
} from "./columns.ts";
import { products } from "./products.ts";

/** Amounts by ISO 4217 code of their currency, as decimal strings. */
export type CurrencyAmounts = Record<string, string>;

/** A range of quantities of a volume price: both ends are in it; null is no end. Amounts are decimal strings. */
export interface StoredPriceVolume {
  id: number;
  min: number;
  max: number | null;
  price: string;
}

/** A range of used units, from the end of the one before; null is no end. */
export interface StoredPriceRange {
  id: number;
  until: number | null;
  price: string;
}

/** The prices of a product, and when they are due. Parts that belong to one plan alone are stored with it. */
export const pricePlans = pgTable(
  "price_plans",
  {
    vendorId: vendorReference(),
    id: identity(),
    code: text("code").notNull(),
    productId: reference("product_id").notNull(),
    type: text("type", { enum: enumValues(PricePlanType) }).notNull(),
    price: amount("price").notNull(),
    currencyPrice: jsonb("currency_price").$type<CurrencyAmounts>().notNull().default({}),
    unit: text("unit").notNull().default(""),
    planName: text("plan_name").notNull(),
    planDescription: text("plan_description").notNull().default(""),
    planDetailDescription: text("plan_detail_description").notNull().default(""),
    planIsHiddenFromShop: boolean("plan_is_hidden_from_shop").notNull().default(false),
    planAdminName: text("plan_admin_name").notNull().default(""),
    firstSaleEnabled: boolean("first_sale_enabled").notNull().default(false),
    firstSalePrice: amount("first_sale_price").notNull(),
    firstSaleCurrencyPrice: jsonb("first_sale_currency_price").$type<CurrencyAmounts>().notNull().default({}),
    claimMethodType: text("claim_method_type", { enum: enumValues(ClaimMethodType) }).notNull(),
    whenToClaimType: text("when_to_claim_type", { enum: enumValues(WhenToClaimType) }),
    /** Day of the following month on which a postpaid plan is charged. */
    billingDate: integer("billing_date"),
    /** Day of the month on which service starts. */
    provideStartDay: integer("provide_start_day"),
    /** 0 is no limit. */
    maximumPurchaseQuantity: integer("maximum_purchase_quantity").notNull().default(0),
    /** Length of the membership in its unit; 0 is no end. */
    membershipExpirationDate: integer("membership_expiration_date").notNull().default(0),
    membershipExpirationDateType: text("membership_expiration_date_type", { enum: enumValues(RecurringInterval) }),
    /** Largest number of renewals before the end; null is no end. */
    expiryRecurringCount: integer("expiry_recurring_count"),
    setupOptionName: text("setup_option_name"),
    setupOptionType: text("setup_option_type", { enum: enumValues(SetupOptionType) }),
    setupOptionPrice: amount("setup_option_price"),
    setupOptionCurrencyPrice: jsonb("setup_option_currency_price").$type<CurrencyAmounts>().notNull().default({}),
    setupOptionClaimMethodType: text("setup_option_claim_method_type", { enum: enumValues(ClaimMethodType) }),
    volumes: jsonb("volumes").$type<StoredPriceVolume[]>().notNull().default([]),
    additionalBillingType: text("additional_billing_type", { enum: enumValues(AdditionalBillingType) }),
    additionalBillingRanges: jsonb("additional_billing_ranges").$type<StoredPriceRange[]>().notNull().default([]),
    recurringInterval: text("recurring_interval", { enum: enumValues(RecurringInterval) }),
    recurringIntervalCount: integer("recurring_interval_count"),
    aggregateUsageType: text("aggregate_usage_type", { enum: enumValues(AggregateUsageType) }),
    usageType: text("usage_type", { enum: enumValues(UsageType) }),
    /** Units that the price includes. */
    basicServing: integer("basic_serving").notNull().default(0),
    onetimeBundlePrice: amount("onetime_bundle_price").notNull(),
    order: integer("order").notNull().default(0),
    isRepresentative: boolean("is_representative").notNull().default(false),
    createdAt: instant("created_at").notNull(),
    modifiedAt: instant("modified_at").notNull(),
  },
  (table) => [
    vendorPrimaryKey("price_plans_pk", table),
    uniqueIndex("price_plans_code").on(table.vendorId, table.code),
    index("price_plans_created").on(table.vendorId, table.createdAt, table.id),
    index("price_plans_product").on(table.vendorId, table.productId, table.order, table.id),
    index("price_plans_product_created").on(table.vendorId, table.productId, table.createdAt, table.id),
    index("price_plans_type").on(table.vendorId, table.type, table.createdAt, table.id),
    vendorForeignKey("price_plans_product_fk", table.vendorId, table.productId, products),
    enumCheck("price_plans_type_word", table.type, PricePlanType),
    enumCheck("price_plans_claim_word", table.claimMethodType, ClaimMethodType),
    enumCheck("price_plans_when_word", table.whenToClaimType, WhenToClaimType),
    enumCheck("price_plans_membership_word", table.membershipExpirationDateType, RecurringInterval),
    enumCheck("price_plans_setup_word", table.setupOptionType, SetupOptionType),
    enumCheck("price_plans_additional_word", table.additionalBillingType, AdditionalBillingType),
    enumCheck("price_plans_interval_word", table.recurringInterval, RecurringInterval),
    check("price_plans_cycle", sql`(${table.recurringInterval} is null) = (${table.recurringIntervalCount} is null)`),
    check(
      "price_plans_setup_whole",
      sql`(${table.setupOptionName} is null) = (${table.setupOptionType} is null) and (${table.setupOptionName} is null) = (${table.setupOptionPrice} is null)`,
    ),
    check("price_plans_not_negative", sql`${table.price} >= 0 and ${table.firstSalePrice} >= 0`),
  ],
);

/** Options of a plan in addition to its price; each may be a plan of another product. */
export const priceOptions = pgTable(
  "price_options",
  {
    vendorId: vendorReference(),
    id: identity(),
    priceId: reference("price_id").notNull(),
    position: integer("position").notNull(),
    name: text("name").notNull(),
    type: text("type", { enum: enumValues(SetupOptionType) }).notNull(),
    price: amount("price").notNull(),
    /** The plan that the option is. */
    optionPriceId: reference("option_price_id"),
  },
  (table) => [
    vendorPrimaryKey("price_options_pk", table),
    uniqueIndex("price_options_position").on(table.vendorId, table.priceId, table.position),
    index("price_options_plan").on(table.vendorId, table.optionPriceId),
    vendorForeignKey("price_options_price_fk", table.vendorId, table.priceId, pricePlans),
    vendorForeignKey("price_options_plan_fk", table.vendorId, table.optionPriceId, pricePlans),
    enumCheck("price_options_type_word", table.type, SetupOptionType),
  ],
);

/** The plans that the members of a bundle have in a plan of the bundle. */
export const bundlePrices = pgTable(
  "bundle_prices",
  {
    vendorId: vendorReference(),
    bundlePriceId: reference("bundle_price_id").notNull(),
    position: integer("position").notNull(),
    productId: reference("product_id").notNull(),
    priceId: reference("price_id").notNull(),
  },
  (table) => [
    primaryKey({ name: "bundle_prices_pk", columns: [table.vendorId, table.bundlePriceId, table.position] }),
    index("bundle_prices_member").on(table.vendorId, table.priceId),
    index("bundle_prices_product").on(table.vendorId, table.productId),
    vendorForeignKey("bundle_prices_bundle_fk", table.vendorId, table.bundlePriceId, pricePlans),
    vendorForeignKey("bundle_prices_product_fk", table.vendorId, table.productId, products),
    vendorForeignKey("bundle_prices_price_fk", table.vendorId, table.priceId, pricePlans),
  ],
);
