import {
  AppStatus,
  CustomDomainStatus,
  DeliveryChargeType,
  KeyScope,
  PermissionArea,
  PersonRole,
  PersonState,
} from "../../schema/vocabulary.ts";
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
  ADMIN:
    "Mutations of settings, gateways, child vendors, webhooks, people and keys, and of a sandbox's clock; also what SESSIONS permits.",
  SESSIONS: "The mutation `createSessionToken`, and nothing else.",
});

registerVocabularyEnum(PersonRole, "PersonRole", "What a person may do for the vendor. Everyone reads everything.", {
  OWNER: "Everything, also settings, people and keys.",
  FINANCE: "Customers, orders, subscriptions, money, products and recovery.",
  SUPPORT: "Customers, orders without their payment, subscriptions, and links for payers.",
  READ_ONLY: "No changes.",
});

registerVocabularyEnum(PermissionArea, "PermissionArea", "Part of the API whose mutations are permitted together.", {
  SUPPORT: "Customers, orders without their payment, subscriptions, usage, and links for payers.",
  MONEY: "Payments, refunds, deposits and invoices.",
  CATALOGUE: "Products and price plans.",
  RECOVERY: "Covers, registered records, recovery policies, experiments and models.",
  ADMIN: "Settings, gateways, child vendors, webhooks, people, keys, erasures, and a sandbox's clock.",
  SESSIONS: "Tokens for a merchant's own pages.",
});

registerVocabularyEnum(PersonState, "PersonState", "State of a person's account.", {
  INVITED: "The person has not set a password yet.",
  ACTIVE: "The person can sign in.",
  REMOVED: "The person can no longer sign in.",
});
