import { enumOf } from "./words.ts";

/** The subject of an event. Records that a merchant registered for recovery are COVER_ORDER and COVER_SUBSCRIPTION. */
export const EventSubject = enumOf(
  "CUSTOMER",
  "SUBSCRIPTION",
  "ORDER",
  "ORDER_ITEM",
  "INVOICE",
  "PAYMENT",
  "REFUND",
  "COVER",
  "COVER_ORDER",
  "COVER_SUBSCRIPTION",
  "PRODUCT",
  "PRICE_PLAN",
  "PAYMENT_METHOD",
  "POLICY",
  "MODEL",
  "KEY",
  "PERSON",
  "WEBHOOK_ENDPOINT",
  "WEBHOOK_DELIVERY",
);
export type EventSubject = keyof typeof EventSubject;

/**
 * The catalogue of events: what happened, for timelines now and for what is sent to merchants later, where ORDER_PAID is
 * `order.paid`. The part before the point is the longest subject: `payment_method.added`.
 */
export const EventType = enumOf(
  "ORDER_CREATED",
  "ORDER_PAID",
  "ORDER_PAID_LATE",
  "ORDER_PAYMENT_FAILED",
  "ORDER_CANCELED",
  "ORDER_CHANGED",
  "ORDER_REFUNDED",
  "PAYMENT_STARTED",
  "PAYMENT_SUCCEEDED",
  "PAYMENT_FAILED",
  "PAYMENT_UNKNOWN",
  "PAYMENT_DISPUTED",
  "REFUND_STARTED",
  "REFUND_SUCCEEDED",
  "REFUND_FAILED",
  "REFUND_UNKNOWN",
  "SUBSCRIPTION_CREATED",
  "SUBSCRIPTION_ACTIVATED",
  "SUBSCRIPTION_RENEWAL_STARTED",
  "SUBSCRIPTION_RENEWAL_DEFERRED",
  "SUBSCRIPTION_RENEWED",
  "SUBSCRIPTION_UNPAID",
  "SUBSCRIPTION_RECOVERED",
  "SUBSCRIPTION_CHANGED",
  "SUBSCRIPTION_USAGE_RECORDED",
  "SUBSCRIPTION_PAUSED",
  "SUBSCRIPTION_RESUMED",
  "SUBSCRIPTION_CANCELED",
  "SUBSCRIPTION_EXPIRED",
  "INVOICE_CREATED",
  "INVOICE_SCHEDULED",
  "INVOICE_SENT",
  "INVOICE_SEND_FAILED",
  "INVOICE_PAID",
  "INVOICE_OVERDUE",
  "CUSTOMER_CREATED",
  "CUSTOMER_UPDATED",
  "CUSTOMER_DORMANT",
  "CUSTOMER_REACTIVATED",
  "CUSTOMER_ERASED",
  "PAYMENT_METHOD_ADDED",
  "PAYMENT_METHOD_UPDATED",
  "PAYMENT_METHOD_EXPIRING",
  "PRODUCT_CREATED",
  "PRODUCT_UPDATED",
  "PRICE_PLAN_CREATED",
  "PRICE_PLAN_UPDATED",
  "COVER_STARTED",
  "COVER_RETRY_SCHEDULED",
  "COVER_RETRY_DUE",
  "COVER_ATTEMPT_FAILED",
  "COVER_RECOVERED",
  "COVER_EXHAUSTED",
  "COVER_STOPPED",
  "POLICY_ACTIVATED",
  "MODEL_TRAINED",
  "MODEL_FALLBACK",
  "MESSAGE_SENT",
  "MESSAGE_FAILED",
  "KEY_CREATED",
  "KEY_REVOKED",
  "KEY_SESSION_CREATED",
  "PERSON_INVITED",
  "PERSON_JOINED",
  "PERSON_ROLE_CHANGED",
  "PERSON_PASSWORD_CHANGED",
  "PERSON_REMOVED",
  "PERSON_SECOND_FACTOR_CHANGED",
  "WEBHOOK_DELIVERY_FAILED",
  "WEBHOOK_ENDPOINT_DISABLED",
);
export type EventType = keyof typeof EventType;

/** The kind of the person or program that caused an event. */
export const EventAuthorKind = enumOf("PERSON", "KEY", "WORKER", "PAYER", "PAYMENT_GATEWAY", "OPERATOR");
export type EventAuthorKind = keyof typeof EventAuthorKind;

/** Languages of sentences for people: titles of events, explanations of decisions. */
export const Language = enumOf("ENGLISH", "KOREAN");
export type Language = keyof typeof Language;
