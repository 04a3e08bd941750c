import type { OrderItemType, ProductType, RecurringInterval, SetupOptionType } from "../../../schema/vocabulary.ts";
import type { Amount, Ratio } from "../../kernel/amounts.ts";
import type { PlanTerms } from "../../products/price-plans/price.terms.ts";

/** The name of a discount for customers who buy a product for the first time. */
export const FIRST_PURCHASE = "First purchase";

/** The name of a discount on a whole order. */
export const INVOICE_DISCOUNT = "Invoice";

/** How long a trial lasts. */
interface DemoCycle {
  num: number;
  type: RecurringInterval;
}

/** An item of an order, as far as its price goes. */
export interface PricedItem {
  terms: PlanTerms;
  productName: string;
  productType: ProductType;
  /** Pieces or accounts; of a prepaid plan for metered units, those that may be used. */
  quantity: number;
  /** The surcharge of the chosen options per unit, in the base currency. */
  optionPrice?: Amount | null;
  /** A unit price that replaces the plan's, in the order's currency. */
  price?: Amount | null;
  /** Whether the customer buys the product for the first time. */
  firstPurchase?: boolean;
  /** The trial that begins: the item is not charged. */
  trial?: DemoCycle | null;
  /** Number of the plan's cycle that starts, 1 for the first; null if none starts. Defaults to the first. */
  starts?: number | null;
  /** Number of the plan's cycle that has ended, which postpaid parts are charged for. Defaults to none. */
  ends?: number | null;
  /** Metered units of the cycle that has ended. */
  used?: Ratio | null;
  /** The fraction of the cycle that is charged, if an item joins a running one. Defaults to the whole cycle. */
  cycle?: Ratio | null;
  /** Index of the bundle's item that this one is a member of; the bundle precedes its members. */
  parent?: number | null;
}

/** A line of an order. Amounts have the decimals of what is charged. */
export interface OrderLine<I extends PricedItem> {
  type: OrderItemType;
  /** The item that the line is of; null for shipping and its tax. */
  item: I | null;
  /** The amount that the line adds to the order; negative for a discount. */
  amount: Amount;
  quantity: number;
  /** The unit price in the order's currency, options included. */
  unitPrice: Amount;
  orderedProductName: string;
  discountName: string | null;
  priceSetupType: SetupOptionType | null;
  demoCycle: DemoCycle | null;
  usedCount: Amount | null;
  unitCount: Amount | null;
  usageFormula: string | null;
  /** Index of the line that this one reduces or taxes. */
  related: number | null;
  /** Index of the bundle's line that this one is a member of. */
  parent: number | null;
}

/** A line with the given fields; all others are empty. */
export const createLine = <I extends PricedItem>(
  parts: Pick<OrderLine<I>, "type" | "item" | "amount" | "orderedProductName"> & Partial<OrderLine<I>>,
): OrderLine<I> => ({
  quantity: 1,
  unitPrice: parts.amount,
  discountName: null,
  priceSetupType: null,
  demoCycle: null,
  usedCount: null,
  unitCount: null,
  usageFormula: null,
  related: null,
  parent: null,
  ...parts,
});

/** A line that takes an amount from another. */
export const createDiscountLine = <I extends PricedItem>(
  reduced: OrderLine<I>,
  related: number,
  discountName: string,
  amount: Amount,
): OrderLine<I> => {
  const { item, orderedProductName, parent } = reduced;
  return createLine({
    type: "DISCOUNT",
    item,
    amount: amount.neg(),
    orderedProductName,
    discountName,
    related,
    parent,
  });
};
