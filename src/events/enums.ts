import { EventSubject, TitleLanguage } from "../../schema/vocabulary.ts";
import { registerVocabularyEnum } from "../graphql/register-enum.ts";

/* The words of events as GraphQL enums. */

registerVocabularyEnum(TitleLanguage, "TitleLanguage", "Language of the title of an event.", {
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
