import { amountOf, type Ratio } from "../../kernel/amounts.ts";
import type { Money } from "../../products/price-plans/price.currency.ts";
import type { PlanTerms } from "../../products/price-plans/price.terms.ts";
import type { Period } from "../subscription.period.ts";
import { secondsOf } from "../changes/subscription.proration.ts";
import type { ChargedCycle } from "../subscription.schedule.ts";
import { meteredUnits, unitChangeHistory, type MeteredType, type UnitChange } from "../usage.series.ts";
import type { PricedItem } from "../../orders/pricing/order.line.ts";

/** What a subscription's item is charged by. */
export interface RenewedItem {
  id: number;
  parentItemId: number | null;
  terms: PlanTerms;
  productName: string;
  productType: PricedItem["productType"];
  quantity: number;
  /** What one costs, without its options, in the subscription's currency. */
  price: NonNullable<PricedItem["price"]>;
  /** What the options of one cost in the subscription's currency, and now in the base currency. */
  optionPrice: NonNullable<PricedItem["optionPrice"]>;
  optionPriceNow: NonNullable<PricedItem["optionPrice"]>;
  isAdditional: boolean;
  keepWhenRenew: boolean;
  chargedCycles: number;
  activatedAt: Date | null;
  removedAt: Date | null;
  record: readonly UnitChange[];
  quota: readonly UnitChange[];
}

/** An item as a charge prices it. */
export interface ChargedItem<I> extends PricedItem {
  charged: I;
  unitChangeHistory: { changedCount: number; days: number }[] | null;
}

/**
 * The items of a subscription as a charge of one of its cycles prices them; `nth` counts the cycles that one order charges,
 * from 0. Prepaid, those that begin the next cycle; postpaid, those that belonged to the one that has ended, each for its time.
 */
export function chargedItems<I extends RenewedItem>(
  items: readonly I[],
  isPrepaid: boolean,
  cycle: ChargedCycle,
  nth: number,
  money: Money,
): ChargedItem<I>[] {
  const there = items.filter((item) => (isPrepaid ? staysOn(item) : wasThere(item, cycle.ended?.charged ?? null)));
  return there.map((item) => {
    const { terms, productName, productType, quantity } = item;
    const numbers = isPrepaid ? prepaidNumbers(item, cycle) : postpaidNumbers(item, cycle, nth);
    const parent = there.findIndex(({ id }) => id === item.parentItemId);
    return {
      charged: item,
      terms,
      productName,
      productType,
      quantity,
      price: terms.type === "VOLUME_BASED" ? null : item.price,
      optionPrice: money.currency === money.baseCurrency ? item.optionPrice : item.optionPriceNow,
      ...numbers,
      ...metering(item, cycle),
      cycle: isPrepaid ? null : shareOf(item, cycle),
      parent: parent < 0 ? null : parent,
    };
  });
}

const isOn = ({ activatedAt, removedAt }: RenewedItem): boolean => activatedAt !== null && removedAt === null;

/** What was added for one cycle alone does not stay. */
const staysOn = (item: RenewedItem): boolean => isOn(item) && (!item.isAdditional || item.keepWhenRenew);

const wasThere = ({ activatedAt, removedAt }: RenewedItem, period: Period | null): boolean =>
  period !== null &&
  activatedAt !== null &&
  activatedAt < period.end &&
  (removedAt === null || removedAt > period.start);

const prepaidNumbers = ({ chargedCycles }: RenewedItem, { ended }: ChargedCycle) => ({
  starts: chargedCycles + 1,
  ends: ended !== null && chargedCycles > 0 ? chargedCycles : null,
});

function postpaidNumbers(item: RenewedItem, { begins }: ChargedCycle, nth: number) {
  const ends = item.chargedCycles + nth + 1;
  return { ends, starts: begins !== null && staysOn(item) ? ends + 1 : null };
}

/** The time of the cycle in which the item belonged to the subscription, as far as it is charged. */
function presence({ activatedAt, removedAt }: RenewedItem, { start, end }: Period): Period {
  const from = activatedAt !== null && activatedAt > start ? activatedAt : start;
  const until = removedAt !== null && removedAt < end ? removedAt : end;
  return { start: from, end: until };
}

/** The part of its cycle that an item is charged for; null for all of it. */
function shareOf(item: RenewedItem, { ended }: ChargedCycle): Ratio | null {
  const { whole, charged } = ended!;
  const [part, all] = [secondsOf(presence(item, charged)), secondsOf(whole)];
  return part === all ? null : { part: amountOf(Math.max(part, 0)), whole: amountOf(all) };
}

/** The units of the cycle that has ended. Accounts are counted by time: one through the whole cycle is one unit. */
function metering(item: RenewedItem, { ended }: ChargedCycle): Pick<ChargedItem<never>, "used" | "unitChangeHistory"> {
  const { type, recurring, claim } = item.terms;
  if (!isMetered(type) || ended === null) return { used: null, unitChangeHistory: null };
  const series = claim.methodType === "POST" ? item.record : item.quota;
  const period = { start: ended.whole.start, end: presence(item, ended.charged).end };
  const { part, whole } = meteredUnits(type, series, period, recurring?.aggregateUsageType ?? null);
  const isByTime = type === "UNIT_BASED";
  return {
    used: { part, whole: isByTime ? amountOf(secondsOf(ended.whole)) : whole },
    unitChangeHistory: isByTime ? historyOf(series, period) : null,
  };
}

/** The changes of units in a period, as a line keeps them: in whole days. */
export const historyOf = (series: readonly UnitChange[], period: Period) =>
  unitChangeHistory(series, period).map(({ changedCount, days }) => ({
    changedCount,
    days: Math.round(days),
  }));

const isMetered = (type: PlanTerms["type"]): type is MeteredType => type === "UNIT_BASED" || type === "USAGE_BASED";
