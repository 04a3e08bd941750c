import { minAmount, divideRounded, roundAmount, ZERO, type Amount, type Ratio } from "../../kernel/amounts.ts";
import { required } from "../../kernel/required-values.ts";
import { calculatePlanAmount } from "../../products/price-plans/price.amount.ts";
import { convertPrice, type PaymentCurrency } from "../../products/price-plans/price.currency.ts";
import { formatUsageFormula } from "../../products/price-plans/price.formula.ts";
import type { PlanTerms } from "../../products/price-plans/price.terms.ts";
import { createDiscountLine, FIRST_PURCHASE, createLine, type OrderLine, type PricedItem } from "./order.line.ts";
import { isMeteredType, planTypes } from "../../products/price-plans/price.plan-types.ts";

/** Decimals of units as they are shown. */
const DISPLAYED_UNIT_SCALE = 6;

/**
 * The lines of one item: the product, its set-up or base fee, its first-purchase discount. `at` is the index that the
 * first of them gets in the order.
 * @throws {Refusal} `QUANTITY_NOT_PRICED`, `NO_EXCHANGE_RATE`
 */
export function buildItemLines<I extends PricedItem>(
  item: I,
  firstIndex: number,
  parent: number | null,
  money: PaymentCurrency,
): OrderLine<I>[] {
  const { terms, quantity, trial } = item;
  const common = { type: "SKU", item, quantity, orderedProductName: item.productName, parent } as const;
  if (parent !== null && !planTypes[terms.type].chargedInBundles) return [createLine<I>({ ...common, amount: ZERO })];

  const cycle = chargedCycleNumber(item);
  const price = calculatePlanAmount(terms, { ...item, quantity: chargedUnits(item), first: cycle === 1 }, money);
  const { unitPrice } = price;
  if (trial) return [createLine<I>({ ...common, amount: ZERO, unitPrice, demoCycle: trial })];

  const dueAmount = cycle === null ? { amount: ZERO, base: ZERO } : price;
  const sku = createLine<I>({ ...common, amount: dueAmount.amount, unitPrice, ...usageFields(item, money) });
  const fee = feeAmount(item, money);
  const discount = item.firstPurchase ? minAmount(firstPurchaseDiscount(terms, money), dueAmount.base) : ZERO;
  return [
    sku,
    ...(fee.gt(0) ? [createFeeLine(item, fee, parent)] : []),
    ...(discount.gt(0) ? [createDiscountLine(sku, firstIndex, FIRST_PURCHASE, discount)] : []),
  ];
}

/** One-time purchases are never postpaid. */
const isPostpaid = ({ claim, recurring }: PlanTerms): boolean => claim.methodType === "POST" && recurring !== null;

/** Number of the cycle that the plan is charged for: postpaid the one that ended, else the one that begins; null for none. */
const chargedCycleNumber = ({ terms, starts = 1, ends = null }: PricedItem): number | null =>
  isPostpaid(terms) ? ends : starts;

/** The units of an ended cycle that a postpaid plan is charged for. */
function postpaidUnits({ terms, ends, used }: PricedItem): Ratio | null {
  return (isMeteredType(terms.type) && isPostpaid(terms) && ends != null && used) || null;
}

const chargedUnits = (item: PricedItem): number | Ratio => postpaidUnits(item) ?? item.quantity;

function usageFields(item: PricedItem, money: PaymentCurrency) {
  const units = postpaidUnits(item);
  if (!units) return {};
  const count = divideRounded(units, DISPLAYED_UNIT_SCALE);
  const counted = planTypes[item.terms.type].metered === "USAGE" ? { usedCount: count } : { unitCount: count };
  return { ...counted, usageFormula: formatUsageFormula(item.terms, units, money) };
}

/** The fee that is due now: one that repeats, for the part of the cycle that is charged. */
function feeAmount({ terms, starts = 1, ends = null, cycle }: PricedItem, money: PaymentCurrency): Amount {
  const fee = terms.setupOption;
  if (!fee) return ZERO;
  const number = fee.claimMethodType === "POST" && terms.recurring !== null ? ends : starts;
  if (number === null || (fee.type === "INITIALLY" && number > 1)) return ZERO;
  const price = convertPrice(money, fee.price, fee.currencyPrice);
  return fee.type === "PERIODIC" && cycle
    ? divideRounded({ part: price.times(cycle.part), whole: cycle.whole }, money.scale)
    : roundAmount(price, money.scale);
}

function createFeeLine<I extends PricedItem>(item: I, amount: Amount, parent: number | null): OrderLine<I> {
  const { name, type } = required(item.terms.setupOption, "setupOption");
  return createLine({ type: "FEE", item, amount, orderedProductName: name, priceSetupType: type, parent });
}

const firstPurchaseDiscount = ({ firstSale }: PlanTerms, money: PaymentCurrency): Amount =>
  firstSale.enabled ? roundAmount(convertPrice(money, firstSale.price, firstSale.currencyPrice), money.scale) : ZERO;
