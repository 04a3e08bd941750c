import type { Initiator, Network, PaymentGateway, PaymentMethod } from "../../../schema/vocabulary.ts";
import type { Amount } from "../../kernel/amounts.ts";
import { firstOf } from "../../kernel/required-values.ts";
import type { ZoneRules } from "../../kernel/zone-rules.ts";
import type { Decline } from "../engine/decline.ts";
import type { CaseAttempt, RecoveryCase } from "../engine/recovery-case.ts";

/** A charge of a past payment with its result. The details of the decline are null where it was approved. */
export interface PastTry extends Decline {
  at: Date;
  initiator: Initiator;
  approved: boolean;
}

/** A payment that failed in the past: its first failure, and the later tries with their results. */
export interface PastPayment {
  /** What distinguishes it from the others. */
  id: string;
  /** The payer: all payments of one payer are on the same side of a split. */
  payerId: string;
  amount: Amount;
  currency: string;
  country: string | null;
  gateway: PaymentGateway | null;
  paymentMethod: PaymentMethod | null;
  zone: ZoneRules;
  /** In order of time; the first one is the failure. Only the last one can be approved. */
  tries: readonly PastTry[];
}

/** The network of the payment, where a try names it. */
export const networkOf = ({ tries }: PastPayment): Network | null =>
  tries.findLast(({ network }) => network !== null)?.network ?? null;

export const isRecovered = ({ tries }: PastPayment): boolean => tries.at(-1)?.approved === true;

/** The facts of the engine after some declines of a payment. */
export const toCaseAfter = (payment: PastPayment, declines: readonly CaseAttempt[]): RecoveryCase => ({
  amount: payment.amount,
  currency: payment.currency,
  country: payment.country,
  gateway: payment.gateway,
  paymentMethod: payment.paymentMethod,
  zone: payment.zone,
  windowStart: firstOf(payment.tries).at,
  attempts: declines,
  alongside: [],
  events: [],
  promised: null,
  due: null,
  used: declines.length > 1 ? (declines.at(-1)?.at ?? null) : null,
});
