import type { OrderItemStatus } from "../../schema/vocabulary.ts";
import { invariant } from "../kernel/refusals.ts";
import { orderItemStates, type AnyOrderItemTrigger } from "../orders/order.states.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "./calendar.ts";

/** One step of a line: what happens, where it leads, and how long after the step before. */
export interface StatusStep {
  trigger: AnyOrderItemTrigger;
  status: OrderItemStatus;
  afterMs: number;
}

/** The triggers that fire by time on goods whose request has ended without a result. */
const timedTriggers: readonly AnyOrderItemTrigger[] = ["finishDelivery", "endExchangePeriod", "endReturnPeriod"];

/** Parcels are not confirmed before they are sent, and a refund goes by a request: the shortest way is not the usual one. */
const unusualTriggers: Partial<Record<OrderItemStatus, readonly AnyOrderItemTrigger[]>> = {
  ORDER_DELIVERY_PREPARING: ["confirmReceipt", "refundOrderItems", "refundOrderItemsInPart"],
  RETURN_REQUEST_CANCELLED: timedTriggers,
  RETURN_REQUEST_REJECTED: timedTriggers,
  EXCHANGE_REQUEST_CANCELLED: timedTriggers,
  EXCHANGE_REQUEST_REJECTED: timedTriggers,
};

/** How long it takes to come to a state. */
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

/** The usual way of a line of shipped goods from its order to a state. */
export function pathToStatus(status: OrderItemStatus): readonly StatusStep[] {
  const path = pathsByStatus.get(status);
  invariant(path, `a line can come to ${status}`);
  return path;
}

/** How long the way to a state takes. */
export const timeToReach = (status: OrderItemStatus): number =>
  pathToStatus(status).reduce((sum, { afterMs }) => sum + afterMs, 0);

/** Breadth-first search: finds the shortest path. */
function computeShortestPaths(): void {
  pathsByStatus.set("CREATED", []);
  for (const [fromStatus, path] of pathsByStatus)
    for (const trigger of orderItemStates.legalTriggersFrom(fromStatus)) {
      const status = orderItemStates.transition(fromStatus, trigger);
      if (pathsByStatus.has(status) || unusualTriggers[fromStatus]?.includes(trigger)) continue;
      pathsByStatus.set(status, [...path, { trigger, status, afterMs: durationByStatus[status] ?? DEFAULT_STEP_MS }]);
    }
}
