import {
  categories,
  countrySettings,
  optionCombinations,
  optionGroups,
  productOptions,
  products,
} from "../../schema/tables/index.ts";
import { pickColumns, referencedRow, referencingRows, type Projection } from "../database/projection.ts";
import { keptProducts } from "./kept-catalogue.projection.ts";
import { pricePlanProjection } from "./price-plans/price-plan.projection.ts";

const categoryProjection: Projection = {
  table: categories,
  fields: { databaseId: categories.id, name: categories.name },
};

const countrySettingProjection: Projection = {
  table: countrySettings,
  fields: {
    databaseId: countrySettings.id,
    ...pickColumns(countrySettings, "countryCode", "timezoneName", "currencyCode", "isDefault", "taxRate"),
  },
};

const optionProjection: Projection = {
  table: productOptions,
  fields: {
    databaseId: productOptions.id,
    ...pickColumns(productOptions, "name", "price", "quantity"),
    parent: productOptions.parentId,
  },
};

const optionGroupProjection: Projection = {
  table: optionGroups,
  fields: { databaseId: optionGroups.id, ...pickColumns(optionGroups, "name", "depth") },
  many: { options: referencingRows(() => optionProjection, productOptions.groupId, productOptions.position) },
};

const combinationProjection: Projection = {
  table: optionCombinations,
  fields: pickColumns(optionCombinations, "optionIds", "status", "quantity", "price"),
};

export const productProjection: Projection = {
  table: products,
  fields: {
    ...pickColumns(
      products,
      "id",
      "code",
      "type",
      "draftOf",
      "status",
      "name",
      "subTitle",
      "description",
      "summary",
      "featuredImageUrl",
      "imageUrls",
      "reasonOfReject",
      "sku",
      "quantity",
      "useCombination",
      "enabledDemo",
      "demoPeriod",
      "demoPeriodUnit",
      "productOrder",
      "isOnetimePurchasable",
      "eventBadge",
      "notice",
      "groupId",
      "createdAt",
      "modifiedAt",
    ),
    availableRegionCodes: products.availableRegions,
    vendorUuid: (product) => `(select v."uuid" from "vendors" v where v."id" = ${product}."vendor_id")`,
  },
  objects: {
    useWidget: { fields: pickColumns(products, "useDemo", "useEventBadge", "useOnetimePurchasable", "useNotice") },
  },
  one: { countrySetting: referencedRow(() => countrySettingProjection, products.countrySettingId) },
  many: {
    prices: {
      projection: () => pricePlanProjection,
      joinCondition: (plan, product) => `${plan}."product_id" = ${product}."id"`,
      orderBy: (plan) => `${plan}."order", ${plan}."id"`,
    },
    combinedProducts: {
      projection: () => productProjection,
      joinCondition: (member, bundle) =>
        `${member}."id" in (select m."product_id" from "bundle_members" m where m."vendor_id" = ${bundle}."vendor_id" and m."bundle_id" = ${bundle}."id")`,
      orderBy: (member, bundle) =>
        `(select m."position" from "bundle_members" m where m."vendor_id" = ${bundle}."vendor_id" and m."bundle_id" = ${bundle}."id" and m."product_id" = ${member}."id")`,
    },
    categories: {
      projection: () => categoryProjection,
      joinCondition: (category, product) =>
        `${category}."id" in (select c."category_id" from "product_categories" c where c."vendor_id" = ${product}."vendor_id" and c."product_id" = ${product}."id")`,
      orderBy: (category) => `${category}."id"`,
    },
    optionGroups: referencingRows(() => optionGroupProjection, optionGroups.productId, optionGroups.depth),
    optionCombinations: referencingRows(
      () => combinationProjection,
      optionCombinations.productId,
      optionCombinations.optionIds,
    ),
  },
  kept: keptProducts,
  requiredFields: { availableRegions: ["availableRegionCodes"] },
};
