import type { CoverOrderStatus } from "../../../schema/vocabulary.ts";
import type { CoverOrderRecord } from "./cover-order.repository.ts";
import type { CoverEventEntry } from "../covers/cover-timeline.service.ts";

/** Whose timelines tell of an order: its own, and that of its subscription. */
const eventSubjectsOfOrder = ({ id, subscriptionId }: CoverOrderRecord) => ({ orderId: id, subscriptionId });

/** What the timeline tells of an order that leaves the state in which it is given. */
export const toStatusChangedEvent = (
  before: CoverOrderRecord,
  newStatus: CoverOrderStatus,
  type: CoverEventEntry["type"] = "ORDER_STATUS_CHANGED",
): CoverEventEntry => ({ ...eventSubjectsOfOrder(before), type, facts: { from: before.status, to: newStatus } });

/** What the timeline tells of money that came for an order as it is given. */
export function toOrderPaidEvent(before: CoverOrderRecord): CoverEventEntry {
  const { status, canceledAt } = before;
  const paidEvent = toStatusChangedEvent(before, "PAID", status === "CANCELED" ? "LATE_PAYMENT" : "ORDER_PAID");
  return canceledAt ? { ...paidEvent, facts: { ...paidEvent.facts, canceledDate: canceledAt } } : paidEvent;
}

/** What the timeline tells of an order that was registered, or registered anew. */
export function toRegistrationEvents(order: CoverOrderRecord, before: CoverOrderRecord | undefined): CoverEventEntry[] {
  const subjects = eventSubjectsOfOrder(order);
  if (!before) return [{ ...subjects, type: "ORDER_REGISTERED", facts: { to: order.status } }];
  const statusEvents =
    before.status === order.status ? [] : [{ ...toStatusChangedEvent(before, order.status), ...subjects }];
  return [{ ...subjects, type: "ORDER_UPDATED" }, ...statusEvents];
}
