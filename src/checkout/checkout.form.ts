import type { PaymentMethod } from "../../schema/vocabulary.ts";
import { Refusal } from "../kernel/refusals.ts";
import { cardOf } from "../payments/payment.card.ts";
import type { Card } from "../payments/gateways/gateway-port.ts";
import { takesCard } from "./checkout.methods.ts";

/** What can be wrong with what a payer sent. */
export type Slip = "METHOD" | "NO_NUMBER" | "NUMBER" | "NO_EXPIRY" | "EXPIRY" | "EXPIRED" | "TERMS";

/** How a payer wants to pay. */
export interface PaymentForm {
  method: PaymentMethod;
  card: Card | null;
  /** The sum that the payer saw, in plain notation. */
  amount: string;
  /** Tells one showing of the page from another, so that a form that is sent twice pays once. */
  attempt: string;
}

/** What a payer may choose, and has to agree to. */
export interface FormRules {
  ways: readonly PaymentMethod[];
  /** The terms that have a box to agree by, and whether they have to be agreed to. */
  terms: readonly { box: string; isRequired: boolean }[];
  now: Date;
}

/** Reads what a payer sent: the payment, or all that is wrong with it. */
export function readPaymentForm(
  sent: URLSearchParams,
  { ways, terms, now }: FormRules,
): { form: PaymentForm } | { slips: Slip[] } {
  const method = ways.find((way) => way === sent.get("method"));
  const slips: Slip[] = [];
  if (!method) slips.push("METHOD");
  const card = method && takesCard(method) ? readCard(sent, now, slips) : null;
  if (terms.some(({ box, isRequired }) => isRequired && sent.get(box) !== "on")) slips.push("TERMS");
  if (slips.length > 0 || !method) return { slips };
  const amount = (sent.get("amount") ?? "").slice(0, 40);
  const attempt = (sent.get("attempt") ?? "").slice(0, 64);
  return { form: { method, card: card ?? null, amount, attempt } };
}

function readCard(sent: URLSearchParams, now: Date, slips: Slip[]): Card | undefined {
  const number = sent.get("number")?.trim() ?? "";
  const typedExpiry = sent.get("expiry")?.trim() ?? "";
  const expiry = readExpiry(typedExpiry);
  if (number === "") slips.push("NO_NUMBER");
  if (typedExpiry === "") slips.push("NO_EXPIRY");
  else if (!expiry) slips.push("EXPIRY");
  // A card is good to the end of its month, wherever its holder is.
  else if (Date.UTC(expiry.expiryYear, expiry.expiryMonth) + DAY_MS <= now.getTime()) slips.push("EXPIRED");
  if (number === "") return undefined;
  try {
    return cardOf({ number, ...(expiry ?? { expiryMonth: 12, expiryYear: 2099 }) });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    slips.push("NUMBER");
    return undefined;
  }
}

const DAY_MS = 86_400_000;

/** A month and a year as people type them: 12/31, 12 / 2031, 1231. */
function readExpiry(text: string): Pick<Card, "expiryMonth" | "expiryYear"> | undefined {
  const [, month, year] =
    /^\s*(0?[1-9]|1[0-2])\s*[/. -]\s*(\d{2}|20\d{2})\s*$/.exec(text) ??
    /^\s*(0[1-9]|1[0-2])(\d{2})\s*$/.exec(text) ??
    [];
  if (month === undefined) return undefined;
  return { expiryMonth: Number(month), expiryYear: (Number(year) % 100) + 2000 };
}

/** The quantities that a payer chose, by the numbers of their lines; what is no whole number from 1 on is left out. */
export const readQuantities = (sent: URLSearchParams): Map<number, number> =>
  new Map(
    [...sent].flatMap(([name, value]) => {
      const [, itemId] = /^quantity(\d{1,15})$/.exec(name) ?? [];
      return itemId !== undefined && /^[1-9]\d{0,8}$/.test(value) ? [[Number(itemId), Number(value)] as const] : [];
    }),
  );
