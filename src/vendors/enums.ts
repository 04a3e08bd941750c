import { AppStatus, CustomDomainStatus, DeliveryChargeType, KeyScope } from "../../schema/vocabulary.ts";
import { registerVocabularyEnum } from "../graphql/register-enum.ts";

/* Registers the vendors' enums in GraphQL, each value with its description. */

registerVocabularyEnum(DeliveryChargeType, "DeliveryChargeType", "Rule by which a vendor charges for delivery.", {
  FREE: "Delivery is free.",
  FIXED: "A fixed fee for each order.",
  FREE_OVER_AMOUNT: "A fixed fee. Orders of at least a given amount are delivered free.",
});

registerVocabularyEnum(CustomDomainStatus, "CustomDomainStatus", "Status of a vendor's own domain.", {
  NONE: "The vendor has no own domain.",
  PENDING: "Requested. The domain does not point to this service yet.",
  CONNECTED: "The domain points to this service.",
  FAILED: "The domain could not be connected.",
});

registerVocabularyEnum(AppStatus, "AppStatus", "Status of a vendor's app.", {
  ACTIVE: "The app is in use.",
  INACTIVE: "The app is not in use.",
});

registerVocabularyEnum(KeyScope, "KeyScope", "What an API key may be used for.", {
  READ: "Queries and streams of events.",
  WRITE: "Mutations of customers, orders, subscriptions, payments, invoices and products.",
  RECOVERY: "Mutations of covers, registered records, recovery policies, experiments and models.",
  ADMIN: "Mutations of settings, gateways, child vendors, webhooks, people and keys, and of a sandbox's clock.",
});
