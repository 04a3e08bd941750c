import type { CoverEventKind, CoverOrderStatus, EventSubject, EventType } from "../../../schema/vocabulary.ts";

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
  RECOVERY_RETRY_DUE: "COVER_RETRY_DUE",
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

/** The type of an event of the recovery module. It is stored with the event. */
export function toCoverEventType(kind: CoverEventKind, facts: Readonly<Record<string, unknown>>): EventType {
  const ofStatus = kind === "ORDER_STATUS_CHANGED" && typesOfOrderStatus[facts["to"] as CoverOrderStatus];
  return ofStatus || coverEventTypes[kind];
}

/** The subject of an event of the recovery module. */
export function toCoverEventSubject(
  kind: CoverEventKind,
): Extract<EventSubject, "COVER" | "COVER_ORDER" | "COVER_SUBSCRIPTION"> {
  if (kind.startsWith("RECOVERY_")) return "COVER";
  return kind.startsWith("SUBSCRIPTION_") ? "COVER_SUBSCRIPTION" : "COVER_ORDER";
}
