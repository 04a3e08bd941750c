import { enumOf } from "./words.ts";

/** States of a subscription. */
export const SubscriptionStatus = enumOf(
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

/** The start of a pause. */
export const PauseMoment = enumOf("NOW", "PERIOD_END");
export type PauseMoment = keyof typeof PauseMoment;

/** The time at which a change of plans takes effect. */
export const PlanChangeMoment = enumOf("NOW", "PERIOD_END");
export type PlanChangeMoment = keyof typeof PlanChangeMoment;

/** The time at which a cancellation takes effect. */
export const CancelMoment = enumOf("NOW", "PERIOD_END", "AT");
export type CancelMoment = keyof typeof CancelMoment;

/** The unit series of a subscription: used units, and allowed units. */
export const UnitSeries = enumOf("RECORD", "QUOTA");
export type UnitSeries = keyof typeof UnitSeries;
