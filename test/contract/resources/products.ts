import { emptyList, listOf, nullableField, type ContractTable } from "./contract-field.ts";
import {
  additionalBillingTypes,
  aggregateUsageTypes,
  claimMethods,
  feeTypes,
  intervals,
  planTypes,
  productStatuses,
  productTypes,
  regionCodes,
  usageTypes,
  claimMoments,
} from "./words.ts";

/* Price plans and products of the billing side. */

const recurringTable: ContractTable = {
  id: "id",
  intervalCount: "integer",
  aggregateUsageType: nullableField(aggregateUsageTypes),
  interval: intervals,
  usageType: nullableField(usageTypes),
};

export const planPresentationTable: ContractTable = {
  name: "text",
  description: "text",
  detailDescription: "text",
  isHiddenFromShop: "boolean",
  adminName: "text",
};

/** A price plan without its members of a bundle. */
const planWithoutMembersTable: ContractTable = {
  id: "id",
  code: "text",
  price: "number",
  currencyPrice: "amounts",
  unit: "text",
  planName: "text",
  planDescription: "text",
  type: planTypes,
  enabledFirstSalePrice: "boolean",
  firstSalePrice: "number",
  claimMethodType: claimMethods,
  whenToClaimType: claimMoments,
  billingDate: "integer",
  maximumPurchaseQuantity: "integer",
  membershipExpirationDate: "integer",
  membershipExpirationDateType: nullableField(intervals),
  setupOption: nullableField({
    id: "id",
    name: "text",
    type: feeTypes,
    price: "number",
    currencyPrice: "amounts",
    claimMethodType: nullableField(claimMethods),
  }),
  options: listOf({
    id: "id",
    price: "number",
    name: "text",
    productCode: "text?",
    type: feeTypes,
    priceCode: "text?",
    priceName: "text?",
    productType: nullableField(productTypes),
    recurringDTO: nullableField(recurringTable),
  }),
  volumes: listOf({ id: "id", min: "integer", max: "integer", price: "number" }),
  additionalBilling: nullableField({
    id: "id",
    type: additionalBillingTypes,
    ranges: listOf({ id: "id", until: "integer", price: "number" }),
  }),
  recurring: nullableField(recurringTable),
  basicServing: "integer",
  onetimeBundlePrice: "number",
  order: "integer",
  createdAt: "time",
  modifiedAt: "time",
  plan: planPresentationTable,
  firstSale: { enabled: "boolean", price: "number", currencyPrice: "amounts" },
  claim: {
    methodType: claimMethods,
    whenToClaimType: claimMoments,
    billingDate: "integer",
    provideStartDay: "integer?",
  },
};

const optionGroupTable: ContractTable = {
  id: "id",
  name: "text",
  options: listOf({ id: "id", name: "text", price: "number", quantity: "integer?", parent: "id?" }),
  depth: "integer",
};

const bundleMemberTable = (plan: ContractTable): ContractTable => ({
  code: "text",
  type: productTypes,
  status: productStatuses,
  name: "text",
  description: "text",
  options: listOf(optionGroupTable),
  prices: listOf(plan),
  createdAt: "time",
  modifiedAt: "time",
});

/** A member of a bundle is no bundle, so its plan's list of members is always empty. */
const memberPlanTable: ContractTable = { ...planWithoutMembersTable, bundlePrices: emptyList };

export const regionTable: ContractTable = {
  code: regionCodes,
  currency: "text?",
  country: "text",
  countryCode: "text",
  state: "text?",
  language: "text?",
};

/** A product, with its plans and with its regions as codes or as objects. */
const productTableWith = (plan: ContractTable, availableRegions: ContractTable[string]): ContractTable => ({
  id: "id",
  code: "text",
  type: productTypes,
  status: productStatuses,
  name: "text",
  subTitle: "text",
  description: "text",
  summary: "text",
  featuredImageUrl: "text",
  imageUrls: listOf("text"),
  reasonOfReject: "text?",
  sku: "text?",
  quantity: "integer?",
  combinedProducts: listOf(bundleMemberTable(memberPlanTable)),
  optionGroups: listOf(optionGroupTable),
  useCombination: "boolean",
  optionCombinations: listOf({ id: listOf("id"), status: productStatuses, quantity: "integer?", price: "number" }),
  prices: listOf(plan),
  createdAt: "time",
  modifiedAt: "time",
  enabledDemo: "boolean",
  demoPeriod: "integer",
  demoPeriodUnit: intervals,
  categories: listOf({ categoryId: "id", name: "text" }),
  vendorUuid: "uuid",
  productOrder: "integer",
  isOnetimePurchasable: "boolean",
  eventBadge: listOf({ event: "text", startDateTime: "time?", endDateTime: "time?" }),
  notice: "text?",
  useWidget: { useDemo: "boolean", useEventBadge: "boolean", useOnetimePurchasable: "boolean", useNotice: "boolean" },
  groupId: "integer?",
  countrySetting: nullableField({
    id: "id",
    countryCode: "text",
    timezoneName: "text",
    currencyCode: "text",
    isDefault: "boolean",
    taxRate: "number",
  }),
  availableRegions,
});

/** A plan. The members of a bundle have all fields of a product, but their plans no members. */
const planTableWith = (availableRegions: ContractTable[string]): ContractTable => ({
  ...planWithoutMembersTable,
  bundlePrices: listOf({ product: productTableWith(memberPlanTable, availableRegions), price: memberPlanTable }),
});

export const pricePlanTable = planTableWith(listOf(regionTable));
export const productTable = productTableWith(pricePlanTable, listOf(regionTable));

/** Inside an order the regions are codes. */
export const orderedPlanTable = planTableWith(listOf(regionCodes));
export const orderedProductTable = productTableWith(orderedPlanTable, listOf(regionCodes));
