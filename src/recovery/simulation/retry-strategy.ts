import type { DeclineDetails, FailedPayment } from "./world.ts";

/** A declined charge, as the caller reports it. */
export interface ReportedDecline extends DeclineDetails {
  at: Date;
}

/** The reports about one payment so far. A policy knows nothing else. */
export interface ReportedHistory extends Pick<
  FailedPayment,
  "amount" | "currency" | "country" | "timeZone" | "gateway" | "network" | "payerId"
> {
  /** The index of the payment in its world, from 0. */
  index: number;
  /** The start of the plan: the first failure, or the change of the payment method that started a new cover. */
  windowStart: Date;
  /** Declines since `windowStart`, in order of time. */
  declines: ReportedDecline[];
  /** Times at which the payment method changed while recovery was in progress. */
  methodChanges: Date[];
  /** The planned time of the retry that was reported last. */
  used: Date | null;
}

/** A retry that a policy plans. */
export interface PlannedAttempt {
  at: Date;
  /** The predicted probability of success; null if the policy predicts none. */
  probability: number | null;
}

/** Chooses the times of retries. */
export interface RetryStrategy {
  name: string;
  /** The name for merchants, used in the chart. */
  label: string;
  /** True for a baseline, with which the engine's policies are compared. */
  baseline: boolean;
  /** Version of the model that chooses; absent without one. */
  model?: string;
  /** The next retry after `now`, or null if recovery ends. */
  next(history: ReportedHistory, now: Date): PlannedAttempt | null;
  /** Receives the result of an attempt with the reports before it, so that a policy can learn. */
  observe?(history: ReportedHistory, at: Date, approved: boolean): void;
}
