import { least, quotient, rounded, ZERO, type Amount, type Ratio } from "../../kernel/amounts.ts";
import { planAmount } from "../../products/price-plans/price.amount.ts";
import { priceIn, type Money } from "../../products/price-plans/price.currency.ts";
import { usageFormula } from "../../products/price-plans/price.formula.ts";
import type { PlanTerms } from "../../products/price-plans/price.terms.ts";
import { discountOf, FIRST_PURCHASE, lineOf, type OrderLine, type PricedItem } from "./order.line.ts";

/** Decimals of units as they are shown. */
const SHOWN_UNITS = 6;

/**
 * The lines of one item: the product, its set-up or base fee, its first-purchase discount. `at` is the index that the
 * first of them gets in the order.
 * @throws {Refusal} `QUANTITY_NOT_PRICED`, `NO_EXCHANGE_RATE`
 */
export function itemLines<I extends PricedItem>(
  item: I,
  at: number,
  parent: number | null,
  money: Money,
): OrderLine<I>[] {
  const { terms, quantity, trial } = item;
  const own = { type: "SKU", item, quantity, orderedProductName: item.productName, parent } as const;
  if (parent !== null && !isPricedInBundles(terms)) return [lineOf<I>({ ...own, amount: ZERO })];

  const cycle = cycleOf(item);
  const price = planAmount(terms, { ...item, quantity: unitsOf(item), first: cycle === 1 }, money);
  const { unitPrice } = price;
  if (trial) return [lineOf<I>({ ...own, amount: ZERO, unitPrice, demoCycle: trial })];

  const due = cycle === null ? { amount: ZERO, base: ZERO } : price;
  const sku = lineOf<I>({ ...own, amount: due.amount, unitPrice, ...usageOf(item, money) });
  const fee = feeOf(item, money);
  const firstSale = item.firstPurchase ? least(firstSaleOf(terms, money), due.base) : ZERO;
  return [
    sku,
    ...(fee.gt(0) ? [feeLine(item, fee, parent)] : []),
    ...(firstSale.gt(0) ? [discountOf(sku, at, FIRST_PURCHASE, firstSale)] : []),
  ];
}

/** Whether a plan is charged beside the bundle that its product is in: the bundle's price covers all others. */
export const isPricedInBundles = ({ type }: Pick<PlanTerms, "type">): boolean => type === "USAGE_BASED";

/** What is bought once is never postpaid. */
const isPostpaid = ({ claim, recurring }: PlanTerms): boolean => claim.methodType === "POST" && recurring !== null;

/** Number of the cycle that the plan is charged for: postpaid the one that ended, else the one that begins; null for none. */
const cycleOf = ({ terms, starts = 1, ends = null }: PricedItem): number | null => (isPostpaid(terms) ? ends : starts);

/** The units of an ended cycle that a postpaid plan is charged for. */
function usedUnits({ terms, ends, used }: PricedItem): Ratio | null {
  const isMetered = terms.type === "USAGE_BASED" || terms.type === "UNIT_BASED";
  return (isMetered && isPostpaid(terms) && ends != null && used) || null;
}

const unitsOf = (item: PricedItem): number | Ratio => usedUnits(item) ?? item.quantity;

function usageOf(item: PricedItem, money: Money) {
  const units = usedUnits(item);
  if (!units) return {};
  const count = quotient(units, SHOWN_UNITS);
  const counted = item.terms.type === "USAGE_BASED" ? { usedCount: count } : { unitCount: count };
  return { ...counted, usageFormula: usageFormula(item.terms, units, money) };
}

/** The fee that is due now: one that repeats, for the part of the cycle that is charged. */
function feeOf({ terms, starts = 1, ends = null, cycle }: PricedItem, money: Money): Amount {
  const fee = terms.setupOption;
  if (!fee) return ZERO;
  const number = fee.claimMethodType === "POST" && terms.recurring !== null ? ends : starts;
  if (number === null || (fee.type === "INITIALLY" && number > 1)) return ZERO;
  const price = priceIn(money, fee.price, fee.currencyPrice);
  return fee.type === "PERIODIC" && cycle
    ? quotient({ part: price.times(cycle.part), whole: cycle.whole }, money.scale)
    : rounded(price, money.scale);
}

function feeLine<I extends PricedItem>(item: I, amount: Amount, parent: number | null): OrderLine<I> {
  const { name, type } = item.terms.setupOption!;
  return lineOf({ type: "FEE", item, amount, orderedProductName: name, priceSetupType: type, parent });
}

const firstSaleOf = ({ firstSale }: PlanTerms, money: Money): Amount =>
  firstSale.enabled ? rounded(priceIn(money, firstSale.price, firstSale.currencyPrice), money.scale) : ZERO;
