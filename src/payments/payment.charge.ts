import type { ChargeIdentity } from "./gateways/gateway-port.ts";
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
