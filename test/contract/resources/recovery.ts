import { listOf, nullableField, type ContractTable } from "./contract-field.ts";
import { coverOrderStatuses, coverSubscriptionStatuses, intervals } from "./words.ts";

/* The recovery module. */

export const recoveryCoverTable: ContractTable = { coverId: "id", retryDate: "time?" };

export const recoveryCustomerTable: ContractTable = {
  id: "id",
  name: "text",
  email: "text",
  phone: "text",
  partnerCustomerId: "text",
};

export const recoveryProductTable: ContractTable = {
  id: "id",
  name: "text",
  partnerProductId: "text",
  featuredImageUrl: "text",
};

export const recoveryPriceTable: ContractTable = {
  id: "id",
  name: "text",
  partnerPriceId: "text",
  product: recoveryProductTable,
  price: "number",
  isRecurring: "boolean",
  recurringInterval: nullableField(intervals),
  recurringIntervalCount: "integer?",
};

export const recoveryOrderTable: ContractTable = {
  id: "id",
  customer: recoveryCustomerTable,
  amount: "number",
  amountReturned: "number",
  items: listOf({ quantity: "integer", price: recoveryPriceTable }),
  status: coverOrderStatuses,
  partnerOrderId: "text",
  canceledDate: "time?",
  paymentDate: "time?",
  idKey: "text?",
  retryDate: "time?",
};

export const recoverySubscriptionTable: ContractTable = {
  id: "id",
  customer: recoveryCustomerTable,
  trialStart: "time?",
  trialEnd: "time?",
  start: "time?",
  currentPeriodStart: "time",
  currentPeriodEnd: "time",
  canceledAt: "time?",
  cancelAtPeriodEnd: "boolean",
  status: coverSubscriptionStatuses,
  initialOrder: nullableField(recoveryOrderTable),
  renewalOrders: listOf(recoveryOrderTable),
  partnerSubscriptionId: "text",
  recurringIntervalCount: "integer",
  recurringInterval: intervals,
};

/** The answer of a call that only reports whether it was done. */
export const resultTable: ContractTable = { result: "boolean", message: "text" };
