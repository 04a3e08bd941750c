import type { CoverOrderStatus } from "../../../schema/vocabulary.ts";
import type { CoverOrderRecord } from "./cover-order.repository.ts";
import type { CoverEventEntry } from "../covers/cover-timeline.service.ts";

/** The timelines that list an order's events: its own, and that of its subscription. */
const eventSubjectsOfOrder = ({ id, subscriptionId }: CoverOrderRecord) => ({ orderId: id, subscriptionId });

/** The timeline event for an order that leaves its given status. */
export const toStatusChangedEvent = (
  before: CoverOrderRecord,
  newStatus: CoverOrderStatus,
  kind: CoverEventEntry["kind"] = "ORDER_STATUS_CHANGED",
): CoverEventEntry => ({ ...eventSubjectsOfOrder(before), kind, facts: { from: before.status, to: newStatus } });

/** The timeline event for a payment of the given order. */
export function toOrderPaidEvent(before: CoverOrderRecord): CoverEventEntry {
  const { status, canceledAt } = before;
  const paidEvent = toStatusChangedEvent(before, "PAID", status === "CANCELED" ? "LATE_PAYMENT" : "ORDER_PAID");
  return canceledAt ? { ...paidEvent, facts: { ...paidEvent.facts, canceledDate: canceledAt } } : paidEvent;
}

/** The timeline events for an order that was registered, or registered again. */
export function toRegistrationEvents(order: CoverOrderRecord, before: CoverOrderRecord | undefined): CoverEventEntry[] {
  const subjects = eventSubjectsOfOrder(order);
  if (!before) return [{ ...subjects, kind: "ORDER_REGISTERED", facts: { to: order.status } }];
  const statusEvents =
    before.status === order.status ? [] : [{ ...toStatusChangedEvent(before, order.status), ...subjects }];
  return [{ ...subjects, kind: "ORDER_UPDATED" }, ...statusEvents];
}
