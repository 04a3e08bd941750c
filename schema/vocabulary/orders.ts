import { enumOf } from "./words.ts";

/** The purpose of an order. */
export const OrderType = enumOf(
  "RECURRING",
  "ONE_TIME",
  "PAYMENT_METHOD",
  "RECURRING_INITIAL",
  "ADD_USAGE",
  "ADDITIONAL",
  "ADD_PAYMENT_METHOD",
);
export type OrderType = keyof typeof OrderType;

/** The purpose of an order line. */
export const OrderItemType = enumOf("SKU", "TAX", "SHIPPING", "DISCOUNT", "FEE", "OFFLINE", "ADDS", "INSTANT");
export type OrderItemType = keyof typeof OrderItemType;

/** States of a line of an order. */
export const OrderItemStatus = enumOf(
  "CREATED",
  "DEPOSIT_WAITING",
  "CANCELLED",
  "PAID",
  "CANCELLATION_REQUEST",
  "CANCELLATION_REQUEST_CANCELLED",
  "CANCELLATION_REQUEST_DENIED",
  "CANCELLATION_REFUNDING",
  "CANCELLATION_REFUNDED",
  "CANCELLATION_REFUNDED_PARTIALLY",
  "ORDER_DELIVERY_PREPARING",
  "ORDER_DELIVERY_SUSPENDED",
  "ORDER_DELIVERY_ON_THE_WAY",
  "ORDER_DELIVERY_COMPLETED",
  "EXCHANGE_REQUEST",
  "EXCHANGE_REQUEST_CANCELLED",
  "EXCHANGE_REQUEST_REJECTED",
  "EXCHANGE_COLLECTION_PREPARING",
  "EXCHANGE_COLLECTION_ON_THE_WAY",
  "EXCHANGE_COLLECTION_COMPLETED",
  "EXCHANGE_DELIVERY_PREPARING",
  "EXCHANGE_DELIVERY_ON_THE_WAY",
  "EXCHANGE_DELIVERY_COMPLETED",
  "EXCHANGE_REJECT_DELIVERY_PREPARING",
  "EXCHANGE_REJECT_DELIVERY_ON_THE_WAY",
  "EXCHANGE_REJECT_DELIVERY_COMPLETED",
  "EXCHANGE_PENDING",
  "EXCHANGE_REJECTED",
  "RETURN_REQUEST",
  "RETURN_REQUEST_CANCELLED",
  "RETURN_REQUEST_REJECTED",
  "RETURN_COLLECTION_PREPARING",
  "RETURN_COLLECTION_ON_THE_WAY",
  "RETURN_COLLECTION_COMPLETED",
  "RETURN_REJECT_DELIVERY_PREPARING",
  "RETURN_REJECT_DELIVERY_ON_THE_WAY",
  "RETURN_REJECT_DELIVERY_COMPLETED",
  "RETURN_PENDING",
  "RETURN_REJECTED",
  "RETURN_REFUNDING",
  "RETURN_REFUNDED",
  "RETURN_REFUNDED_PARTIALLY",
  "PAYMENT_FAILURE",
  "FINISHED_EXCHANGE_AVAILABLE",
  "FINISHED_RETURN_AVAILABLE",
  "FINISHED_SUCCESSFULLY",
);
export type OrderItemStatus = keyof typeof OrderItemStatus;

/** The name of a line's state in GraphQL, which spells CANCELED alike everywhere. Rows and REST spell it CANCELLED here. */
export const toOrderItemStatusName = (status: string): string => status.replace(/CANCELLED$/, "CANCELED");

/** The states of a line by their names in GraphQL. */
export const OrderItemStatusByName = Object.freeze(
  Object.fromEntries(Object.values(OrderItemStatus).map((status) => [toOrderItemStatusName(status), status])),
);

/** The category of an entry in an order item's history. */
export const HistoryCategory = enumOf("ORDER", "PAYMENT", "DELIVERY", "CANCELLATION", "RETURN", "EXCHANGE");
export type HistoryCategory = keyof typeof HistoryCategory;

/** The author of an entry in an order's log. */
export const OrderLogType = enumOf("MANAGER", "CUSTOMER", "SYSTEM", "V1", "RENEW");
export type OrderLogType = keyof typeof OrderLogType;

/** The searched texts of orders. */
export const OrderSearchTarget = enumOf("ORDER_CODE", "PRODUCT_NAME", "CUSTOMER_NAME", "PHONE", "EMAIL");
export type OrderSearchTarget = keyof typeof OrderSearchTarget;

/**
 * The triggers by which a merchant moves order lines: those of their state table that belong to no order, payment or
 * refund.
 */
export const OrderItemTrigger = {
  REQUEST_CANCELLATION: "requestCancellation",
  WITHDRAW_CANCELLATION: "withdrawCancellation",
  DENY_CANCELLATION: "denyCancellation",
  ACCEPT_CANCELLATION: "acceptCancellation",
  PREPARE_DELIVERY: "prepareDelivery",
  SUSPEND_DELIVERY: "suspendDelivery",
  CANCEL_DELIVERY: "cancelDelivery",
  SEND_DELIVERY: "sendDelivery",
  COMPLETE_DELIVERY: "completeDelivery",
  CONFIRM_RECEIPT: "confirmReceipt",
  REQUEST_RETURN: "requestReturn",
  WITHDRAW_RETURN: "withdrawReturn",
  APPROVE_RETURN: "approveReturn",
  REJECT_RETURN: "rejectReturn",
  POSTPONE_RETURN: "postponeReturn",
  ACCEPT_RETURN: "acceptReturn",
  REQUEST_EXCHANGE: "requestExchange",
  WITHDRAW_EXCHANGE: "withdrawExchange",
  APPROVE_EXCHANGE: "approveExchange",
  REJECT_EXCHANGE: "rejectExchange",
  POSTPONE_EXCHANGE: "postponeExchange",
  ACCEPT_EXCHANGE: "acceptExchange",
  SEND_COLLECTION: "sendCollection",
  COMPLETE_COLLECTION: "completeCollection",
} as const;
export type OrderItemTrigger = (typeof OrderItemTrigger)[keyof typeof OrderItemTrigger];
