import { list, maybe, type Table } from "./contract-field.ts";
import { coverOrderStatus, coverSubscriptionStatus, interval } from "./words.ts";

/* The recovery module. */

export const recoveryCover: Table = { coverId: "id", retryDate: "time?" };

export const recoveryCustomer: Table = {
  id: "id",
  name: "text",
  email: "text",
  phone: "text",
  partnerCustomerId: "text",
};

export const recoveryProduct: Table = {
  id: "id",
  name: "text",
  partnerProductId: "text",
  featuredImageUrl: "text",
};

export const recoveryPrice: Table = {
  id: "id",
  name: "text",
  partnerPriceId: "text",
  product: recoveryProduct,
  price: "number",
  isRecurring: "boolean",
  recurringInterval: maybe(interval),
  recurringIntervalCount: "integer?",
};

export const recoveryOrder: Table = {
  id: "id",
  customer: recoveryCustomer,
  amount: "number",
  amountReturned: "number",
  items: list({ quantity: "integer", price: recoveryPrice }),
  status: coverOrderStatus,
  partnerOrderId: "text",
  canceledDate: "time?",
  paymentDate: "time?",
  idKey: "text?",
  retryDate: "time?",
};

export const recoverySubscription: Table = {
  id: "id",
  customer: recoveryCustomer,
  trialStart: "time?",
  trialEnd: "time?",
  start: "time?",
  currentPeriodStart: "time",
  currentPeriodEnd: "time",
  canceledAt: "time?",
  cancelAtPeriodEnd: "boolean",
  status: coverSubscriptionStatus,
  initialOrder: maybe(recoveryOrder),
  renewalOrders: list(recoveryOrder),
  partnerSubscriptionId: "text",
  recurringIntervalCount: "integer",
  recurringInterval: interval,
};

/** What a call answers that only tells whether it was done. */
export const outcome: Table = { result: "boolean", message: "text" };
