import { required } from "../kernel/required-values.ts";
import type { OrderRecord } from "../orders/order-record.service.ts";
import type { ChargeIdentity, ChargeRequest } from "./gateways/gateway-port.ts";
import type { PaymentRecord } from "./payment.repository.ts";

/** The facts by which the gateway of an attempt finds its charge. */
export const toChargeIdentity = ({
  idempotencyKey,
  gatewayReference: reference,
  subject,
  amount,
  currency,
  methodId,
  challengeUrl: pageUrl,
}: PaymentRecord): ChargeIdentity => ({
  idempotencyKey,
  reference,
  subject,
  amount,
  currency,
  usesStoredMethod: methodId !== null,
  pageUrl,
});

/** What the request of a charge says of its attempt and its order. */
export const toChargeTerms = (
  payment: PaymentRecord,
  order: OrderRecord,
): Omit<ChargeRequest, "instrument" | "storeInstrument" | "returnUrl"> => ({
  idempotencyKey: payment.idempotencyKey,
  orderReference: order.idKey,
  subject: payment.subject ?? order.idKey,
  attempt: payment.attempt ?? 1,
  amount: payment.amount,
  currency: payment.currency,
  method: required(payment.paymentMethod, "paymentMethod"),
  isOffSession: payment.initiator === "MERCHANT" && payment.methodId !== null,
  requestedAt: payment.createdAt,
});
