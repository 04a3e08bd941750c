import type { Initiator, Network, PaymentGateway, PaymentMethod } from "../../../schema/vocabulary.ts";
import type { Amount } from "../../kernel/amounts.ts";
import { firstOf, lastOf } from "../../kernel/required-values.ts";
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

/** Quantile of the times from failure to last try after which a payment's own schedule is over. */
const SCHEDULE_QUANTILE = 0.98;

/** What is known of the schedules of payments beside their tries. */
export interface ScheduleOptions<Payment> {
  /** Until when tries are known. Defaults to the last one. */
  observedUntil?: Date;
  /** Milliseconds that the schedule of a payment takes at least. Defaults to 0. */
  minDurationMsOf?: (payment: Payment) => number;
}

/**
 * Payments that failed so long before the last time at which tries are known that their own schedule had its time. They are chosen by their
 * age and not by their end, because those that end early are mostly recovered.
 */
export function withFinishedSchedule<Payment extends PastPayment>(
  payments: readonly Payment[],
  { observedUntil, minDurationMsOf = () => 0 }: ScheduleOptions<Payment>,
): Payment[] {
  const spans: number[] = [];
  let lastTry = 0;
  for (const { tries } of payments) {
    const last = lastOf(tries).at.getTime();
    spans.push(last - firstOf(tries).at.getTime());
    lastTry = Math.max(lastTry, last);
  }
  spans.sort((a, b) => a - b);
  const span = spans[Math.floor(spans.length * SCHEDULE_QUANTILE)] ?? 0;
  const until = observedUntil?.getTime() ?? lastTry;
  return payments.filter(
    (payment) => firstOf(payment.tries).at.getTime() + Math.max(span, minDurationMsOf(payment)) <= until,
  );
}
