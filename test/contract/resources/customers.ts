import { list, maybe, type Table } from "./contract-field.ts";
import { subscriptionItem } from "./subscription-item.ts";
import { claimMethod, customerStatus, interval, orderType, subscriptionStatus, regionCode } from "./words.ts";

/* Customers of the billing side. */

export const shipping: Table = {
  name: "text",
  phone: "text",
  postcode: "text",
  address1: "text",
  address2: "text",
  state: "text",
  city: "text",
  countryCode: "text",
};

const storedMethod: Table = { id: "id", paymentInfo: "text" };

export const customerListItem: Table = {
  id: "id",
  code: "text",
  status: customerStatus,
  username: "text?",
  name: "text",
  email: "text",
  phone: "text",
  orderCount: "integer",
  activeSubscriptionCount: "integer",
  paymentMethods: list(storedMethod),
  marketingSms: "boolean",
  marketingEmail: "boolean",
  marketingMessenger: "boolean",
  createdAt: "time",
  dormantAt: "time?",
  customFields: "texts",
  countryCode: "text",
};

export const customerDetail: Table = {
  id: "id",
  status: customerStatus,
  username: "text?",
  name: "text",
  email: "text",
  phone: "text",
  code: "text",
  orderCount: "integer",
  totalPurchasedPrice: "number",
  shipping: maybe(shipping),
  orders: list({
    id: "id",
    type: orderType,
    productName: "text",
    amount: "number",
    claimMethodType: claimMethod,
    createdAt: "time",
    currency: "text",
  }),
  subscriptions: list({
    id: "id",
    code: "text",
    items: list(subscriptionItem),
    status: subscriptionStatus,
    recurring: { interval, intervalCount: "integer" },
    currency: "text",
    nextPaymentDateTime: "time?",
    paymentMethod: maybe(storedMethod),
    endDate: "time?",
    lastPaymentDateTime: "time?",
  }),
  paymentMethods: list(storedMethod),
  marketingSms: "boolean",
  marketingEmail: "boolean",
  marketingMessenger: "boolean",
  attributes: "texts",
  createdAt: "time",
  additionalRecipients: list("text"),
  region: maybe({
    name: regionCode,
    currencies: list("text"),
    country: "text",
    countryCode: "text",
    language: "text?",
    state: "text?",
  }),
};
