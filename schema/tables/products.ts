import { sql } from "drizzle-orm";
import {
  boolean,
  check,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
  type PgTableExtraConfigValue,
} from "drizzle-orm/pg-core";
import { ProductStatus, ProductType, RecurringInterval } from "../vocabulary.ts";
import {
  amount,
  identity,
  instant,
  enumValues,
  referenceArray,
  enumCheck,
  vendorForeignKey,
  reference,
  searchIndex,
  searchText,
  vendorPrimaryKey,
  vendorReference,
} from "./columns.ts";
import { vendors } from "./vendors.ts";

/** A badge that a product wears for a time. */
export interface StoredEventBadge {
  event: string;
  startDateTime: string | null;
  endDateTime: string | null;
}

/** The products of a merchant. A product that was taken over from a child vendor references the child's own. */
export const products = pgTable(
  "products",
  {
    vendorId: vendorReference(),
    id: identity(),
    code: text("code").notNull(),
    type: text("type", { enum: enumValues(ProductType) }).notNull(),
    status: text("status", { enum: enumValues(ProductStatus) }).notNull(),
    name: text("name").notNull(),
    searchText: searchText("code", "name"),
    subTitle: text("sub_title").notNull().default(""),
    description: text("description").notNull().default(""),
    summary: text("summary").notNull().default(""),
    featuredImageUrl: text("featured_image_url").notNull().default(""),
    imageUrls: text("image_urls")
      .array()
      .notNull()
      .default(sql`'{}'`),
    reasonOfReject: text("reason_of_reject"),
    sku: text("sku"),
    /** Units in stock; null is unlimited. */
    quantity: integer("quantity"),
    useCombination: boolean("use_combination").notNull().default(false),
    enabledDemo: boolean("enabled_demo").notNull().default(false),
    demoPeriod: integer("demo_period"),
    demoPeriodUnit: text("demo_period_unit", { enum: enumValues(RecurringInterval) }),
    productOrder: integer("product_order").notNull().default(0),
    isOnetimePurchasable: boolean("is_onetime_purchasable").notNull().default(false),
    eventBadge: jsonb("event_badge").$type<StoredEventBadge[]>().notNull().default([]),
    notice: text("notice"),
    useDemo: boolean("use_demo").notNull().default(false),
    useEventBadge: boolean("use_event_badge").notNull().default(false),
    useOnetimePurchasable: boolean("use_onetime_purchasable").notNull().default(false),
    useNotice: boolean("use_notice").notNull().default(false),
    groupId: integer("group_id"),
    countrySettingId: reference("country_setting_id"),
    /** Region codes in which it is sold; none is everywhere. */
    availableRegions: text("available_regions")
      .array()
      .notNull()
      .default(sql`'{}'`),
    /** The type of a child vendor's draft once its parent has approved it. */
    draftOf: text("draft_of", { enum: enumValues(ProductType) }),
    /** The parent vendor that has to decide about a draft, until it has decided. */
    submittedTo: reference("submitted_to"),
    submittedAt: instant("submitted_at"),
    childVendorId: reference("child_vendor_id"),
    childProductId: reference("child_product_id"),
    createdAt: instant("created_at").notNull(),
    modifiedAt: instant("modified_at").notNull(),
  },
  (table): PgTableExtraConfigValue[] => [
    vendorPrimaryKey("products_pk", table),
    uniqueIndex("products_code").on(table.vendorId, table.code),
    uniqueIndex("products_child").on(table.vendorId, table.childVendorId, table.childProductId),
    index("products_created").on(table.vendorId, table.createdAt, table.id),
    index("products_status").on(table.vendorId, table.status, table.createdAt, table.id),
    index("products_type").on(table.vendorId, table.type, table.createdAt, table.id),
    index("products_submitted").on(table.submittedTo, table.submittedAt, table.id),
    searchIndex("products_search", table.vendorId, table.searchText),
    foreignKey({ name: "products_vendor_fk", columns: [table.vendorId], foreignColumns: [vendors.id] }),
    foreignKey({ name: "products_submitted_fk", columns: [table.submittedTo], foreignColumns: [vendors.id] }),
    vendorForeignKey("products_country_setting_fk", table.vendorId, table.countrySettingId, countrySettings),
    vendorForeignKey("products_child_fk", table.childVendorId, table.childProductId, table),
    enumCheck("products_type_word", table.type, ProductType),
    enumCheck("products_status_word", table.status, ProductStatus),
    enumCheck("products_demo_unit_word", table.demoPeriodUnit, RecurringInterval),
    check("products_stock_not_negative", sql`${table.quantity} >= 0`),
    check(
      "products_demo",
      sql`not ${table.enabledDemo} or (${table.demoPeriod} is not null and ${table.demoPeriodUnit} is not null)`,
    ),
    check("products_draft", sql`(${table.type} = 'DRAFT') = (${table.draftOf} is not null)`),
    check("products_draft_word", sql`${table.draftOf} in ('BOX', 'SOFTWARE')`),
    check(
      "products_submitted",
      sql`(${table.status} = 'WAITING_APPROVAL') = (${table.submittedTo} is not null) and (${table.submittedTo} is null) = (${table.submittedAt} is null)`,
    ),
    check("products_child_whole", sql`(${table.childVendorId} is null) = (${table.childProductId} is null)`),
  ],
);

/**
 * The version of all that a vendor's catalogue says. Every write of products, plans and what belongs to them moves it in
 * its own transaction, but for writes of stock. A vendor without a row has its UUID as version.
 */
