import type { EventType } from "../../schema/vocabulary.ts";
import type { NewEvent } from "./event.repository.ts";
import type { EventTrigger } from "./event.titles.ts";

/** The rule for the type of an event: one type for the trigger, or a type that another column selects. */
type TypeRule =
  | EventType
  | {
      readonly by: "subject" | "statusBefore" | "statusAfter";
      readonly is: Readonly<Record<string, EventType>>;
      readonly otherwise: EventType;
    };

/** The type rules of billing events, by trigger. A trigger without a rule does not compile. */
export const eventTypes = {
  registerCustomer: "CUSTOMER_CREATED",
  updateCustomer: "CUSTOMER_UPDATED",
  makeDormant: "CUSTOMER_DORMANT",
  wakeCustomer: "CUSTOMER_REACTIVATED",
  eraseCustomer: "CUSTOMER_ERASED",

  createOrder: "ORDER_CREATED",
  awaitDeposit: "ORDER_CHANGED",
  payOrder: "ORDER_PAID",
  // A failed payment also fails each line of its order. Both events have the same trigger.
  failPayment: { by: "subject", is: { PAYMENT: "PAYMENT_FAILED" }, otherwise: "ORDER_PAYMENT_FAILED" },
  cancelOrder: "ORDER_CANCELED",
  requestCancellation: "ORDER_CHANGED",
  withdrawCancellation: "ORDER_CHANGED",
  denyCancellation: "ORDER_CHANGED",
  acceptCancellation: "ORDER_CHANGED",
  suspendDelivery: "ORDER_CHANGED",
  cancelDelivery: "ORDER_CHANGED",
  refundOrderItems: "ORDER_REFUNDED",
  refundOrderItemsInPart: "ORDER_REFUNDED",
  resumeOrderItem: "ORDER_CHANGED",
  prepareDelivery: "ORDER_CHANGED",
  sendDelivery: "ORDER_CHANGED",
  completeDelivery: "ORDER_CHANGED",
  confirmReceipt: "ORDER_CHANGED",
  finishDelivery: "ORDER_CHANGED",
  endExchangePeriod: "ORDER_CHANGED",
  endReturnPeriod: "ORDER_CHANGED",
  sendCollection: "ORDER_CHANGED",
  completeCollection: "ORDER_CHANGED",
  requestReturn: "ORDER_CHANGED",
  withdrawReturn: "ORDER_CHANGED",
  approveReturn: "ORDER_CHANGED",
  rejectReturn: "ORDER_CHANGED",
  postponeReturn: "ORDER_CHANGED",
  acceptReturn: "ORDER_CHANGED",
  requestExchange: "ORDER_CHANGED",
  withdrawExchange: "ORDER_CHANGED",
  approveExchange: "ORDER_CHANGED",
  rejectExchange: "ORDER_CHANGED",
  postponeExchange: "ORDER_CHANGED",
  acceptExchange: "ORDER_CHANGED",

  draftInvoice: "INVOICE_CREATED",
  reserveInvoice: "INVOICE_SCHEDULED",
  sendInvoice: "INVOICE_SENT",
  failSending: "INVOICE_SEND_FAILED",
  payInvoice: "INVOICE_PAID",
  passDeadline: "INVOICE_OVERDUE",

  deliverMessage: "MESSAGE_SENT",
  failMessage: "MESSAGE_FAILED",

  startPayment: "PAYMENT_STARTED",
  succeedPayment: "PAYMENT_SUCCEEDED",
  markPaymentUnknown: "PAYMENT_UNKNOWN",
  openDispute: "PAYMENT_DISPUTED",
  winDispute: "PAYMENT_DISPUTED",
  loseDispute: "PAYMENT_DISPUTED",
  startRefund: "REFUND_STARTED",
  completeRefund: "REFUND_SUCCEEDED",
  refuseRefund: "REFUND_FAILED",
  markRefundUnknown: "REFUND_UNKNOWN",

  startSubscription: "SUBSCRIPTION_ACTIVATED",
  startUnconfirmedSubscription: "SUBSCRIPTION_CREATED",
  confirmPaymentMethod: "SUBSCRIPTION_ACTIVATED",
  claimRenewal: "SUBSCRIPTION_RENEWAL_STARTED",
  completeRenewal: "SUBSCRIPTION_RENEWED",
  failRenewal: "SUBSCRIPTION_UNPAID",
  recoverPayment: "SUBSCRIPTION_RECOVERED",
  expireAfterRecovery: "SUBSCRIPTION_EXPIRED",
  pauseAfterRecovery: "SUBSCRIPTION_PAUSED",
  cancelAfterRecovery: "SUBSCRIPTION_CANCELED",
  pauseSubscription: "SUBSCRIPTION_PAUSED",
  schedulePause: "SUBSCRIPTION_CHANGED",
  startPause: "SUBSCRIPTION_PAUSED",
  endPause: "SUBSCRIPTION_RESUMED",
  // activateSubscription also withdraws a scheduled pause or cancellation.
  activateSubscription: {
    by: "statusBefore",
    is: { PAUSE: "SUBSCRIPTION_RESUMED" },
    otherwise: "SUBSCRIPTION_CHANGED",
  },
  cancelSubscription: "SUBSCRIPTION_CANCELED",
  scheduleCancellation: "SUBSCRIPTION_CHANGED",
  completeCancellation: "SUBSCRIPTION_CANCELED",
  expireSubscription: "SUBSCRIPTION_EXPIRED",
  exhaustRecovery: "SUBSCRIPTION_CHANGED",
  postponeRenewal: "SUBSCRIPTION_RENEWAL_DEFERRED",
  receiveUnscheduledPayment: "SUBSCRIPTION_CHANGED",
  storePaymentMethod: "PAYMENT_METHOD_ADDED",
  announceMethodExpiry: "PAYMENT_METHOD_EXPIRING",
  changePaymentMethod: "PAYMENT_METHOD_UPDATED",
  orderPaymentMethod: "SUBSCRIPTION_CHANGED",
  orderChange: "SUBSCRIPTION_CHANGED",
  addItem: "SUBSCRIPTION_CHANGED",
  removeItem: "SUBSCRIPTION_CHANGED",
  changeQuantity: "SUBSCRIPTION_CHANGED",
  changePlan: "SUBSCRIPTION_CHANGED",
  schedulePlanChange: "SUBSCRIPTION_CHANGED",
  withdrawPlanChange: "SUBSCRIPTION_CHANGED",
  changeInterval: "SUBSCRIPTION_CHANGED",
  recordUnits: "SUBSCRIPTION_USAGE_RECORDED",

  startRecovery: "COVER_STARTED",
  failRetry: "COVER_ATTEMPT_FAILED",
  moveRetry: "COVER_RETRY_SCHEDULED",
  retryWithNewMethod: "COVER_RETRY_SCHEDULED",
  promiseRetry: "COVER_RETRY_SCHEDULED",
  endRecovery: {
    by: "statusAfter",
    is: { RECOVERED: "COVER_RECOVERED", EXHAUSTED: "COVER_EXHAUSTED" },
    otherwise: "COVER_STOPPED",
  },
} as const satisfies Record<EventTrigger, TypeRule>;

/** The type of a billing event. It is stored with the event. */
export function toEventType(
  event: Pick<NewEvent, "subject" | "statusBefore" | "statusAfter"> & { trigger: EventTrigger },
): EventType {
  const rule: TypeRule = eventTypes[event.trigger];
  return typeof rule === "string" ? rule : (rule.is[event[rule.by] ?? ""] ?? rule.otherwise);
}
