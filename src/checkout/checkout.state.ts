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
  /** Nothing is charged today, but a payment method is stored for later charges. */
  | "METHOD_REQUIRED"
  /** The payer must confirm the payment with the bank, or may pay by another method. */
  | "CONFIRMATION_REQUIRED"
  /** A deposit is awaited. The payer may pay by another method instead. */
  | "DEPOSIT_AWAITED"
  /** A payment is in progress, or its outcome is unknown. */
  | "IN_PROGRESS"
  | "NO_PAYMENT_METHOD"
  | ClosedState
  | "PAST_DEADLINE"
  | "NOTHING_DUE";

/** The states in which the payer may start a payment. */
const payableStates: ReadonlySet<CheckoutState> = new Set<CheckoutState>([
  "PAYABLE",
  "METHOD_REQUIRED",
  "CONFIRMATION_REQUIRED",
  "DEPOSIT_AWAITED",
]);

export const isPayable = (state: CheckoutState): boolean => payableStates.has(state);

/** The facts that determine whether an order can be paid. */
export interface CheckoutOrderFacts {
  type: OrderType;
  amount: Amount;
  paidAmount: Amount;
  returnedAmount: Amount;
  /** The instant amount of the order's invoice, if it has one. */
  instantAmount: Amount | null;
  purchaseDeadline: Date | null;
  items: readonly { status: OrderItemStatus }[];
  /** The last attempt to pay the order. */
  payment: PaymentAttemptFacts | null;
  /** The payment methods that are available for the order. */
  methods: readonly PaymentMethod[];
}

/** The facts of a payment attempt. */
export interface PaymentAttemptFacts {
  state: PaymentState;
  challengeUrl: string | null;
  vbank: Readonly<Record<string, string>> | null;
}

/** Computes the checkout state of an order at an instant. */
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

/** The checkout state of an open attempt; undefined if the attempt is settled. */
function attemptStateOf({ state, challengeUrl, vbank }: PaymentAttemptFacts): CheckoutState | undefined {
  if (state !== "PENDING" && state !== "UNKNOWN") return undefined;
  if (challengeUrl !== null) return "CONFIRMATION_REQUIRED";
  return vbank === null ? "IN_PROGRESS" : "DEPOSIT_AWAITED";
}
