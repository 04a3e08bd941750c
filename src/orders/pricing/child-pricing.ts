import { roundAmount, ZERO, type Amount } from "../../kernel/amounts.ts";
import { required } from "../../kernel/required-values.ts";
import type { Orderable } from "../../products/offer.service.ts";
import { calculatePlanAmount } from "../../products/price-plans/price.amount.ts";
import { convertPrice, type PaymentCurrency } from "../../products/price-plans/price.currency.ts";
import type { PlanTerms } from "../../products/price-plans/price.terms.ts";
import { planTypes } from "../../products/price-plans/price.plan-types.ts";
import { planPriceDifference, toQuantityRaise, toPlanUpgrade } from "./proration.pricing.ts";
import type { OfferedItem } from "./order.item-values.ts";

/** The unit price that a plan was charged at, options included, in the order's currency. */
export interface ChargedPrice {
  priceId: number | null;
  optionIds: readonly number[];
  unitPrice: Amount;
}

/** Decimals that any amount may have. */
const MAX_SCALE = 6;

/** The unit price without options that the child charged for the subscription before; null if it has not charged it. */
export function agreedChildPrice(
  { path }: OfferedItem,
  { plan, optionIds, optionPrice }: Orderable,
  chargedPrices: readonly ChargedPrice[],
  money: PaymentCurrency,
): Amount | null {
  // Joining items are sold at the current price.
  if (path !== undefined) return null;
  const previousCharge = chargedPrices.find(
    (one) => one.priceId === plan.id && hasSameOptions(one.optionIds, optionIds),
  );
  if (previousCharge === undefined) return null;
  const price = previousCharge.unitPrice.minus(roundAmount(convertPrice(money, optionPrice), MAX_SCALE));
  return price.lt(0) ? ZERO : price;
}

/**
 * An item of an order that charges a subscription as the child vendor charges it whose plan it is: the same cycles, units and
 * part of a cycle, by the child's terms.
 */
export function toChildItem(
  item: OfferedItem,
  sold: Orderable & { agreed: Amount | null },
  previouslySold: Orderable & { agreed: Amount | null },
  money: PaymentCurrency,
): OfferedItem {
  const { agreed } = sold;
  const { quantity, starts, ends, used, cycle, unitChangeHistory, path, raisedBy, raisedFrom } = item;
  const orderable = { ...sold, optionLabel: item.orderable.optionLabel };
  // It is charged when its parent charges it.
  const terms = { ...sold.terms, claim: item.orderable.terms.claim, recurring: item.orderable.terms.recurring };
  const { name: productName, type: productType } = sold.product;
  const childItem = {
    orderable,
    terms,
    productName,
    productType,
    quantity,
    starts,
    ends,
    used,
    cycle,
    unitChangeHistory,
    path,
  };
  if (isCoveredByBundle(item)) {
    const free = {
      ...terms,
      type: "FLAT",
      setupOption: null,
      volumes: [],
      additionalBilling: null,
      basicServing: 0,
    } as const;
    return { ...childItem, terms: free, price: ZERO, optionPrice: ZERO, raisedBy };
  }
  if (item.changedPlan) return toChildPlanUpgrade(item, childItem, previouslySold, money);
  if (raisedBy == null)
    return { ...childItem, price: isPricedByVolume(terms, quantity) ? null : agreed, optionPrice: sold.optionPrice };
  const paid = required(raisedFrom, "raisedFrom");
  const itemBeforeRaise = {
    terms,
    quantity: paid,
    price: agreed ?? convertPrice(money, terms.price, terms.currencyPrice),
    optionPrice: roundAmount(convertPrice(money, sold.optionPrice), MAX_SCALE),
  };
  return toQuantityRaise(childItem, itemBeforeRaise, paid + raisedBy, required(cycle, "cycle"), money);
}

/** A change of plans by the child's own prices: the difference, where its new plan is the dearer one. */
function toChildPlanUpgrade(
  item: OfferedItem,
  childItem: OfferedItem,
  { terms, optionPrice, agreed }: Orderable & { agreed: Amount | null },
  money: PaymentCurrency,
): OfferedItem {
  const { quantity } = required(item.changedPlan, "changedPlan");
  const price = agreed ?? calculatePlanAmount(terms, { quantity, first: false }, money).unitPrice;
  const itemBeforeChange = { terms, quantity, price, optionPrice: ZERO };
  const { unitPrice } = calculatePlanAmount(childItem.terms, { quantity, first: false }, money);
  const difference = planPriceDifference(itemBeforeChange, childItem.terms, unitPrice, money);
  const withOptions = unitPrice.plus(roundAmount(convertPrice(money, optionPrice), MAX_SCALE));
  return toPlanUpgrade(
    { ...childItem, quantity },
    difference.gt(0) ? difference : ZERO,
    withOptions,
    required(item.cycle, "cycle"),
  );
}

/** Whether the price of the bundle that an item is a member of covers it. */
const isCoveredByBundle = ({ isBundled, parent, terms }: OfferedItem): boolean =>
  isBundled === true || (parent != null && !planTypes[terms.type].chargedInBundles);

/** Whether volume ranges determine the price. A quantity that no range covers any more stays at the agreed price. */
const isPricedByVolume = ({ type, volumes }: PlanTerms, quantity: number): boolean =>
  planTypes[type].pricedByVolume &&
  volumes.some(({ min, max }) => quantity >= min && (max === null || quantity <= max));

const hasSameOptions = (some: readonly number[], others: readonly number[]): boolean =>
  some.length === others.length && some.every((id) => others.includes(id));
