import { EventSubject, TitleLanguage } from "../../schema/vocabulary.ts";
import { registerVocabularyEnum } from "../graphql/register-enum.ts";

/* The words of events as GraphQL enums. */

registerVocabularyEnum(TitleLanguage, "TitleLanguage", "Language of the title of an event.", {
  ENGLISH: "English.",
  KOREAN: "Korean.",
});

registerVocabularyEnum(EventSubject, "EventSubject", "What an event of a timeline is about.", {
  CUSTOMER: "The customer's account.",
  SUBSCRIPTION: "A subscription.",
  ORDER: "An order.",
  ORDER_ITEM: "A line of an order.",
  INVOICE: "An invoice.",
  PAYMENT: "An attempt to charge an order.",
  REFUND: "A refund.",
  COVER: "The recovery of a charge that failed.",
});
