import { toAmount, type Ratio } from "../../kernel/amounts.ts";
import { required } from "../../kernel/required-values.ts";
import type { PaymentCurrency } from "../../products/price-plans/price.currency.ts";
import type { PlanTerms } from "../../products/price-plans/price.terms.ts";
import type { BillingPeriod } from "../subscription.period.ts";
import { secondsInPeriod } from "../subscription.remaining-share.ts";
import type { ChargedCycle } from "../subscription.schedule.ts";
import { sumMeteredUnits, computeUnitChangeHistory, type UnitDelta } from "../usage.series.ts";
import type { PricedItem } from "../../orders/pricing/order.line.ts";
import { isMeteredType, planTypes } from "../../products/price-plans/price.plan-types.ts";

/** The pricing values of a subscription's item. */
export interface RenewedItem {
  id: number;
  parentItemId: number | null;
  terms: PlanTerms;
  productName: string;
  productType: PricedItem["productType"];
  quantity: number;
  /** The unit price, without options, in the subscription's currency. */
  price: NonNullable<PricedItem["price"]>;
  /** The price of one unit's options in the subscription's currency, and at present in the base currency. */
  optionPrice: NonNullable<PricedItem["optionPrice"]>;
  optionPriceNow: NonNullable<PricedItem["optionPrice"]>;
  isAdditional: boolean;
  keepWhenRenew: boolean;
  chargedCycles: number;
  activatedAt: Date | null;
  removedAt: Date | null;
  usage: readonly UnitDelta[];
  quota: readonly UnitDelta[];
}

/** An item as a charge prices it. */
export interface ChargedItem<I> extends PricedItem {
  subscriptionItem: I;
  unitChangeHistory: { changedCount: number; days: number }[] | null;
}

/**
 * The items of a subscription as a charge of one of its cycles prices them; `nth` counts the cycles that one order charges,
 * from 0. Prepaid, those that begin the next cycle; postpaid, those that belonged to the one that has ended, each for its time.
 */
export function toChargedItems<I extends RenewedItem>(
  items: readonly I[],
  isPrepaid: boolean,
  cycle: ChargedCycle,
  cycleIndex: number,
  money: PaymentCurrency,
): ChargedItem<I>[] {
  const includedItems = items.filter((item) =>
    isPrepaid ? isRenewed(item) : wasPresentIn(item, cycle.ended?.charged ?? null),
  );
  return includedItems.map((item) => {
    const { terms, productName, productType, quantity } = item;
    const cycleNumbers = isPrepaid ? prepaidCycleNumbers(item, cycle) : postpaidCycleNumbers(item, cycle, cycleIndex);
    const parent = includedItems.findIndex(({ id }) => id === item.parentItemId);
    return {
      subscriptionItem: item,
      terms,
      productName,
      productType,
      quantity,
      price: planTypes[terms.type].pricedByVolume ? null : item.price,
      optionPrice: money.currency === money.baseCurrency ? item.optionPrice : item.optionPriceNow,
      ...cycleNumbers,
      ...meteredUsage(item, cycle),
      cycle: isPrepaid ? null : chargedShareOf(item, cycle),
      parent: parent < 0 ? null : parent,
    };
  });
}

const isActive = ({ activatedAt, removedAt }: RenewedItem): boolean => activatedAt !== null && removedAt === null;

/** Items that were added for one cycle only do not stay. */
const isRenewed = (item: RenewedItem): boolean => isActive(item) && (!item.isAdditional || item.keepWhenRenew);

const wasPresentIn = ({ activatedAt, removedAt }: RenewedItem, period: BillingPeriod | null): boolean =>
  period !== null &&
  activatedAt !== null &&
  activatedAt < period.end &&
  (removedAt === null || removedAt > period.start);

const prepaidCycleNumbers = ({ chargedCycles }: RenewedItem, { ended }: ChargedCycle) => ({
  starts: chargedCycles + 1,
  ends: ended !== null && chargedCycles > 0 ? chargedCycles : null,
});

function postpaidCycleNumbers(item: RenewedItem, { starting }: ChargedCycle, cycleIndex: number) {
  const ends = item.chargedCycles + cycleIndex + 1;
  return { ends, starts: starting !== null && isRenewed(item) ? ends + 1 : null };
}

/** The time of the cycle in which the item belonged to the subscription, as far as it is charged. */
function presentPeriod({ activatedAt, removedAt }: RenewedItem, { start, end }: BillingPeriod): BillingPeriod {
  const from = activatedAt !== null && activatedAt > start ? activatedAt : start;
  const until = removedAt !== null && removedAt < end ? removedAt : end;
  return { start: from, end: until };
}

/** The part of its cycle that an item is charged for; null for all of it. */
function chargedShareOf(item: RenewedItem, { ended }: ChargedCycle): Ratio | null {
  const { whole, charged } = required(ended, "ended");
  const [part, wholeSeconds] = [secondsInPeriod(presentPeriod(item, charged)), secondsInPeriod(whole)];
  return part === wholeSeconds ? null : { part: toAmount(Math.max(part, 0)), whole: toAmount(wholeSeconds) };
}

/** The units of the cycle that has ended. Accounts are counted by time: one through the whole cycle is one unit. */
function meteredUsage(
  item: RenewedItem,
  { ended }: ChargedCycle,
): Pick<ChargedItem<never>, "used" | "unitChangeHistory"> {
  const { type, recurring, claim } = item.terms;
  if (!isMeteredType(type) || ended === null) return { used: null, unitChangeHistory: null };
  const series = claim.methodType === "POST" ? item.usage : item.quota;
  const period = { start: ended.whole.start, end: presentPeriod(item, ended.charged).end };
  const { part, whole } = sumMeteredUnits(type, series, period, recurring?.aggregateUsageType ?? null);
  const isByTime = planTypes[type].prorated;
  return {
    used: { part, whole: isByTime ? toAmount(secondsInPeriod(ended.whole)) : whole },
    unitChangeHistory: isByTime ? toUnitChangeHistory(series, period) : null,
  };
}

/** The unit changes in a period, as stored with a line: in whole days. */
export const toUnitChangeHistory = (series: readonly UnitDelta[], period: BillingPeriod) =>
  computeUnitChangeHistory(series, period).map(({ changedCount, days }) => ({
    changedCount,
    days: Math.round(days),
  }));
