/** A model of how payments fail and are paid later, for simulations. It is the default export of an ES module. */
export interface World {
  name: string;
  /** Generates n failed payments in order of time. All random numbers must come from `rng()`, which is in [0,1). */
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
 * A payment that failed for the first time, with the results of all later charges. A policy sees only what the caller
 * reports.
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
  /** Times at which the payer changes the payment method. */
  methodChangedAt?: Date[];
  /** From this time, the caller makes no attempts and reports nothing. The case stays open. */
  silentFrom?: Date;
  /** The first time from `from` to `until` at which a charge would succeed, or null. */
  firstPayableAt(from: Date, until: Date): Date | null;
}

/** The error for an invalid world. Its message is for the author of the world. */
export class InvalidWorldError extends Error {}
