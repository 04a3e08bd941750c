import type { OrderItemStatus, OrderType, PaymentMethod, PaymentState } from "../../schema/vocabulary.ts";
import { least, ZERO, type Amount } from "../kernel/amounts.ts";

/** Whether an order can be paid, or why not. */
export type Standing =
  | "PAYABLE"
  /** Nothing is charged today, but a method is stored for later. */
  | "METHOD_NEEDED"
  /** The payer has to confirm the payment with the bank; it can still be paid in another way. */
  | "TO_CONFIRM"
  /** A deposit is awaited; it can still be paid in another way. */
  | "DEPOSIT_AWAITED"
  /** A payment is being made, or nobody knows yet what became of it. */
  | "UNDER_WAY"
  | "NO_WAY_TO_PAY"
  | "PAID"
  | "REFUNDED"
  | "CANCELLED"
  | "PAST_DEADLINE"
  | "NOTHING_TO_PAY";

/** Standings in which the payer may start a payment. */
const payable: ReadonlySet<Standing> = new Set<Standing>(["PAYABLE", "METHOD_NEEDED", "TO_CONFIRM", "DEPOSIT_AWAITED"]);

/** Whether a payer may start a payment. */
export const isPayable = (standing: Standing): boolean => payable.has(standing);

/** What decides whether an order can be paid. */
export interface OrderFacts {
  type: OrderType;
  amount: Amount;
  paidAmount: Amount;
  returnedAmount: Amount;
  /** What its invoice wants at once, if it does. */
  instantAmount: Amount | null;
  purchaseDeadline: Date | null;
  /** The states of its lines. */
  statuses: readonly OrderItemStatus[];
  /** The last attempt to pay it. */
  payment: PaymentFacts | null;
  /** The ways in which it can be paid. */
  ways: readonly PaymentMethod[];
}

/** What is known of an attempt. */
export interface PaymentFacts {
  state: PaymentState;
  challengeUrl: string | null;
  vbank: Readonly<Record<string, string>> | null;
}

/** States from which a payment leads on. */
const open: ReadonlySet<OrderItemStatus> = new Set(["CREATED", "DEPOSIT_WAITING", "PAYMENT_FAILURE"]);

/** What is to be paid now: all that is left, or first what the invoice wants at once. */
export function dueOf({ amount, paidAmount, instantAmount }: OrderFacts): Amount {
  const left = amount.minus(paidAmount);
  const atOnce = instantAmount?.minus(paidAmount) ?? ZERO;
  return atOnce.gt(0) ? least(atOnce, left) : left;
}

/** Whether an order can be paid at an instant. */
export function standingOf(order: OrderFacts, now: Date): Standing {
  const { type, paidAmount, returnedAmount, purchaseDeadline, statuses, payment, ways } = order;
  if (statuses.every((status) => status === "CANCELLED")) return "CANCELLED";
  if (!statuses.some((status) => open.has(status)))
    return returnedAmount.gt(0) && returnedAmount.eq(paidAmount) ? "REFUNDED" : "PAID";
  const attempt = payment && standingOfAttempt(payment);
  if (attempt === "UNDER_WAY") return attempt;
  if (purchaseDeadline && purchaseDeadline <= now) return "PAST_DEADLINE";
  if (attempt) return attempt;
  const isFree = dueOf(order).lte(0);
  if (isFree && type === "ONE_TIME") return "NOTHING_TO_PAY";
  if (ways.length === 0) return "NO_WAY_TO_PAY";
  return isFree ? "METHOD_NEEDED" : "PAYABLE";
}

/** What an attempt that is not over waits for. */
function standingOfAttempt({ state, challengeUrl, vbank }: PaymentFacts): Standing | undefined {
  if (state !== "PENDING" && state !== "UNKNOWN") return undefined;
  if (challengeUrl !== null) return "TO_CONFIRM";
  return vbank === null ? "UNDER_WAY" : "DEPOSIT_AWAITED";
}
