import {
  HistoryCategory,
  type OrderItemStatus,
  OrderItemStatusByName,
  OrderItemTrigger,
  OrderItemType,
  OrderLogType,
  OrderSearchTarget,
  OrderType,
} from "../../schema/vocabulary.ts";
import { registerEnumType } from "type-graphql";
import { registerVocabularyEnum } from "../graphql/register-enum.ts";

/* The GraphQL enums of orders, with a description of each value. */

registerVocabularyEnum(OrderType, "OrderType", "Purpose of an order.", {
  ONE_TIME: "A single charge: no plan of the order has a billing cycle.",
  RECURRING_INITIAL: "The first order of a subscription: at least one of its plans has a billing cycle.",
  RECURRING: "The renewal of a subscription.",
  PAYMENT_METHOD: "Replaces the stored payment method. Its amount is 0.",
  ADD_PAYMENT_METHOD: "Stores an additional payment method without charging it. Its amount is 0.",
  ADD_USAGE: "Raises a prepaid quota. The rest of the period is charged at once.",
  ADDITIONAL: "Adds items to a running subscription. The rest of the period is charged at once.",
});

registerVocabularyEnum(OrderItemType, "OrderItemType", "Purpose of a line of an order.", {
  SKU: "A product.",
  TAX: "Tax that is added to the prices.",
  SHIPPING: "The delivery fee.",
  DISCOUNT: "A discount. `discountName` is its name, `relatedOrderItemId` the line that it reduces.",
  FEE: "A set-up or base fee. `orderedProductName` is its name.",
  OFFLINE: "A sale that was recorded by hand.",
  ADDS: "Prorates items that were added to a subscription or removed from it.",
  INSTANT: "The part of an invoice that is due at once. It adds nothing to the amount of the order.",
});

/** The meaning of each state of a line. */
const statuses: Readonly<Record<OrderItemStatus, string>> = {
  CREATED: "Ordered and not paid.",
  DEPOSIT_WAITING: "The customer will pay by deposit or into a virtual account. The deposit has not arrived yet.",
  CANCELLED: "Cancelled before it was paid.",
  PAID: "Paid. An item that is a service stays in this state.",
  PAYMENT_FAILURE: "The charge failed. A later charge can succeed.",

  CANCELLATION_REQUEST: "Paid, and the customer requests a cancellation.",
  CANCELLATION_REQUEST_CANCELLED: "The customer withdrew the request to cancel.",
  CANCELLATION_REQUEST_DENIED: "The merchant denied the cancellation.",
  CANCELLATION_REFUNDING: "The cancellation is accepted, and the refund is in progress.",
  CANCELLATION_REFUNDED: "Cancelled. The full amount was refunded.",
  CANCELLATION_REFUNDED_PARTIALLY: "Cancelled. Part of the amount was refunded; the rest can be refunded later.",

  ORDER_DELIVERY_PREPARING: "The delivery is being prepared.",
  ORDER_DELIVERY_SUSPENDED: "The merchant stopped the delivery in order to cancel the item.",
  ORDER_DELIVERY_ON_THE_WAY: "The item is on its way to the customer.",
  ORDER_DELIVERY_COMPLETED: "The item was delivered to the customer.",

  EXCHANGE_REQUEST: "The customer requests an exchange.",
  EXCHANGE_REQUEST_CANCELLED: "The customer withdrew the request to exchange.",
  EXCHANGE_REQUEST_REJECTED: "The merchant rejected the exchange before the goods were returned.",
  EXCHANGE_COLLECTION_PREPARING: "The exchange is approved. The goods will be collected.",
  EXCHANGE_COLLECTION_ON_THE_WAY: "The goods to exchange are on their way to the merchant.",
  EXCHANGE_COLLECTION_COMPLETED: "The goods to exchange have arrived, and the merchant examines them.",
  EXCHANGE_DELIVERY_PREPARING: "The delivery of the replacement is being prepared.",
  EXCHANGE_DELIVERY_ON_THE_WAY: "The replacement is on its way to the customer.",
  EXCHANGE_DELIVERY_COMPLETED: "The replacement was delivered to the customer.",
  EXCHANGE_REJECT_DELIVERY_PREPARING:
    "The exchange was rejected. The delivery of the goods to the customer is being prepared.",
  EXCHANGE_REJECT_DELIVERY_ON_THE_WAY: "The exchange was rejected. The goods are on their way to the customer.",
  EXCHANGE_REJECT_DELIVERY_COMPLETED: "The exchange was rejected. The goods were delivered to the customer.",
  EXCHANGE_PENDING: "The goods to exchange have arrived, and the merchant has deferred the decision.",
  EXCHANGE_REJECTED: "The merchant rejected the exchange after the goods had arrived.",

  RETURN_REQUEST: "The customer requests a return.",
  RETURN_REQUEST_CANCELLED: "The customer withdrew the request to return.",
  RETURN_REQUEST_REJECTED: "The merchant rejected the return before the goods were returned.",
  RETURN_COLLECTION_PREPARING: "The return is approved. The goods will be collected.",
  RETURN_COLLECTION_ON_THE_WAY: "The returned goods are on their way to the merchant.",
  RETURN_COLLECTION_COMPLETED: "The returned goods have arrived, and the merchant examines them.",
  RETURN_REJECT_DELIVERY_PREPARING:
    "The return was rejected. The delivery of the goods to the customer is being prepared.",
  RETURN_REJECT_DELIVERY_ON_THE_WAY: "The return was rejected. The goods are on their way to the customer.",
  RETURN_REJECT_DELIVERY_COMPLETED: "The return was rejected. The goods were delivered to the customer.",
  RETURN_PENDING: "The returned goods have arrived, and the merchant has deferred the decision.",
  RETURN_REJECTED: "The merchant rejected the return after the goods had arrived.",
  RETURN_REFUNDING: "The return is accepted, and the refund is in progress.",
  RETURN_REFUNDED: "Returned. The full amount was refunded.",
  RETURN_REFUNDED_PARTIALLY: "Returned. Part of the amount was refunded; the rest can be refunded later.",

  FINISHED_EXCHANGE_AVAILABLE: "Delivered. The item can still be exchanged or returned.",
  FINISHED_RETURN_AVAILABLE: "Delivered. The item can still be returned.",
  FINISHED_SUCCESSFULLY: "Delivered. The item can no longer be exchanged or returned.",
};

