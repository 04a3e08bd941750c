import { allocateWithin, least, sum, ZERO, type Amount } from "../../kernel/amounts.ts";

/** A line of an order as far as its refund goes. */
export interface RefundableLine {
  id: number;
  paidAmount: Amount;
  returnedAmount: Amount;
  relatedItemId: number | null;
  parentItemId: number | null;
}

/** What is given back of a line; below zero of a discount, which took from another one. */
export interface Part {
  itemId: number;
  amount: Amount;
}

/** What is asked to be given back: some lines, an amount, or all that is left. */
export interface RefundWish {
  items?: readonly { itemId: number; amount?: Amount | null }[] | null;
  amount?: Amount | null;
}

const leftOf = ({ paidAmount, returnedAmount }: RefundableLine): Amount => paidAmount.minus(returnedAmount);

/** How many decimals an amount has. */
export const decimalsOf = ({ c, e }: Amount): number => Math.max(0, c.length - 1 - e);

/**
 * What a wish comes to, line by line, each of them once. A line that goes back whole takes its discount and its tax with it,
 * but for what is named by itself.
 */
export function partsOf(lines: readonly RefundableLine[], { items, amount }: RefundWish): Part[] {
  if (items?.length) {
    const parts = new Map(items.map(({ itemId, amount: wanted }) => [itemId, wanted ?? null]));
    for (const { itemId, amount: wanted } of items)
      if (wanted == null) for (const id of goesWith(lines, itemId)) if (!parts.has(id)) parts.set(id, null);
    return lines
      .filter(({ id }) => parts.has(id))
      .map((line) => ({ itemId: line.id, amount: parts.get(line.id) ?? leftOf(line) }));
  }
  const left = lines.map((line) => ({ itemId: line.id, amount: leftOf(line) }));
  if (amount == null || amount.eq(sum(left.map((part) => part.amount)))) return left.filter(isSomething);
  const limits = left.filter((part) => part.amount.gt(0));
  const scale = Math.max(...[amount, ...limits.map((part) => part.amount)].map(decimalsOf));
  const shares = allocateWithin(
    amount,
    limits.map((part) => part.amount),
    scale,
  );
  return limits.map(({ itemId }, index) => ({ itemId, amount: shares[index]! })).filter(isSomething);
}

const isSomething = ({ amount }: Part): boolean => !amount.eq(0);

const goesWith = (lines: readonly RefundableLine[], itemId: number): number[] =>
  lines
    .filter(({ relatedItemId, parentItemId }) => relatedItemId === itemId || parentItemId === itemId)
    .map(({ id }) => id);

/** Splits parts among payments, each of which can give back only so much. */
export function splitAmong<P extends { left: Amount }>(
  parts: readonly Part[],
  payments: readonly P[],
): { payment: P; amount: Amount; parts: Part[] }[] {
  let wanted = sum(parts.map(({ amount }) => amount));
  const rest = parts.map((part) => ({ ...part }));
  return payments.flatMap((payment) => {
    const amount = least(wanted, payment.left);
    if (!amount.gt(0)) return [];
    wanted = wanted.minus(amount);
    return [{ payment, amount, parts: wanted.eq(0) ? rest.splice(0) : taken(rest, amount) }];
  });
}

/** Takes an amount out of parts, the first ones first; what takes away goes with the last payment. */
function taken(rest: Part[], amount: Amount): Part[] {
  let missing = amount;
  return rest.flatMap((part) => {
    const share = part.amount.gt(0) ? least(part.amount, missing) : ZERO;
    if (share.eq(0)) return [];
    missing = missing.minus(share);
    part.amount = part.amount.minus(share);
    return [{ itemId: part.itemId, amount: share }];
  });
}
