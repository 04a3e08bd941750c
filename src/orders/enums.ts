import {
  HistoryCategory,
  OrderItemStatus,
  OrderItemTrigger,
  OrderItemType,
  OrderLogType,
  OrderSearchTarget,
  OrderType,
} from "../../schema/vocabulary.ts";
import { registerEnumType } from "type-graphql";
import { registerVocabularyEnum } from "../graphql/register-enum.ts";

/* The words of orders as GraphQL enums, each with what it means. */

registerVocabularyEnum(OrderType, "OrderType", "What an order is for.", {
  ONE_TIME: "A single charge: none of its plans has a cycle.",
  RECURRING_INITIAL: "The first order of a subscription: at least one of its plans has a cycle.",
  RECURRING: "A renewal.",
  PAYMENT_METHOD: "Replaces the stored payment method; its amount is 0.",
  ADD_PAYMENT_METHOD: "Stores a further payment method without using it; its amount is 0.",
  ADD_USAGE: "Raises a prepaid quota; charged at once, for the rest of the period.",
  ADDITIONAL: "Adds items to a running subscription; charged at once, for the rest of the period.",
});

registerVocabularyEnum(OrderItemType, "OrderItemType", "What a line of an order is for.", {
  SKU: "A product.",
  TAX: "Tax that is charged besides the prices.",
  SHIPPING: "The delivery fee.",
  DISCOUNT: "A discount: `discountName` says which, `relatedOrderItemId` which line it reduces.",
  FEE: "A set-up or base fee; `orderedProductName` is its name.",
  OFFLINE: "A sale that was recorded by hand.",
  ADDS: "Settles items that were added to a subscription or removed from it.",
  INSTANT: "The part of an invoice that is to be paid at once; it adds nothing to the order.",
});

registerVocabularyEnum(OrderItemStatus, "OrderItemStatus", "State of a line of an order.", {
  CREATED: "Ordered, not paid.",
  DEPOSIT_WAITING: "The customer will pay by deposit or into a virtual account; the money is awaited.",
  CANCELLED: "Cancelled before it was paid.",
  PAID: "Paid. A service stays so.",
  PAYMENT_FAILURE: "The charge failed; a later one can succeed.",

  CANCELLATION_REQUEST: "Paid; the customer asks to cancel it.",
  CANCELLATION_REQUEST_CANCELLED: "The customer no longer asks to cancel it.",
  CANCELLATION_REQUEST_DENIED: "The merchant denied the cancellation.",
  CANCELLATION_REFUNDING: "The cancellation is accepted; the refund is under way.",
  CANCELLATION_REFUNDED: "Cancelled; the whole amount was refunded.",
  CANCELLATION_REFUNDED_PARTIALLY: "Cancelled; part of the amount was refunded, the rest can be refunded later.",

  ORDER_DELIVERY_PREPARING: "It is made ready to be sent.",
  ORDER_DELIVERY_SUSPENDED: "The merchant stopped the delivery in order to cancel it.",
  ORDER_DELIVERY_ON_THE_WAY: "It is on its way to the customer.",
  ORDER_DELIVERY_COMPLETED: "The customer has it.",

  EXCHANGE_REQUEST: "The customer asks to exchange it.",
  EXCHANGE_REQUEST_CANCELLED: "The customer no longer asks to exchange it.",
  EXCHANGE_REQUEST_REJECTED: "The merchant refused the exchange before the goods came back.",
  EXCHANGE_COLLECTION_PREPARING: "The exchange is approved; the goods are to be collected.",
  EXCHANGE_COLLECTION_ON_THE_WAY: "The goods to exchange are on their way back.",
  EXCHANGE_COLLECTION_COMPLETED: "The goods to exchange have come back; the merchant examines them.",
  EXCHANGE_DELIVERY_PREPARING: "The replacement is made ready to be sent.",
  EXCHANGE_DELIVERY_ON_THE_WAY: "The replacement is on its way to the customer.",
  EXCHANGE_DELIVERY_COMPLETED: "The customer has the replacement.",
  EXCHANGE_REJECT_DELIVERY_PREPARING: "The exchange was refused; the goods are made ready to go back to the customer.",
  EXCHANGE_REJECT_DELIVERY_ON_THE_WAY: "The exchange was refused; the goods are on their way back to the customer.",
  EXCHANGE_REJECT_DELIVERY_COMPLETED: "The exchange was refused; the customer has the goods again.",
  EXCHANGE_PENDING: "The goods to exchange have come back; the merchant needs time to decide.",
  EXCHANGE_REJECTED: "The merchant refused the exchange after the goods had come back.",

  RETURN_REQUEST: "The customer asks to return it.",
  RETURN_REQUEST_CANCELLED: "The customer no longer asks to return it.",
  RETURN_REQUEST_REJECTED: "The merchant refused the return before the goods came back.",
  RETURN_COLLECTION_PREPARING: "The return is approved; the goods are to be collected.",
  RETURN_COLLECTION_ON_THE_WAY: "The returned goods are on their way back.",
  RETURN_COLLECTION_COMPLETED: "The returned goods have come back; the merchant examines them.",
  RETURN_REJECT_DELIVERY_PREPARING: "The return was refused; the goods are made ready to go back to the customer.",
  RETURN_REJECT_DELIVERY_ON_THE_WAY: "The return was refused; the goods are on their way back to the customer.",
  RETURN_REJECT_DELIVERY_COMPLETED: "The return was refused; the customer has the goods again.",
  RETURN_PENDING: "The returned goods have come back; the merchant needs time to decide.",
  RETURN_REJECTED: "The merchant refused the return after the goods had come back.",
  RETURN_REFUNDING: "The return is accepted; the refund is under way.",
  RETURN_REFUNDED: "Returned; the whole amount was refunded.",
  RETURN_REFUNDED_PARTIALLY: "Returned; part of the amount was refunded, the rest can be refunded later.",

  FINISHED_EXCHANGE_AVAILABLE: "Delivered; it can still be exchanged or returned.",
  FINISHED_RETURN_AVAILABLE: "Delivered; it can still be returned.",
  FINISHED_SUCCESSFULLY: "Delivered, and no longer to be exchanged or returned.",
});

