import { passesLuhn } from "../kernel/secrets/card-mask.ts";
import { invalidField } from "../kernel/refusals.ts";
import type { Card } from "./gateways/gateway-port.ts";

/** A card as it was typed, its number without spaces. @throws a Refusal that names the invalid fields. */
export function parseCard({ number, expiryMonth, expiryYear }: Card): Card {
  const digits = number.replace(/[ -]/g, "");
  if (!/^\d{12,19}$/.test(digits)) throw invalidField("card.number", "must have 12 to 19 digits.");
  if (!passesLuhn(digits)) throw invalidField("card.number", "must be the number of a card: its check digit is wrong.");
  if (expiryMonth < 1 || expiryMonth > 12) throw invalidField("card.expiryMonth", "must be from 1 to 12.");
  if (expiryYear < 2000 || expiryYear > 2099) throw invalidField("card.expiryYear", "must have four digits.");
  return { number: digits, expiryMonth, expiryYear };
}
