import { sumAmounts, type Amount } from "../../kernel/amounts.ts";
import { invariant, Refusal } from "../../kernel/refusals.ts";
import {
  toPaymentCurrency,
  type PaymentCurrency,
  type VendorCurrency,
} from "../../products/price-plans/price.currency.ts";
import type { CurrencyPrice } from "../../products/price-plans/price.terms.ts";
import type { ChargeSettings } from "./order.extra-lines.ts";
import type { OrderLine, PricedItem } from "./order.line.ts";
import { buildOrderLines } from "./order.line-builder.ts";

/** The totals of an order. */
export interface OrderTotals {
  /** The sum of the lines. */
  amount: Amount;
  /** The sum of all discounts, above zero. */
  discountedAmount: Amount;
}

/** The totals of an order's lines. */
export function calculateOrderTotals(lines: readonly Pick<OrderLine<PricedItem>, "type" | "amount">[]): OrderTotals {
  const amount = sumAmounts(lines.map((line) => line.amount));
  invariant(amount.gte(0), "discounts never exceed the amounts that they reduce");
  const discounts = lines.filter(({ type }) => type === "DISCOUNT");
  return { amount, discountedAmount: sumAmounts(discounts.map((line) => line.amount.abs())) };
}

/**
 * The order's total in each currency in which all its plans have a price. A discount or a manual price applies in the
 * order's currency only, so such an order has none; neither does an order where another line lacks an exchange rate.
 */
export function calculateTotalsByCurrency(
  items: readonly PricedItem[],
  vendor: ChargeSettings & VendorCurrency,
  discount: Amount | null,
): CurrencyPrice {
  if (discount?.gt(0) || items.some(({ price }) => price != null)) return {};
  const [first, ...others] = items.map(({ terms }) => terms.currencyPrice);
  const shared = Object.keys(first ?? {}).filter((currency) => others.every((own) => Object.hasOwn(own, currency)));
  const totals = shared.flatMap((currency) => {
    const total = totalInCurrency(items, vendor, toPaymentCurrency(vendor, currency));
    return total ? [[currency, total] as const] : [];
  });
  return Object.fromEntries(totals);
}

function totalInCurrency(
  items: readonly PricedItem[],
  settings: ChargeSettings,
  money: PaymentCurrency,
): Amount | null {
  try {
    return calculateOrderTotals(buildOrderLines(items, settings, money, null)).amount;
  } catch (error) {
    if (error instanceof Refusal && error.code === "NO_EXCHANGE_RATE") return null;
    throw error;
  }
}
