import { listOf, type ContractTable } from "./contract-field.ts";
import { planPresentationTable } from "./products.ts";
import { claimMethods, itemTypes, planTypes, productTypes } from "./words.ts";

/** What a subscription charges, wherever subscriptions stand. */
export const subscriptionItemTable: ContractTable = {
  id: "id",
  code: "text",
  productName: "text",
  productType: productTypes,
  productCode: "text",
  priceCode: "text",
  isOnetimePurchasable: "boolean",
  featuredImageUrl: "text",
  selectedProductOptionIds: listOf("integer"),
  selectedProductOptionPrice: "number",
  selectedOptions: listOf("id"),
  selectedProductOptionLabel: "text",
  plan: planPresentationTable,
  price: "number",
  currency: "text",
  quantity: "integer",
  isAdditional: "boolean",
  keepWhenRenew: "boolean",
  hasOptions: "boolean",
  type: itemTypes,
  claimMethodType: claimMethods,
  priceType: planTypes,
  maximumPurchaseQuantity: "integer",
  parentSubscriptionItemCode: "text?",
};
