import { toAmount, divideRounded, ZERO, type Amount, type Ratio } from "../../kernel/amounts.ts";
import { quantityChangeAmount, calculatePlanAmount } from "../../products/price-plans/price.amount.ts";
import { convertPrice, type PaymentCurrency } from "../../products/price-plans/price.currency.ts";
import type { PlanTerms } from "../../products/price-plans/price.terms.ts";
import type { OrderLine } from "./order.line.ts";
import type { OfferedItem } from "./order.item-values.ts";
import { planTypes } from "../../products/price-plans/price.plan-types.ts";

/** An item of a subscription, as far as a change of it costs something. Prices are in the subscription's currency. */
export interface PricedSubscriptionItem {
  terms: PlanTerms;
  quantity: number;
  /** The unit price, without options. */
  price: Amount;
  optionPrice: Amount;
}

/** Decimals that any amount may have: what is charged is rounded once, after the part of the cycle is taken. */
const MAX_SCALE = 6;

/** The price difference for a whole cycle at another quantity; negative if it is cheaper. */
function quantityPriceDifference(
  { terms, quantity, price, optionPrice }: PricedSubscriptionItem,
  after: number,
  money: PaymentCurrency,
): Amount {
  const agreedTerms = { ...terms, price, currencyPrice: { [money.currency]: price } };
  const wholeCycle = { part: toAmount(1), whole: toAmount(1) };
  const exactCurrency = { ...money, scale: MAX_SCALE };
  const optionsDifference = optionPrice.times(after - quantity);
  return quantityChangeAmount(agreedTerms, quantity, after, wholeCycle, exactCurrency).plus(optionsDifference);
}

/** The unused value of the paid time after a quantity decrease: recorded, not refunded. */
export const refundableForQuantityCut = (
  item: PricedSubscriptionItem,
  after: number,
  { part, whole }: Ratio,
  money: PaymentCurrency,
): Amount => divideRounded({ part: quantityPriceDifference(item, after, money).neg().times(part), whole }, money.scale);

/** The unused value of the paid time after the removal of an item. */
export function refundableForRemoval(
  item: PricedSubscriptionItem,
  remainingShare: Ratio,
  money: PaymentCurrency,
): Amount {
  const { terms, quantity, price, optionPrice } = item;
  const agreedPrice = planTypes[terms.type].pricedByVolume ? null : price;
  const { amount } = calculatePlanAmount(
    terms,
    { quantity, first: false, price: agreedPrice, cycle: remainingShare },
    money,
  );
  const { part, whole } = remainingShare;
  return amount.plus(divideRounded({ part: optionPrice.times(quantity).times(part), whole }, money.scale));
}

/**
 * An increase of an item's quantity as an order prices it: one piece at the price of the increase, for the remaining
 * part of the cycle. `toProrationLines` shows it with the added quantity.
 */
export const toQuantityRaise = (
  item: OfferedItem,
  before: PricedSubscriptionItem,
  after: number,
  cycle: Ratio,
  money: PaymentCurrency,
): OfferedItem => ({
  ...item,
  terms: { ...item.terms, type: "FLAT", setupOption: null, volumes: [], additionalBilling: null, basicServing: 0 },
  quantity: 1,
  price: quantityPriceDifference(before, after, money),
  optionPrice: ZERO,
  cycle,
  raisedBy: after - before.quantity,
  raisedFrom: before.quantity,
});

/** The price of a plan for a whole cycle, including the base fee that is due before each, without options. */
function fullCycleCost(
  { terms, quantity, price }: Omit<PricedSubscriptionItem, "optionPrice">,
  money: PaymentCurrency,
): Amount {
  const exactCurrency = { ...money, scale: MAX_SCALE };
  const agreedPrice = planTypes[terms.type].pricedByVolume ? null : price;
  const { amount } = calculatePlanAmount(terms, { quantity, first: false, price: agreedPrice }, exactCurrency);
  const fee = terms.setupOption;
  const isRepeated = fee?.type === "PERIODIC" && fee.claimMethodType === "PRE";
  return isRepeated ? amount.plus(convertPrice(money, fee.price, fee.currencyPrice)) : amount;
}

/** The price difference of an item for a whole cycle with another plan; negative if it is cheaper. */
export const planPriceDifference = (
  before: PricedSubscriptionItem,
  terms: PlanTerms,
  price: Amount,
  money: PaymentCurrency,
): Amount => fullCycleCost({ terms, quantity: before.quantity, price }, money).minus(fullCycleCost(before, money));

/** The unused value of the paid time after a change to a cheaper plan: recorded, not refunded. */
export const refundableForPlanChange = (difference: Amount, { part, whole }: Ratio, money: PaymentCurrency): Amount =>
  divideRounded({ part: difference.neg().times(part), whole }, money.scale);

/**
 * A change to a dearer plan as an order prices it: one piece at the price difference, for the remaining part of the
 * cycle. It is not delivered. `toProrationLines` shows it with its quantity.
 */
export const toPlanUpgrade = (item: OfferedItem, difference: Amount, unitPrice: Amount, cycle: Ratio): OfferedItem => ({
  ...item,
  terms: { ...item.terms, type: "FLAT", setupOption: null, volumes: [], additionalBilling: null, basicServing: 0 },
  productType: "SOFTWARE",
  quantity: 1,
  price: difference,
  optionPrice: ZERO,
  cycle,
  changedPlan: { quantity: item.quantity, unitPrice },
});

/** Lines of an order, with its product lines as the proration of additions to a subscription. */
export const toProrationLines = (lines: readonly OrderLine<OfferedItem>[]): OrderLine<OfferedItem>[] =>
  lines.map((line) => {
    if (line.type !== "SKU") return line;
    if (line.item?.changedPlan) return { ...line, type: "ADDS", ...line.item.changedPlan };
    const raisedBy = line.item?.raisedBy ?? null;
    if (raisedBy === null) return { ...line, type: "ADDS" };
    const unitPrice = divideRounded({ part: line.unitPrice, whole: toAmount(raisedBy) }, MAX_SCALE);
    return { ...line, type: "ADDS", quantity: raisedBy, unitPrice };
  });
