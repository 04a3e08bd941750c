import { list, type Table } from "./contract-field.ts";
import { planPresentation } from "./products.ts";
import { claimMethod, itemType, planType, productType } from "./words.ts";

/** What a subscription charges, wherever subscriptions stand. */
export const subscriptionItem: Table = {
  id: "id",
  code: "text",
  productName: "text",
  productType,
  productCode: "text",
  priceCode: "text",
  isOnetimePurchasable: "boolean",
  featuredImageUrl: "text",
  selectedProductOptionIds: list("integer"),
  selectedProductOptionPrice: "number",
  selectedOptions: list("id"),
  selectedProductOptionLabel: "text",
  plan: planPresentation,
  price: "number",
  currency: "text",
  quantity: "integer",
  isAdditional: "boolean",
  keepWhenRenew: "boolean",
  hasOptions: "boolean",
  type: itemType,
  claimMethodType: claimMethod,
  priceType: planType,
  maximumPurchaseQuantity: "integer",
  parentSubscriptionItemCode: "text?",
};
