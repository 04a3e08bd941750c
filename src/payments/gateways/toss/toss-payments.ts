import { createHash } from "node:crypto";
import { z } from "zod";
import type { Network } from "../../../../schema/vocabulary.ts";
import { toAmount, type Amount } from "../../../kernel/amounts.ts";
import type { ChargeOutcome, RefundOutcome, ReportedInstrument } from "../gateway-port.ts";
import { toDecline } from "./toss-errors.ts";

const amountSchema = z.union([z.number(), z.string()]).transform((value) => toAmount(value));

/** The Payment object, as far as it is read: https://docs.tosspayments.com/reference#payment-객체. */
export const paymentSchema = z.object({
  paymentKey: z.string().min(1),
  orderId: z.string(),
  status: z.string(),
  currency: z.string(),
  totalAmount: amountSchema,
  card: z.object({ number: z.string().nullish() }).nullish(),
  receipt: z.object({ url: z.string() }).nullish(),
  failure: z.object({ code: z.string().min(1), message: z.string() }).nullish(),
  cancels: z
    .array(z.object({ transactionKey: z.string().min(1), cancelReason: z.string(), cancelAmount: amountSchema }))
    .nullish(),
});

export type TossPayment = z.output<typeof paymentSchema>;

/** A stored card: Toss charges a billing key only together with its customer key. */
export interface BillingCard {
  customerKey: string;
  billingKey: string;
}

/** The Billing object: https://docs.tosspayments.com/reference#billing-객체. */
export const billingSchema = z.object({
  billingKey: z.string().min(1),
  customerKey: z.string().min(1),
  card: z.object({ number: z.string().nullish() }).nullish(),
});

export type TossBilling = z.output<typeof billingSchema>;

/** The token of a stored card. A customer key contains no slash, a billing key may. */
export const toToken = ({ customerKey, billingKey }: BillingCard): string => `${customerKey}/${billingKey}`;

/** The customer key and the billing key of a token; a token that was imported without a customer key has an empty one. */
export function readToken(token: string): BillingCard {
  const end = token.indexOf("/");
  return { customerKey: token.slice(0, Math.max(end, 0)), billingKey: token.slice(end + 1) };
}

/** The first digits of the networks' numbers (ISO/IEC 7812). Toss names the issuer of a card, and not its network. */
const networkOfNumber: readonly (readonly [RegExp, Network])[] = [
  [/^4/, "VISA"],
  [/^(?:5[1-5]|2[2-7])/, "MASTERCARD"],
  [/^3[47]/, "AMEX"],
];

const SHOWN_DIGITS = 4;
const NUMBER_LENGTH = 16;

/**
 * A card as Toss reports it, by its masked number. Toss does not tell the same card again, so that its billing key is the
 * fingerprint.
 */
export const toInstrument = (number: string | null | undefined, card: BillingCard | null): ReportedInstrument => ({
  cardNumber: number ? number.slice(-SHOWN_DIGITS).padStart(NUMBER_LENGTH, "*") : null,
  network: number ? (networkOfNumber.find(([digits]) => digits.test(number))?.[1] ?? "OTHER") : null,
  token: card && toToken(card),
  fingerprint: card && createHash("sha256").update(card.billingKey).digest("base64url"),
  // The card in Toss's responses has no expiry: https://docs.tosspayments.com/reference
  expiresAt: null,
});

/** The amount and the currency of a charge. */
interface ChargedAmount {
  amount: Amount;
  currency: string;
}

/**
 * The outcome of a payment by its status (https://docs.tosspayments.com/reference#payment-객체). Its amount is compared, because
 * any browser can request a payment with the public client key.
 */
export function toPaymentOutcome(
  { paymentKey: reference, status, failure, totalAmount, currency, card, receipt }: TossPayment,
  expected: ChargedAmount,
): ChargeOutcome {
  switch (status) {
    case "DONE":
    case "CANCELED":
    case "PARTIAL_CANCELED":
      if (!totalAmount.eq(expected.amount) || currency !== expected.currency) return { kind: "UNKNOWN" };
      return {
        kind: "APPROVED",
        reference,
        receiptUrl: receipt?.url ?? "",
        ...toInstrument(card?.number, null),
      };
    case "ABORTED":
      return toDecline(failure?.code ?? "PAYMENT_ABORTED", failure?.message ?? "", reference);
    case "EXPIRED":
      return { kind: "CLOSED" };
    default:
      return { kind: "UNKNOWN" };
  }
}

/** The reason of a cancellation, by which a refund is found again. */
export const toCancelReason = (idempotencyKey: string): string => `Refund ${idempotencyKey}`;

/** The outcome of a refund in the cancellations of its payment. */
export function toRefundOutcome({ cancels }: TossPayment, idempotencyKey: string): RefundOutcome {
  const cancel = cancels?.find(({ cancelReason }) => cancelReason === toCancelReason(idempotencyKey));
  return cancel ? { kind: "REFUNDED", reference: cancel.transactionKey } : { kind: "UNKNOWN" };
}
