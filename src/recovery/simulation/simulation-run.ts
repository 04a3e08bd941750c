import { itemAt } from "../../kernel/required-values.ts";
import { findBreaches, type CheckedCharge } from "./breach-checker.ts";
import type { RandomSource } from "./random-source.ts";
import type { RetryStrategy, ReportedHistory } from "./retry-strategy.ts";
import type { PolicyOutcome } from "./policy-outcome.ts";
import { chargePayment } from "./payment-validation.ts";
import { TimeOrderedQueue } from "./time-ordered-queue.ts";
import type { FailedPayment } from "./world.ts";

const DAY_MS = 86_400_000;

/** The simulated time of each payment: 28 days, and an hour because the payer's clock may have been set back. */
export const WINDOW_MS = 28 * DAY_MS + 3_600_000;

/** An event of a payment: its first failure, a change of the payment method, or an attempt. */
interface SimulationEvent {
  at: number;
  index: number;
  kind: "FAILURE" | "CHANGE" | "TRY";
  /** The policy's probability for the attempt. */
  probability: number | null;
}

/** A payment whose simulation continues. */
interface RunningPayment {
  payment: FailedPayment;
  history: ReportedHistory;
  /** The charges on the current card. */
  charges: CheckedCharge[];
  /** True if a retry is in the queue. */
  isRetryScheduled: boolean;
}

/**
 * Simulates payments under a policy: every report and every charge of all payments, in order of time. Each charge selects
 * its own stream of `random` by `keys`, so that a payment draws the same numbers under every policy.
 */
export function playPayments(
  payments: readonly FailedPayment[],
  strategy: RetryStrategy,
  random: RandomSource,
  keys: readonly number[],
): PolicyOutcome {
  const run = new SimulationRun(payments, strategy, random, keys);
  run.runToEnd();
  return run.toOutcome();
}

class SimulationRun {
  private readonly queue = new TimeOrderedQueue<SimulationEvent>();
  private readonly running: RunningPayment[];
  private readonly days: Float64Array<ArrayBuffer>;
  private readonly tries: Uint16Array<ArrayBuffer>;
  private readonly breaches: Uint16Array<ArrayBuffer>;
  private readonly predictions = { probability: [] as number[], approved: [] as number[], index: [] as number[] };
  private firstBreach: string | null = null;

  constructor(
    payments: readonly FailedPayment[],
    private readonly strategy: RetryStrategy,
    private readonly random: RandomSource,
    private readonly keys: readonly number[],
  ) {
    this.days = new Float64Array(payments.length).fill(NaN);
    this.tries = new Uint16Array(payments.length);
    this.breaches = new Uint16Array(payments.length);
    this.running = payments.map((payment, index) => ({
      payment,
      history: toInitialHistory(payment, index),
      charges: [{ at: payment.failedAt.getTime(), code: payment.code, adviceCode: payment.adviceCode }],
      isRetryScheduled: false,
    }));
    for (const [index, { failedAt, methodChangedAt = [] }] of payments.entries()) {
      this.scheduleEvent("FAILURE", failedAt, index);
      for (const at of methodChangedAt) if (at > failedAt) this.scheduleEvent("CHANGE", at, index);
    }
  }

  runToEnd(): void {
    for (let next = this.queue.pop(); next; next = this.queue.pop()) {
      const runningPayment = itemAt(this.running, next.index);
      // Events after the payment, and events that the caller no longer reports, are dropped.
      const isPaid = !Number.isNaN(this.days[next.index]);
      if (isPaid || next.at >= (runningPayment.payment.silentFrom?.getTime() ?? Infinity)) continue;
      const now = new Date(next.at);
      if (next.kind === "FAILURE") this.scheduleRetry(runningPayment, now);
      else if (next.kind === "CHANGE") this.applyMethodChange(runningPayment, now);
      else this.attemptCharge(runningPayment, now, next.probability);
    }
  }

  toOutcome(): PolicyOutcome {
    const { strategy, days, tries, breaches, firstBreach, predictions } = this;
    const { name, label, baseline } = strategy;
    return {
      ...{ name, label, baseline, days, tries, breaches, firstBreach, model: strategy.model ?? null },
      predictions: {
        probability: Float64Array.from(predictions.probability),
        approved: Uint8Array.from(predictions.approved),
        index: Uint32Array.from(predictions.index),
      },
    };
  }

  /** Queues an event. Events after the window are dropped. @returns false for a dropped event. */
  private scheduleEvent(
    kind: SimulationEvent["kind"],
    at: Date,
    index: number,
    probability: number | null = null,
  ): boolean {
    const isWithinWindow = at.getTime() <= itemAt(this.running, index).payment.failedAt.getTime() + WINDOW_MS;
    if (isWithinWindow) this.queue.push({ at: at.getTime(), index, kind, probability });
    return isWithinWindow;
  }

  private scheduleRetry(runningPayment: RunningPayment, now: Date): void {
    const planned = this.strategy.next(runningPayment.history, now);
    if (planned && !(planned.at > now))
      throw new Error(`${this.strategy.name} planned a retry at a time that has passed.`);
    runningPayment.isRetryScheduled =
      planned !== null && this.scheduleEvent("TRY", planned.at, runningPayment.history.index, planned.probability);
  }

  /** Applies a change of the card. Recovery continues with the new card, or starts again if it had ended. */
  private applyMethodChange(runningPayment: RunningPayment, now: Date): void {
    runningPayment.charges = [];
    if (runningPayment.isRetryScheduled) runningPayment.history.methodChanges.push(now);
    else {
      runningPayment.history = {
        ...runningPayment.history,
        windowStart: now,
        declines: [],
        methodChanges: [],
        used: null,
      };
      this.scheduleRetry(runningPayment, now);
    }
  }

  private attemptCharge(runningPayment: RunningPayment, now: Date, probability: number | null): void {
    const { history, charges, payment } = runningPayment;
    const { index } = history;
    const breaches = findBreaches(history.network ?? null, charges, now.getTime());
    if (breaches.length > 0) {
      this.breaches[index] = itemAt(this.breaches, index) + 1;
      this.firstBreach ??= `payment ${index} at ${now.toISOString()}: ${breaches.join("; ")}`;
    }
    const tries = itemAt(this.tries, index) + 1;
    this.tries[index] = tries;
    this.random.selectStream(...this.keys, index, tries);
    const result = chargePayment(payment, now, index);
    this.strategy.observe?.(history, now, result.approved);
    if (probability !== null) {
      this.predictions.probability.push(probability);
      this.predictions.approved.push(result.approved ? 1 : 0);
      this.predictions.index.push(index);
    }
    if (result.approved) {
      this.days[index] = (now.getTime() - payment.failedAt.getTime()) / DAY_MS;
      return;
    }
    const { code, message, adviceCode } = result;
    history.declines.push({ at: now, code, message, adviceCode });
    charges.push({ at: now.getTime(), code, adviceCode });
    history.used = now;
    this.scheduleRetry(runningPayment, now);
  }
}

/** The history of a payment after its first failure. */
export function toInitialHistory(payment: FailedPayment, index: number): ReportedHistory {
  const { failedAt, amount, currency, country, timeZone, gateway, network, payerId } = payment;
  const { code, message, adviceCode } = payment;
  return {
    ...{ index, amount, currency, country, timeZone, gateway, network, payerId },
    windowStart: failedAt,
    declines: [{ at: failedAt, code, message, adviceCode }],
    methodChanges: [],
    used: null,
  };
}
