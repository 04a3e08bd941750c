import type { SecretVault } from "../kernel/secrets/secret-vault.ts";
import { decodeSignedValues, encodeSignedValues } from "../kernel/secrets/signed-values.ts";
import type { CheckoutOutcome } from "./checkout.return-url.ts";

/** The content of a checkout link: its order, its expiry, and the return addresses. */
export interface CheckoutLinkContent {
  vendorId: number;
  orderId: number;
  expiresAt: Date;
  /** The requested language tag. Null selects the browser's language. */
  language: string | null;
  /** Where the payer's browser is redirected for each outcome. Without an address it stays. */
  returnUrls: Readonly<Partial<Record<CheckoutOutcome, string>>>;
}

/** Signatures for other purposes are not valid for links. */
const SIGNATURE_PURPOSE = "checkout link";

/** Encodes the content of a link and its signature as a path segment. @throws SECRETS_KEY_MISSING without a key. */
export const encodeCheckoutLink = (
  { vendorId, orderId, expiresAt, language, returnUrls }: CheckoutLinkContent,
  vault: SecretVault,
): string =>
  encodeSignedValues([vendorId, orderId, expiresAt.getTime(), language, returnUrls], SIGNATURE_PURPOSE, vault);

/** Decodes a link, or returns undefined if its signature is not valid. The caller checks its expiry. */
export function decodeCheckoutLink(text: string, vault: SecretVault): CheckoutLinkContent | undefined {
  const values = decodeSignedValues(text, SIGNATURE_PURPOSE, vault);
  if (!values) return undefined;
  const [vendorId, orderId, expiresAt, language, returnUrls] = values as [
    ...[number, number, number],
    string | null,
    CheckoutLinkContent["returnUrls"],
  ];
  return { vendorId, orderId, expiresAt: new Date(expiresAt), language, returnUrls };
}
