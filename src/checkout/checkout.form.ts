import type { PaymentMethod } from "../../schema/vocabulary.ts";
import { Refusal } from "../kernel/refusals.ts";
import { parseCard } from "../payments/payment.card.ts";
import type { Card } from "../payments/gateways/gateway-port.ts";

/** The possible errors in a payer's form. */
export type FormError = "METHOD" | "NO_NUMBER" | "NUMBER" | "NO_EXPIRY" | "EXPIRY" | "EXPIRED" | "TERMS";

/** The values of a valid payment form. */
export interface PaymentForm {
  method: PaymentMethod;
  card: Card | null;
  /** The amount that the payer saw, as a plain decimal number. */
  amount: string;
  /** The id of a page view, so that a form that is sent twice pays once. */
  attempt: string;
}

/** The allowed payment methods and the terms, which a form is checked against. */
export interface FormRules {
  methods: readonly PaymentMethod[];
  /** The methods for which the form has a card. */
  typedCardMethods: readonly PaymentMethod[];
  /** The terms with a check box, and whether each must be accepted. */
  terms: readonly { box: string; isRequired: boolean }[];
  now: Date;
}

/** Reads a payment form. @returns the form's values, or all its errors. */
export function readPaymentForm(
  fields: URLSearchParams,
  { methods, typedCardMethods, terms, now }: FormRules,
): { form: PaymentForm } | { formErrors: FormError[] } {
  const method = methods.find((allowed) => allowed === fields.get("method"));
  const errors: FormError[] = [];
  if (!method) errors.push("METHOD");
  const card = method && typedCardMethods.includes(method) ? readCard(fields, now, errors) : null;
  if (terms.some(({ box, isRequired }) => isRequired && fields.get(box) !== "on")) errors.push("TERMS");
  if (errors.length > 0 || !method) return { formErrors: errors };
  const amount = (fields.get("amount") ?? "").slice(0, 40);
  const attempt = (fields.get("attempt") ?? "").slice(0, 64);
  return { form: { method, card: card ?? null, amount, attempt } };
}

function readCard(fields: URLSearchParams, now: Date, errors: FormError[]): Card | undefined {
  const number = fields.get("number")?.trim() ?? "";
  const typedExpiry = fields.get("expiry")?.trim() ?? "";
  const expiry = readExpiry(typedExpiry);
  if (number === "") errors.push("NO_NUMBER");
  if (typedExpiry === "") errors.push("NO_EXPIRY");
  else if (!expiry) errors.push("EXPIRY");
  // A card is valid to the end of its month in every time zone.
  else if (Date.UTC(expiry.expiryYear, expiry.expiryMonth) + DAY_MS <= now.getTime()) errors.push("EXPIRED");
  if (number === "") return undefined;
  try {
    return parseCard({ number, ...(expiry ?? { expiryMonth: 12, expiryYear: 2099 }) });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    errors.push("NUMBER");
    return undefined;
  }
}

const DAY_MS = 86_400_000;

/** Reads a month and a year in the forms 12/31, 12 / 2031 and 1231. */
function readExpiry(text: string): Pick<Card, "expiryMonth" | "expiryYear"> | undefined {
  const [, month, year] =
    /^\s*(0?[1-9]|1[0-2])\s*[/. -]\s*(\d{2}|20\d{2})\s*$/.exec(text) ??
    /^\s*(0[1-9]|1[0-2])(\d{2})\s*$/.exec(text) ??
    [];
  if (month === undefined) return undefined;
  return { expiryMonth: Number(month), expiryYear: (Number(year) % 100) + 2000 };
}

/** Reads the chosen quantities by the ids of their lines. Values that are not positive integers are ignored. */
export const readQuantities = (fields: URLSearchParams): Map<number, number> =>
  new Map(
    [...fields].flatMap(([name, value]) => {
      const [, itemId] = /^quantity(\d{1,15})$/.exec(name) ?? [];
      return itemId !== undefined && /^[1-9]\d{0,8}$/.test(value) ? [[Number(itemId), Number(value)] as const] : [];
    }),
  );
