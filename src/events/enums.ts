import { EventSubject, EventType, Language } from "../../schema/vocabulary.ts";
import { registerVocabularyEnum } from "../graphql/register-enum.ts";

/* The words of events as GraphQL enums. */

registerVocabularyEnum(Language, "Language", "Language of a text for people.", {
  ENGLISH: "English.",
  KOREAN: "Korean.",
});

registerVocabularyEnum(EventSubject, "EventSubject", "Subject of a timeline event.", {
  CUSTOMER: "The customer's account.",
  SUBSCRIPTION: "The subscription.",
  ORDER: "The order.",
  ORDER_ITEM: "A line of the order.",
  INVOICE: "An invoice.",
  PAYMENT: "A payment attempt of an order.",
  REFUND: "A refund.",
  COVER: "The recovery of a failed charge.",
});

registerVocabularyEnum(EventType, "EventType", "What happened. New types may join the list in later versions.", {
  ORDER_CREATED: "An order was created, or a merchant registered one that it charges elsewhere.",
  ORDER_PAID: "An order was paid. An order of three lines has three such events, one a line.",
  ORDER_PAID_LATE: "An order that is charged elsewhere was paid although it had been cancelled.",
  ORDER_PAYMENT_FAILED: "A payment failed, and the order is unpaid. There is one event for each of its lines.",
  ORDER_CANCELED: "An order was cancelled before it was paid. There is one event for each of its lines.",
  ORDER_CHANGED:
    "An order, or one of its lines, changed in another way: a delivery, a return, new details. `trigger` and the two states say how.",
  ORDER_REFUNDED:
    "A line was refunded, in full or in part. A later refund that leaves the line in its state is REFUND_SUCCEEDED alone.",
  PAYMENT_STARTED: "An attempt to charge an order was started.",
  PAYMENT_SUCCEEDED: "An attempt to charge an order succeeded.",
  PAYMENT_FAILED: "An attempt to charge an order failed.",
  PAYMENT_UNKNOWN: "The payment gateway gave no answer, so the outcome of the charge is unknown for now.",
  PAYMENT_DISPUTED: "The payer disputed a payment at the bank. Nothing records it yet.",
  REFUND_STARTED: "A refund was started.",
  REFUND_SUCCEEDED: "A refund succeeded: the money is on its way to the payer.",
  REFUND_FAILED: "The payment gateway refused a refund.",
  REFUND_UNKNOWN: "The payment gateway gave no answer, so the outcome of the refund is unknown for now.",
  SUBSCRIPTION_CREATED:
    "A subscription was created that waits for its payment method, or a merchant registered one that it charges elsewhere.",
  SUBSCRIPTION_ACTIVATED:
    "A subscription began to run. For one that is charged elsewhere: its cancellation, pause or expiry was undone.",
  SUBSCRIPTION_RENEWAL_STARTED: "The charge of a renewal was started.",
  SUBSCRIPTION_RENEWAL_DEFERRED:
    "The charge of a renewal was deferred, because it could not be made; no bank declined it.",
  SUBSCRIPTION_RENEWED: "A renewal was paid.",
  SUBSCRIPTION_UNPAID: "The charge of a renewal failed, and its recovery begins.",
  SUBSCRIPTION_RECOVERED: "A renewal whose charge had failed was paid.",
  SUBSCRIPTION_CHANGED:
    "A subscription changed in another way: its items, its plan, its interval, a pause or a cancellation that is scheduled. `trigger` says how.",
  SUBSCRIPTION_USAGE_RECORDED: "Usage was recorded for a metered item.",
  SUBSCRIPTION_PAUSED: "A subscription was paused, by a call, on its scheduled date, or by the recovery policy.",
  SUBSCRIPTION_RESUMED: "A paused subscription runs again.",
  SUBSCRIPTION_CANCELED: "A subscription was cancelled, by a call, on its scheduled date, or by the recovery policy.",
  SUBSCRIPTION_EXPIRED: "A subscription expired, on its end date or by the recovery policy.",
  INVOICE_CREATED: "A draft of an invoice was created. An invoice that is sent or scheduled at once has no such event.",
  INVOICE_SCHEDULED: "The sending of an invoice was scheduled.",
  INVOICE_SENT: "An invoice was sent.",
  INVOICE_SEND_FAILED: "No channel could deliver an invoice.",
  INVOICE_PAID: "An invoice was paid.",
  INVOICE_OVERDUE: "The deadline of an unpaid invoice passed.",
  CUSTOMER_CREATED: "A customer was created. Nothing records it yet.",
  CUSTOMER_UPDATED: "A customer's details were changed. Nothing records it yet.",
  CUSTOMER_DORMANT: "A customer became dormant after a year without an order or a sign-in.",
  CUSTOMER_REACTIVATED: "A dormant customer became active again by placing an order.",
  PAYMENT_METHOD_ADDED: "A payment method was stored. Nothing records it yet.",
  PAYMENT_METHOD_UPDATED: "The payment method that renewals are charged to was replaced.",
  PAYMENT_METHOD_EXPIRING: "A stored payment method expires soon. Nothing records it yet.",
  PRODUCT_CREATED: "A product was created. Nothing records it yet.",
  PRODUCT_UPDATED: "A product was changed. Nothing records it yet.",
  PRICE_PLAN_CREATED: "A price plan was created. Nothing records it yet.",
  PRICE_PLAN_UPDATED: "A price plan was changed. Nothing records it yet.",
  COVER_STARTED: "A cover started: a charge failed, and its recovery began.",
  COVER_RETRY_SCHEDULED:
    "A retry was moved to a later date, because a limit of the card network forbade it on its first.",
  COVER_RETRY_DUE: "The date of a retry has come. Nothing records it yet.",
  COVER_ATTEMPT_FAILED: "A retry failed.",
  COVER_RECOVERED: "A cover ended because the money came.",
  COVER_EXHAUSTED: "A cover ended without the money: its retries or its time are used up.",
  COVER_STOPPED: "A cover was stopped: the order was cancelled, or the decline forbids another retry.",
  POLICY_ACTIVATED: "A recovery policy was activated. Nothing records it yet.",
  MODEL_TRAINED: "A recovery model was trained. Nothing records it yet.",
  MODEL_FALLBACK: "A decision was made without a recovery model, because none could be used. Nothing records it yet.",
  MESSAGE_SENT: "A message was sent to a customer. Nothing records it yet.",
  MESSAGE_FAILED: "A message could not be delivered. Nothing records it yet.",
  KEY_CREATED: "An API key was created. Nothing records it yet.",
  KEY_REVOKED: "An API key was revoked. Nothing records it yet.",
});
