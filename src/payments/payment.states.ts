import type { Actor, PaymentState } from "../../schema/vocabulary.ts";
import { StateTable } from "../kernel/state-table.ts";

const by = {
  startPayment: ["CUSTOMER", "MANAGER", "SYSTEM"],
  succeedPayment: ["SYSTEM", "MANAGER"],
  failPayment: ["SYSTEM"],
  losePayment: ["SYSTEM"],
} as const satisfies Record<string, readonly [Actor, ...Actor[]]>;

/** What can happen to an attempt to charge. */
export type PaymentTrigger = keyof typeof by;

/** Attempts to charge. One that failed can still succeed: money that comes late came. */
export const paymentStates = new StateTable<PaymentState, PaymentTrigger>({
  noun: "payment",
  by,
  operations: {},
  births: { startPayment: "PENDING" },
  moves: {
    PENDING: { succeedPayment: "SUCCEEDED", failPayment: "FAILED", losePayment: "UNKNOWN" },
    UNKNOWN: { succeedPayment: "SUCCEEDED", failPayment: "FAILED" },
    FAILED: { succeedPayment: "SUCCEEDED" },
    SUCCEEDED: {},
  },
});

const refundBy = {
  startRefund: ["MANAGER", "SYSTEM"],
  completeRefund: ["SYSTEM"],
  refuseRefund: ["SYSTEM"],
  loseRefund: ["SYSTEM"],
} as const satisfies Record<string, readonly [Actor, ...Actor[]]>;

/** What can happen to a refund. */
export type RefundTrigger = keyof typeof refundBy;

/** Refunds. One that the gateway refused is over; the next one is another. */
export const refundStates = new StateTable<PaymentState, RefundTrigger>({
  noun: "refund",
  by: refundBy,
  operations: {},
  births: { startRefund: "PENDING" },
  moves: {
    PENDING: { completeRefund: "SUCCEEDED", refuseRefund: "FAILED", loseRefund: "UNKNOWN" },
    UNKNOWN: { completeRefund: "SUCCEEDED", refuseRefund: "FAILED" },
    FAILED: {},
    SUCCEEDED: {},
  },
});
