import { RegionCode } from "../../../schema/regions.ts";
import { Network } from "../../../schema/vocabulary.ts";
import { words } from "./contract-field.ts";

/* The closed lists of the contract, in full. Names of companies stand under the neutral words of the project. */

export const interval = words("DAY", "WEEK", "MONTH", "YEAR");

export const coverOrderStatus = words(
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

export const coverSubscriptionStatus = words("ACTIVE", "UNPAID", "PAUSE", "EXPIRED", "CANCELED");

export const orderType = words(
  "RECURRING",
  "ONE_TIME",
  "PAYMENT_METHOD",
  "RECURRING_INITIAL",
  "ADD_USAGE",
  "ADDITIONAL",
  "ADD_PAYMENT_METHOD",
);

export const itemType = words("SKU", "TAX", "SHIPPING", "DISCOUNT", "FEE", "OFFLINE", "ADDS", "INSTANT");

export const itemStatus = words(
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

export const logType = words("MANAGER", "CUSTOMER", "SYSTEM", "V1", "RENEW");
export const claimActor = words("SYSTEM", "SELLER", "BUYER");
export const claimCategory = words("CANCELLATION", "EXCHANGE", "RETURN");
export const feeType = words("INITIALLY", "PERIODIC");

export const planType = words("ONE_TIME", "FLAT", "UNIT_BASED", "USAGE_BASED", "VOLUME_BASED", "BUNDLE");
export const claimMethod = words("PRE", "POST");
export const whenToClaim = words("FIRST_PAYMENT", "DATE");
export const aggregateUsage = words("SUM", "MAX", "LAST_DURING_PERIOD", "LAST_EVER");
export const usage = words("LICENSED", "METERED");
export const additionalBillingType = words("USAGE_BASED_WITH_RANGE", "USAGE_BASED_WITH_RANGE_AND_FIXED_PRICE");

export const productType = words("BOX", "SOFTWARE", "BUNDLE", "INVOICE", "DRAFT");
export const productStatus = words("SALE", "OUT_OF_STOCK", "UNSOLD", "WAITING_APPROVAL", "REJECTED");

export const customerStatus = words("NORMAL", "DORMANT");

export const subscriptionStatus = words(
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

export const paymentMethod = words(
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

export const paymentGateway = words(
  ...["EMPTY", "UNKNOWN", "HOUSE"],
  ...Array.from({ length: 21 }, (_, index) => `PROVIDER_${String(index + 1).padStart(2, "0")}`),
);

export const paymentState = words("PENDING", "SUCCEEDED", "FAILED", "UNKNOWN");
export const network = words(...Object.keys(Network));

export const regionCode = words(...Object.keys(RegionCode));

export const deliveryChargeType = words("FREE", "FIXED", "FREE_OVER_AMOUNT");
export const domainStatus = words("NONE", "PENDING", "CONNECTED", "FAILED");
export const appStatus = words("ACTIVE", "INACTIVE");
