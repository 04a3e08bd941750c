import Stripe from "stripe";
import { GatewayFault, type ChargeOutcome } from "../gateway-port.ts";

/** The error that Stripe reports of a failed payment: https://docs.stripe.com/api/errors. */
type ReportedError = Pick<
  Stripe.errors.StripeError,
  "code" | "decline_code" | "network_decline_code" | "network_advice_code" | "advice_code" | "message"
>;

const withoutInstrument = { cardNumber: null, network: null, token: null, fingerprint: null, expiresAt: null };

/**
 * The codes of a decline. The network's code is preferred, because the networks' rules about retries are written in it; Stripe's
 * own word stays in the message (https://docs.stripe.com/declines/codes,
 * https://docs.stripe.com/changelog/acacia/2024-12-18/network-advice-code-network-decline-code).
 */
export const toDeclineCodes = (error: ReportedError) => {
  const word = error.decline_code ?? error.code;
  return {
    code: error.network_decline_code ?? word ?? "card_declined",
    adviceCode: error.network_advice_code ?? error.advice_code ?? null,
    message: [error.message, word && `(${word})`].filter(Boolean).join(" "),
  };
};

/**
 * The outcome of a call that Stripe refused for good: a decline of the bank, or parameters that can never be charged.
 * Everything else is rethrown as a fault.
 */
export function toRefusedCharge(error: unknown): ChargeOutcome {
  const { StripeCardError, StripeInvalidRequestError } = Stripe.errors;
  if (!(error instanceof StripeCardError || error instanceof StripeInvalidRequestError)) throw toFault(error);
  return {
    kind: "DECLINED",
    reference: error.payment_intent?.id ?? null,
    ...toDeclineCodes(error),
    ...withoutInstrument,
  };
}

/** A charge that is refused before it is sent. */
export const toUnsentDecline = (code: string, message: string): ChargeOutcome => ({
  kind: "DECLINED",
  reference: null,
  code,
  adviceCode: null,
  message,
  ...withoutInstrument,
});

/**
 * An error as a fault. Wrong keys and too many requests are refused before anything is executed
 * (https://docs.stripe.com/error-low-level); after every other error the outcome is unknown.
 */
export function toFault(error: unknown): GatewayFault {
  const { StripeAuthenticationError, StripePermissionError, StripeRateLimitError } = Stripe.errors;
  if (error instanceof StripeAuthenticationError || error instanceof StripePermissionError)
    return new GatewayFault("NOT_SENT", "The gateway refuses the account's credentials; configure valid ones.");
  if (error instanceof StripeRateLimitError)
    return new GatewayFault("NOT_SENT", "The gateway received too many requests and asks to slow down.");
  return new GatewayFault("UNKNOWN", `The gateway failed: ${(error as Error).message}`);
}

/** Whether a request was refused because of its parameters or the state of its object. */
export const isInvalidRequest = (error: unknown): boolean => error instanceof Stripe.errors.StripeInvalidRequestError;

/** Whether an idempotency key was used before, with other parameters or by a request that still runs. */
export const isKeyInUse = (error: unknown): boolean => error instanceof Stripe.errors.StripeIdempotencyError;
