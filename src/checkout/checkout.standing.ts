import type { OrderItemStatus } from "../../schema/vocabulary.ts";
import type { Amount } from "../kernel/amounts.ts";

/** Whether an order can be paid, or why not. */
export type Standing = "PAYABLE" | "PAID" | "REFUNDED" | "CANCELLED" | "PAST_DEADLINE" | "NOTHING_TO_PAY";

/** What decides whether an order can be paid. */
export interface OrderFacts {
  amount: Amount;
  paidAmount: Amount;
  returnedAmount: Amount;
  purchaseDeadline: Date | null;
  /** The states of its lines. */
  statuses: readonly OrderItemStatus[];
}

/** States from which a payment leads on. */
const open: ReadonlySet<OrderItemStatus> = new Set(["CREATED", "DEPOSIT_WAITING", "PAYMENT_FAILURE"]);

/** Whether an order can be paid at an instant. */
export function standingOf(order: OrderFacts, now: Date): Standing {
  const { amount, paidAmount, returnedAmount, purchaseDeadline, statuses } = order;
  if (statuses.every((status) => status === "CANCELLED")) return "CANCELLED";
  if (!statuses.some((status) => open.has(status)))
    return returnedAmount.gt(0) && returnedAmount.eq(paidAmount) ? "REFUNDED" : "PAID";
  if (purchaseDeadline && purchaseDeadline < now) return "PAST_DEADLINE";
  return amount.lte(paidAmount) ? "NOTHING_TO_PAY" : "PAYABLE";
}
