import type { timedStatuses } from "../../schema/tables/orders.ts";
import type { OrderItemStatus } from "../../schema/vocabulary.ts";
import type { FinishTimes } from "../vendors/vendor-settings.rules.ts";
import type { OrderItemTrigger } from "./order.states.ts";

type TimedStatus = (typeof timedStatuses)[number];

/** What time alone does to goods that arrived. */
type AgeTrigger = "finishDelivery" | "endExchangePeriod" | "endReturnPeriod";

const HOUR_MS = 3_600_000;

/** The transitions of goods that arrived, in the order of their times. */
const hoursUntil: Readonly<Record<AgeTrigger, keyof FinishTimes>> = {
  finishDelivery: "finishedAfterHours",
  endExchangePeriod: "exchangeUntilHours",
  endReturnPeriod: "returnUntilHours",
};
const ageTriggers = Object.keys(hoursUntil) as AgeTrigger[];

/** The transition that ends each of these states; null where the age at that time decides. */
const endOf: Readonly<Record<TimedStatus, AgeTrigger | null>> = {
  ORDER_DELIVERY_COMPLETED: "finishDelivery",
  EXCHANGE_DELIVERY_COMPLETED: "finishDelivery",
  FINISHED_EXCHANGE_AVAILABLE: "endExchangePeriod",
  FINISHED_RETURN_AVAILABLE: "endReturnPeriod",
  RETURN_REQUEST_REJECTED: null,
  EXCHANGE_REQUEST_REJECTED: null,
};

/** Whether time ends a state. */
export const isTimed = (status: OrderItemStatus): status is TimedStatus => Object.hasOwn(endOf, status);

/** Whether a trigger can lead to a state that time ends, or out of one by the age of the goods. */
export const dependsOnAge = (trigger: OrderItemTrigger): boolean =>
  (ageTriggers as OrderItemTrigger[]).includes(trigger) ||
  /^(?:completeDelivery|confirmReceipt|(?:withdraw|reject)(?:Return|Exchange))$/.test(trigger);

const timeOf = (trigger: AgeTrigger, arrivedAt: Date, times: FinishTimes): Date =>
  new Date(arrivedAt.getTime() + times[hoursUntil[trigger]] * HOUR_MS);

/** The last transition whose time has passed; undefined while the goods have only arrived. */
export const triggerOfAge = (arrivedAt: Date, now: Date, times: FinishTimes): AgeTrigger | undefined =>
  ageTriggers.findLast((trigger) => timeOf(trigger, arrivedAt, times) <= now);

/** When time ends the state that an order item came to now; null where it does not. A refused request ends at the next of the times. */
export function transitionTime(status: OrderItemStatus, arrivedAt: Date, now: Date, times: FinishTimes): Date | null {
  if (!isTimed(status)) return null;
  const end = endOf[status];
  if (end !== null) return timeOf(end, arrivedAt, times);
  return ageTriggers.map((trigger) => timeOf(trigger, arrivedAt, times)).find((time) => time > now) ?? now;
}

/** The transition that is due for an order item in a state that time ends. Goods are never finished later than the first of the times. */
export const dueTrigger = (
  status: OrderItemStatus,
  arrivedAt: Date,
  now: Date,
  times: FinishTimes,
): AgeTrigger | null =>
  isTimed(status) ? (endOf[status] ?? triggerOfAge(arrivedAt, now, times) ?? "finishDelivery") : null;
