import type { EventType } from "../../schema/vocabulary.ts";
import type { MessageSource } from "./event.message.ts";

/** An example of an event: what differs from the fields that all examples share. */
type Example = Pick<MessageSource, "subject" | "trigger" | "statusBefore" | "statusAfter"> & Partial<MessageSource>;

const won = { amount: "29000", currency: "KRW" };
const declined = { ...won, errorCode: "51" };
const nextRetry = { retryDate: "2026-03-02T01:00:00.000Z", reasonClass: "INSUFFICIENT_FUNDS" };

const ofOrder = { subjectId: 41, orderId: 41, customerId: 7 };
const ofLine = { subject: "ORDER_ITEM" as const, subjectId: 52, orderId: 41, customerId: 7 };
const ofPayment = { subject: "PAYMENT" as const, subjectId: 63, orderId: 41, customerId: 7 };
const ofRefund = { subject: "REFUND" as const, subjectId: 74, orderId: 41, customerId: 7 };
const ofSubscription = { subject: "SUBSCRIPTION" as const, subjectId: 15, subscriptionId: 15, customerId: 7 };
const ofInvoice = { subject: "INVOICE" as const, subjectId: 86, orderId: 41, customerId: 7 };
const ofCustomer = { subject: "CUSTOMER" as const, subjectId: 7, customerId: 7 };
const ofCover = { subject: "COVER" as const, subjectId: 97, coverId: 97, coverOrderId: 28, coverSubscriptionId: 19 };
const ofProduct = {
  ...{ subject: "PRODUCT" as const, subjectId: 9, actor: "MANAGER" as const },
  facts: { type: "SOFTWARE", productCode: "product_4kd8" },
};
const ofPlan = {
  ...{ subject: "PRICE_PLAN" as const, subjectId: 11, actor: "MANAGER" as const },
  ...{ statusBefore: null, statusAfter: null },
  facts: { ...won, type: "FLAT", productId: 9, priceCode: "price_81xc" },
};
const byPerson = { actor: "MANAGER" as const, authorKind: "PERSON" as const, authorId: 3 };
const ofKey = { subject: "KEY" as const, subjectId: 4, ...byPerson, facts: { keyName: "back end" } };
const ofPerson = { subject: "PERSON" as const, subjectId: 5, ...byPerson };
const inProgress = { statusBefore: "IN_PROGRESS", statusAfter: "IN_PROGRESS" };