registerEnumType(OrderItemStatusByName, {
  name: "OrderItemStatus",
  description: "State of a line of an order.",
  valuesConfig: Object.fromEntries(
    Object.entries(OrderItemStatusByName).map(([name, status]) => [name, { description: statuses[status] }]),
  ),
});

/** The effect of each trigger on the lines that a merchant moves by it. */
const triggers: Readonly<Record<keyof typeof OrderItemTrigger, string>> = {
  REQUEST_CANCELLATION: "The customer requests the cancellation of paid lines.",
  WITHDRAW_CANCELLATION: "The customer withdraws the request to cancel.",
  DENY_CANCELLATION: "Denies the cancellation. A service continues, and shipped goods can be sent.",
  ACCEPT_CANCELLATION: "Accepts the cancellation. The lines wait for their refund.",
  PREPARE_DELIVERY: "Starts to prepare the delivery of lines, or of goods that go back to the customer.",
  SUSPEND_DELIVERY: "Stops a delivery that is being prepared.",
  CANCEL_DELIVERY: "Cancels a stopped delivery. The lines wait for their refund.",
  SEND_DELIVERY: "Hands lines to the courier.",
  COMPLETE_DELIVERY: "Reports that lines were delivered.",
  CONFIRM_RECEIPT: "The customer confirms that lines were delivered.",
  REQUEST_RETURN: "The customer requests the return of lines.",
  WITHDRAW_RETURN: "The customer withdraws the request to return.",
  APPROVE_RETURN: "Approves a return. The goods will be collected.",
  REJECT_RETURN: "Rejects a return, before or after the goods arrived.",
  POSTPONE_RETURN: "Defers the decision about a return.",
  ACCEPT_RETURN: "Accepts returned goods. The lines wait for their refund.",
  REQUEST_EXCHANGE: "The customer requests the exchange of lines.",
  WITHDRAW_EXCHANGE: "The customer withdraws the request to exchange.",
  APPROVE_EXCHANGE: "Approves an exchange. The goods will be collected.",
  REJECT_EXCHANGE: "Rejects an exchange, before or after the goods arrived.",
  POSTPONE_EXCHANGE: "Defers the decision about an exchange.",
  ACCEPT_EXCHANGE: "Accepts exchanged goods. The replacement is prepared.",
  SEND_COLLECTION: "Reports that the customer's parcel is on its way to the merchant.",
  COMPLETE_COLLECTION: "Reports that the customer's parcel has arrived.",
};

registerEnumType(OrderItemTrigger, {
  name: "OrderItemTrigger",
  description: "A transition of order lines that a merchant requests with moveOrderItems.",
  valuesConfig: Object.fromEntries(Object.entries(triggers).map(([word, description]) => [word, { description }])),
});

registerVocabularyEnum(HistoryCategory, "HistoryCategory", "Subject of an entry in an order item's history.", {
  ORDER: "The order.",
  PAYMENT: "The payment.",
  DELIVERY: "The delivery.",
  CANCELLATION: "The cancellation and its refund.",
  RETURN: "The return and its refund.",
  EXCHANGE: "The exchange.",
});

registerVocabularyEnum(OrderLogType, "OrderLogType", "Source of an entry in an order's log.", {
  MANAGER: "The merchant acted.",
  CUSTOMER: "The payer acted.",
  SYSTEM: "Recoup acted by itself.",
  V1: "A call of the REST interface.",
  RENEW: "The charge of a renewal, or a retry of it.",
});

registerVocabularyEnum(OrderSearchTarget, "OrderSearchTarget", "Fields of an order in which a keyword is searched.", {
  ORDER_CODE: "The code of the order.",
  PRODUCT_NAME: "The name of a product of the order.",
  CUSTOMER_NAME: "The customer's name.",
  PHONE: "The customer's phone number. Only digits are compared.",
  EMAIL: "The customer's e-mail address.",
});
