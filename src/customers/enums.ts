import { CustomerStatus } from "../../schema/vocabulary.ts";
import { registerVocabularyEnum } from "../graphql/register-enum.ts";

/* The words of customers as GraphQL enums. */

registerVocabularyEnum(CustomerStatus, "CustomerStatus", "State of a customer's account.", {
  NORMAL: "The account is active.",
  DORMANT:
    "The account is dormant: 12 months without an order or a sign-in, and no subscription. The next order activates it.",
});
