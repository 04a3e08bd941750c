import type { Initiator, Network, PaymentGateway, PaymentMethod } from "../../../schema/vocabulary.ts";
import type { Amount } from "../../kernel/amounts.ts";
import type { ZoneRules } from "../../kernel/zone-rules.ts";
import type { Decline } from "./decline.ts";

/** A failed attempt, as far as the engine cares. */
export interface CaseAttempt extends Decline {
  at: Date;
  initiator: Initiator;
}

/** Another attempt on the same card: for another order, or one that is in progress. */
export interface OtherAttempt {
  at: Date;
  network: Network | null;
  initiator: Initiator;
  amount: Amount;
  /** ISO 4217 code. */
  currency: string;
}

/** Another event of the payment. */
export interface CaseEvent {
  at: Date;
  kind: "METHOD_CHANGED" | "APPROVED_ELSEWHERE";
}

/** All facts of a failed payment that the engine decides on. */
export interface RecoveryCase {
  amount: Amount;
  /** ISO 4217 code. */
  currency: string;
  /** ISO 3166-1 alpha-2 code of the payer's country, else of the vendor's. */
  country: string | null;
  gateway: PaymentGateway | null;
  paymentMethod: PaymentMethod | null;
  /** The clocks that the payer lives by, looked up once so that the decision can be computed again anywhere. */
  zone: ZoneRules;
  /** The instant that offsets count from: the first failure, or the change of the payment method. */
  windowStart: Date;
  /** Failed attempts in order of time. Empty after a change of the payment method that started a new cover. */
  attempts: readonly CaseAttempt[];
  /** Other attempts that the networks count with these, as far as the card is known; empty if none are reported. */
  alongside: readonly OtherAttempt[];
  /** In order of time. */
  events: readonly CaseEvent[];
  /** A date already announced to the caller that is still in the future: it stays unless the rulebook forbids it. */
  promised: Date | null;
  /** The time of a due attempt that is about to be made: it is made unless the rulebook forbids it by now. */
  due: Date | null;
  /** The date whose attempt was just reported; the next one is after it, however early the report came. */
  used: Date | null;
  /** The chance by which a case explores; absent where it does not, as in a preview. */
  draws?: CaseDraws | null;
}

/** Exploration of a case: the same key draws the same times, so that a replay does. */
export interface CaseDraws {
  /** What distinguishes the case: its cover. */
  key: string;
  /** The share of cases whose times are drawn from several good ones. */
  share: number;
}
