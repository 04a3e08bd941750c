import { bundlePrices, priceOptions, pricePlans } from "../../../schema/tables/index.ts";
import { pickColumns, referencedRow, sharedRow, type Projection } from "../../database/projection.ts";
import { keptPlans } from "../kept-catalogue.projection.ts";
import { productProjection } from "../product.projection.ts";

const bundlePriceProjection: Projection = {
  table: bundlePrices,
  fields: {},
  one: {
    product: sharedRow(() => productProjection, bundlePrices.productId),
    price: sharedRow(() => pricePlanProjection, bundlePrices.priceId),
  },
};

/** A value of the plan that an option is, or of that plan's product. */
const planColumn = (column: string) => (option: string) =>
  `(select p."${column}" from "price_plans" p where p."vendor_id" = ${option}."vendor_id" and p."id" = ${option}."option_price_id")`;
const productColumn = (column: string) => (option: string) =>
  `(select q."${column}" from "price_plans" p join "products" q on q."vendor_id" = p."vendor_id" and q."id" = p."product_id"
    where p."vendor_id" = ${option}."vendor_id" and q."vendor_id" = ${option}."vendor_id" and p."id" = ${option}."option_price_id")`;

const recurrenceProjection: Projection = {
  table: pricePlans,
  fields: recurrenceFields(),
};

const priceOptionProjection: Projection = {
  table: priceOptions,
  fields: {
    databaseId: priceOptions.id,
    ...pickColumns(priceOptions, "name", "type", "price"),
    priceCode: planColumn("code"),
    priceName: planColumn("plan_name"),
    productCode: productColumn("code"),
    productType: productColumn("type"),
  },
  one: {
    recurring: {
      projection: () => recurrenceProjection,
      joinCondition: (plan, option) =>
        `${plan}."id" = ${option}."option_price_id" and ${plan}."recurring_interval" is not null`,
    },
  },
};

function recurrenceFields() {
  return {
    databaseId: pricePlans.id,
    interval: pricePlans.recurringInterval,
    intervalCount: pricePlans.recurringIntervalCount,
    aggregateUsageType: pricePlans.aggregateUsageType,
    usageType: pricePlans.usageType,
  };
}

/** The presentation of a plan, within the items that are sold under it. */
export const planPresentationProjection: Projection = {
  table: pricePlans,
  fields: {
    name: pricePlans.planName,
    description: pricePlans.planDescription,
    detailDescription: pricePlans.planDetailDescription,
    isHiddenFromShop: pricePlans.planIsHiddenFromShop,
    adminName: pricePlans.planAdminName,
  },
};

export const pricePlanProjection: Projection = {
  table: pricePlans,
  fields: {
    ...pickColumns(
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
  objects: {
    plan: { fields: planPresentationProjection.fields },
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
      presentColumn: pricePlans.setupOptionType,
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
      presentColumn: pricePlans.additionalBillingType,
      fields: {
        databaseId: pricePlans.id,
        type: pricePlans.additionalBillingType,
        ranges: pricePlans.additionalBillingRanges,
      },
    },
    recurring: { presentColumn: pricePlans.recurringInterval, fields: recurrenceFields() },
  },
  one: { product: referencedRow(() => productProjection, pricePlans.productId) },
  many: {
    options: {
      projection: () => priceOptionProjection,
      joinCondition: (option, plan) => `${option}."price_id" = ${plan}."id"`,
      orderBy: (option) => `${option}."position"`,
    },
    bundlePrices: {
      projection: () => bundlePriceProjection,
      joinCondition: (member, plan) => `${member}."bundle_price_id" = ${plan}."id"`,
      orderBy: (member) => `${member}."position"`,
    },
  },
  kept: keptPlans,
};
