import { PublishMethod } from "./invoices.ts";
import { PaymentGateway, PaymentMethod } from "./payments.ts";

/**
 * Field and parameter names of the contract that stand for a name which is hidden or was never shown.
 * A vocabulary file may map them even where no route uses them yet.
 */
export const hiddenFieldNames = [
  "paymentGateway",
  "region",
  "temporary",
  "marketingMessenger",
  "cmsIntegration",
  "realmIdentityProviderId",
  "checkFailBuilder",
] as const;

/** Enum values of the contract that stand for a hidden company name, by the list that they belong to. */
export const hiddenEnumValues = {
  PaymentGateway: Object.values(PaymentGateway).filter((word) => word !== "EMPTY" && word !== "UNKNOWN"),
  PaymentMethod: [PaymentMethod.ONLINE_WALLET],
  PublishMethod: [PublishMethod.MESSENGER],
} as const;
