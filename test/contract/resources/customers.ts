import { listOf, nullableField, type ContractTable } from "./contract-field.ts";
import { subscriptionItemTable } from "./subscription-item.ts";
import { claimMethods, customerStatuses, intervals, orderTypes, subscriptionStatuses, regionCodes } from "./words.ts";

/* Customers of the billing side. */

export const shippingTable: ContractTable = {
  name: "text",
  phone: "text",
  postcode: "text",
  address1: "text",
  address2: "text",
  state: "text",
  city: "text",
  countryCode: "text",
};

const storedMethodTable: ContractTable = { id: "id", paymentInfo: "text" };

export const customerListItemTable: ContractTable = {
  id: "id",
  code: "text",
  status: customerStatuses,
  username: "text?",
  name: "text",
  email: "text",
  phone: "text",
  orderCount: "integer",
  activeSubscriptionCount: "integer",
  paymentMethods: listOf(storedMethodTable),
  marketingSms: "boolean",
  marketingEmail: "boolean",
  marketingMessenger: "boolean",
  createdAt: "time",
  dormantAt: "time?",
  customFields: "texts",
  countryCode: "text",
};

export const customerDetailTable: ContractTable = {
  id: "id",
  status: customerStatuses,
  username: "text?",
  name: "text",
  email: "text",
  phone: "text",
  code: "text",
  orderCount: "integer",
  totalPurchasedPrice: "number",
  shipping: nullableField(shippingTable),
  orders: listOf({
    id: "id",
    type: orderTypes,
    productName: "text",
    amount: "number",
    claimMethodType: claimMethods,
    createdAt: "time",
    currency: "text",
  }),
  subscriptions: listOf({
    id: "id",
    code: "text",
    items: listOf(subscriptionItemTable),
    status: subscriptionStatuses,
    recurring: { interval: intervals, intervalCount: "integer" },
    currency: "text",
    nextPaymentDateTime: "time?",
    paymentMethod: nullableField(storedMethodTable),
    endDate: "time?",
    lastPaymentDateTime: "time?",
  }),
  paymentMethods: listOf(storedMethodTable),
  marketingSms: "boolean",
  marketingEmail: "boolean",
  marketingMessenger: "boolean",
  attributes: "texts",
  createdAt: "time",
  additionalRecipients: listOf("text"),
  region: nullableField({
    name: regionCodes,
    currencies: listOf("text"),
    country: "text",
    countryCode: "text",
    language: "text?",
    state: "text?",
  }),
};
