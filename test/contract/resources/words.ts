import { RegionCode } from "../../../schema/regions.ts";
import { Network } from "../../../schema/vocabulary.ts";
import { closedList } from "./contract-field.ts";

/* The enums of the contract, in full. Names of companies are replaced by the neutral words of the project. */

export const intervals = closedList("DAY", "WEEK", "MONTH", "YEAR");

export const coverOrderStatuses = closedList(
  "CREATED",
  "PAID",
  "CANCEL_REQ",
  "CANCELED",
  "CHANGE_REQ",
  "CHANGE_PROCESS",
  "CHANGED",
  "RETURN_REQ",
  "RETURN_PROCESS",
  "RETURNED",
  "PREPARING",
  "SHIPPING",
  "FULFILLED",
  "FULL_REFUND",
  "PARTIAL_REFUND",
  "PAYMENT_FAILURE",
);

export const coverSubscriptionStatuses = closedList("ACTIVE", "UNPAID", "PAUSE", "EXPIRED", "CANCELED");

export const orderTypes = closedList(
  "RECURRING",
  "ONE_TIME",
  "PAYMENT_METHOD",
  "RECURRING_INITIAL",
  "ADD_USAGE",
  "ADDITIONAL",
  "ADD_PAYMENT_METHOD",
);

export const itemTypes = closedList("SKU", "TAX", "SHIPPING", "DISCOUNT", "FEE", "OFFLINE", "ADDS", "INSTANT");

export const itemStatuses = closedList(
  ...["CREATED", "DEPOSIT_WAITING", "CANCELLED", "PAID", "PAYMENT_FAILURE"],
  ...["", "_CANCELLED", "_DENIED"].map((end) => `CANCELLATION_REQUEST${end}`),
  ...["REFUNDING", "REFUNDED", "REFUNDED_PARTIALLY"].map((end) => `CANCELLATION_${end}`),
  ...["PREPARING", "SUSPENDED", "ON_THE_WAY", "COMPLETED"].map((end) => `ORDER_DELIVERY_${end}`),
  ...["EXCHANGE", "RETURN"].flatMap((what) => [
    ...["", "_CANCELLED", "_REJECTED"].map((end) => `${what}_REQUEST${end}`),
    ...["COLLECTION", "REJECT_DELIVERY"].flatMap((leg) =>
      ["PREPARING", "ON_THE_WAY", "COMPLETED"].map((end) => `${what}_${leg}_${end}`),
    ),
    ...[`${what}_PENDING`, `${what}_REJECTED`],
  ]),
  ...["PREPARING", "ON_THE_WAY", "COMPLETED"].map((end) => `EXCHANGE_DELIVERY_${end}`),
  ...["REFUNDING", "REFUNDED", "REFUNDED_PARTIALLY"].map((end) => `RETURN_${end}`),
  ...["EXCHANGE_AVAILABLE", "RETURN_AVAILABLE", "SUCCESSFULLY"].map((end) => `FINISHED_${end}`),
);

export const logTypes = closedList("MANAGER", "CUSTOMER", "SYSTEM", "V1", "RENEW");
export const claimActors = closedList("SYSTEM", "SELLER", "BUYER");
export const claimCategories = closedList("CANCELLATION", "EXCHANGE", "RETURN");
export const feeTypes = closedList("INITIALLY", "PERIODIC");

export const planTypes = closedList("ONE_TIME", "FLAT", "UNIT_BASED", "USAGE_BASED", "VOLUME_BASED", "BUNDLE");
export const claimMethods = closedList("PRE", "POST");
export const claimMoments = closedList("FIRST_PAYMENT", "DATE");
export const aggregateUsageTypes = closedList("SUM", "MAX", "LAST_DURING_PERIOD", "LAST_EVER");
export const usageTypes = closedList("LICENSED", "METERED");
export const additionalBillingTypes = closedList("USAGE_BASED_WITH_RANGE", "USAGE_BASED_WITH_RANGE_AND_FIXED_PRICE");

export const productTypes = closedList("BOX", "SOFTWARE", "BUNDLE", "INVOICE", "DRAFT");
export const productStatuses = closedList("SALE", "OUT_OF_STOCK", "UNSOLD", "WAITING_APPROVAL", "REJECTED");

export const customerStatuses = closedList("NORMAL", "DORMANT");

export const subscriptionStatuses = closedList(
  "ACTIVE",
  "INCOMPLETE",
  "UNPAID",
  "PENDING_PAUSE",
  "PAUSE",
  "PENDING_CANCEL",
  "CANCELED",
  "EXPIRED",
  "QUEUEING",
);

export const paymentMethodList = closedList(
  "CARD",
  "VBANK",
  "BANK",
  "BANK_TRANSFER",
  "CELLPHONE",
  "SIMPLE_PAY",
  "CMS",
  "CARD_BILL",
  "CELLPHONE_BILL",
  "CMS_BILL",
  "ONLINE_WALLET",
);

export const paymentGateways = closedList(
  ...["EMPTY", "UNKNOWN", "HOUSE"],
  ...Array.from({ length: 21 }, (_, index) => `PROVIDER_${String(index + 1).padStart(2, "0")}`),
);

export const paymentStateList = closedList("PENDING", "SUCCEEDED", "FAILED", "UNKNOWN");
export const networks = closedList(...Object.keys(Network));

export const regionCodes = closedList(...Object.keys(RegionCode));

export const deliveryChargeTypes = closedList("FREE", "FIXED", "FREE_OVER_AMOUNT");
export const domainStatuses = closedList("NONE", "PENDING", "CONNECTED", "FAILED");
export const appStatuses = closedList("ACTIVE", "INACTIVE");
