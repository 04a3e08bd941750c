import type { Actor, DisputeState, PaymentState } from "../../schema/vocabulary.ts";
import { StateTable } from "../kernel/state-table.ts";

const paymentActors = {
  startPayment: ["CUSTOMER", "MANAGER", "SYSTEM"],
  succeedPayment: ["SYSTEM", "MANAGER"],
  failPayment: ["SYSTEM"],
  markPaymentUnknown: ["SYSTEM"],
} as const satisfies Record<string, readonly [Actor, ...Actor[]]>;

/** The triggers of payment transitions. */
export type PaymentTrigger = keyof typeof paymentActors;

/** States of attempts to charge. A failed one can still succeed, when a late payment arrives. */
export const paymentStates = new StateTable<PaymentState, PaymentTrigger>({
  noun: "payment",
  actors: paymentActors,
  operations: {},
  initialStates: { startPayment: "PENDING" },
  transitions: {
    PENDING: { succeedPayment: "SUCCEEDED", failPayment: "FAILED", markPaymentUnknown: "UNKNOWN" },
    UNKNOWN: { succeedPayment: "SUCCEEDED", failPayment: "FAILED" },
    FAILED: { succeedPayment: "SUCCEEDED" },
    SUCCEEDED: {},
  },
});

const refundActors = {
  startRefund: ["MANAGER", "SYSTEM"],
  completeRefund: ["SYSTEM"],
  refuseRefund: ["SYSTEM"],
  markRefundUnknown: ["SYSTEM"],
} as const satisfies Record<string, readonly [Actor, ...Actor[]]>;

/** The triggers of refund transitions. */
export type RefundTrigger = keyof typeof refundActors;

/** Refunds. One that the gateway refused is over; the next one is another. */
export const refundStates = new StateTable<PaymentState, RefundTrigger>({
  noun: "refund",
  actors: refundActors,
  operations: {},
  initialStates: { startRefund: "PENDING" },
  transitions: {
    PENDING: { completeRefund: "SUCCEEDED", refuseRefund: "FAILED", markRefundUnknown: "UNKNOWN" },
    UNKNOWN: { completeRefund: "SUCCEEDED", refuseRefund: "FAILED" },
    FAILED: {},
    SUCCEEDED: {},
  },
});

const disputeActors = {
  openDispute: ["SYSTEM"],
  winDispute: ["SYSTEM"],
  loseDispute: ["SYSTEM"],
} as const satisfies Record<string, readonly [Actor, ...Actor[]]>;

/** The triggers of dispute transitions. */
export type DisputeTrigger = keyof typeof disputeActors;

/** States of disputes, as gateways report them. A lost one can still be won by an appeal. */
export const disputeStates = new StateTable<DisputeState, DisputeTrigger>({
  noun: "dispute",
  actors: disputeActors,
  operations: {},
  initialStates: { openDispute: "OPEN" },
  transitions: {
    OPEN: { winDispute: "WON", loseDispute: "LOST" },
    LOST: { winDispute: "WON" },
    WON: {},
  },
});

/** Whether the outcome of an attempt is open. */
export const isOpenAttempt = ({ state }: { state: PaymentState }): boolean =>
  state === "PENDING" || state === "UNKNOWN";

/** Whether an attempt waits for its payer: for a confirmation, or a deposit. */
export const isAwaitingPayer = ({
  challengeUrl,
  vbank,
}: {
  challengeUrl: string | null;
  vbank: object | null;
}): boolean => challengeUrl !== null || vbank !== null;

/** Whether the gateway of an open attempt or refund has had its time: its outcome is looked up. */
export const isLookUpDue = ({ lookUpAt }: { lookUpAt: Date | null }, now: Date): boolean =>
  lookUpAt !== null && lookUpAt <= now;