export const catalogueVersions = pgTable(
  "catalogue_versions",
  {
    vendorId: vendorReference(),
    version: uuid("version").notNull(),
  },
  (table) => [
    primaryKey({ name: "catalogue_versions_pk", columns: [table.vendorId] }),
    foreignKey({ name: "catalogue_versions_vendor_fk", columns: [table.vendorId], foreignColumns: [vendors.id] }),
  ],
);

/** A vendor's settings for a country: zone, currency, tax. */
export const countrySettings = pgTable(
  "country_settings",
  {
    vendorId: vendorReference(),
    id: identity(),
    countryCode: text("country_code").notNull(),
    timezoneName: text("timezone_name").notNull(),
    currencyCode: text("currency_code").notNull(),
    isDefault: boolean("is_default").notNull().default(false),
    /** Per cent. */
    taxRate: amount("tax_rate").notNull(),
  },
  (table) => [
    vendorPrimaryKey("country_settings_pk", table),
    uniqueIndex("country_settings_country").on(table.vendorId, table.countryCode),
    foreignKey({ name: "country_settings_vendor_fk", columns: [table.vendorId], foreignColumns: [vendors.id] }),
  ],
);

/** Categories of a vendor's products. */
export const categories = pgTable(
  "categories",
  {
    vendorId: vendorReference(),
    id: identity(),
    name: text("name").notNull(),
  },
  (table) => [
    vendorPrimaryKey("categories_pk", table),
    uniqueIndex("categories_name").on(table.vendorId, table.name),
    foreignKey({ name: "categories_vendor_fk", columns: [table.vendorId], foreignColumns: [vendors.id] }),
  ],
);

/** The categories of products. */
export const productCategories = pgTable(
  "product_categories",
  {
    vendorId: vendorReference(),
    productId: reference("product_id").notNull(),
    categoryId: reference("category_id").notNull(),
  },
  (table) => [
    primaryKey({ name: "product_categories_pk", columns: [table.vendorId, table.productId, table.categoryId] }),
    index("product_categories_category").on(table.vendorId, table.categoryId, table.productId),
    vendorForeignKey("product_categories_product_fk", table.vendorId, table.productId, products),
    vendorForeignKey("product_categories_category_fk", table.vendorId, table.categoryId, categories),
  ],
);

/** The products that a bundle consists of, in order. */
export const bundleMembers = pgTable(
  "bundle_members",
  {
    vendorId: vendorReference(),
    bundleId: reference("bundle_id").notNull(),
    position: integer("position").notNull(),
    productId: reference("product_id").notNull(),
  },
  (table) => [
    primaryKey({ name: "bundle_members_pk", columns: [table.vendorId, table.bundleId, table.position] }),
    uniqueIndex("bundle_members_product").on(table.vendorId, table.bundleId, table.productId),
    index("bundle_members_of").on(table.vendorId, table.productId),
    vendorForeignKey("bundle_members_bundle_fk", table.vendorId, table.bundleId, products),
    vendorForeignKey("bundle_members_product_fk", table.vendorId, table.productId, products),
    check("bundle_members_not_itself", sql`${table.bundleId} <> ${table.productId}`),
  ],
);

/** Groups of options that a buyer chooses from: colour, size. */
export const optionGroups = pgTable(
  "option_groups",
  {
    vendorId: vendorReference(),
    id: identity(),
    productId: reference("product_id").notNull(),
    name: text("name").notNull(),
    /** Place of the group in the choice, from 0. */
    depth: integer("depth").notNull(),
  },
  (table) => [
    vendorPrimaryKey("option_groups_pk", table),
    uniqueIndex("option_groups_depth").on(table.vendorId, table.productId, table.depth),
    vendorForeignKey("option_groups_product_fk", table.vendorId, table.productId, products),
  ],
);

/** Options of a group; `parent` is an option of the group before, under which alone this one can be chosen. */
export const productOptions = pgTable(
  "product_options",
  {
    vendorId: vendorReference(),
    id: identity(),
    groupId: reference("group_id").notNull(),
    position: integer("position").notNull(),
    name: text("name").notNull(),
    /** The surcharge per unit. */
    price: amount("price").notNull(),
    quantity: integer("quantity"),
    parentId: reference("parent_id"),
  },
  (table): PgTableExtraConfigValue[] => [
    vendorPrimaryKey("product_options_pk", table),
    uniqueIndex("product_options_position").on(table.vendorId, table.groupId, table.position),
    index("product_options_parent").on(table.vendorId, table.parentId),
    vendorForeignKey("product_options_group_fk", table.vendorId, table.groupId, optionGroups),
    vendorForeignKey("product_options_parent_fk", table.vendorId, table.parentId, table),
    check("product_options_stock_not_negative", sql`${table.quantity} >= 0`),
  ],
);

/** Combinations of options, each with a stock and a price of its own. */
export const optionCombinations = pgTable(
  "option_combinations",
  {
    vendorId: vendorReference(),
    productId: reference("product_id").notNull(),
    /** One option of each group, in the order of the groups. */
    optionIds: referenceArray("option_ids").notNull(),
    status: text("status", { enum: enumValues(ProductStatus) }).notNull(),
    quantity: integer("quantity"),
    price: amount("price").notNull(),
  },
  (table) => [
    primaryKey({ name: "option_combinations_pk", columns: [table.vendorId, table.productId, table.optionIds] }),
    vendorForeignKey("option_combinations_product_fk", table.vendorId, table.productId, products),
    enumCheck("option_combinations_status_word", table.status, ProductStatus),
    check("option_combinations_stock_not_negative", sql`${table.quantity} >= 0`),
  ],
);
