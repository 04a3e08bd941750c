import type { PaymentGateway, ReasonClass } from "../../../schema/vocabulary.ts";
import { ZERO, type Amount } from "../../kernel/amounts.ts";
import { classify } from "../engine/decline.ts";

/** Days of the vendor's zone, both included. */
interface BusinessDays {
  from: string;
  until: string;
}

interface Sum {
  day: string;
  currency: string;
  count: number;
  amount: Amount;
}

const DAY_MS = 86_400_000;

/** The days of a period in order. */
function everyDay({ from, until }: BusinessDays): string[] {
  const days: string[] = [];
  for (let at = Date.parse(from); at <= Date.parse(until); at += DAY_MS)
    days.push(new Date(at).toISOString().slice(0, 10));
  return days;
}

const keyOf = ({ day, currency }: Pick<Sum, "day" | "currency">): string => `${day} ${currency}`;

/** Amounts that recur: those before the first day, by currency, and how they changed since. */
interface Recurring {
  before: ReadonlyMap<string, Amount>;
  changes: readonly Sum[];
}

/** Revenue of every day, for each currency that has any. */
export function revenueByDay(
  days: BusinessDays,
  gross: readonly Sum[],
  refunded: readonly Sum[],
  recurring: Recurring,
  baseCurrency: string,
) {
  const changes = new Map(recurring.changes.map((sum) => [keyOf(sum), sum.amount]));
  const amounts = new Map([...recurring.before].filter(([, amount]) => !amount.eq(0)));
  const moved = [...gross, ...refunded, ...recurring.changes].map(({ currency }) => currency);
  const known = [...new Set([...moved, ...amounts.keys()])].sort();
  const currencies = known.length > 0 ? known : [baseCurrency];
  const [charges, refunds] = [gross, refunded].map((sums) => new Map(sums.map((sum) => [keyOf(sum), sum])));
  return everyDay(days).flatMap((day) =>
    currencies.map((currency) => {
      const [paid, back] = [charges, refunds].map((sums) => sums?.get(keyOf({ day, currency })));
      const [all, returned] = [paid?.amount ?? ZERO, back?.amount ?? ZERO];
      const monthly = (amounts.get(currency) ?? ZERO).plus(changes.get(keyOf({ day, currency })) ?? ZERO);
      amounts.set(currency, monthly);
      return {
        day,
        currency,
        gross: all,
        refunded: returned,
        net: all.minus(returned),
        monthlyRecurringRevenue: monthly,
        payments: paid?.count ?? 0,
        refunds: back?.count ?? 0,
      };
    }),
  );
}

/** How many subscriptions there were on every day, from how many there were before. */
export function subscriptionsByDay(days: BusinessDays, before: number, started: readonly Sum[], ended: readonly Sum[]) {
  const on = (sums: readonly Sum[], day: string) =>
    sums.filter((sum) => sum.day === day).reduce((total, { count }) => total + count, 0);
  let active = before;
  return everyDay(days).map((day) => {
    const [began, churned] = [on(started, day), on(ended, day)];
    active += began - churned;
    return { day, started: began, churned, active };
  });
}

interface Declines {
  gateway: string;
  code: string;
  advice: string;
  currency: string;
  count: number;
  amount: Amount;
}

/** Failed charges by what their codes mean, as the recovery engine reads them, and by currency; most first. */
export function failedByReason(
  declines: readonly Declines[],
  meanings: ReadonlyMap<string, ReasonClass>,
  country: string,
) {
  const groups = new Map<string, { reasonClass: ReasonClass; currency: string; charges: number; amount: Amount }>();
  for (const { gateway, code, advice, currency, count, amount } of declines) {
    const [sent, message] = code.split("\n");
    const reasonClass = classify(
      {
        code: sent || null,
        message: message ?? null,
        adviceCode: advice || null,
        network: null,
        mapped: meanings.get(`${gateway} ${sent ?? ""}`) ?? null,
      },
      { gateway: gateway as PaymentGateway, country },
    );
    const key = `${reasonClass} ${currency}`;
    const group = groups.get(key) ?? { reasonClass, currency, charges: 0, amount: ZERO };
    groups.set(key, { ...group, charges: group.charges + count, amount: group.amount.plus(amount) });
  }
  return [...groups.values()].sort((one, other) => other.charges - one.charges);
}
