import { amountOf, quotient, ZERO, type Amount, type Ratio } from "../../kernel/amounts.ts";
import { changeAmount, planAmount } from "../../products/price-plans/price.amount.ts";
import { priceIn, type Money } from "../../products/price-plans/price.currency.ts";
import type { PlanTerms } from "../../products/price-plans/price.terms.ts";
import type { OrderLine } from "./order.line.ts";
import type { OfferedItem } from "./order.item-values.ts";

/** An item of a subscription, as far as a change of it costs something. Prices are in the subscription's currency. */
export interface SettledItem {
  terms: PlanTerms;
  quantity: number;
  /** What one costs, without its options. */
  price: Amount;
  optionPrice: Amount;
}

/** Decimals that any amount may have: what is charged is rounded once, after the part of the cycle is taken. */
const ALL_DECIMALS = 6;

/** What another quantity of an item costs more for a whole cycle; below zero where it costs less. */
function difference({ terms, quantity, price, optionPrice }: SettledItem, after: number, money: Money): Amount {
  const agreed = { ...terms, price, currencyPrice: { [money.currency]: price } };
  const whole = { part: amountOf(1), whole: amountOf(1) };
  const exactly = { ...money, scale: ALL_DECIMALS };
  const options = optionPrice.times(after - quantity);
  return changeAmount(agreed, quantity, after, whole, exactly).plus(options);
}

/** What a cut of the quantity leaves of the time that was paid: it is noted, not given back. */
export const refundableOfCut = (item: SettledItem, after: number, { part, whole }: Ratio, money: Money): Amount =>
  quotient({ part: difference(item, after, money).neg().times(part), whole }, money.scale);

/** What the removal of an item leaves of the time that was paid. */
export function refundableOfRemoval(item: SettledItem, left: Ratio, money: Money): Amount {
  const { terms, quantity, price, optionPrice } = item;
  const agreed = terms.type === "VOLUME_BASED" ? null : price;
  const { amount } = planAmount(terms, { quantity, first: false, price: agreed, cycle: left }, money);
  const { part, whole } = left;
  return amount.plus(quotient({ part: optionPrice.times(quantity).times(part), whole }, money.scale));
}

/**
 * A raise of an item's quantity as an order prices it: as one piece that costs what the raise does, for the part of the
 * cycle that is left. `settlementLines` shows it as so many.
 */
export const raised = (
  item: OfferedItem,
  held: SettledItem,
  after: number,
  cycle: Ratio,
  money: Money,
): OfferedItem => ({
  ...item,
  terms: { ...item.terms, type: "FLAT", setupOption: null, volumes: [], additionalBilling: null, basicServing: 0 },
  quantity: 1,
  price: difference(held, after, money),
  optionPrice: ZERO,
  cycle,
  raisedBy: after - held.quantity,
  raisedFrom: held.quantity,
});

/** What a plan costs for a whole cycle, with the base fee that is due before each, without options. */
function costOfCycle({ terms, quantity, price }: Omit<SettledItem, "optionPrice">, money: Money): Amount {
  const exactly = { ...money, scale: ALL_DECIMALS };
  const agreed = terms.type === "VOLUME_BASED" ? null : price;
  const { amount } = planAmount(terms, { quantity, first: false, price: agreed }, exactly);
  const fee = terms.setupOption;
  const isRepeated = fee?.type === "PERIODIC" && fee.claimMethodType === "PRE";
  return isRepeated ? amount.plus(priceIn(money, fee.price, fee.currencyPrice)) : amount;
}

/** What an item costs more for a whole cycle with another plan at a price; below zero where it costs less. */
export const planDifference = (held: SettledItem, terms: PlanTerms, price: Amount, money: Money): Amount =>
  costOfCycle({ terms, quantity: held.quantity, price }, money).minus(costOfCycle(held, money));

/** What a cheaper plan leaves of the time that was paid: it is noted, not given back. */
export const refundableOfPlan = (difference: Amount, { part, whole }: Ratio, money: Money): Amount =>
  quotient({ part: difference.neg().times(part), whole }, money.scale);

/**
 * A change to a dearer plan as an order prices it: as one piece that costs the difference, for the part of the cycle that is
 * left. Nothing is sent for it. `settlementLines` shows it with its quantity.
 */
export const replanned = (item: OfferedItem, difference: Amount, unitPrice: Amount, cycle: Ratio): OfferedItem => ({
  ...item,
  terms: { ...item.terms, type: "FLAT", setupOption: null, volumes: [], additionalBilling: null, basicServing: 0 },
  productType: "SOFTWARE",
  quantity: 1,
  price: difference,
  optionPrice: ZERO,
  cycle,
  changedPlan: { quantity: item.quantity, unitPrice },
});

/** Lines of an order, with those of its products as the settlement of what is added to a subscription. */
export const settlementLines = (lines: readonly OrderLine<OfferedItem>[]): OrderLine<OfferedItem>[] =>
  lines.map((line) => {
    if (line.type !== "SKU") return line;
    if (line.item?.changedPlan) return { ...line, type: "ADDS", ...line.item.changedPlan };
    const raisedBy = line.item?.raisedBy ?? null;
    if (raisedBy === null) return { ...line, type: "ADDS" };
    const unitPrice = quotient({ part: line.unitPrice, whole: amountOf(raisedBy) }, ALL_DECIMALS);
    return { ...line, type: "ADDS", quantity: raisedBy, unitPrice };
  });
