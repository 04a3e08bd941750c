import type { Vault } from "../kernel/secret-vault.ts";
import type { CheckoutOutcome } from "./checkout.return-url.ts";

/** What a link to the checkout says: whose order it is, until when it holds, and what happens afterwards. */
export interface CheckoutLink {
  vendorId: number;
  orderId: number;
  expiresAt: Date;
  /** The language that was asked for, as it was sent; null is the browser's. */
  language: string | null;
  /** Where the payer's browser goes afterwards; where there is no address it stays. */
  returnUrls: Readonly<Partial<Record<CheckoutOutcome, string>>>;
}

/** No other signature of ours may pass for that of a link. */
const PURPOSE = "checkout link";

const HOUR_MS = 3_600_000;

/** A link holds for a day: long enough for a letter to be read, and no longer than stock is held for who does not pay. */
export const LINK_HOLDS_MS = 24 * HOUR_MS;

/** The link as text that can stand in a path: what it says and our signature. @throws SECRETS_KEY_MISSING without a key. */
export function writeLink({ vendorId, orderId, expiresAt, language, returnUrls }: CheckoutLink, vault: Vault): string {
  const said = Buffer.from(JSON.stringify([vendorId, orderId, expiresAt.getTime(), language, returnUrls])).toString(
    "base64url",
  );
  return `${said}.${vault.sign(said, PURPOSE).toString("base64url")}`;
}

/** What a link says, or undefined where we have not signed it as it stands. Whether it still holds is another question. */
export function readLink(text: string, vault: Vault): CheckoutLink | undefined {
  const [, said, signature] = /^([\w-]+)\.([\w-]{43})$/.exec(text) ?? [];
  if (said === undefined || !vault.hasSigned(said, Buffer.from(signature!, "base64url"), PURPOSE)) return undefined;
  const [vendorId, orderId, expiresAt, language, returnUrls] = JSON.parse(
    Buffer.from(said, "base64url").toString(),
  ) as [number, number, number, string | null, CheckoutLink["returnUrls"]];
  return { vendorId, orderId, expiresAt: new Date(expiresAt), language, returnUrls };
}
