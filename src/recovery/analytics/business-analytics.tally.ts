import type { PaymentGateway, ReasonClass } from "../../../schema/vocabulary.ts";
import { ZERO, type Amount } from "../../kernel/amounts.ts";
import { classifyDecline } from "../engine/decline.ts";

/** Days of the vendor's zone, both included. */
interface BusinessDays {
  from: string;
  until: string;
}

interface DailySum {
  day: string;
  currency: string;
  count: number;
  amount: Amount;
}

const DAY_MS = 86_400_000;

/** The days of a period in order. */
function listDays({ from, until }: BusinessDays): string[] {
  const days: string[] = [];
  for (let at = Date.parse(from); at <= Date.parse(until); at += DAY_MS)
    days.push(new Date(at).toISOString().slice(0, 10));
  return days;
}

const dayCurrencyKey = ({ day, currency }: Pick<DailySum, "day" | "currency">): string => `${day} ${currency}`;

/** Amounts that recur: those before the first day, by currency, and how they changed since. */
interface RecurringAmounts {
  before: ReadonlyMap<string, Amount>;
  changes: readonly DailySum[];
}

/** Revenue of every day, for each currency that has any. */
export function revenueByDay(
  days: BusinessDays,
  gross: readonly DailySum[],
  refunded: readonly DailySum[],
  recurring: RecurringAmounts,
  baseCurrency: string,
) {
  const changes = new Map(recurring.changes.map((sum) => [dayCurrencyKey(sum), sum.amount]));
  const amounts = new Map([...recurring.before].filter(([, amount]) => !amount.eq(0)));
  const currenciesWithChanges = [...gross, ...refunded, ...recurring.changes].map(({ currency }) => currency);
  const allCurrencies = [...new Set([...currenciesWithChanges, ...amounts.keys()])].sort();
  const currencies = allCurrencies.length > 0 ? allCurrencies : [baseCurrency];
  const [charges, refunds] = [gross, refunded].map((sums) => new Map(sums.map((sum) => [dayCurrencyKey(sum), sum])));
  return listDays(days).flatMap((day) =>
    currencies.map((currency) => {
      const [paid, refund] = [charges, refunds].map((sums) => sums?.get(dayCurrencyKey({ day, currency })));
      const [grossAmount, returned] = [paid?.amount ?? ZERO, refund?.amount ?? ZERO];
      const monthly = (amounts.get(currency) ?? ZERO).plus(changes.get(dayCurrencyKey({ day, currency })) ?? ZERO);
      amounts.set(currency, monthly);
      return {
        day,
        currency,
        gross: grossAmount,
        refunded: returned,
        net: grossAmount.minus(returned),
        monthlyRecurringRevenue: monthly,
        payments: paid?.count ?? 0,
        refunds: refund?.count ?? 0,
      };
    }),
  );
}

/** How many subscriptions there were on every day, from how many there were before. */
export function subscriptionsByDay(
  days: BusinessDays,
  before: number,
  started: readonly DailySum[],
  ended: readonly DailySum[],
) {
  const countOn = (sums: readonly DailySum[], day: string) =>
    sums.filter((sum) => sum.day === day).reduce((total, { count }) => total + count, 0);
  let active = before;
  return listDays(days).map((day) => {
    const [startedCount, churned] = [countOn(started, day), countOn(ended, day)];
    active += startedCount - churned;
    return { day, started: startedCount, churned, active };
  });
}

interface DeclineCount {
  gateway: string;
  code: string;
  advice: string;
  currency: string;
  count: number;
  amount: Amount;
}

/** Failed charges by what their codes mean, as the recovery engine reads them, and by currency; most first. */
export function groupDeclinesByReason(
  declines: readonly DeclineCount[],
  meanings: ReadonlyMap<string, ReasonClass>,
  country: string,
) {
  const groups = new Map<string, { reasonClass: ReasonClass; currency: string; charges: number; amount: Amount }>();
  for (const { gateway, code, advice, currency, count, amount } of declines) {
    const [sentCode, message] = code.split("\n");
    const reasonClass = classifyDecline(
      {
        code: sentCode || null,
        message: message ?? null,
        adviceCode: advice || null,
        network: null,
        mapped: meanings.get(`${gateway} ${sentCode ?? ""}`) ?? null,
      },
      { gateway: gateway as PaymentGateway, country },
    );
    const key = `${reasonClass} ${currency}`;
    const group = groups.get(key) ?? { reasonClass, currency, charges: 0, amount: ZERO };
    groups.set(key, { ...group, charges: group.charges + count, amount: group.amount.plus(amount) });
  }
  return [...groups.values()].sort((one, other) => other.charges - one.charges);
}
