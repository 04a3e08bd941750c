import type { PastPayment } from "./past-payment.ts";

/** The weight of a payment by its value: its amount compared with the mean of its currency. */
export function weightByValue(payments: readonly PastPayment[]): (payment: PastPayment) => number {
  const sums = new Map<string, { sum: number; count: number }>();
  for (const { currency, amount } of payments) {
    const { sum, count } = sums.get(currency) ?? { sum: 0, count: 0 };
    sums.set(currency, { sum: sum + Number(amount), count: count + 1 });
  }
  return ({ currency, amount }) => {
    const { sum, count } = sums.get(currency) ?? { sum: 0, count: 0 };
    return sum > 0 ? (Number(amount) * count) / sum : 1;
  };
}

/** The weight of a payment by its amount in a currency; 0 in another. */
export const weightWithin =
  (wanted: string) =>
  ({ currency, amount }: PastPayment): number =>
    currency === wanted ? Number(amount) : 0;
