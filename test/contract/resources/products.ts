import { empty, list, maybe, type Table } from "./contract-field.ts";
import {
  additionalBillingType,
  aggregateUsage,
  claimMethod,
  feeType,
  interval,
  planType,
  productStatus,
  productType,
  regionCode,
  usage,
  whenToClaim,
} from "./words.ts";

/* Price plans and products of the billing side. */

const recurring: Table = {
  id: "id",
  intervalCount: "integer",
  aggregateUsageType: maybe(aggregateUsage),
  interval,
  usageType: maybe(usage),
};

export const planPresentation: Table = {
  name: "text",
  description: "text",
  detailDescription: "text",
  isHiddenFromShop: "boolean",
  adminName: "text",
};

/** All of a price plan but what it says of the members of a bundle. */
const planOfOne: Table = {
  id: "id",
  code: "text",
  price: "number",
  currencyPrice: "amounts",
  unit: "text",
  planName: "text",
  planDescription: "text",
  type: planType,
  enabledFirstSalePrice: "boolean",
  firstSalePrice: "number",
  claimMethodType: claimMethod,
  whenToClaimType: whenToClaim,
  billingDate: "integer",
  maximumPurchaseQuantity: "integer",
  membershipExpirationDate: "integer",
  membershipExpirationDateType: maybe(interval),
  setupOption: maybe({
    id: "id",
    name: "text",
    type: feeType,
    price: "number",
    currencyPrice: "amounts",
    claimMethodType: maybe(claimMethod),
  }),
  options: list({
    id: "id",
    price: "number",
    name: "text",
    productCode: "text?",
    type: feeType,
    priceCode: "text?",
    priceName: "text?",
    productType: maybe(productType),
    recurringDTO: maybe(recurring),
  }),
  volumes: list({ id: "id", min: "integer", max: "integer", price: "number" }),
  additionalBilling: maybe({
    id: "id",
    type: additionalBillingType,
    ranges: list({ id: "id", until: "integer", price: "number" }),
  }),
  recurring: maybe(recurring),
  basicServing: "integer",
  onetimeBundlePrice: "number",
  order: "integer",
  createdAt: "time",
  modifiedAt: "time",
  plan: planPresentation,
  firstSale: { enabled: "boolean", price: "number", currencyPrice: "amounts" },
  claim: {
    methodType: claimMethod,
    whenToClaimType: whenToClaim,
    billingDate: "integer",
    provideStartDay: "integer?",
  },
};

const optionGroup: Table = {
  id: "id",
  name: "text",
  options: list({ id: "id", name: "text", price: "number", quantity: "integer?", parent: "id?" }),
  depth: "integer",
};

const bundleMember = (plan: Table): Table => ({
  code: "text",
  type: productType,
  status: productStatus,
  name: "text",
  description: "text",
  options: list(optionGroup),
  prices: list(plan),
  createdAt: "time",
  modifiedAt: "time",
});

/** A member of a bundle is no bundle, so what its plan says of members is always empty. */
const planOfMember: Table = { ...planOfOne, bundlePrices: empty };

export const regionWithCode: Table = {
  code: regionCode,
  currency: "text?",
  country: "text",
  countryCode: "text",
  state: "text?",
  language: "text?",
};

/** A product, with its plans and with its regions as codes or as objects. */
const productWith = (plan: Table, availableRegions: Table[string]): Table => ({
  id: "id",
  code: "text",
  type: productType,
  status: productStatus,
  name: "text",
  subTitle: "text",
  description: "text",
  summary: "text",
  featuredImageUrl: "text",
  imageUrls: list("text"),
  reasonOfReject: "text?",
  sku: "text?",
  quantity: "integer?",
  combinedProducts: list(bundleMember(planOfMember)),
  optionGroups: list(optionGroup),
  useCombination: "boolean",
  optionCombinations: list({ id: list("id"), status: productStatus, quantity: "integer?", price: "number" }),
  prices: list(plan),
  createdAt: "time",
  modifiedAt: "time",
  enabledDemo: "boolean",
  demoPeriod: "integer",
  demoPeriodUnit: interval,
  categories: list({ categoryId: "id", name: "text" }),
  vendorUuid: "uuid",
  productOrder: "integer",
  isOnetimePurchasable: "boolean",
  eventBadge: list({ event: "text", startDateTime: "time?", endDateTime: "time?" }),
  notice: "text?",
  useWidget: { useDemo: "boolean", useEventBadge: "boolean", useOnetimePurchasable: "boolean", useNotice: "boolean" },
  groupId: "integer?",
  countrySetting: maybe({
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
const planIn = (availableRegions: Table[string]): Table => ({
  ...planOfOne,
  bundlePrices: list({ product: productWith(planOfMember, availableRegions), price: planOfMember }),
});

export const pricePlan = planIn(list(regionWithCode));
export const product = productWith(pricePlan, list(regionWithCode));

/** Inside an order the regions are codes. */
export const orderedPlan = planIn(list(regionCode));
export const orderedProduct = productWith(orderedPlan, list(regionCode));
