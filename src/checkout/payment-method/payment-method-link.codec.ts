import type { SecretVault } from "../../kernel/secrets/secret-vault.ts";
import { decodeSignedValues, encodeSignedValues } from "../../kernel/secrets/signed-values.ts";

/** The content of a link to the page on which the payer of a subscription stores a payment method. */
export interface PaymentMethodLinkContent {
  vendorId: number;
  subscriptionId: number;
  /** The payer. The link is invalid for a subscription of another customer. */
  customerId: number;
  expiresAt: Date;
  /** The requested language tag. Null selects the browser's language. */
  language: string | null;
}

/** Signatures for other purposes are not valid for links. */
const SIGNATURE_PURPOSE = "payment method link";

/** Encodes the content of a link and its signature as a path segment. @throws SECRETS_KEY_MISSING without a key. */
export const encodePaymentMethodLink = (
  { vendorId, subscriptionId, customerId, expiresAt, language }: PaymentMethodLinkContent,
  vault: SecretVault,
): string =>
  encodeSignedValues([vendorId, subscriptionId, customerId, expiresAt.getTime(), language], SIGNATURE_PURPOSE, vault);

/** Decodes a link, or returns undefined if its signature is not valid. The caller checks its expiry. */
export function decodePaymentMethodLink(text: string, vault: SecretVault): PaymentMethodLinkContent | undefined {
  const values = decodeSignedValues(text, SIGNATURE_PURPOSE, vault);
  if (!values) return undefined;
  const [vendorId, subscriptionId, customerId, expiresAt, language] = values as [
    ...[number, number, number, number],
    string | null,
  ];
  return { vendorId, subscriptionId, customerId, expiresAt: new Date(expiresAt), language };
}
