import { rounded, ZERO, type Amount } from "../../kernel/amounts.ts";
import type { Orderable } from "../../products/offer.service.ts";
import { planAmount } from "../../products/price-plans/price.amount.ts";
import { priceIn, type Money } from "../../products/price-plans/price.currency.ts";
import type { PlanTerms } from "../../products/price-plans/price.terms.ts";
import { isPricedInBundles } from "./order.item-lines.ts";
import { planDifference, raised, replanned } from "./change.pricing.ts";
import type { OfferedItem } from "./order.item-values.ts";

/** What one of a plan was charged at, options included, in the order's currency. */
export interface ChargedPrice {
  priceId: number | null;
  optionIds: readonly number[];
  unitPrice: Amount;
}

/** Decimals that any amount may have. */
const ALL_DECIMALS = 6;

/** What one costs without its options where the child has charged it for the subscription before; null where it has not. */
export function agreedPrice(
  { path }: OfferedItem,
  { plan, optionIds, optionPrice }: Orderable,
  charged: readonly ChargedPrice[],
  money: Money,
): Amount | null {
  // What joins is sold at the price of today.
  if (path !== undefined) return null;
  const before = charged.find((one) => one.priceId === plan.id && sameOptions(one.optionIds, optionIds));
  if (before === undefined) return null;
  const price = before.unitPrice.minus(rounded(priceIn(money, optionPrice), ALL_DECIMALS));
  return price.lt(0) ? ZERO : price;
}

/**
 * An item of an order that charges a subscription as the child vendor charges it whose plan it is: the same cycles, units and
 * part of a cycle, by the child's terms.
 */
export function chargedByChild(
  item: OfferedItem,
  sold: Orderable & { agreed: Amount | null },
  before: Orderable & { agreed: Amount | null },
  money: Money,
): OfferedItem {
  const { agreed } = sold;
  const { quantity, starts, ends, used, cycle, unitChangeHistory, path, raisedBy, raisedFrom } = item;
  const orderable = { ...sold, optionLabel: item.orderable.optionLabel };
  // It is charged when its parent charges it.
  const terms = { ...sold.terms, claim: item.orderable.terms.claim, recurring: item.orderable.terms.recurring };
  const { name: productName, type: productType } = sold.product;
  const own = {
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
  if (isCovered(item)) {
    const free = {
      ...terms,
      type: "FLAT",
      setupOption: null,
      volumes: [],
      additionalBilling: null,
      basicServing: 0,
    } as const;
    return { ...own, terms: free, price: ZERO, optionPrice: ZERO, raisedBy };
  }
  if (item.changedPlan) return replannedByChild(item, own, before, money);
  if (raisedBy == null)
    return { ...own, price: isPricedByVolume(terms, quantity) ? null : agreed, optionPrice: sold.optionPrice };
  const held = {
    terms,
    quantity: raisedFrom!,
    price: agreed ?? priceIn(money, terms.price, terms.currencyPrice),
    optionPrice: rounded(priceIn(money, sold.optionPrice), ALL_DECIMALS),
  };
  return raised(own, held, raisedFrom! + raisedBy, cycle!, money);
}

/** A change of plans by the child's own prices: the difference, where its new plan is the dearer one. */
function replannedByChild(
  item: OfferedItem,
  own: OfferedItem,
  { terms, optionPrice, agreed }: Orderable & { agreed: Amount | null },
  money: Money,
): OfferedItem {
  const { quantity } = item.changedPlan!;
  const price = agreed ?? planAmount(terms, { quantity, first: false }, money).unitPrice;
  const held = { terms, quantity, price, optionPrice: ZERO };
  const { unitPrice } = planAmount(own.terms, { quantity, first: false }, money);
  const difference = planDifference(held, own.terms, unitPrice, money);
  const withOptions = unitPrice.plus(rounded(priceIn(money, optionPrice), ALL_DECIMALS));
  return replanned({ ...own, quantity }, difference.gt(0) ? difference : ZERO, withOptions, item.cycle!);
}

/** Whether the price of the bundle that an item is a member of covers it. */
const isCovered = ({ isBundled, parent, terms }: OfferedItem): boolean =>
  isBundled === true || (parent != null && !isPricedInBundles(terms));

/** Whether ranges of quantities tell the price. What they have no price for any more stays at the one that was agreed to. */
const isPricedByVolume = ({ type, volumes }: PlanTerms, quantity: number): boolean =>
  type === "VOLUME_BASED" && volumes.some(({ min, max }) => quantity >= min && (max === null || quantity <= max));

const sameOptions = (some: readonly number[], others: readonly number[]): boolean =>
  some.length === others.length && some.every((id) => others.includes(id));
