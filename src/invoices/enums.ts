import { InvoiceStatus, PublishMethod, PublishType } from "../../schema/vocabulary.ts";
import { registerVocabularyEnum } from "../graphql/register-enum.ts";

/* The words of invoices as GraphQL enums, each with what it means. */

registerVocabularyEnum(InvoiceStatus, "InvoiceStatus", "State of an invoice.", {
  TEMPORARY: "A draft: it can be changed and deleted, and was not sent.",
  RESERVATION: "It will be sent at a given time.",
  SENT: "It was sent, and its order awaits the payment.",
  PAID: "Its order is paid.",
  OVER_DUE: "It was not paid by its deadline.",
  SEND_FAIL: "No channel delivered it; it can be sent again.",
});

registerVocabularyEnum(PublishType, "PublishType", "When an invoice is sent.", {
  NOW: "At once.",
  RESERVATION: "At a given time.",
});

registerVocabularyEnum(PublishMethod, "PublishMethod", "Channel on which an invoice is sent.", {
  MESSENGER: "A messenger app.",
  SMS: "A text message.",
  EMAIL: "An e-mail.",
});