/** What each trigger does to the lines that a merchant moves by it. */
const triggers: Readonly<Record<keyof typeof OrderItemTrigger, string>> = {
  REQUEST_CANCELLATION: "A customer asks to cancel lines that are paid.",
  WITHDRAW_CANCELLATION: "A customer takes back the request to cancel.",
  DENY_CANCELLATION: "Refuses to cancel: a service goes on, shipped goods can be sent.",
  ACCEPT_CANCELLATION: "Agrees to cancel: the lines wait for their refund.",
  PREPARE_DELIVERY: "Begins to prepare the delivery of lines, or of what goes back to the customer.",
  SUSPEND_DELIVERY: "Stops a delivery that is being prepared.",
  CANCEL_DELIVERY: "Cancels a stopped delivery: the lines wait for their refund.",
  SEND_DELIVERY: "Hands lines to the courier.",
  COMPLETE_DELIVERY: "Lines have arrived.",
  CONFIRM_RECEIPT: "The customer confirms that lines have arrived.",
  REQUEST_RETURN: "A customer asks to return lines.",
  WITHDRAW_RETURN: "A customer takes back the request to return.",
  APPROVE_RETURN: "Agrees to a return: the goods are to be collected.",
  REJECT_RETURN: "Refuses a return, before or after the goods came back.",
  POSTPONE_RETURN: "Takes time to decide about a return.",
  ACCEPT_RETURN: "Accepts returned goods: the lines wait for their refund.",
  REQUEST_EXCHANGE: "A customer asks to exchange lines.",
  WITHDRAW_EXCHANGE: "A customer takes back the request to exchange.",
  APPROVE_EXCHANGE: "Agrees to an exchange: the goods are to be collected.",
  REJECT_EXCHANGE: "Refuses an exchange, before or after the goods came back.",
  POSTPONE_EXCHANGE: "Takes time to decide about an exchange.",
  ACCEPT_EXCHANGE: "Accepts exchanged goods: the replacement is prepared.",
  SEND_COLLECTION: "The customer's parcel is on its way back.",
  COMPLETE_COLLECTION: "The customer's parcel has come back.",
};

registerEnumType(OrderItemTrigger, {
  name: "OrderItemTrigger",
  description: "A move of lines that a merchant asks for by moveOrderItems.",
  valuesConfig: Object.fromEntries(Object.entries(triggers).map(([word, description]) => [word, { description }])),
});

registerVocabularyEnum(HistoryCategory, "HistoryCategory", "What a line of an order item's history is about.", {
  ORDER: "The order itself.",
  PAYMENT: "Its payment.",
  DELIVERY: "Its delivery.",
  CANCELLATION: "Its cancellation and the refund.",
  RETURN: "Its return and the refund.",
  EXCHANGE: "Its exchange.",
});

registerVocabularyEnum(OrderLogType, "OrderLogType", "Who or what made an entry of an order's log.", {
  MANAGER: "The merchant.",
  CUSTOMER: "The payer.",
  SYSTEM: "The gateway itself.",
  V1: "A call of the REST interface.",
  RENEW: "The charge of a renewal, or a retry of it.",
});

registerVocabularyEnum(OrderSearchTarget, "OrderSearchTarget", "Where a keyword is looked for, among orders.", {
  ORDER_CODE: "In the order's code.",
  PRODUCT_NAME: "In the name of a product of the order.",
  CUSTOMER_NAME: "In the customer's name.",
  PHONE: "In the customer's phone number; digits are compared.",
  EMAIL: "In the customer's e-mail address.",
});
