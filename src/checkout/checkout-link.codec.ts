import type { SecretVault } from "../kernel/secret-vault.ts";
import type { CheckoutOutcome } from "./checkout.return-url.ts";

/** The content of a checkout link: its order, its expiry, and the return addresses. */
export interface CheckoutLinkContent {
  vendorId: number;
  orderId: number;
  expiresAt: Date;
  /** The requested language, as it was sent; null selects the browser's. */
  language: string | null;
  /** Where the payer's browser goes afterwards; where there is no address it stays. */
  returnUrls: Readonly<Partial<Record<CheckoutOutcome, string>>>;
}

/** No other signature of ours may pass for that of a link. */
const SIGNATURE_PURPOSE = "checkout link";

const HOUR_MS = 3_600_000;

/**
 * A link is valid for a day: long enough for an e-mail to be read, and no longer than stock is reserved for an unpaid
 * order.
 */
export const LINK_TTL_MS = 24 * HOUR_MS;

/** The link as text that can stand in a path: what it says and our signature. @throws SECRETS_KEY_MISSING without a key. */
export function encodeCheckoutLink(
  { vendorId, orderId, expiresAt, language, returnUrls }: CheckoutLinkContent,
  vault: SecretVault,
): string {
  const payload = Buffer.from(JSON.stringify([vendorId, orderId, expiresAt.getTime(), language, returnUrls])).toString(
    "base64url",
  );
  return `${payload}.${vault.sign(payload, SIGNATURE_PURPOSE).toString("base64url")}`;
}

/** The content of a link, or undefined if its signature is not valid. Its expiry is checked separately. */
export function decodeCheckoutLink(text: string, vault: SecretVault): CheckoutLinkContent | undefined {
  const [, payload, signature] = /^([\w-]+)\.([\w-]{43})$/.exec(text) ?? [];
  if (payload === undefined || signature === undefined) return undefined;
  if (!vault.isSignatureValid(payload, Buffer.from(signature, "base64url"), SIGNATURE_PURPOSE)) return undefined;
  const [vendorId, orderId, expiresAt, language, returnUrls] = JSON.parse(
    Buffer.from(payload, "base64url").toString(),
  ) as [number, number, number, string | null, CheckoutLinkContent["returnUrls"]];
  return { vendorId, orderId, expiresAt: new Date(expiresAt), language, returnUrls };
}
