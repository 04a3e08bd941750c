import type Stripe from "stripe";
import type { Network } from "../../../../schema/vocabulary.ts";
import type { ChargeOutcome, ReportedInstrument } from "../gateway-port.ts";
import { endOfCardMonth } from "../card-expiry.ts";
import { toDeclineCodes } from "./stripe-errors.ts";

/** The brands of https://docs.stripe.com/api/charges/object#charge_object-payment_method_details-card-brand. */
const networkOfBrand: Readonly<Record<string, Network>> = { visa: "VISA", mastercard: "MASTERCARD", amex: "AMEX" };

/** A card of a payment method or of a charge. */
interface ReportedCard {
  brand?: string | null;
  last4?: string | null;
  fingerprint?: string | null;
  exp_month?: number;
  exp_year?: number;
}

/** What is expanded in a response; otherwise Stripe sends only the id. */
const expanded = <T extends object>(value: T | string | null | undefined): T | undefined =>
  typeof value === "object" && value !== null ? value : undefined;

const idOf = (value: { id: string } | string | null | undefined): string | undefined =>
  typeof value === "string" ? value : value?.id;

/** The token of a stored method: Stripe charges a payment method only together with its customer. */
const toToken = (
  customer: { id: string } | string | null,
  method: { id: string } | string | null | undefined,
): string | null => {
  const ids = [idOf(customer), idOf(method)];
  return ids.every((id) => id !== undefined) ? ids.join("/") : null;
};

/** The customer and the payment method of a token. */
export const readToken = (token: string): { customer: string; method: string } => {
  const [customer = "", method = ""] = token.split("/");
  return { customer, method };
};

const toInstrument = (card: ReportedCard | null | undefined, token: string | null): ReportedInstrument => ({
  cardNumber: card?.last4 ? card.last4.padStart(16, "*") : null,
  network: card?.brand ? (networkOfBrand[card.brand] ?? "OTHER") : null,
  token,
  fingerprint: card?.fingerprint ?? null,
  expiresAt: card?.exp_year && card.exp_month ? endOfCardMonth(card.exp_year, card.exp_month) : null,
});

/**
 * The outcome of a payment by its status: https://docs.stripe.com/payments/paymentintents/lifecycle. Its `latest_charge`
 * is expanded.
 */
export function toPaymentOutcome(intent: Stripe.PaymentIntent): ChargeOutcome {
  const { id: reference, customer, payment_method: method, next_action: action, last_payment_error: error } = intent;
  const charge = expanded(intent.latest_charge);
  const card = charge?.payment_method_details?.card ?? error?.payment_method?.card;
  const token = intent.setup_future_usage === "off_session" ? toToken(customer, method) : null;
  switch (intent.status) {
    case "succeeded":
      return { kind: "APPROVED", reference, receiptUrl: charge?.receipt_url ?? "", ...toInstrument(card, token) };
    case "requires_action": {
      const url = action?.redirect_to_url?.url;
      return url ? { kind: "CHALLENGE", reference, url } : { kind: "UNKNOWN" };
    }
    case "requires_payment_method":
      return error
        ? {
            kind: "DECLINED",
            reference,
            ...toDeclineCodes({ ...error, message: error.message ?? "" }),
            ...toInstrument(card, null),
          }
        : { kind: "UNKNOWN" };
    case "canceled":
      return { kind: "CLOSED" };
    default:
      return { kind: "UNKNOWN" };
  }
}

/** The outcome of storing a method. Its `payment_method` is expanded. */
export function toSetupOutcome(intent: Stripe.SetupIntent): ChargeOutcome {
  const { id: reference, customer, next_action: action, last_setup_error: error } = intent;
  const method = expanded(intent.payment_method);
  switch (intent.status) {
    case "succeeded":
      return {
        kind: "APPROVED",
        reference,
        receiptUrl: "",
        ...toInstrument(method?.card, toToken(customer, intent.payment_method)),
      };
    case "requires_action": {
      const url = action?.redirect_to_url?.url;
      return url ? { kind: "CHALLENGE", reference, url } : { kind: "UNKNOWN" };
    }
    case "requires_payment_method":
      return error
        ? {
            kind: "DECLINED",
            reference,
            ...toDeclineCodes({ ...error, message: error.message ?? "" }),
            ...toInstrument(error.payment_method?.card, null),
          }
        : { kind: "UNKNOWN" };
    case "canceled":
      return { kind: "CLOSED" };
    default:
      return { kind: "UNKNOWN" };
  }
}

/**
 * The outcome of a payer's visit to Stripe's page: https://docs.stripe.com/api/checkout/sessions/object. The payment or the
 * set-up that the visit completed is expanded.
 */
export function toPageOutcome(session: Stripe.Checkout.Session): ChargeOutcome {
  const { id: reference, url, status } = session;
  if (status === "open") return url ? { kind: "CHALLENGE", reference, url } : { kind: "UNKNOWN" };
  if (status === "expired") return { kind: "CLOSED" };
  const payment = expanded(session.payment_intent);
  if (payment) return toPaymentOutcome(payment);
  const setup = expanded(session.setup_intent);
  return setup ? toSetupOutcome(setup) : { kind: "UNKNOWN" };
}
