import type { CoverOrderStatus } from "../../../schema/vocabulary.ts";
import type { Amount } from "../../kernel/amounts.ts";

const refunds = ["PARTIAL_REFUND", "FULL_REFUND"] as const;

/**
 * The transitions that a merchant may request by name. Those to the first payment, failure and cancellation follow from
 * reports.
 */
export const coverOrderTransitions: Readonly<Record<CoverOrderStatus, readonly CoverOrderStatus[]>> = {
  CREATED: [],
  PAYMENT_FAILURE: [],
  CANCELED: [],
  PAID: ["PREPARING", "CANCEL_REQ", ...refunds],
  PREPARING: ["SHIPPING", "CANCEL_REQ", ...refunds],
  SHIPPING: ["FULFILLED", ...refunds],
  FULFILLED: ["CHANGE_REQ", "RETURN_REQ", ...refunds],
  CANCEL_REQ: ["CANCELED", "PAID", "PREPARING", ...refunds],
  CHANGE_REQ: ["CHANGE_PROCESS", ...refunds],
  CHANGE_PROCESS: ["CHANGED", ...refunds],
  CHANGED: [...refunds],
  RETURN_REQ: ["RETURN_PROCESS", ...refunds],
  RETURN_PROCESS: ["RETURNED", ...refunds],
  RETURNED: [...refunds],
  PARTIAL_REFUND: ["FULL_REFUND"],
  FULL_REFUND: [],
};

/**
 * The transitions of one order: out of a cancellation request it returns only to the state in which the request was
 * made.
 */
export const transitionsOf = (
  status: CoverOrderStatus,
  previous: CoverOrderStatus | null,
): readonly CoverOrderStatus[] =>
  coverOrderTransitions[status].filter(
    (to) => status !== "CANCEL_REQ" || to === previous || !coverOrderTransitions[to].includes(status),
  );

/** States after a payment, including later ones such as refunds. */
export const isPaidStatus = (status: CoverOrderStatus): boolean =>
  !["CREATED", "PAYMENT_FAILURE", "CANCELED"].includes(status);

/** The payment facts of a registration. */
export interface RegisteredPaymentFacts {
  paymentFailed: boolean;
  amount: Amount;
  amountReturned: Amount;
  canceledAt: Date | null;
  paymentDate: Date | null;
}

/** The status of an order that is registered for the first time. */
export function initialOrderStatus(facts: RegisteredPaymentFacts): CoverOrderStatus {
  if (facts.paymentFailed) return "PAYMENT_FAILURE";
  if (facts.canceledAt) return "CANCELED";
  return refundStatusOf(facts) ?? (facts.paymentDate ? "PAID" : "CREATED");
}

/**
 * The status after a registration replaced an order. The dates count as far as they were sent this time, the amounts by
 * their current values. A paid or cancelled state never changes to a failure, or because of a missing date.
 */
export function orderStatusAfter(before: CoverOrderStatus, facts: RegisteredPaymentFacts): CoverOrderStatus {
  const wasUnpaid = before === "CREATED" || before === "PAYMENT_FAILURE";
  if (wasUnpaid && facts.paymentFailed) return "PAYMENT_FAILURE";
  if (facts.canceledAt || before === "CANCELED") return "CANCELED";
  const refund = refundStatusOf(facts);
  if (refund) return refund;
  if (before === "PARTIAL_REFUND" || before === "FULL_REFUND") return "PAID";
  return wasUnpaid && facts.paymentDate ? "PAID" : before;
}

function refundStatusOf({ amount, amountReturned }: RegisteredPaymentFacts): CoverOrderStatus | undefined {
  if (!amountReturned.gt(0)) return undefined;
  return amountReturned.eq(amount) ? "FULL_REFUND" : "PARTIAL_REFUND";
}
