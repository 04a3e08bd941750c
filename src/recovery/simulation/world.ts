/** A law by which payments fail and are paid later: what a simulation plays against. An ES module's default export. */
export interface World {
  name: string;
  /** n failed payments in order of time; `rng()` in [0,1) is the only source of chance. */
  generate(rng: () => number, n: number): Iterable<FailedPayment>;
}

/** The details of a gateway's decline. */
export interface DeclineDetails {
  code?: string;
  message?: string;
  adviceCode?: string;
}

/** The result of a charge. */
export type ChargeResult = { approved: true } | ({ approved: false } & DeclineDetails);

/**
 * A payment that failed for the first time, with the results of all later charges. A policy sees only the reports of a
 * caller.
 */
export interface FailedPayment extends DeclineDetails {
  failedAt: Date;
  amount: number;
  currency: string;
  country: string;
  timeZone: string;
  gateway: string;
  network?: "VISA" | "MASTERCARD" | "AMEX" | "OTHER";
  payerId: string;
  /** The result of a charge at this instant; called in ascending order of time, only for attempts that are made. */
  attempt(at: Date): ChargeResult;
  /** When the payer renews the payment method. */
  methodChangedAt?: Date[];
  /** From when on the caller makes no tries and reports nothing: the case stays open. */
  silentFrom?: Date;
  /** The first instant of a span at which a charge would succeed, or null. */
  firstPayableAt(from: Date, until: Date): Date | null;
}

/** An invalid world, or an invalid part of one: the message is for the author of the world. */
export class InvalidWorldError extends Error {}
