import type { PaymentGateway, PaymentMethod } from "../../../schema/vocabulary.ts";
import type { Amount } from "../../kernel/amounts.ts";
import { zoneRulesAround } from "../../kernel/zone-rules.ts";
import type { OtherAttempt, CaseAttempt, RecoveryCase } from "../engine/recovery-case.ts";

/** The vendor as far as a scenario needs it. */
export interface RecoveryVendor {
  id: number;
  /** Defaults to the vendor's zone if the payer's is unknown; the same applies to the country. */
  zoneId: string;
  country: string;
  /** Registered orders are in the vendor's currency, renewals in their own. */
  currency: string;
}

/** The amount due. */
export interface ChargedOrder {
  amount: Amount;
  paymentGateway: PaymentGateway;
  paymentMethod: PaymentMethod | null;
}

/** The facts of a case that stay constant while its cover runs. */
interface CaseContext {
  vendor: RecoveryVendor;
  order: ChargedOrder;
  payer: { country: string | null } | undefined;
  /** Other attempts on the card. */
  otherAttempts?: readonly OtherAttempt[];
  windowStart: Date;
  zoneId: string;
}

/** The facts that result from the reports so far. */
interface CaseProgress {
  attempts: CaseAttempt[];
  promised?: Date | null;
  used?: Date | null;
  due?: Date | null;
  /** The payer's renewal of the payment method since then. */
  methodChangedAt?: Date | null;
}

/** The facts of a cover as the engine takes them. */
export const toRecoveryCase = (
  { vendor, order, payer, otherAttempts = [], windowStart, zoneId }: CaseContext,
  { attempts, promised = null, due = null, used = null, methodChangedAt = null }: CaseProgress,
): RecoveryCase => ({
  amount: order.amount,
  currency: vendor.currency,
  country: payer?.country ?? vendor.country,
  gateway: order.paymentGateway,
  paymentMethod: order.paymentMethod,
  zone: zoneRulesAround(zoneId, windowStart),
  windowStart,
  attempts,
  alongside: otherAttempts,
  events: methodChangedAt ? [{ at: methodChangedAt, kind: "METHOD_CHANGED" }] : [],
  promised,
  due,
  used,
});
