import { CustomerStatus } from "../../schema/vocabulary.ts";
import { registerVocabularyEnum } from "../graphql/register-enum.ts";

/* The words of customers as GraphQL enums. */

registerVocabularyEnum(CustomerStatus, "CustomerStatus", "State of a customer's account.", {
  NORMAL: "In use.",
  DORMANT: "Asleep: 12 months without an order or a sign-in, and no subscription lives. The next order wakes it.",
});
