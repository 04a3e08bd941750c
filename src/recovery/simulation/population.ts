import { itemAt } from "../../kernel/required-values.ts";
import type { RandomSource } from "./random-source.ts";
import { callWorld, validatePayment } from "./payment-validation.ts";
import { InvalidWorldError, type FailedPayment, type World } from "./world.ts";

/**
 * Generates the payments of a world. Payments are stateful, so each policy needs new ones. @throws InvalidWorldError
 */
export const generatePayments = (world: World, random: RandomSource, count: number): FailedPayment[] =>
  callWorld("generate", () => {
    const payments: FailedPayment[] = [];
    const generated: unknown = world.generate(random.next, count);
    if (typeof generated !== "object" || generated === null || !(Symbol.iterator in generated))
      throw new InvalidWorldError("generate must return a list or a generator.");
    for (const value of generated as Iterable<unknown>) {
      const index = payments.length;
      if (index === count) throw new InvalidWorldError(`generate returned more than the requested ${count} payments.`);
      const payment = validatePayment(value, index);
      if (index > 0 && payment.failedAt < itemAt(payments, index - 1).failedAt)
        throw new InvalidWorldError(`payment ${index} failed before the previous one: sort the payments by time.`);
      payments.push(payment);
    }
    if (payments.length < count)
      throw new InvalidWorldError(`generate returned ${payments.length} payments instead of the requested ${count}.`);
    return payments;
  });

/** A hash of the payments. If two hashes are equal, two policies were simulated on the same payments. */
export function fingerprintOf(payments: readonly FailedPayment[]): number {
  let hash = 17;
  for (const { failedAt, amount } of payments)
    for (const part of [failedAt.getTime() / 1000, amount * 100]) hash = (Math.imul(hash, 31) + Math.round(part)) | 0;
  return hash;
}
