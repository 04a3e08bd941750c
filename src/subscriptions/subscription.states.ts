import type { Actor, SubscriptionStatus } from "../../schema/vocabulary.ts";
import { StateTable } from "../kernel/state-table.ts";

const actorsByTrigger = {
  startSubscription: ["CUSTOMER", "SYSTEM"],
  startUnconfirmedSubscription: ["CUSTOMER"],
  confirmPaymentMethod: ["SYSTEM"],

  claimRenewal: ["SYSTEM"],
  completeRenewal: ["SYSTEM"],
  failRenewal: ["SYSTEM"],
  recoverPayment: ["SYSTEM", "CUSTOMER"],
  expireAfterRecovery: ["SYSTEM"],
  pauseAfterRecovery: ["SYSTEM"],
  cancelAfterRecovery: ["SYSTEM"],

  pauseSubscription: ["MANAGER", "CUSTOMER"],
  schedulePause: ["MANAGER", "CUSTOMER", "SYSTEM"],
  startPause: ["SYSTEM"],
  endPause: ["SYSTEM"],
  activateSubscription: ["MANAGER", "CUSTOMER"],

  cancelSubscription: ["MANAGER", "CUSTOMER", "SYSTEM"],
  scheduleCancellation: ["MANAGER", "CUSTOMER", "SYSTEM"],
  completeCancellation: ["SYSTEM"],
  expireSubscription: ["SYSTEM"],
} as const satisfies Record<string, readonly [Actor, ...Actor[]]>;

/** The triggers of subscription transitions. */
export type SubscriptionTrigger = keyof typeof actorsByTrigger;

/** The triggers that end a live subscription: a call, the cancellation of the order that started it, its end date. */
const endingTransitions = { cancelSubscription: "CANCELED", expireSubscription: "EXPIRED" } as const;

/**
 * Subscriptions. Each renewal is claimed before it is charged: QUEUEING lasts as long as the charge, whose outcome decides
 * the next state. An end date that arrives meanwhile takes effect after the charge. A subscription that waits for its pause
 * or its cancellation renews until then, and is scheduled again once the renewal is paid.
 */
export const subscriptionStates = new StateTable<SubscriptionStatus, SubscriptionTrigger>({
  noun: "subscription",
  actors: actorsByTrigger,
  operations: {
    pauseSubscription: "pauseSubscription",
    schedulePause: "pauseSubscription",
    activateSubscription: "activateSubscription",
    cancelSubscription: "cancelSubscription",
    scheduleCancellation: "cancelSubscription",
  },
  initialStates: { startSubscription: "ACTIVE", startUnconfirmedSubscription: "INCOMPLETE" },
  transitions: {
    INCOMPLETE: { confirmPaymentMethod: "ACTIVE", ...endingTransitions },
    ACTIVE: {
      claimRenewal: "QUEUEING",
      pauseSubscription: "PAUSE",
      schedulePause: "PENDING_PAUSE",
      scheduleCancellation: "PENDING_CANCEL",
      ...endingTransitions,
    },
    QUEUEING: { completeRenewal: "ACTIVE", failRenewal: "UNPAID", cancelSubscription: "CANCELED" },
    UNPAID: {
      recoverPayment: "ACTIVE",
      expireAfterRecovery: "EXPIRED",
      pauseAfterRecovery: "PAUSE",
      cancelAfterRecovery: "CANCELED",
      ...endingTransitions,
    },
    PENDING_PAUSE: {
      claimRenewal: "QUEUEING",
      startPause: "PAUSE",
      activateSubscription: "ACTIVE",
      ...endingTransitions,
    },
    PAUSE: { endPause: "ACTIVE", activateSubscription: "ACTIVE", ...endingTransitions },
    PENDING_CANCEL: {
      claimRenewal: "QUEUEING",
      completeCancellation: "CANCELED",
      activateSubscription: "ACTIVE",
      ...endingTransitions,
    },
    CANCELED: {},
    EXPIRED: {},
  },
});
