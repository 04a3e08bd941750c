import type { CoverEventKind, CoverOrderStatus, EventType } from "../../../schema/vocabulary.ts";
import type { CoverEventRecord } from "./cover-timeline.repository.ts";

/** The type of an event of a registered order or subscription, by what is stored. A kind without a type does not compile. */
export const coverEventTypes = {
  ORDER_REGISTERED: "ORDER_CREATED",
  ORDER_UPDATED: "ORDER_CHANGED",
  // The new state chooses among more types: see below.
  ORDER_STATUS_CHANGED: "ORDER_CHANGED",
  ORDER_PAID: "ORDER_PAID",
  ORDER_CANCELED: "ORDER_CANCELED",
  LATE_PAYMENT: "ORDER_PAID_LATE",
  PAYMENT_METHOD_CHANGED: "PAYMENT_METHOD_UPDATED",
  RECOVERY_STARTED: "COVER_STARTED",
  RECOVERY_ATTEMPT_FAILED: "COVER_ATTEMPT_FAILED",
  RECOVERY_RETRY_MOVED: "COVER_RETRY_SCHEDULED",
  RECOVERY_RECOVERED: "COVER_RECOVERED",
  RECOVERY_EXHAUSTED: "COVER_EXHAUSTED",
  RECOVERY_STOPPED: "COVER_STOPPED",
  SUBSCRIPTION_REGISTERED: "SUBSCRIPTION_CREATED",
  SUBSCRIPTION_UPDATED: "SUBSCRIPTION_CHANGED",
  SUBSCRIPTION_CANCELED: "SUBSCRIPTION_CANCELED",
  SUBSCRIPTION_ACTIVATED: "SUBSCRIPTION_ACTIVATED",
  SUBSCRIPTION_PAUSED: "SUBSCRIPTION_PAUSED",
  SUBSCRIPTION_EXPIRED: "SUBSCRIPTION_EXPIRED",
} as const satisfies Record<CoverEventKind, EventType>;

/** The event types for state changes of a registered order, as far as the catalogue has them. */
const typesOfOrderStatus: Readonly<Partial<Record<CoverOrderStatus, EventType>>> = {
  PAID: "ORDER_PAID",
  PAYMENT_FAILURE: "ORDER_PAYMENT_FAILED",
  CANCELED: "ORDER_CANCELED",
  FULL_REFUND: "ORDER_REFUNDED",
  PARTIAL_REFUND: "ORDER_REFUNDED",
};

/** The type of a stored event of the recovery module. */
export function toCoverEventType({ type, facts }: Pick<CoverEventRecord, "type" | "facts">): EventType {
  const ofStatus = type === "ORDER_STATUS_CHANGED" && typesOfOrderStatus[facts["to"] as CoverOrderStatus];
  return ofStatus || coverEventTypes[type];
}
