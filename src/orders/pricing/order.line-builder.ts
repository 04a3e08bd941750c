import type { Amount } from "../../kernel/amounts.ts";
import { itemAt } from "../../kernel/required-values.ts";
import type { PaymentCurrency } from "../../products/price-plans/price.currency.ts";
import { buildDiscountLines, buildShippingLines, buildTaxLines, type ChargeSettings } from "./order.extra-lines.ts";
import { buildItemLines } from "./order.item-lines.ts";
import type { OrderLine, PricedItem } from "./order.line.ts";

/**
 * The lines of an order: those of each item, then the invoice discount on them, the delivery, and the tax where prices
 * exclude it. Each is rounded half up at the money's scale, and they add up to the order. `discount` is in the order's
 * currency.
 * @throws {Refusal} `QUANTITY_NOT_PRICED`, `NO_EXCHANGE_RATE`, `DISCOUNT_TOO_HIGH`
 */
export function buildOrderLines<I extends PricedItem>(
  items: readonly I[],
  settings: ChargeSettings,
  money: PaymentCurrency,
  discount: Amount | null,
): OrderLine<I>[] {
  const lines: OrderLine<I>[] = [];
  const positions: number[] = [];
  for (const item of items) {
    const parent = item.parent == null ? null : itemAt(positions, item.parent);
    positions.push(lines.length);
    lines.push(...buildItemLines(item, lines.length, parent, money));
  }
  lines.push(...buildDiscountLines(lines, discount, money));
  lines.push(...buildShippingLines(lines, settings, money));
  lines.push(...buildTaxLines(lines, settings, money));
  return lines;
}
