import type { OrderItemStatus, OrderType, PaymentMethod, PaymentState } from "../../schema/vocabulary.ts";
import { minAmount, ZERO, type Amount } from "../kernel/amounts.ts";

/** Whether an order can be paid, or why not. */
export type CheckoutState =
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
const payableStates: ReadonlySet<CheckoutState> = new Set<CheckoutState>([
  "PAYABLE",
  "METHOD_NEEDED",
  "TO_CONFIRM",
  "DEPOSIT_AWAITED",
]);

/** Whether a payer may start a payment. */
export const isPayable = (state: CheckoutState): boolean => payableStates.has(state);

/** What decides whether an order can be paid. */
export interface CheckoutOrderFacts {
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
  payment: PaymentAttemptFacts | null;
  /** The ways in which it can be paid. */
  methods: readonly PaymentMethod[];
}

/** What is known of an attempt. */
export interface PaymentAttemptFacts {
  state: PaymentState;
  challengeUrl: string | null;
  vbank: Readonly<Record<string, string>> | null;
}

/** States from which a payment leads on. */
const openItemStatuses: ReadonlySet<OrderItemStatus> = new Set(["CREATED", "DEPOSIT_WAITING", "PAYMENT_FAILURE"]);

/** What is to be paid now: all that is left, or first what the invoice wants at once. */
export function amountDueOf({ amount, paidAmount, instantAmount }: CheckoutOrderFacts): Amount {
  const remaining = amount.minus(paidAmount);
  const instantPart = instantAmount?.minus(paidAmount) ?? ZERO;
  return instantPart.gt(0) ? minAmount(instantPart, remaining) : remaining;
}

/** Whether an order can be paid at an instant. */
export function checkoutStateOf(order: CheckoutOrderFacts, now: Date): CheckoutState {
  const { type, paidAmount, returnedAmount, purchaseDeadline, statuses, payment, methods } = order;
  if (statuses.every((status) => status === "CANCELLED")) return "CANCELLED";
  if (!statuses.some((status) => openItemStatuses.has(status)))
    return returnedAmount.gt(0) && returnedAmount.eq(paidAmount) ? "REFUNDED" : "PAID";
  const attemptState = payment && attemptStateOf(payment);
  if (attemptState === "UNDER_WAY") return attemptState;
  if (purchaseDeadline && purchaseDeadline <= now) return "PAST_DEADLINE";
  if (attemptState) return attemptState;
  const isFree = amountDueOf(order).lte(0);
  if (isFree && type === "ONE_TIME") return "NOTHING_TO_PAY";
  if (methods.length === 0) return "NO_WAY_TO_PAY";
  return isFree ? "METHOD_NEEDED" : "PAYABLE";
}

/** What an attempt that is not over waits for. */
function attemptStateOf({ state, challengeUrl, vbank }: PaymentAttemptFacts): CheckoutState | undefined {
  if (state !== "PENDING" && state !== "UNKNOWN") return undefined;
  if (challengeUrl !== null) return "TO_CONFIRM";
  return vbank === null ? "UNDER_WAY" : "DEPOSIT_AWAITED";
}
