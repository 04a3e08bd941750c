import { MessageKind, MessageState } from "../../schema/vocabulary.ts";
import { registerVocabularyEnum } from "../graphql/register-enum.ts";

/* Registers the enums of messages in GraphQL, each value with its description. */

registerVocabularyEnum(MessageKind, "MessageKind", "Kind of a message to a customer. Later versions may add kinds.", {
  INVOICE: "A sent invoice, with a link to pay it.",
  PAYMENT_FAILED: "The charge of a renewal failed, and is tried again. It has a link to the payer's page.",
  RETRY_COMING: "A retry is made soon. It has a link to the payer's page.",
  LAST_NOTICE: "A retry failed, and only one more is planned. It has a link to the payer's page.",
  PAYMENT_METHOD_REQUIRED: "Only another payment method can pay the renewal. It has a link to the payer's page.",
  PAYMENT_RECOVERED: "The renewal was paid after the payer was asked for help.",
  CHARGE_COMING:
    "A charge of a subscription comes, as early as `notiBeforePaymentDays` says. It has a link to the payer's page.",
  USAGE_CHARGE_COMING:
    "Metered usage is charged in 7 days: the amount so far, and a link to the payer's page. Sent for postpaid metered plans.",
  TRIAL_ENDING: "A free trial ends in 7 days, and a charge follows. It has a link to the payer's page.",
  PAYMENT_METHOD_EXPIRING:
    "The stored payment method of a subscription expires within 30 days. It has a link to the payer's page.",
  DORMANCY_COMING: "The customer becomes dormant in a month. Sent where `useDormantNotification` is on.",
});

registerVocabularyEnum(MessageState, "MessageState", "State of a message to a customer.", {
  QUEUED: "It waits for its time, or for the next attempt.",
  SENDING: "An attempt is in progress.",
  SENT: "The mail server or the adapter accepted it. In a sandbox it only lies in the outbox.",
  FAILED: "It was refused, or no attempt of a day succeeded.",
  CANCELED: "It was withdrawn before it was sent: it is not needed any more, or its channel has no sender.",
});
