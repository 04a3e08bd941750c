import { createHash } from "node:crypto";
import type { PaymentGateway } from "../../../../schema/vocabulary.ts";
import type { ChargeOutcome } from "../gateway-port.ts";
import type { SimulatedCharge } from "./simulated-gateway.repository.ts";
import type { TestCard } from "./simulated-cards.ts";

/** The behaviour of an instrument; recorded with each charge. */
export type InstrumentScript = Omit<TestCard, "number"> & {
  fingerprint: string | null;
  gateway: PaymentGateway;
  /** The end of the card's validity, as an ISO 8601 instant. */
  expiresAt?: string;
  /** The payer's address after a confirmation. */
  returnUrl?: string;
};

/** An unknown instrument: it is approved. */
export const approvingScript = (gateway: PaymentGateway): InstrumentScript => ({
  behaviour: "APPROVE",
  network: "OTHER",
  fingerprint: null,
  gateway,
});

/** Reads the behaviour that was recorded with a charge. */
export const readScript = ({ behaviour }: SimulatedCharge): InstrumentScript =>
  JSON.parse(behaviour) as InstrumentScript;

/** The current outcome of a charge, as the gateway port reports it. */
export function toChargeOutcome(charge: SimulatedCharge): ChargeOutcome {
  const { status, reference, code, adviceCode, message, ending, token } = charge;
  const { network, fingerprint, expiresAt } = readScript(charge);
  const instrument = {
    cardNumber: ending === null ? null : ending.padStart(16, "*"),
    network: ending === null ? null : network,
    token: status === "APPROVED" ? token : null,
    fingerprint,
    expiresAt: expiresAt === undefined ? null : new Date(expiresAt),
  };
  switch (status) {
    case "APPROVED":
      return { kind: "APPROVED", reference, receiptUrl: "", ...instrument };
    case "DECLINED":
      return { kind: "DECLINED", reference, code: code ?? "", adviceCode, message: message ?? "", ...instrument };
    case "CHALLENGE":
      return { kind: "CHALLENGE", reference, url: `/simulated-gateway/charges/${reference}` };
    case "DEPOSIT":
      return { kind: "DEPOSIT", reference, account: toSimulatedAccount(reference) };
    default:
      return { kind: "CLOSED" };
  }
}

/** A made-up virtual account. */
const toSimulatedAccount = (reference: string): Record<string, string> => ({
  bankName: "Simulated Bank",
  accountNumber: createHash("sha256").update(reference).digest("hex").replace(/\D/g, "").padEnd(11, "7").slice(0, 11),
  accountName: "Simulated gateway",
});
