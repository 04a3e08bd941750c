import { EventAuthorKind, EventSubject, EventType, Language } from "../../schema/vocabulary.ts";
import { registerVocabularyEnum } from "../graphql/register-enum.ts";

/* Registers the events' enums in GraphQL, each value with its description. */

registerVocabularyEnum(Language, "Language", "Language of a title.", {
  ENGLISH: "English.",
  KOREAN: "Korean.",
});

registerVocabularyEnum(EventAuthorKind, "EventAuthorKind", "Kind of the person or program that caused an event.", {
  PERSON: "A person who is signed in to the console.",
  KEY: "A program that sent an API key.",
  WORKER: "A worker of Recoup, which does what is due.",
  PAYER: "A payer, on a page of the checkout.",
  PAYMENT_GATEWAY: "A payment gateway, by a callback.",
  OPERATOR: "The operator of this installation, by a command.",
});

registerVocabularyEnum(EventSubject, "EventSubject", "Subject of an event.", {
  CUSTOMER: "The customer's account.",
  SUBSCRIPTION: "The subscription.",
  ORDER: "The order.",
  ORDER_ITEM: "A line of the order.",
  INVOICE: "An invoice.",
  PAYMENT: "A payment attempt of an order.",
  REFUND: "A refund.",
  COVER: "The recovery of a failed charge.",
  COVER_ORDER: "An order that a merchant registered for recovery.",
  COVER_SUBSCRIPTION: "A subscription that a merchant registered for recovery.",
  PRODUCT: "A product.",
  PRICE_PLAN: "A price plan of a product.",
  PAYMENT_METHOD: "A stored payment method of a customer.",
  POLICY: "A version of the vendor's recovery policy.",
  MODEL: "A model that chooses the times of retries.",
  KEY: "An API key.",
  PERSON: "A person who uses the console for the vendor.",
  WEBHOOK_ENDPOINT: "A webhook endpoint.",
  WEBHOOK_DELIVERY: "The delivery of an event to a webhook endpoint.",
  VENDOR: "The vendor itself.",
});

