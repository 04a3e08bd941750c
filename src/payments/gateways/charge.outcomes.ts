import type { ChargeOutcome } from "./gateway-port.ts";

/** The outcome of a payment that passed no gateway. */
export const approvedWithoutGateway = ({ idempotencyKey }: { idempotencyKey: string }): ChargeOutcome => ({
  kind: "APPROVED",
  reference: idempotencyKey,
  receiptUrl: "",
  cardNumber: null,
  network: null,
  token: null,
  fingerprint: null,
  expiresAt: null,
});

/** The outcome of a charge that was not sent, because its gateway is away. */
export const toUnavailableDecline = (message: string): ChargeOutcome => ({
  kind: "DECLINED",
  reference: null,
  code: "GATEWAY_UNAVAILABLE",
  adviceCode: null,
  message,
  cardNumber: null,
  network: null,
  token: null,
  fingerprint: null,
  expiresAt: null,
});
