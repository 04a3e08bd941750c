import { AppStatus, CustomDomainStatus, DeliveryChargeType } from "../../schema/vocabulary.ts";
import { registerVocabularyEnum } from "../graphql/register-enum.ts";

/* The words of vendors as GraphQL enums, each with what it means. */

registerVocabularyEnum(DeliveryChargeType, "DeliveryChargeType", "How a vendor charges for delivery.", {
  FREE: "Not at all.",
  FIXED: "A fixed fee for each order.",
  FREE_OVER_AMOUNT: "A fixed fee, but none for orders of at least a given amount.",
});

registerVocabularyEnum(CustomDomainStatus, "CustomDomainStatus", "How far a vendor's own domain is connected.", {
  NONE: "There is none.",
  PENDING: "Asked for; the domain does not lead here yet.",
  CONNECTED: "The domain leads here.",
  FAILED: "The domain could not be connected.",
});

registerVocabularyEnum(AppStatus, "AppStatus", "Whether an app of a vendor is in use.", {
  ACTIVE: "It is.",
  INACTIVE: "It is not.",
});