/** The meaning of each type. */
export const eventTypeMeanings: Readonly<Record<EventType, string>> = {
  ORDER_CREATED: "An order was created, or a merchant registered an order that is charged elsewhere.",
  ORDER_PAID: "An order was paid. There is one event for each of its lines.",
  ORDER_PAID_LATE: "An order that is charged elsewhere was paid although it had been cancelled.",
  ORDER_PAYMENT_FAILED: "A payment failed, and the order is unpaid. There is one event for each of its lines.",
  ORDER_CANCELED: "An order was cancelled before it was paid. There is one event for each of its lines.",
  ORDER_CHANGED:
    "An order, or one of its lines, changed in another way: a delivery, a return, new details. `trigger` names the change.",
  ORDER_REFUNDED:
    "A line was refunded, in full or in part. A later refund that does not change the line's state has only the event REFUND_SUCCEEDED.",
  PAYMENT_STARTED: "An attempt to charge an order was started.",
  PAYMENT_SUCCEEDED: "An attempt to charge an order succeeded.",
  PAYMENT_FAILED: "An attempt to charge an order failed.",
  PAYMENT_UNKNOWN: "The payment gateway gave no answer, so the outcome of the charge is unknown for now.",
  PAYMENT_DISPUTED: "The payer disputed a payment at the bank, or a dispute was won or lost. `trigger` says which.",
  REFUND_STARTED: "A refund was started.",
  REFUND_SUCCEEDED: "A refund succeeded: the money is on its way to the payer.",
  REFUND_FAILED: "The payment gateway refused a refund.",
  REFUND_UNKNOWN: "The payment gateway gave no answer, so the outcome of the refund is unknown for now.",
  SUBSCRIPTION_CREATED:
    "A subscription was created and waits for its payment method, or a merchant registered a subscription that is charged elsewhere.",
  SUBSCRIPTION_ACTIVATED:
    "A subscription started to run. If it is charged elsewhere, its cancellation, pause or expiry was undone.",
  SUBSCRIPTION_RENEWAL_STARTED: "The charge of a renewal was started.",
  SUBSCRIPTION_RENEWAL_DEFERRED: "The charge of a renewal could not be made and was deferred. No bank declined it.",
  SUBSCRIPTION_RENEWED: "A renewal was paid.",
  SUBSCRIPTION_UNPAID: "The charge of a renewal failed, and its recovery begins.",
  SUBSCRIPTION_RECOVERED: "A renewal whose charge had failed was paid.",
  SUBSCRIPTION_CHANGED:
    "A subscription changed in another way: its items, plan or interval, or a scheduled pause or cancellation. `trigger` names the change.",
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
  CUSTOMER_CREATED: "A customer was created, by a call, by an import, or at a child vendor by its first order.",
  CUSTOMER_UPDATED: "A customer's details were changed. The event names the changed fields, without their values.",
  CUSTOMER_DORMANT: "A customer became dormant after a year without an order or a sign-in.",
  CUSTOMER_REACTIVATED: "A dormant customer became active again by placing an order.",
  CUSTOMER_ERASED: "The personal data of a customer was erased. Erase it in your own systems too.",
  PAYMENT_METHOD_ADDED: "A payment method was stored for a customer.",
  PAYMENT_METHOD_UPDATED: "The payment method that renewals are charged to was replaced.",
  PAYMENT_METHOD_EXPIRING: "A stored payment method expires within 30 days. Recorded once for each expiry.",
  PRODUCT_CREATED: "A product was created, or a child vendor's product was listed.",
  PRODUCT_UPDATED:
    "A product was changed, sold out, came back into stock, or was submitted, approved or rejected. `trigger` says which.",
  PRICE_PLAN_CREATED: "A price plan was created, or listed with a child vendor's product.",
  PRICE_PLAN_UPDATED: "A price plan was changed.",
  COVER_STARTED: "A cover started: a charge failed, and its recovery began.",
  COVER_RETRY_SCHEDULED:
    "A retry was moved to a later date, because a limit of the card network forbade it on the planned date.",
  COVER_RETRY_DUE: "The date of a retry has come that the caller makes. There is one event for each date.",
  COVER_ATTEMPT_FAILED: "A retry failed.",
  COVER_RECOVERED: "A cover ended because its order was paid.",
  COVER_EXHAUSTED: "A cover ended unpaid: its retries or its time are used up, or none that is left is worth its cost.",
  COVER_STOPPED: "A cover was stopped: the order was cancelled, or the decline forbids another retry.",
  POLICY_ACTIVATED: "A recovery policy was activated. New covers follow it.",
  MODEL_TRAINED: "A recovery model of the vendor was trained and decides from then on. `recoveryModelEvents` has it.",
  MODEL_FALLBACK:
    "A recovery model was given up, or decides again; `decides` is what chooses times from then on. A model that is not the vendor's own has no `modelId`.",
  MESSAGE_SENT: "A message was sent to a customer. In a sandbox it only lies in the outbox.",
  MESSAGE_FAILED: "A message to a customer could not be delivered.",
  KEY_CREATED: "An API key was created. The event has its name, and not its token.",
  KEY_REVOKED: "An API key was revoked.",
  KEY_SESSION_CREATED:
    "An API key created a session token for a browser. The event has its id and origin, and not the token.",
  VENDOR_SETTINGS_CHANGED:
    "Settings of the vendor, of its payment gateways or of its messages were changed. `changedFields` of `facts` names what was sent, without values.",
  PERSON_INVITED: "A person was invited to use the console for the vendor.",
  PERSON_JOINED: "A person accepted the invitation and set a password.",
  PERSON_ROLE_CHANGED: "A person got another role. `facts` has the roles `from` and `to`.",
  PERSON_PASSWORD_CHANGED: "A person set a new password by a link. All sessions of the person ended.",
  PERSON_REMOVED: "A person was removed, or an invitation was withdrawn.",
  PERSON_SECOND_FACTOR_CHANGED: "A person's second factor was switched on or off. `facts` has `from` and `to`.",
  WEBHOOK_DELIVERY_FAILED:
    "An event could not be delivered to a webhook endpoint within three days. The vendor's other endpoints receive this.",
  WEBHOOK_ENDPOINT_CREATED: "A webhook endpoint was created. Webhooks do not send the event.",
  WEBHOOK_ENDPOINT_CHANGED:
    "A webhook endpoint was changed, enabled or disabled by the merchant, or its secret was replaced. `changedFields` of `facts` names what changed, without values. Webhooks do not send the event.",
  WEBHOOK_ENDPOINT_DELETED: "A webhook endpoint was deleted. Webhooks do not send the event.",
  WEBHOOK_ENDPOINT_DISABLED:
    "A webhook endpoint was disabled, because no attempt succeeded for three days or its receiver answered 410. The vendor's other endpoints receive this.",
};

registerVocabularyEnum(EventType, "EventType", "Type of an event. Later versions may add types.", eventTypeMeanings);