/** One example for each type that is recorded. The page of events prints their messages. */
export const eventExamples: Readonly<Partial<Record<EventType, Example>>> = {
  ORDER_CREATED: {
    ...{ ...ofOrder, subject: "ORDER", trigger: "createOrder", statusBefore: null, statusAfter: "CREATED" },
    ...{ facts: { type: "ONE_TIME", ...won }, actor: "CUSTOMER" },
  },
  ORDER_PAID: { ...ofLine, trigger: "payOrder", statusBefore: "CREATED", statusAfter: "PAID" },
  ORDER_PAID_LATE: {
    ...{ subject: "COVER_ORDER", subjectId: 28, coverOrderId: 28, trigger: "LATE_PAYMENT", statusBefore: "CANCELED" },
    ...{ statusAfter: "PAID", facts: { from: "CANCELED", to: "PAID", canceledDate: "2026-02-27T03:00:00.000Z" } },
    actor: "MANAGER",
  },
  ORDER_PAYMENT_FAILED: { ...ofLine, trigger: "failPayment", statusBefore: "CREATED", statusAfter: "PAYMENT_FAILURE" },
  ORDER_CANCELED: {
    ...ofLine,
    trigger: "cancelOrder",
    statusBefore: "CREATED",
    statusAfter: "CANCELLED",
    actor: "MANAGER",
  },
  ORDER_CHANGED: {
    ...{ ...ofLine, trigger: "sendDelivery", statusBefore: "DELIVERY_PREPARING", statusAfter: "ORDER_DELIVERY_SENT" },
    actor: "MANAGER",
  },
  ORDER_REFUNDED: {
    ...{ ...ofLine, trigger: "refundOrderItems", statusBefore: "PAID", statusAfter: "FULL_REFUND" },
    ...{ actor: "MANAGER", reason: "The goods arrived broken." },
  },
  PAYMENT_STARTED: { ...ofPayment, trigger: "startPayment", statusBefore: null, statusAfter: "PENDING", facts: won },
  PAYMENT_SUCCEEDED: {
    ...{ ...ofPayment, trigger: "succeedPayment", statusBefore: "PENDING", statusAfter: "SUCCEEDED", facts: won },
  },
  PAYMENT_FAILED: {
    ...{ ...ofPayment, trigger: "failPayment", statusBefore: "PENDING", statusAfter: "FAILED", facts: declined },
  },
  PAYMENT_UNKNOWN: {
    ...{ ...ofPayment, trigger: "markPaymentUnknown", statusBefore: "PENDING", statusAfter: "UNKNOWN", facts: won },
  },
  PAYMENT_DISPUTED: { ...ofPayment, trigger: "openDispute", statusBefore: null, statusAfter: "OPEN", facts: won },
  REFUND_STARTED: { ...ofRefund, trigger: "startRefund", statusBefore: null, statusAfter: "PENDING", facts: won },
  REFUND_SUCCEEDED: {
    ...{ ...ofRefund, trigger: "completeRefund", statusBefore: "PENDING", statusAfter: "SUCCEEDED", facts: won },
  },
  REFUND_FAILED: {
    ...{ ...ofRefund, trigger: "refuseRefund", statusBefore: "PENDING", statusAfter: "FAILED", facts: won },
  },
  REFUND_UNKNOWN: {
    ...{ ...ofRefund, trigger: "markRefundUnknown", statusBefore: "PENDING", statusAfter: "UNKNOWN", facts: won },
  },
  SUBSCRIPTION_CREATED: {
    ...{ ...ofSubscription, trigger: "startUnconfirmedSubscription", statusBefore: null, statusAfter: "INCOMPLETE" },
    actor: "CUSTOMER",
  },
  SUBSCRIPTION_ACTIVATED: {
    ...{
      ...ofSubscription,
      trigger: "startSubscription",
      statusBefore: null,
      statusAfter: "ACTIVE",
      actor: "CUSTOMER",
    },
    facts: { nextPaymentDate: "2026-04-01T00:00:00.000Z", trialEndDate: null },
  },
  SUBSCRIPTION_RENEWAL_STARTED: {
    ...{ ...ofSubscription, trigger: "claimRenewal", statusBefore: "ACTIVE", statusAfter: "QUEUEING", orderId: 41 },
  },
  SUBSCRIPTION_RENEWAL_DEFERRED: {
    ...{ ...ofSubscription, trigger: "postponeRenewal", statusBefore: "ACTIVE", statusAfter: "ACTIVE", orderId: 41 },
    facts: { until: "2026-03-01T01:00:00.000Z" },
  },
  SUBSCRIPTION_RENEWED: {
    ...{ ...ofSubscription, trigger: "completeRenewal", statusBefore: "QUEUEING", statusAfter: "ACTIVE", orderId: 41 },
  },
  SUBSCRIPTION_UNPAID: {
    ...{ ...ofSubscription, trigger: "failRenewal", statusBefore: "QUEUEING", statusAfter: "UNPAID", orderId: 41 },
  },
  SUBSCRIPTION_RECOVERED: {
    ...{ ...ofSubscription, trigger: "recoverPayment", statusBefore: "UNPAID", statusAfter: "ACTIVE", orderId: 41 },
  },
  SUBSCRIPTION_CHANGED: {
    ...{ ...ofSubscription, trigger: "scheduleCancellation", statusBefore: "ACTIVE", statusAfter: "PENDING_CANCEL" },
    ...{ facts: { cancelAt: "2026-04-01T00:00:00.000Z" }, actor: "CUSTOMER", reason: "Too expensive." },
  },
  SUBSCRIPTION_USAGE_RECORDED: {
    ...{ ...ofSubscription, trigger: "recordUnits", statusBefore: "ACTIVE", statusAfter: "ACTIVE", actor: "MANAGER" },
    facts: { itemCode: "item_9f2", quantity: 12 },
  },
  SUBSCRIPTION_PAUSED: {
    ...{
      ...ofSubscription,
      trigger: "pauseSubscription",
      statusBefore: "ACTIVE",
      statusAfter: "PAUSE",
      actor: "MANAGER",
    },
  },
  SUBSCRIPTION_RESUMED: { ...ofSubscription, trigger: "endPause", statusBefore: "PAUSE", statusAfter: "ACTIVE" },
  SUBSCRIPTION_CANCELED: {
    ...{ ...ofSubscription, trigger: "cancelSubscription", statusBefore: "ACTIVE", statusAfter: "CANCELED" },
    actor: "CUSTOMER",
  },
  SUBSCRIPTION_EXPIRED: {
    ...{
      ...ofSubscription,
      trigger: "expireAfterRecovery",
      statusBefore: "UNPAID",
      statusAfter: "EXPIRED",
      orderId: 41,
    },
  },
  INVOICE_CREATED: {
    ...{
      ...ofInvoice,
      orderId: null,
      trigger: "draftInvoice",
      statusBefore: null,
      statusAfter: "DRAFT",
      actor: "MANAGER",
    },
  },
  INVOICE_SCHEDULED: {
    ...{ ...ofInvoice, orderId: null, trigger: "reserveInvoice", statusBefore: "DRAFT", statusAfter: "RESERVED" },
    actor: "MANAGER",
  },
  INVOICE_SENT: { ...ofInvoice, trigger: "sendInvoice", statusBefore: "RESERVED", statusAfter: "SENT" },
  INVOICE_SEND_FAILED: {
    ...{ ...ofInvoice, trigger: "failSending", statusBefore: "SENT", statusAfter: "SEND_FAIL", actor: "MANAGER" },
    reason: "The mailbox is full.",
  },
  INVOICE_PAID: { ...ofInvoice, trigger: "payInvoice", statusBefore: "SENT", statusAfter: "PAID", actor: "CUSTOMER" },
  INVOICE_OVERDUE: { ...ofInvoice, trigger: "passDeadline", statusBefore: "SENT", statusAfter: "OVER_DUE" },
  MESSAGE_SENT: {
    ...{ ...ofInvoice, trigger: "deliverMessage", statusBefore: "SENDING", statusAfter: "SENT" },
    facts: { messageId: 31, kind: "INVOICE", channel: "EMAIL" },
  },
  MESSAGE_FAILED: {
    ...{ ...ofInvoice, trigger: "failMessage", statusBefore: "SENDING", statusAfter: "FAILED" },
    ...{ facts: { messageId: 31, kind: "INVOICE", channel: "EMAIL" }, reason: "550 No such user here" },
  },
  CUSTOMER_CREATED: {
    ...{ ...ofCustomer, trigger: "registerCustomer", statusBefore: null, statusAfter: "NORMAL", actor: "MANAGER" },
  },
  CUSTOMER_UPDATED: {
    ...{ ...ofCustomer, trigger: "updateCustomer", statusBefore: "NORMAL", statusAfter: "NORMAL", actor: "MANAGER" },
    facts: { changedFields: ["phone", "shipping"] },
  },
  CUSTOMER_DORMANT: { ...ofCustomer, trigger: "makeDormant", statusBefore: "NORMAL", statusAfter: "DORMANT" },
  CUSTOMER_REACTIVATED: {
    ...{ ...ofCustomer, trigger: "wakeCustomer", statusBefore: "DORMANT", statusAfter: "NORMAL", actor: "CUSTOMER" },
  },
  CUSTOMER_ERASED: {
    ...{ ...ofCustomer, trigger: "eraseCustomer", statusBefore: "NORMAL", statusAfter: "NORMAL", actor: "MANAGER" },
  },
  PAYMENT_METHOD_ADDED: {
    ...{ subject: "PAYMENT_METHOD", subjectId: 33, customerId: 7, trigger: "storePaymentMethod", statusBefore: null },
    ...{ statusAfter: "STORED", facts: { paymentMethod: "CARD" }, actor: "CUSTOMER" },
  },
  PAYMENT_METHOD_EXPIRING: {
    ...{ subject: "PAYMENT_METHOD", subjectId: 33, customerId: 7, trigger: "announceMethodExpiry", actor: "SYSTEM" },
    ...{ statusBefore: "STORED", statusAfter: "STORED" },
    facts: { paymentMethod: "CARD", expiresAt: "2026-05-01T00:00:00.000Z" },
  },
  PAYMENT_METHOD_UPDATED: {
    ...{ ...ofSubscription, trigger: "changePaymentMethod", statusBefore: "UNPAID", statusAfter: "UNPAID" },
    ...{ facts: { methodId: 33 }, actor: "CUSTOMER" },
  },
  PRODUCT_CREATED: { ...ofProduct, trigger: "createProduct", statusBefore: null, statusAfter: "SALE" },
  PRODUCT_UPDATED: {
    ...{ ...ofProduct, trigger: "sellOut", statusBefore: "SALE", statusAfter: "OUT_OF_STOCK", actor: "SYSTEM" },
  },
  PRICE_PLAN_CREATED: { ...ofPlan, trigger: "createPricePlan" },
  PRICE_PLAN_UPDATED: { ...ofPlan, trigger: "updatePricePlan" },
  COVER_STARTED: {
    ...{
      ...ofCover,
      trigger: "RECOVERY_STARTED",
      statusBefore: null,
      statusAfter: "IN_PROGRESS",
      facts: { ...won, ...nextRetry },
    },
  },
  COVER_RETRY_SCHEDULED: {
    ...ofCover,
    ...inProgress,
    trigger: "RECOVERY_RETRY_MOVED",
    facts: { ...won, ...nextRetry },
  },
  COVER_RETRY_DUE: {
    ...{ ...ofCover, ...inProgress, trigger: "RECOVERY_RETRY_DUE" },
    facts: { ...won, retryDate: "2026-03-01T00:00:00.000Z", attempt: 2 },
  },
  COVER_ATTEMPT_FAILED: {
    ...{ ...ofCover, ...inProgress, trigger: "RECOVERY_ATTEMPT_FAILED", actor: "MANAGER" },
    facts: { ...won, attempt: 2, kind: "SCHEDULED", ...nextRetry },
  },
  COVER_RECOVERED: {
    ...{ ...ofCover, trigger: "RECOVERY_RECOVERED", statusBefore: "IN_PROGRESS", statusAfter: "RECOVERED" },
    ...{ facts: { ...won, reason: "PAID" }, actor: "MANAGER" },
  },
  COVER_EXHAUSTED: {
    ...{ ...ofCover, trigger: "RECOVERY_EXHAUSTED", statusBefore: "IN_PROGRESS", statusAfter: "EXHAUSTED" },
    facts: { ...won, reason: "NO_TRIES_LEFT" },
  },
  COVER_STOPPED: {
    ...{ ...ofCover, trigger: "RECOVERY_STOPPED", statusBefore: "IN_PROGRESS", statusAfter: "STOPPED" },
    ...{ facts: { ...won, reason: "CANCELED" }, actor: "MANAGER" },
  },
  POLICY_ACTIVATED: {
    ...{ subject: "POLICY", subjectId: 5, trigger: "activatePolicy", statusBefore: "PROPOSED", statusAfter: "ACTIVE" },
    actor: "MANAGER",
  },
  MODEL_TRAINED: {
    ...{ subject: "MODEL", subjectId: 6, trigger: "activateModel", statusBefore: null, statusAfter: "ACTIVE" },
    facts: { modelVersion: "m1-7c0f2a" },
  },
  MODEL_FALLBACK: {
    ...{ subject: "MODEL", subjectId: 6, trigger: "giveUpModel", statusBefore: "ACTIVE", statusAfter: "GIVEN_UP" },
    facts: { modelVersion: "m1-7c0f2a", decides: "PUBLISHED", reason: "MISCALIBRATED" },
  },
  KEY_CREATED: { ...ofKey, trigger: "createKey", statusBefore: null, statusAfter: "ACTIVE" },
  KEY_REVOKED: { ...ofKey, trigger: "revokeKey", statusBefore: "ACTIVE", statusAfter: "REVOKED" },
  KEY_SESSION_CREATED: {
    ...{ ...ofKey, authorKind: "KEY", authorId: 4, trigger: "createSessionToken" },
    ...{ statusBefore: "ACTIVE", statusAfter: "ACTIVE" },
    facts: { keyName: "back end", sessionId: "Zk3vQ0sW1xTn8LrA", origin: "https://shop.example.com" },
  },
  VENDOR_SETTINGS_CHANGED: {
    ...{ subject: "VENDOR", subjectId: 1, ...byPerson, trigger: "updateVendorSettings" },
    ...{ statusBefore: null, statusAfter: null, facts: { changedFields: ["finishTimes", "zoneId"] } },
  },
  PERSON_INVITED: {
    ...{ ...ofPerson, trigger: "invitePerson", statusBefore: null, statusAfter: "INVITED" },
    facts: { to: "FINANCE" },
  },
  PERSON_JOINED: {
    ...ofPerson,
    authorId: 5,
    trigger: "acceptInvitation",
    statusBefore: "INVITED",
    statusAfter: "ACTIVE",
  },
  PERSON_ROLE_CHANGED: {
    ...{ ...ofPerson, trigger: "changePersonRole", statusBefore: "ACTIVE", statusAfter: "ACTIVE" },
    facts: { from: "FINANCE", to: "SUPPORT" },
  },
  PERSON_PASSWORD_CHANGED: {
    ...{ ...ofPerson, authorId: 5, trigger: "setPassword", statusBefore: "ACTIVE", statusAfter: "ACTIVE" },
  },
  PERSON_SECOND_FACTOR_CHANGED: {
    ...{ ...ofPerson, authorId: 5, trigger: "confirmSecondFactor", statusBefore: "ACTIVE", statusAfter: "ACTIVE" },
    facts: { from: "OFF", to: "ON" },
  },
  PERSON_REMOVED: { ...ofPerson, trigger: "removePerson", statusBefore: "ACTIVE", statusAfter: "REMOVED" },
  WEBHOOK_DELIVERY_FAILED: {
    ...{ subject: "WEBHOOK_DELIVERY", subjectId: 5108, trigger: "WEBHOOK_DELIVERY_FAILED" },
    ...{ statusBefore: "PENDING", statusAfter: "FAILED" },
    facts: { endpointId: 3, eventId: "event_988", eventType: "order.paid", attempt: 17 },
  },
  WEBHOOK_ENDPOINT_CREATED: {
    ...{ subject: "WEBHOOK_ENDPOINT", subjectId: 3, ...byPerson, trigger: "createWebhookEndpoint" },
    ...{ statusBefore: null, statusAfter: "ENABLED", facts: {} },
  },
  WEBHOOK_ENDPOINT_CHANGED: {
    ...{ subject: "WEBHOOK_ENDPOINT", subjectId: 3, ...byPerson, trigger: "updateWebhookEndpoint" },
    ...{ statusBefore: "ENABLED", statusAfter: "ENABLED", facts: { changedFields: ["eventTypes", "url"] } },
  },
  WEBHOOK_ENDPOINT_DELETED: {
    ...{ subject: "WEBHOOK_ENDPOINT", subjectId: 3, ...byPerson, trigger: "deleteWebhookEndpoint" },
    ...{ statusBefore: "ENABLED", statusAfter: "DELETED", facts: {} },
  },
  WEBHOOK_ENDPOINT_DISABLED: {
    ...{ subject: "WEBHOOK_ENDPOINT", subjectId: 3, trigger: "WEBHOOK_ENDPOINT_DISABLED" },
    ...{ statusBefore: "ENABLED", statusAfter: "DISABLED" },
    facts: { reason: "FAILING", failingSince: "2026-02-26T00:00:00.000Z" },
  },
};

/** An example as the log has it. */
export const toExampleEvent = (type: EventType, example: Example): MessageSource => ({
  ...{ id: 1204, type, subjectId: 0, customerId: null, orderId: null, subscriptionId: null },
  ...{ coverOrderId: null, coverSubscriptionId: null, coverId: null, actor: "SYSTEM", reason: null, facts: {} },
  ...{
    authorKind: null,
    authorId: null,
    authorSession: null,
    notify: true,
    occurredAt: new Date("2026-03-01T00:00:00.000Z"),
  },
  ...example,
});
