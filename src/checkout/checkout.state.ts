import type { OrderItemStatus, OrderType, PaymentMethod, PaymentState } from "../../schema/vocabulary.ts";
import type { Amount } from "../kernel/amounts.ts";
import {
  amountDue,
  closedState,
  isPastDeadline,
  needsNoPayment,
  type ClosedState,
} from "../orders/order.payability.ts";

/** Whether an order can be paid, or why not. */
export type CheckoutState =
  | "PAYABLE"
  /** Nothing is charged today, but a method is stored for later. */
  | "METHOD_REQUIRED"
  /** The payer has to confirm the payment with the bank; it can still be paid in another way. */
  | "CONFIRMATION_REQUIRED"
  /** A deposit is awaited; it can still be paid in another way. */
  | "DEPOSIT_AWAITED"
  /** A payment is in progress, or its outcome is unknown. */
  | "IN_PROGRESS"
  | "NO_PAYMENT_METHOD"
  | ClosedState
  | "PAST_DEADLINE"
  | "NOTHING_DUE";

/** Standings in which the payer may start a payment. */
const payableStates: ReadonlySet<CheckoutState> = new Set<CheckoutState>([
  "PAYABLE",
  "METHOD_REQUIRED",
  "CONFIRMATION_REQUIRED",
  "DEPOSIT_AWAITED",
]);

/** Whether a payer may start a payment. */
export const isPayable = (state: CheckoutState): boolean => payableStates.has(state);

/** The facts that determine whether an order can be paid. */
export interface CheckoutOrderFacts {
  type: OrderType;
  amount: Amount;
  paidAmount: Amount;
  returnedAmount: Amount;
  /** The instant amount of its invoice, if it has one. */
  instantAmount: Amount | null;
  purchaseDeadline: Date | null;
  items: readonly { status: OrderItemStatus }[];
  /** The last attempt to pay it. */
  payment: PaymentAttemptFacts | null;
  /** The ways in which it can be paid. */
  methods: readonly PaymentMethod[];
}

/** The facts of an attempt. */
export interface PaymentAttemptFacts {
  state: PaymentState;
  challengeUrl: string | null;
  vbank: Readonly<Record<string, string>> | null;
}

/** Whether an order can be paid at an instant. */
export function checkoutStateOf(order: CheckoutOrderFacts, now: Date): CheckoutState {
  const { items, payment, methods } = order;
  const closed = closedState(order, items);
  if (closed) return closed;
  const attemptState = payment && attemptStateOf(payment);
  if (attemptState === "IN_PROGRESS") return attemptState;
  if (isPastDeadline(order, now)) return "PAST_DEADLINE";
  if (attemptState) return attemptState;
  const due = amountDue(order, order.instantAmount);
  if (needsNoPayment(order, due)) return "NOTHING_DUE";
  if (methods.length === 0) return "NO_PAYMENT_METHOD";
  return due.lte(0) ? "METHOD_REQUIRED" : "PAYABLE";
}

/** The checkout state of an open attempt. */
function attemptStateOf({ state, challengeUrl, vbank }: PaymentAttemptFacts): CheckoutState | undefined {
  if (state !== "PENDING" && state !== "UNKNOWN") return undefined;
  if (challengeUrl !== null) return "CONFIRMATION_REQUIRED";
  return vbank === null ? "IN_PROGRESS" : "DEPOSIT_AWAITED";
}
