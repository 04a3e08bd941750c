import { InvoiceStatus, PublishMethod, PublishType } from "../../schema/vocabulary.ts";
import { registerVocabularyEnum } from "../graphql/register-enum.ts";

/* Registers the invoices' enums in GraphQL, each value with its description. */

registerVocabularyEnum(InvoiceStatus, "InvoiceStatus", "State of an invoice.", {
  TEMPORARY: "A draft. It was not sent, and can be changed and deleted.",
  RESERVATION: "Scheduled: the invoice will be sent at a given time.",
  SENT: "Sent. Its order waits for the payment.",
  PAID: "The order of the invoice is paid.",
  OVER_DUE: "The invoice was not paid by its deadline.",
  SEND_FAIL: "The delivery failed on every channel. The invoice can be sent again.",
});

registerVocabularyEnum(PublishType, "PublishType", "Time at which an invoice is sent.", {
  NOW: "At once.",
  RESERVATION: "At a given time.",
});

registerVocabularyEnum(PublishMethod, "PublishMethod", "Channel on which a message is sent to a customer.", {
  MESSENGER: "A messenger app.",
  SMS: "A text message.",
  EMAIL: "An e-mail.",
});
