import { allocateWithin, minAmount, sumAmounts, ZERO, type Amount } from "../../kernel/amounts.ts";
import { itemAt } from "../../kernel/required-values.ts";

/** The refundable values of an order line. */
export interface RefundableLine {
  id: number;
  paidAmount: Amount;
  returnedAmount: Amount;
  relatedItemId: number | null;
  parentItemId: number | null;
}

/** The refund of one line; negative for a discount, which had reduced another line. */
export interface LineRefund {
  itemId: number;
  amount: Amount;
}

/** The requested refund: some lines, an amount, or the whole remainder. */
export interface RefundSelection {
  items?: readonly { itemId: number; amount?: Amount | null }[] | null;
  amount?: Amount | null;
}

const remainingOf = ({ paidAmount, returnedAmount }: RefundableLine): Amount => paidAmount.minus(returnedAmount);

/** Number of decimals of an amount. */
export const countDecimals = ({ c, e }: Amount): number => Math.max(0, c.length - 1 - e);

/**
 * Turns a requested refund into line refunds, one per line. A line that is refunded whole includes its discount and its
 * tax, unless these are requested separately.
 */
export function toLineRefunds(lines: readonly RefundableLine[], { items, amount }: RefundSelection): LineRefund[] {
  if (items?.length) {
    const requested = new Map(items.map(({ itemId, amount: requestedAmount }) => [itemId, requestedAmount ?? null]));
    for (const { itemId, amount: requestedAmount } of items)
      if (requestedAmount == null)
        for (const id of relatedItemIds(lines, itemId)) if (!requested.has(id)) requested.set(id, null);
    return lines
      .filter(({ id }) => requested.has(id))
      .map((line) => ({ itemId: line.id, amount: requested.get(line.id) ?? remainingOf(line) }));
  }
  const remaining = lines.map((line) => ({ itemId: line.id, amount: remainingOf(line) }));
  if (amount == null || amount.eq(sumAmounts(remaining.map((part) => part.amount)))) return remaining.filter(isNonZero);
  const limits = remaining.filter((part) => part.amount.gt(0));
  const scale = Math.max(...[amount, ...limits.map((part) => part.amount)].map(countDecimals));
  const shares = allocateWithin(
    amount,
    limits.map((part) => part.amount),
    scale,
  );
  return limits.map(({ itemId }, index) => ({ itemId, amount: itemAt(shares, index) })).filter(isNonZero);
}

const isNonZero = ({ amount }: LineRefund): boolean => !amount.eq(0);

const relatedItemIds = (lines: readonly RefundableLine[], itemId: number): number[] =>
  lines
    .filter(({ relatedItemId, parentItemId }) => relatedItemId === itemId || parentItemId === itemId)
    .map(({ id }) => id);

/** Takes the amounts of the lines from the payments, in their order, each no more than is left of it. */
export function splitAmongPayments<P extends { left: Amount }>(
  parts: readonly LineRefund[],
  payments: readonly P[],
): { payment: P; amount: Amount; parts: LineRefund[] }[] {
  let remaining = sumAmounts(parts.map(({ amount }) => amount));
  const remainingParts = parts.map((part) => ({ ...part }));
  return payments.flatMap((payment) => {
    const amount = minAmount(remaining, payment.left);
    if (!amount.gt(0)) return [];
    remaining = remaining.minus(amount);
    return [
      { payment, amount, parts: remaining.eq(0) ? remainingParts.splice(0) : takeAmount(remainingParts, amount) },
    ];
  });
}

/** Takes an amount from parts, the first ones first; negative parts go with the last payment. */
function takeAmount(parts: LineRefund[], amount: Amount): LineRefund[] {
  let missing = amount;
  return parts.flatMap((part) => {
    const share = part.amount.gt(0) ? minAmount(part.amount, missing) : ZERO;
    if (share.eq(0)) return [];
    missing = missing.minus(share);
    part.amount = part.amount.minus(share);
    return [{ itemId: part.itemId, amount: share }];
  });
}
