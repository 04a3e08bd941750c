import { toAmount } from "../../src/kernel/amounts.ts";
import type { PastPayment } from "../../src/recovery/estimates/past-payment.ts";
import { toEngineCase } from "../../src/recovery/simulation/engine-case.ts";
import { generatePayments } from "../../src/recovery/simulation/population.ts";
import { RandomSource } from "../../src/recovery/simulation/random-source.ts";
import type { ReportedHistory, RetryStrategy } from "../../src/recovery/simulation/retry-strategy.ts";
import { playPayments } from "../../src/recovery/simulation/simulation-run.ts";
import type { World } from "../../src/recovery/simulation/world.ts";

/** Failed payments of a world as their merchant would have them: tried by its own schedule, with the results. */
export function playedPayments(world: World, strategy: RetryStrategy, cases: number, seed: number): PastPayment[] {
  const payments = generatePayments(world, new RandomSource(seed, 1), cases);
  const histories = new Map<number, { history: ReportedHistory; approvedAt: Date | null }>();
  const recording: RetryStrategy = {
    ...strategy,
    next(history, now) {
      if (!histories.has(history.index)) histories.set(history.index, { history, approvedAt: null });
      return strategy.next(history, now);
    },
    observe(history, at, approved) {
      histories.set(history.index, { history, approvedAt: approved ? at : null });
    },
  };
  playPayments(payments, recording, new RandomSource(), [seed, 2]);
  return [...histories.values()].map(({ history, approvedAt }) => {
    const facts = toEngineCase(history);
    const network = history.network ?? null;
    const nothing = { code: null, message: null, adviceCode: null, network, initiator: "MERCHANT" as const };
    return {
      id: `payment-${history.index}`,
      payerId: history.payerId,
      amount: toAmount(history.amount),
      currency: history.currency,
      country: history.country,
      gateway: facts.gateway,
      paymentMethod: null,
      zone: facts.zone,
      tries: [
        ...facts.attempts.map((attempt) => ({ ...attempt, approved: false })),
        ...(approvedAt ? [{ ...nothing, at: approvedAt, approved: true }] : []),
      ],
    };
  });
}

/** The share of a world's payments that a strategy recovers. */
export function recoveredShare(world: World, strategy: RetryStrategy, cases: number, seed: number): number {
  const payments = generatePayments(world, new RandomSource(seed, 1), cases);
  const { days } = playPayments(payments, strategy, new RandomSource(), [seed, 2]);
  return days.filter((one) => !Number.isNaN(one)).length / cases;
}
