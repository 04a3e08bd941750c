import type { OrderItemStatus } from "../../schema/vocabulary.ts";
import { invariant } from "../kernel/refusals.ts";
import { orderItemStates, type AnyOrderItemTrigger } from "../orders/order.states.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "./calendar.ts";

/** One transition of a line: its trigger, the new status, and the time since the previous transition. */
export interface StatusStep {
  trigger: AnyOrderItemTrigger;
  status: OrderItemStatus;
  afterMs: number;
}

/** The timed triggers of goods whose return or exchange request was cancelled or rejected. */
const timedTriggers: readonly AnyOrderItemTrigger[] = ["finishDelivery", "endExchangePeriod", "endReturnPeriod"];

/** Transitions that are legal but unusual, such as a refund without a request. The search for a path skips them. */
const unusualTriggers: Partial<Record<OrderItemStatus, readonly AnyOrderItemTrigger[]>> = {
  ORDER_DELIVERY_PREPARING: ["confirmReceipt", "refundOrderItems", "refundOrderItemsInPart"],
  RETURN_REQUEST_CANCELLED: timedTriggers,
  RETURN_REQUEST_REJECTED: timedTriggers,
  EXCHANGE_REQUEST_CANCELLED: timedTriggers,
  EXCHANGE_REQUEST_REJECTED: timedTriggers,
};

/** The time from the previous transition to the one into each status. */
const durationByStatus: Partial<Record<OrderItemStatus, number>> = {
  DEPOSIT_WAITING: 2 * MINUTE_MS,
  PAID: 3 * MINUTE_MS,
  PAYMENT_FAILURE: 3 * MINUTE_MS,
  ORDER_DELIVERY_PREPARING: 5 * HOUR_MS,
  ORDER_DELIVERY_ON_THE_WAY: 20 * HOUR_MS,
  ORDER_DELIVERY_COMPLETED: 2 * DAY_MS,
  FINISHED_EXCHANGE_AVAILABLE: DAY_MS,
  FINISHED_RETURN_AVAILABLE: 6 * DAY_MS,
  FINISHED_SUCCESSFULLY: 23 * DAY_MS,
};
const DEFAULT_STEP_MS = 9 * HOUR_MS;

const pathsByStatus = new Map<OrderItemStatus, StatusStep[]>();
computeShortestPaths();

/** The usual transitions of a shipped line, from its creation to a status. */
export function pathToStatus(status: OrderItemStatus): readonly StatusStep[] {
  const path = pathsByStatus.get(status);
  invariant(path, `a line can reach ${status}`);
  return path;
}

/** The time from a line's creation to a status, in milliseconds. */
export const timeToReach = (status: OrderItemStatus): number =>
  pathToStatus(status).reduce((sum, { afterMs }) => sum + afterMs, 0);

/** Finds the shortest path to each status by breadth-first search. */
function computeShortestPaths(): void {
  pathsByStatus.set("CREATED", []);
  for (const [fromStatus, path] of pathsByStatus)
    for (const trigger of orderItemStates.legalTriggersFrom(fromStatus)) {
      const status = orderItemStates.transition(fromStatus, trigger);
      if (pathsByStatus.has(status) || unusualTriggers[fromStatus]?.includes(trigger)) continue;
      pathsByStatus.set(status, [...path, { trigger, status, afterMs: durationByStatus[status] ?? DEFAULT_STEP_MS }]);
    }
}
