import { GatewayFault, type ChargeOutcome } from "../gateway-port.ts";

/** An error that Toss answered: https://docs.tosspayments.com/reference/error-codes. */
export class TossError extends Error {
  override readonly name = "TossError";
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

/** Errors of the account or of the rate, after which nothing was executed. */
const notExecuted: ReadonlySet<string> = new Set([
  "FORBIDDEN_CONSECUTIVE_REQUEST",
  "FORBIDDEN_REQUEST",
  "INCORRECT_BASIC_AUTH_FORMAT",
  "INVALID_API_KEY",
  "INVALID_IDEMPOTENCY_KEY",
  "TOO_MANY_REQUESTS",
  "UNAUTHORIZED_KEY",
]);

/** Errors of a look-up of a payment that does not exist. */
const notFound: ReadonlySet<string> = new Set(["NOT_FOUND_PAYMENT", "NOT_FOUND"]);

/**
 * The beginnings of the codes with which Toss refuses for good (https://docs.tosspayments.com/reference/error-codes). After other
 * codes, such as PROVIDER_ERROR or ALREADY_PROCESSED_PAYMENT, the charge may have been made: it is looked up.
 */
const refusal = /^(?:BELOW|BILLING_KEY|EXCEED|FDS|INVALID|NOT|REJECT|RESTRICTED)_/;

const MAX_LENGTH = 500;

/** Whether Toss refused for good, so that nothing was or will be charged. */
export const isRefusal = (error: unknown): error is TossError =>
  error instanceof TossError && error.status < 500 && !notExecuted.has(error.code) && refusal.test(error.code);

/** Whether a payment does not exist. */
export const isNotFound = (error: unknown): boolean => error instanceof TossError && notFound.has(error.code);

/** Errors that say that a charge runs or ran already. */
const processed: ReadonlySet<string> = new Set([
  "ALREADY_PROCESSED_PAYMENT",
  "ALREADY_PROCESSING_REQUEST",
  "DUPLICATED_ORDER_ID",
  "IDEMPOTENT_REQUEST_PROCESSING",
]);

/** Whether a charge with the same idempotency key or order id runs or ran already. */
export const isProcessed = (error: unknown): boolean => error instanceof TossError && processed.has(error.code);

/**
 * The refusals of the calls that close a charge: another customer's billing key, an unknown payment, a key that no payer
 * brought back. The code of the last was found on no page; INVALID_REQUEST and codes that name the key are taken for it.
 */
const closing = /^(?:NOT_MATCHES_CUSTOMER_KEY|NOT_FOUND_PAYMENT(?:_SESSION)?|INVALID_REQUEST|\w*AUTH_?KEY\w*)$/;

/** Whether Toss refused a call that closes a charge. */
export const isClosing = (error: TossError): boolean => closing.test(error.code);

/** Whether Toss answered an error of its own, of which it is not known whether it counts as the key's answer. */
export const isUndecided = (error: TossError): boolean =>
  error.status >= 500 || error.status === 429 || notExecuted.has(error.code);

/** An error as a fault. */
export function toFault(error: unknown): GatewayFault {
  if (error instanceof GatewayFault) return error;
  if (error instanceof TossError && (notExecuted.has(error.code) || error.status === 429))
    return new GatewayFault("NOT_SENT", `The gateway refuses the account's requests: ${error.code}. ${error.message}`);
  const message = error instanceof TossError ? `${error.code}. ${error.message}` : (error as Error).message;
  return new GatewayFault("UNKNOWN", `The gateway failed: ${message}`);
}

/** A decline with a code of Toss. Toss sends no advice of the networks. */
export const toDecline = (code: string, message: string, reference: string | null = null): ChargeOutcome => ({
  kind: "DECLINED",
  reference,
  code: code.slice(0, MAX_LENGTH),
  adviceCode: null,
  message: message.slice(0, MAX_LENGTH),
  cardNumber: null,
  network: null,
  token: null,
  fingerprint: null,
  expiresAt: null,
});
