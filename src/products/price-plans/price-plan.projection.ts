import { bundlePrices, priceOptions, pricePlans } from "../../../schema/tables/index.ts";
import { columnsOf, pointedAt, type Shape } from "../../database/projection.ts";
import { productShape } from "../product.projection.ts";

const bundlePriceShape: Shape = {
  table: bundlePrices,
  fields: {},
  one: {
    product: pointedAt(() => productShape, bundlePrices.productId),
    price: pointedAt(() => pricePlanShape, bundlePrices.priceId),
  },
};

/** A value of the plan that an option is, or of that plan's product. */
const ofPlan = (column: string) => (option: string) =>
  `(select p."${column}" from "price_plans" p where p."vendor_id" = ${option}."vendor_id" and p."id" = ${option}."option_price_id")`;
const ofProduct = (column: string) => (option: string) =>
  `(select q."${column}" from "price_plans" p join "products" q on q."vendor_id" = p."vendor_id" and q."id" = p."product_id"
    where p."vendor_id" = ${option}."vendor_id" and q."vendor_id" = ${option}."vendor_id" and p."id" = ${option}."option_price_id")`;

const recurrenceShape: Shape = {
  table: pricePlans,
  fields: recurrence(),
};

const priceOptionShape: Shape = {
  table: priceOptions,
  fields: {
    databaseId: priceOptions.id,
    ...columnsOf(priceOptions, "name", "type", "price"),
    priceCode: ofPlan("code"),
    priceName: ofPlan("plan_name"),
    productCode: ofProduct("code"),
    productType: ofProduct("type"),
  },
  one: {
    recurring: {
      shape: () => recurrenceShape,
      on: (plan, option) => `${plan}."id" = ${option}."option_price_id" and ${plan}."recurring_interval" is not null`,
    },
  },
};

function recurrence() {
  return {
    databaseId: pricePlans.id,
    interval: pricePlans.recurringInterval,
    intervalCount: pricePlans.recurringIntervalCount,
    aggregateUsageType: pricePlans.aggregateUsageType,
    usageType: pricePlans.usageType,
  };
}

/** How a plan presents itself, seen from what is sold under it. */
export const planPresentationShape: Shape = {
  table: pricePlans,
  fields: {
    name: pricePlans.planName,
    description: pricePlans.planDescription,
    detailDescription: pricePlans.planDetailDescription,
    isHiddenFromShop: pricePlans.planIsHiddenFromShop,
    adminName: pricePlans.planAdminName,
  },
};

export const pricePlanShape: Shape = {
  table: pricePlans,
  fields: {
    ...columnsOf(
      pricePlans,
      "planName",
      "planDescription",
      "firstSalePrice",
      "claimMethodType",
      "whenToClaimType",
      "billingDate",
      "id",
      "code",
      "type",
      "price",
      "currencyPrice",
      "unit",
      "maximumPurchaseQuantity",
      "membershipExpirationDate",
      "membershipExpirationDateType",
      "expiryRecurringCount",
      "volumes",
      "basicServing",
      "onetimeBundlePrice",
      "order",
      "isRepresentative",
      "createdAt",
      "modifiedAt",
    ),
    enabledFirstSalePrice: pricePlans.firstSaleEnabled,
  },
  parts: {
    plan: { fields: planPresentationShape.fields },
    firstSale: {
      fields: {
        enabled: pricePlans.firstSaleEnabled,
        price: pricePlans.firstSalePrice,
        currencyPrice: pricePlans.firstSaleCurrencyPrice,
      },
    },
    claim: {
      fields: {
        methodType: pricePlans.claimMethodType,
        whenToClaimType: pricePlans.whenToClaimType,
        billingDate: pricePlans.billingDate,
        provideStartDay: pricePlans.provideStartDay,
      },
    },
    setupOption: {
      presentBy: pricePlans.setupOptionType,
      fields: {
        databaseId: pricePlans.id,
        name: pricePlans.setupOptionName,
        type: pricePlans.setupOptionType,
        price: pricePlans.setupOptionPrice,
        currencyPrice: pricePlans.setupOptionCurrencyPrice,
        claimMethodType: pricePlans.setupOptionClaimMethodType,
      },
    },
    additionalBilling: {
      presentBy: pricePlans.additionalBillingType,
      fields: {
        databaseId: pricePlans.id,
        type: pricePlans.additionalBillingType,
        ranges: pricePlans.additionalBillingRanges,
      },
    },
    recurring: { presentBy: pricePlans.recurringInterval, fields: recurrence() },
  },
  one: { product: pointedAt(() => productShape, pricePlans.productId) },
  many: {
    options: {
      shape: () => priceOptionShape,
      on: (option, plan) => `${option}."price_id" = ${plan}."id"`,
      order: (option) => `${option}."position"`,
    },
    bundlePrices: {
      shape: () => bundlePriceShape,
      on: (member, plan) => `${member}."bundle_price_id" = ${plan}."id"`,
      order: (member) => `${member}."position"`,
    },
  },
};
