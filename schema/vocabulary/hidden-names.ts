import { PublishMethod } from "./invoices.ts";
import { PaymentGateway, PaymentMethod } from "./payments.ts";

/**
 * Field and parameter names of the contract that replace a hidden or unknown name. A vocabulary file may map them even
 * if no route uses them yet.
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

/** Enum values of the contract that replace a hidden company name, by their list. */
export const hiddenEnumValues = {
  PaymentGateway: Object.values(PaymentGateway).filter((word) => word !== "EMPTY" && word !== "UNKNOWN"),
  PaymentMethod: [PaymentMethod.ONLINE_WALLET],
  PublishMethod: [PublishMethod.MESSENGER],
} as const;
