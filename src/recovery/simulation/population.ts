import { itemAt } from "../../kernel/required-values.ts";
import type { RandomSource } from "./random-source.ts";
import { callWorld, validatePayment } from "./payment-validation.ts";
import { InvalidWorldError, type FailedPayment, type World } from "./world.ts";

/**
 * Generates the payments of a world anew: payments are stateful, so each policy gets its own. @throws InvalidWorldError
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

/** A number that is the same for the same payments: whether two policies were played against one population. */
export function fingerprintOf(payments: readonly FailedPayment[]): number {
  let hash = 17;
  for (const { failedAt, amount } of payments)
    for (const part of [failedAt.getTime() / 1000, amount * 100]) hash = (Math.imul(hash, 31) + Math.round(part)) | 0;
  return hash;
}
