import type { Contender } from "../../src/recovery/simulation/retry-strategy.ts";
import type { FailedPayment, World } from "../../src/recovery/simulation/world.ts";

const FAILED = Date.parse("2026-03-01T09:30:00.000Z");

/** So many days after the payments that are told here failed. */
export const after = (days: number): Date => new Date(FAILED + days * 86_400_000);

/** A payment for want of money that works from one day to another; what was asked of it stands in `asked`. */
export function payment(from: number, until: number, facts: Partial<FailedPayment> = {}) {
  const asked: Date[] = [];
  const one: FailedPayment = {
    failedAt: after(0),
    amount: 10,
    currency: "USD",
    country: "US",
    timeZone: "UTC",
    gateway: "PROVIDER_01",
    network: "VISA",
    payerId: "one",
    code: "51",
    attempt(at) {
      asked.push(at);
      return at >= after(from) && at <= after(until) ? { approved: true } : { approved: false, code: "51" };
    },
    firstPayableAt: (start, end) => (after(from) >= start && after(from) <= end ? after(from) : null),
    ...facts,
  };
  return Object.assign(one, { asked });
}

/** A world of payments that are made anew whenever it is asked. */
export const worldOf = (make: (rng: () => number, index: number) => FailedPayment): World => ({
  name: "told",
  generate: (rng, n) => Array.from({ length: n }, (_, index) => make(rng, index)),
});

/** A contender that tries on these days, whatever is said. */
export const stubborn = (...days: number[]): Contender => ({
  name: "stubborn",
  label: "Stubborn",
  baseline: true,
  next: ({ windowStart }, now) => {
    const at = days.map((day) => new Date(windowStart.getTime() + day * 86_400_000)).find((time) => time > now);
    return at ? { at, probability: 0.5 } : null;
  },
});
