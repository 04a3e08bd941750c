import { words } from "./words.ts";

/** States of a subscription. */
export const SubscriptionStatus = words(
  "ACTIVE",
  "INCOMPLETE",
  "UNPAID",
  "PENDING_PAUSE",
  "PAUSE",
  "PENDING_CANCEL",
  "CANCELED",
  "EXPIRED",
  "QUEUEING",
);
export type SubscriptionStatus = keyof typeof SubscriptionStatus;
