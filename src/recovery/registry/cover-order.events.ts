import type { CoverOrderStatus } from "../../../schema/vocabulary.ts";
import type { CoverOrderRecord } from "./cover-order.repository.ts";
import type { Happening } from "../covers/cover-timeline.service.ts";

/** Whose timelines tell of an order: its own, and that of its subscription. */
const subjectsOf = ({ id, subscriptionId }: CoverOrderRecord) => ({ orderId: id, subscriptionId });

/** What the timeline tells of an order that leaves the state in which it is given. */
export const moveOf = (
  before: CoverOrderRecord,
  to: CoverOrderStatus,
  type: Happening["type"] = "ORDER_STATUS_CHANGED",
): Happening => ({ ...subjectsOf(before), type, facts: { from: before.status, to } });

/** What the timeline tells of money that came for an order as it is given. */
export function paymentOf(before: CoverOrderRecord): Happening {
  const { status, canceledDate } = before;
  const told = moveOf(before, "PAID", status === "CANCELED" ? "LATE_PAYMENT" : "ORDER_PAID");
  return canceledDate ? { ...told, facts: { ...told.facts, canceledDate } } : told;
}

/** What the timeline tells of an order that was registered, or registered anew. */
export function registrationOf(order: CoverOrderRecord, before: CoverOrderRecord | undefined): Happening[] {
  const subjects = subjectsOf(order);
  if (!before) return [{ ...subjects, type: "ORDER_REGISTERED", facts: { to: order.status } }];
  const moved = before.status === order.status ? [] : [{ ...moveOf(before, order.status), ...subjects }];
  return [{ ...subjects, type: "ORDER_UPDATED" }, ...moved];
}
