import type { PolicyOutcome } from "./policy-outcome.ts";
import { findFirstPayable } from "./payment-validation.ts";
import { WINDOW_MS } from "./simulation-run.ts";
import type { FailedPayment } from "./world.ts";

const DAY_MS = 86_400_000;

/**
 * Computes the upper bound of recovery: one attempt per payment, at the first time at which a charge would succeed. No
 * policy can recover more.
 */
export function playWithPerfectForesight(payments: readonly FailedPayment[]): PolicyOutcome {
  const days = new Float64Array(payments.length).fill(NaN);
  const tries = new Uint16Array(payments.length);
  for (const [index, payment] of payments.entries()) {
    const { failedAt, silentFrom } = payment;
    const until = new Date(failedAt.getTime() + WINDOW_MS);
    const at = findFirstPayable(payment, failedAt, until, index);
    if (!at || (silentFrom && at >= silentFrom)) continue;
    days[index] = (at.getTime() - failedAt.getTime()) / DAY_MS;
    tries[index] = 1;
  }
  return {
    ...{
      name: "clairvoyant",
      label: "Perfect knowledge of the future",
      baseline: true,
      days,
      tries,
      firstBreach: null,
      model: null,
    },
    breaches: new Uint16Array(payments.length),
    predictions: { probability: new Float64Array(), approved: new Uint8Array(), index: new Uint32Array() },
  };
}
