import {
  categories,
  countrySettings,
  optionCombinations,
  optionGroups,
  productOptions,
  products,
} from "../../schema/tables/index.ts";
import { columnsOf, pointedAt, pointing, type Shape } from "../database/projection.ts";
import { pricePlanShape } from "./price-plans/price-plan.projection.ts";

const categoryShape: Shape = { table: categories, fields: { databaseId: categories.id, name: categories.name } };

const countrySettingShape: Shape = {
  table: countrySettings,
  fields: {
    databaseId: countrySettings.id,
    ...columnsOf(countrySettings, "countryCode", "timezoneName", "currencyCode", "isDefault", "taxRate"),
  },
};

const optionShape: Shape = {
  table: productOptions,
  fields: {
    databaseId: productOptions.id,
    ...columnsOf(productOptions, "name", "price", "quantity"),
    parent: productOptions.parentId,
  },
};

const optionGroupShape: Shape = {
  table: optionGroups,
  fields: { databaseId: optionGroups.id, ...columnsOf(optionGroups, "name", "depth") },
  many: { options: pointing(() => optionShape, productOptions.groupId, productOptions.position) },
};

const combinationShape: Shape = {
  table: optionCombinations,
  fields: columnsOf(optionCombinations, "optionIds", "status", "quantity", "price"),
};

export const productShape: Shape = {
  table: products,
  fields: {
    ...columnsOf(
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
  parts: {
    useWidget: { fields: columnsOf(products, "useDemo", "useEventBadge", "useOnetimePurchasable", "useNotice") },
  },
  one: { countrySetting: pointedAt(() => countrySettingShape, products.countrySettingId) },
  many: {
    prices: {
      shape: () => pricePlanShape,
      on: (plan, product) => `${plan}."product_id" = ${product}."id"`,
      order: (plan) => `${plan}."order", ${plan}."id"`,
    },
    combinedProducts: {
      shape: () => productShape,
      on: (member, bundle) =>
        `${member}."id" in (select m."product_id" from "bundle_members" m where m."vendor_id" = ${bundle}."vendor_id" and m."bundle_id" = ${bundle}."id")`,
      order: (member, bundle) =>
        `(select m."position" from "bundle_members" m where m."vendor_id" = ${bundle}."vendor_id" and m."bundle_id" = ${bundle}."id" and m."product_id" = ${member}."id")`,
    },
    categories: {
      shape: () => categoryShape,
      on: (category, product) =>
        `${category}."id" in (select c."category_id" from "product_categories" c where c."vendor_id" = ${product}."vendor_id" and c."product_id" = ${product}."id")`,
      order: (category) => `${category}."id"`,
    },
    optionGroups: pointing(() => optionGroupShape, optionGroups.productId, optionGroups.depth),
    optionCombinations: pointing(() => combinationShape, optionCombinations.productId, optionCombinations.optionIds),
  },
  needs: { availableRegions: ["availableRegionCodes"] },
};
