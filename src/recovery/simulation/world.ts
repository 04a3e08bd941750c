/** A law by which payments fail and are paid later: what a simulation plays against. An ES module's default export. */
export interface World {
  name: string;
  /** n failed payments in order of time; `rng()` in [0,1) is the only source of chance. */
  generate(rng: () => number, n: number): Iterable<FailedPayment>;
}

/** What a gateway says when it declines. */
export interface DeclineDetails {
  code?: string;
  message?: string;
  adviceCode?: string;
}

/** What a charge comes to. */
export type ChargeResult = { approved: true } | ({ approved: false } & DeclineDetails);

/** A payment that failed for the first time, with all that would become of it. A policy sees what a caller would report. */
export interface FailedPayment extends DeclineDetails {
  failedAt: Date;
  amount: number;
  currency: string;
  country: string;
  timeZone: string;
  gateway: string;
  network?: "VISA" | "MASTERCARD" | "AMEX" | "OTHER";
  payerId: string;
  /** What a charge at this instant would answer; asked in rising order of time, only for tries that are made. */
  attempt(at: Date): ChargeResult;
  /** When the payer renews the payment method. */
  methodChangedAt?: Date[];
  /** From when on the caller makes no tries and reports nothing: the case stays open. */
  silentFrom?: Date;
  /** The first instant of a span at which a charge would succeed, or null. */
  firstPayableAt(from: Date, until: Date): Date | null;
}

/** A world, or something in it, that does not fit its shape: a sentence for whoever wrote the world. */
export class InvalidWorldError extends Error {}
