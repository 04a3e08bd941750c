import type { RetryStrategy } from "../../src/recovery/simulation/retry-strategy.ts";
import type { FailedPayment, World } from "../../src/recovery/simulation/world.ts";

const FIRST_FAILED_MS = Date.parse("2026-03-01T09:30:00.000Z");

/** So many days after the failure of the payments here. */
export const daysAfterFailedPayments = (days: number): Date => new Date(FIRST_FAILED_MS + days * 86_400_000);

/** Payments that fail for insufficient funds and succeed from one day to another; the attempts are in `asked`. */
export function simulatedPayment(from: number, until: number, facts: Partial<FailedPayment> = {}) {
  const askedDates: Date[] = [];
  const failedPayment: FailedPayment = {
    failedAt: daysAfterFailedPayments(0),
    amount: 10,
    currency: "USD",
    country: "US",
    timeZone: "UTC",
    gateway: "PROVIDER_01",
    network: "VISA",
    payerId: "one",
    code: "51",
    attempt(at) {
      askedDates.push(at);
      return at >= daysAfterFailedPayments(from) && at <= daysAfterFailedPayments(until)
        ? { approved: true }
        : { approved: false, code: "51" };
    },
    firstPayableAt: (start, end) =>
      daysAfterFailedPayments(from) >= start && daysAfterFailedPayments(from) <= end
        ? daysAfterFailedPayments(from)
        : null,
    ...facts,
  };
  return Object.assign(failedPayment, { asked: askedDates });
}

/** A world of payments that is created anew at each call. */
export const worldWith = (make: (rng: () => number, index: number) => FailedPayment): World => ({
  name: "told",
  generate: (rng, n) => Array.from({ length: n }, (_, index) => make(rng, index)),
});

/** A contender that retries on these days, whatever the case. */
export const fixedDaysContender = (...days: number[]): RetryStrategy => ({
  name: "stubborn",
  label: "Stubborn",
  baseline: true,
  next: ({ windowStart }, now) => {
    const at = days.map((day) => new Date(windowStart.getTime() + day * 86_400_000)).find((time) => time > now);
    return at ? { at, probability: 0.5 } : null;
  },
});
