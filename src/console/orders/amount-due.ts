import type { OrderItemType } from "../generated/operations.ts";
import { subtractDecimals } from "./subtract-decimals.ts";

interface DueOrder {
  amount: string;
  paidAmount: string;
  items: readonly { type: OrderItemType; amount: string }[];
}

/** What the next payment of an order charges: the open rest, or first what its invoice asks for at once. */
export function amountDue({ amount, paidAmount, items }: DueOrder): string {
  const left = subtractDecimals(amount, paidAmount) ?? amount;
  const atOnce = subtractDecimals(items.find(({ type }) => type === "INSTANT")?.amount ?? "0", paidAmount) ?? "0";
  return Number(atOnce) > 0 && Number(atOnce) < Number(left) ? atOnce : left;
}
