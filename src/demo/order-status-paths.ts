import type { OrderItemStatus } from "../../schema/vocabulary.ts";
import { invariant } from "../kernel/refusals.ts";
import { orderItemStates, type OrderItemTrigger } from "../orders/order.states.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "./calendar.ts";

/** One step of a line: what happens, where it leads, and how long after the step before. */
export interface Step {
  trigger: OrderItemTrigger;
  status: OrderItemStatus;
  afterMs: number;
}

/** What time does to goods whose request has ended without a result. */
const ofAge: readonly OrderItemTrigger[] = ["finishDelivery", "endExchangePeriod", "endReturnPeriod"];

/** Parcels are not confirmed before they are sent, and a refund goes by a request: the shortest way is not the usual one. */
const unusual: Partial<Record<OrderItemStatus, readonly OrderItemTrigger[]>> = {
  ORDER_DELIVERY_PREPARING: ["confirmReceipt", "refundOrderItems", "refundOrderItemsInPart"],
  RETURN_REQUEST_CANCELLED: ofAge,
  RETURN_REQUEST_REJECTED: ofAge,
  EXCHANGE_REQUEST_CANCELLED: ofAge,
  EXCHANGE_REQUEST_REJECTED: ofAge,
};

/** How long it takes to come to a state. */
const durations: Partial<Record<OrderItemStatus, number>> = {
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
const USUAL_MS = 9 * HOUR_MS;

const ways = new Map<OrderItemStatus, Step[]>();
explore();

/** The usual way of a line of shipped goods from its order to a state. */
export function wayTo(status: OrderItemStatus): readonly Step[] {
  const way = ways.get(status);
  invariant(way, `a line can come to ${status}`);
  return way;
}

/** How long the way to a state takes. */
export const durationOf = (status: OrderItemStatus): number =>
  wayTo(status).reduce((sum, { afterMs }) => sum + afterMs, 0);

/** Breadth first: of two ways the shorter is kept. */
function explore(): void {
  ways.set("CREATED", []);
  for (const [from, way] of ways)
    for (const trigger of orderItemStates.legalFrom(from)) {
      const status = orderItemStates.move(from, trigger);
      if (ways.has(status) || unusual[from]?.includes(trigger)) continue;
      ways.set(status, [...way, { trigger, status, afterMs: durations[status] ?? USUAL_MS }]);
    }
}
