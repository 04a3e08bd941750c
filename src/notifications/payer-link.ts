import type { Language } from "../../schema/vocabulary.ts";
import { encodePaymentMethodLink } from "../checkout/payment-method/payment-method-link.codec.ts";
import { laterInstant } from "../kernel/instants.ts";
import type { SecretVault } from "../kernel/secrets/secret-vault.ts";
import { languageTagOf } from "./rendering/message.language.ts";

const DAY_MS = 86_400_000;
/** A link in a message is valid for as long as a payer can ask for a day ahead. */
const LINK_MS = 30 * DAY_MS;

/** The page that a link opens, and its language. */
interface LinkedPage {
  vendorId: number;
  subscriptionId: number;
  customerId: number;
  language: Language;
  /** The link is valid until then at least. */
  until?: Date;
}

/** Makes links to the payer's page. It is null without a key that signs it, or an address that it begins with. */
export function toPayerLink(
  { language, until, ...subject }: LinkedPage,
  { vault, publicAddress, now }: { vault: SecretVault; publicAddress: () => string; now: Date },
): string | null {
  const address = publicAddress();
  if (address === "" || !vault.hasKey) return null;
  const usualEnd = new Date(now.getTime() + LINK_MS);
  const expiresAt = until ? laterInstant(until, usualEnd) : usualEnd;
  const content = { ...subject, expiresAt, language: languageTagOf(language) };
  return `${address}/payment-method/${encodePaymentMethodLink(content, vault)}`;
}
