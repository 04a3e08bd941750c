import type { Network, PaymentGateway, ReasonClass } from "../../schema/vocabulary.ts";
import { isFaultCode } from "../payments/gateways/payment.faults.ts";
import { classifyDecline } from "../recovery/engine/decline.ts";

/** The payment failures that a payer sees. They reveal only what helps the payer to pay. */
export type PaymentFailureKind =
  "FUNDS" | "LIMIT" | "BANK" | "TECHNICAL" | "RESTRICTED" | "DATA" | "CONFIRM" | "CARD" | "ALREADY_PAID";

/** The payment failure that a payer sees for each reason class. Suspected fraud and lost cards are not revealed. */
const failureKindOfClass: Record<ReasonClass, PaymentFailureKind> = {
  INSUFFICIENT_FUNDS: "FUNDS",
  LIMIT_EXCEEDED: "LIMIT",
  GENERIC_REFUSAL: "BANK",
  TECHNICAL: "TECHNICAL",
  SUSPECTED_FRAUD: "BANK",
  RESTRICTED: "RESTRICTED",
  FIX_DATA_FIRST: "DATA",
  CUSTOMER_MUST_ACT: "CONFIRM",
  NEVER: "CARD",
  ALREADY_PAID: "ALREADY_PAID",
  UNKNOWN: "BANK",
};

/** A stored failed payment. */
export interface DeclinedPayment {
  errorCode: string | null;
  errorMessage: string | null;
  adviceCode: string | null;
  network: Network | null;
  paymentGateway: PaymentGateway;
}

/** Classifies a failed payment for its payer. */
export function toPaymentFailureKind(payment: DeclinedPayment): PaymentFailureKind {
  const { errorCode: code, errorMessage: message, adviceCode, network, paymentGateway: gateway } = payment;
  if (isFaultCode(code)) return "TECHNICAL";
  return failureKindOfClass[classifyDecline({ code, message, adviceCode, network }, { gateway })];
}
