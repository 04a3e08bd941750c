import type { DeclineDetails, FailedPayment } from "./world.ts";

/** A charge that was declined, as its caller reports it. */
export interface ReportedDecline extends DeclineDetails {
  at: Date;
}

/** The reports of one payment so far: all that a policy may know. */
export interface ReportedHistory extends Pick<
  FailedPayment,
  "amount" | "currency" | "country" | "timeZone" | "gateway" | "network" | "payerId"
> {
  /** The index of the payment in its world, from 0. */
  index: number;
  /** The instant that plans count from: the first failure, or the change of the payment method that started a new cover. */
  windowStart: Date;
  /** Declines since then, in order of time. */
  declines: ReportedDecline[];
  /** When the payment method changed while the trying went on. */
  methodChanges: Date[];
  /** The date whose try was just reported. */
  used: Date | null;
}

/** A try that a policy wants. */
export interface PlannedAttempt {
  at: Date;
  /** How likely it is to work, where the policy says so. */
  probability: number | null;
}

/** A way to choose when to try again. */
export interface RetryStrategy {
  name: string;
  /** The same for people who run shops. */
  label: string;
  /** Baselines are what the policies of the engine are compared with. */
  baseline: boolean;
  /** The next try after `now`, or null when trying is over. */
  next(history: ReportedHistory, now: Date): PlannedAttempt | null;
  /** Takes the result of an attempt, with the reports before it: for policies that learn. */
  observe?(history: ReportedHistory, at: Date, approved: boolean): void;
}
