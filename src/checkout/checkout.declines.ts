import type { Network, PaymentGateway, ReasonClass } from "../../schema/vocabulary.ts";
import { isFaultCode } from "../payments/gateways/payment.faults.ts";
import { classifyDecline } from "../recovery/engine/decline.ts";

/** What a payer is told of a payment that failed: no more than helps to pay after all. */
export type PaymentFailureKind =
  "FUNDS" | "LIMIT" | "BANK" | "TECHNICAL" | "RESTRICTED" | "DATA" | "CONFIRM" | "CARD" | "TWICE";

/** What each class of declines comes to for a payer. Who is suspected, or whose card is lost, is not told so. */
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
  ALREADY_PAID: "TWICE",
  UNKNOWN: "BANK",
};

/** A payment that failed, as it is kept. */
export interface DeclinedPayment {
  errorCode: string | null;
  errorMessage: string | null;
  adviceCode: string | null;
  network: Network | null;
  paymentGateway: PaymentGateway;
}

/** What a payer is told of it. */
export function toPaymentFailureKind(payment: DeclinedPayment): PaymentFailureKind {
  const { errorCode: code, errorMessage: message, adviceCode, network, paymentGateway: gateway } = payment;
  if (isFaultCode(code)) return "TECHNICAL";
  return failureKindOfClass[classifyDecline({ code, message, adviceCode, network }, { gateway })];
}
