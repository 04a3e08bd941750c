import type { DeliveryChargeType } from "../../../schema/vocabulary.ts";
import {
  allocateWithin,
  toPlainString,
  divideRounded,
  roundAmount,
  sumAmounts,
  toAmount,
  ZERO,
  type Amount,
} from "../../kernel/amounts.ts";
import { invalid } from "../../kernel/refusals.ts";
import { itemAt } from "../../kernel/required-values.ts";
import { convertPrice, type PaymentCurrency } from "../../products/price-plans/price.currency.ts";
import { createDiscountLine, INVOICE_DISCOUNT, createLine, type OrderLine, type PricedItem } from "./order.line.ts";

/** A vendor's settings for charges besides the items. Amounts are in its base currency. */
export interface ChargeSettings {
  vatIncluded: boolean;
  /** Per cent. */
  vatRate: Amount;
  useDeliveryCharge: boolean;
  deliveryChargeType: DeliveryChargeType;
  defaultDeliveryCharge: Amount;
  freeShipOverAmount: Amount;
}

/**
 * A discount on the order, distributed among its lines in proportion to their remaining amounts.
 * @throws {Refusal} `DISCOUNT_TOO_HIGH` if it exceeds the sum of these.
 */
export function buildDiscountLines<I extends PricedItem>(
  lines: readonly OrderLine<I>[],
  discount: Amount | null,
  { scale, currency }: PaymentCurrency,
): OrderLine<I>[] {
  const roundedDiscount = roundAmount(discount ?? ZERO, scale);
  const reducible = netLines(lines);
  const total = sumAmounts(reducible.map(({ net }) => net));
  if (roundedDiscount.gt(total)) {
    const sentence = `The discount of ${toPlainString(roundedDiscount)} ${currency} is larger than the amount of ${toPlainString(total)} that it reduces.`;
    throw invalid("DISCOUNT_TOO_HIGH", sentence);
  }
  const nets = reducible.map(({ net }) => net);
  return allocateWithin(roundedDiscount, nets, scale).flatMap((part, index) => {
    const { line, at } = itemAt(reducible, index);
    return part.gt(0) ? [createDiscountLine(line, at, INVOICE_DISCOUNT, part)] : [];
  });
}

/**
 * The delivery line for shipped goods that are charged now, once per order. The free-delivery threshold applies to the
 * order's sum after discounts and before tax.
 * @throws {Refusal} `NO_EXCHANGE_RATE`
 */
export function buildShippingLines<I extends PricedItem>(
  lines: readonly OrderLine<I>[],
  settings: ChargeSettings,
  money: PaymentCurrency,
): OrderLine<I>[] {
  const { useDeliveryCharge, deliveryChargeType, defaultDeliveryCharge, freeShipOverAmount } = settings;
  const ships = lines.some(({ type, item }) => type === "SKU" && item !== null && isShipped(item));
  if (!ships || !useDeliveryCharge || deliveryChargeType === "FREE") return [];
  const isFree = () => sumAmounts(lines.map(({ amount }) => amount)).gte(convertPrice(money, freeShipOverAmount));
  if (deliveryChargeType === "FREE_OVER_AMOUNT" && isFree()) return [];
  const amount = roundAmount(convertPrice(money, defaultDeliveryCharge), money.scale);
  return amount.gt(0) ? [createLine<I>({ type: "SHIPPING", item: null, amount, orderedProductName: "Delivery" })] : [];
}

/** Tax on each line after its discounts, where the vendor's prices exclude it. */
export function buildTaxLines<I extends PricedItem>(
  lines: readonly OrderLine<I>[],
  { vatIncluded, vatRate }: ChargeSettings,
  { scale }: PaymentCurrency,
): OrderLine<I>[] {
  if (vatIncluded) return [];
  return netLines(lines).flatMap(({ line: { item, parent }, net, at }) => {
    const amount = divideRounded({ part: net.times(vatRate), whole: toAmount(100) }, scale);
    return amount.gt(0)
      ? [createLine<I>({ type: "TAX", item, amount, orderedProductName: "VAT", related: at, parent })]
      : [];
  });
}

/**
 * The line for the part of the order that is due at once. It adds no amount: the other lines make up the order's sum.
 */
export function buildInstantLines<I extends PricedItem>(
  instant: Amount | null,
  { scale }: PaymentCurrency,
): OrderLine<I>[] {
  const unitPrice = roundAmount(instant ?? ZERO, scale);
  if (!unitPrice.gt(0)) return [];
  return [createLine<I>({ type: "INSTANT", item: null, amount: ZERO, unitPrice, orderedProductName: "Due at once" })];
}

const isShipped = ({ productType, trial, starts = 1 }: PricedItem): boolean =>
  productType === "BOX" && !trial && starts !== null;

/** Lines with a charge, with their amounts after discounts. */
function netLines<I extends PricedItem>(lines: readonly OrderLine<I>[]) {
  const nets = lines.map(({ amount }) => amount);
  for (const { type, related, amount } of lines)
    if (type === "DISCOUNT" && related !== null) nets[related] = itemAt(nets, related).plus(amount);
  return lines.map((line, at) => ({ line, at, net: itemAt(nets, at) })).filter(({ net }) => net.gt(0));
}
