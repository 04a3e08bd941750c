import type { timedStatuses } from "../../schema/tables/orders.ts";
import type { OrderItemStatus } from "../../schema/vocabulary.ts";
import type { FinishTimes } from "../vendors/vendor-settings.rules.ts";
import type { AnyOrderItemTrigger } from "./order.states.ts";

type TimedStatus = (typeof timedStatuses)[number];

/** The triggers that fire by time alone after goods arrived. */
type TimedTrigger = "finishDelivery" | "endExchangePeriod" | "endReturnPeriod";

const HOUR_MS = 3_600_000;

/** The transitions of goods that arrived, in the order of their times. */
const hoursSettingOf: Readonly<Record<TimedTrigger, keyof FinishTimes>> = {
  finishDelivery: "finishedAfterHours",
  endExchangePeriod: "exchangeUntilHours",
  endReturnPeriod: "returnUntilHours",
};
const timedTriggers = Object.keys(hoursSettingOf) as TimedTrigger[];

/** The transition that ends each of these states; null where the age at that time decides. */
const endingTriggers: Readonly<Record<TimedStatus, TimedTrigger | null>> = {
  ORDER_DELIVERY_COMPLETED: "finishDelivery",
  EXCHANGE_DELIVERY_COMPLETED: "finishDelivery",
  FINISHED_EXCHANGE_AVAILABLE: "endExchangePeriod",
  FINISHED_RETURN_AVAILABLE: "endReturnPeriod",
  RETURN_REQUEST_REJECTED: null,
  EXCHANGE_REQUEST_REJECTED: null,
};

/** Whether time ends a state. */
export const isTimedStatus = (status: OrderItemStatus): status is TimedStatus => Object.hasOwn(endingTriggers, status);

/** Whether a trigger can lead to a state that time ends, or out of one by the age of the goods. */
export const involvesTimedStatus = (trigger: AnyOrderItemTrigger): boolean =>
  (timedTriggers as AnyOrderItemTrigger[]).includes(trigger) ||
  /^(?:completeDelivery|confirmReceipt|(?:withdraw|reject)(?:Return|Exchange))$/.test(trigger);

const dueTimeOf = (trigger: TimedTrigger, arrivedAt: Date, times: FinishTimes): Date =>
  new Date(arrivedAt.getTime() + times[hoursSettingOf[trigger]] * HOUR_MS);

/** The last transition whose time has passed; undefined before the first of these times. */
export const latestPassedTrigger = (arrivedAt: Date, now: Date, times: FinishTimes): TimedTrigger | undefined =>
  timedTriggers.findLast((trigger) => dueTimeOf(trigger, arrivedAt, times) <= now);

/**
 * The time at which an order item's new state ends; null if it does not end by time. A refused request ends at the next
 * of the times.
 */
export function nextTransitionTime(
  status: OrderItemStatus,
  arrivedAt: Date,
  now: Date,
  times: FinishTimes,
): Date | null {
  if (!isTimedStatus(status)) return null;
  const end = endingTriggers[status];
  if (end !== null) return dueTimeOf(end, arrivedAt, times);
  return timedTriggers.map((trigger) => dueTimeOf(trigger, arrivedAt, times)).find((time) => time > now) ?? now;
}

/** The transition that is due for an order item in a state that time ends. Goods are never finished later than the first of the times. */
export const dueTrigger = (
  status: OrderItemStatus,
  arrivedAt: Date,
  now: Date,
  times: FinishTimes,
): TimedTrigger | null =>
  isTimedStatus(status)
    ? (endingTriggers[status] ?? latestPassedTrigger(arrivedAt, now, times) ?? "finishDelivery")
    : null;
