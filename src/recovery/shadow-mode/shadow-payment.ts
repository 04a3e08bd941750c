import type { RecordedCase } from "../engine/recorded-case.ts";
import type { Policy } from "../engine/policy.ts";
import type { PastPayment, PastTry } from "../estimates/past-payment.ts";

/** A failed payment whose caller kept its own schedule, and what it was advised by. */
export interface ShadowPayment extends PastPayment {
  policy: Policy;
  /** The model behind the advice after the first failure; null without one. */
  modelVersion: string | null;
}

/** What a decline says of an approved try. */
const NO_DECLINE = { code: null, message: null, adviceCode: null };

/**
 * A recorded case of shadow mode as a past payment; undefined if it cannot be one: it began without a failure, it was paid by no try of the
 * schedule, or the decline of a try is not known.
 */
export function toShadowPayment(recorded: RecordedCase, now: Date): ShadowPayment | undefined {
  const { id, startedAt, payer, facts, policy, firstModelVersion, retries, end } = recorded;
  const [first] = facts.attempts;
  // A new payment method began it.
  if (!first || first.at > startedAt) return undefined;
  // Once the payer has paid in person, nobody knows what further tries would have brought.
  if (end?.reason === "PAID" && end.at <= now && !retries.some(({ approved }) => approved)) return undefined;
  const tries: PastTry[] = [{ ...first, approved: false }];
  for (const { at, approved } of retries) {
    const { network, initiator } = first;
    const decline = approved
      ? { ...NO_DECLINE, network, initiator }
      : facts.attempts.find((attempt) => attempt.at.getTime() === at.getTime());
    if (!decline) return undefined;
    tries.push({ ...decline, at, approved });
  }
  const { amount, currency, country, gateway, paymentMethod, zone } = facts;
  return {
    ...{ id: `${payer} ${id}`, payerId: payer, amount, currency, country, gateway, paymentMethod, zone, tries },
    ...{ policy, modelVersion: firstModelVersion },
  };
}
