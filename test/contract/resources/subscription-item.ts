import { listOf, type ContractTable } from "./contract-field.ts";
import { planPresentationTable } from "./products.ts";
import { claimMethods, itemTypes, planTypes, productTypes } from "./words.ts";

/** An item that a subscription charges, in every place of subscriptions. */
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
