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

/** What is added up of the units of a subscription: those that were used, and those that may be. */
export const UnitSeries = words("RECORD", "QUOTA");
export type UnitSeries = keyof typeof UnitSeries;
