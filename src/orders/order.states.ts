import type { timedStatuses } from "../../schema/tables/orders.ts";
import type { Actor, HistoryCategory, OrderItemStatus, OrderLogType, OrderType } from "../../schema/vocabulary.ts";
import { OrderItemTrigger } from "../../schema/vocabulary.ts";
import { StateTable } from "../kernel/state-table.ts";
import type { FinishTimes } from "../vendors/vendor-settings.rules.ts";

/*
 * A compound arrow of the contract is two transitions in one call: a request is denied, then the delivery continues.
 * Where the target depends on amounts there are two triggers, because the caller knows the amounts.
 */
const actorsByTrigger = {
  createOrder: ["MANAGER", "CUSTOMER", "SYSTEM"],
  awaitDeposit: ["CUSTOMER"],
  payOrder: ["CUSTOMER", "MANAGER", "SYSTEM"],
  failPayment: ["SYSTEM"],
  cancelOrder: ["MANAGER", "CUSTOMER", "SYSTEM"],

  requestCancellation: ["CUSTOMER", "MANAGER"],
  withdrawCancellation: ["CUSTOMER", "MANAGER"],
  denyCancellation: ["MANAGER"],
  acceptCancellation: ["MANAGER"],
  suspendDelivery: ["MANAGER"],
  cancelDelivery: ["MANAGER"],
  refundOrderItems: ["MANAGER", "SYSTEM"],
  refundOrderItemsInPart: ["MANAGER", "SYSTEM"],
  resumeOrderItem: ["SYSTEM"],

  prepareDelivery: ["SYSTEM", "MANAGER"],
  sendDelivery: ["MANAGER"],
  completeDelivery: ["MANAGER", "SYSTEM"],
  confirmReceipt: ["CUSTOMER", "MANAGER"],
  finishDelivery: ["SYSTEM"],
  endExchangePeriod: ["SYSTEM"],
  endReturnPeriod: ["SYSTEM"],

  sendCollection: ["CUSTOMER", "MANAGER"],
  completeCollection: ["MANAGER", "SYSTEM"],

  requestReturn: ["CUSTOMER", "MANAGER"],
  withdrawReturn: ["CUSTOMER", "MANAGER"],
  approveReturn: ["MANAGER"],
  rejectReturn: ["MANAGER"],
  postponeReturn: ["MANAGER"],
  acceptReturn: ["MANAGER"],

  requestExchange: ["CUSTOMER", "MANAGER"],
  withdrawExchange: ["CUSTOMER", "MANAGER"],
  approveExchange: ["MANAGER"],
  rejectExchange: ["MANAGER"],
  postponeExchange: ["MANAGER"],
  acceptExchange: ["MANAGER"],
} as const satisfies Record<string, readonly [Actor, ...Actor[]]>;

/** Every trigger of an order line, those included that only the system or a payment pulls. */
export type AnyOrderItemTrigger = keyof typeof actorsByTrigger;

const cancellationRefundTransitions = {
  refundOrderItems: "CANCELLATION_REFUNDED",
  refundOrderItemsInPart: "CANCELLATION_REFUNDED_PARTIALLY",
} as const;

const returnRefundTransitions = {
  refundOrderItems: "RETURN_REFUNDED",
  refundOrderItemsInPart: "RETURN_REFUNDED_PARTIALLY",
} as const;

/** The state of goods by their age, after a request about them ended without a result. */
const timedFinishTransitions = {
  finishDelivery: "FINISHED_EXCHANGE_AVAILABLE",
  endExchangePeriod: "FINISHED_RETURN_AVAILABLE",
  endReturnPeriod: "FINISHED_SUCCESSFULLY",
} as const;

const operationsByTrigger: Partial<Record<keyof typeof actorsByTrigger, string>> = {
  payOrder: "payOrder",
  awaitDeposit: "payOrder",
  cancelOrder: "cancelOrder",
  refundOrderItems: "refundOrder",
  refundOrderItemsInPart: "refundOrder",
  ...Object.fromEntries(
    Object.entries(OrderItemTrigger).map(([word, trigger]) => [trigger, `moveOrderItems(trigger: ${word})`]),
  ),
};

/** Lines of shipped goods; for a week after their delivery they can be exchanged or returned, for 30 days returned, unless the vendor sets other times. */
export const orderItemStates = new StateTable<OrderItemStatus, AnyOrderItemTrigger>({
  noun: "order item",
  actors: actorsByTrigger,
  operations: operationsByTrigger,
  initialStates: { createOrder: "CREATED" },
  transitions: {
    CREATED: {
      awaitDeposit: "DEPOSIT_WAITING",
      payOrder: "PAID",
      failPayment: "PAYMENT_FAILURE",
      cancelOrder: "CANCELLED",
    },
    DEPOSIT_WAITING: {
      payOrder: "PAID",
      failPayment: "PAYMENT_FAILURE",
      cancelOrder: "CANCELLED",
    },
    PAYMENT_FAILURE: { awaitDeposit: "DEPOSIT_WAITING", payOrder: "PAID", cancelOrder: "CANCELLED" },
    CANCELLED: {},

    PAID: { prepareDelivery: "ORDER_DELIVERY_PREPARING", requestCancellation: "CANCELLATION_REQUEST" },
    CANCELLATION_REQUEST: {
      withdrawCancellation: "CANCELLATION_REQUEST_CANCELLED",
      denyCancellation: "CANCELLATION_REQUEST_DENIED",
      acceptCancellation: "CANCELLATION_REFUNDING",
    },
    CANCELLATION_REQUEST_CANCELLED: { resumeOrderItem: "PAID" },
    // A service has no delivery to continue: its customer may request again.
    CANCELLATION_REQUEST_DENIED: {
      prepareDelivery: "ORDER_DELIVERY_PREPARING",
      requestCancellation: "CANCELLATION_REQUEST",
    },
    CANCELLATION_REFUNDING: cancellationRefundTransitions,
    // A further refund in part leaves the line in its state.
    CANCELLATION_REFUNDED_PARTIALLY: { refundOrderItems: cancellationRefundTransitions.refundOrderItems },
    CANCELLATION_REFUNDED: {},

    ORDER_DELIVERY_PREPARING: {
      sendDelivery: "ORDER_DELIVERY_ON_THE_WAY",
      confirmReceipt: "ORDER_DELIVERY_COMPLETED",
      suspendDelivery: "ORDER_DELIVERY_SUSPENDED",
      ...cancellationRefundTransitions,
    },
    ORDER_DELIVERY_SUSPENDED: { cancelDelivery: "CANCELLATION_REFUNDING" },
    ORDER_DELIVERY_ON_THE_WAY: {
      completeDelivery: "ORDER_DELIVERY_COMPLETED",
      confirmReceipt: "ORDER_DELIVERY_COMPLETED",
    },
    ORDER_DELIVERY_COMPLETED: {
      requestReturn: "RETURN_REQUEST",
      requestExchange: "EXCHANGE_REQUEST",
      finishDelivery: "FINISHED_EXCHANGE_AVAILABLE",
    },
    FINISHED_EXCHANGE_AVAILABLE: {
      requestReturn: "RETURN_REQUEST",
      requestExchange: "EXCHANGE_REQUEST",
      endExchangePeriod: "FINISHED_RETURN_AVAILABLE",
    },
    FINISHED_RETURN_AVAILABLE: { requestReturn: "RETURN_REQUEST", endReturnPeriod: "FINISHED_SUCCESSFULLY" },
    FINISHED_SUCCESSFULLY: {},

    RETURN_REQUEST: {
      withdrawReturn: "RETURN_REQUEST_CANCELLED",
      approveReturn: "RETURN_COLLECTION_PREPARING",
      rejectReturn: "RETURN_REQUEST_REJECTED",
    },
    RETURN_REQUEST_CANCELLED: { resumeOrderItem: "ORDER_DELIVERY_COMPLETED", ...timedFinishTransitions },
    RETURN_COLLECTION_PREPARING: {
      sendCollection: "RETURN_COLLECTION_ON_THE_WAY",
      rejectReturn: "RETURN_REQUEST_REJECTED",
    },
    RETURN_COLLECTION_ON_THE_WAY: {
      completeCollection: "RETURN_COLLECTION_COMPLETED",
      rejectReturn: "RETURN_REQUEST_REJECTED",
    },
    RETURN_COLLECTION_COMPLETED: {
      acceptReturn: "RETURN_REFUNDING",
      rejectReturn: "RETURN_REJECTED",
      postponeReturn: "RETURN_PENDING",
    },
    RETURN_PENDING: { acceptReturn: "RETURN_REFUNDING", rejectReturn: "RETURN_REJECTED" },
    RETURN_REFUNDING: returnRefundTransitions,
    RETURN_REFUNDED_PARTIALLY: { refundOrderItems: returnRefundTransitions.refundOrderItems },
    RETURN_REFUNDED: {},
    RETURN_REQUEST_REJECTED: timedFinishTransitions,
    RETURN_REJECTED: { prepareDelivery: "RETURN_REJECT_DELIVERY_PREPARING" },
    RETURN_REJECT_DELIVERY_PREPARING: { sendDelivery: "RETURN_REJECT_DELIVERY_ON_THE_WAY" },
    RETURN_REJECT_DELIVERY_ON_THE_WAY: { completeDelivery: "RETURN_REJECT_DELIVERY_COMPLETED" },
    RETURN_REJECT_DELIVERY_COMPLETED: {},

    EXCHANGE_REQUEST: {
      withdrawExchange: "EXCHANGE_REQUEST_CANCELLED",
      approveExchange: "EXCHANGE_COLLECTION_PREPARING",
      rejectExchange: "EXCHANGE_REQUEST_REJECTED",
    },
    EXCHANGE_REQUEST_CANCELLED: { resumeOrderItem: "ORDER_DELIVERY_COMPLETED", ...timedFinishTransitions },
    EXCHANGE_COLLECTION_PREPARING: {
      sendCollection: "EXCHANGE_COLLECTION_ON_THE_WAY",
      rejectExchange: "EXCHANGE_REQUEST_REJECTED",
    },
    EXCHANGE_COLLECTION_ON_THE_WAY: {
      completeCollection: "EXCHANGE_COLLECTION_COMPLETED",
      rejectExchange: "EXCHANGE_REQUEST_REJECTED",
    },
    EXCHANGE_COLLECTION_COMPLETED: {
      acceptExchange: "EXCHANGE_DELIVERY_PREPARING",
      rejectExchange: "EXCHANGE_REJECTED",
      postponeExchange: "EXCHANGE_PENDING",
    },
    EXCHANGE_PENDING: { acceptExchange: "EXCHANGE_DELIVERY_PREPARING", rejectExchange: "EXCHANGE_REJECTED" },
    EXCHANGE_DELIVERY_PREPARING: { sendDelivery: "EXCHANGE_DELIVERY_ON_THE_WAY" },
    EXCHANGE_DELIVERY_ON_THE_WAY: { completeDelivery: "EXCHANGE_DELIVERY_COMPLETED" },
    EXCHANGE_DELIVERY_COMPLETED: { finishDelivery: "FINISHED_EXCHANGE_AVAILABLE" },
    EXCHANGE_REQUEST_REJECTED: timedFinishTransitions,
    EXCHANGE_REJECTED: { prepareDelivery: "EXCHANGE_REJECT_DELIVERY_PREPARING" },
    EXCHANGE_REJECT_DELIVERY_PREPARING: { sendDelivery: "EXCHANGE_REJECT_DELIVERY_ON_THE_WAY" },
    EXCHANGE_REJECT_DELIVERY_ON_THE_WAY: { completeDelivery: "EXCHANGE_REJECT_DELIVERY_COMPLETED" },
    EXCHANGE_REJECT_DELIVERY_COMPLETED: {},
  },
});

/** Lines without a delivery: a service, a fee. They rest as PAID. */
export const serviceItemStates = orderItemStates.withoutTrigger("prepareDelivery");

const historyCategoriesByPrefix: [beginning: string, HistoryCategory][] = [
  ["CREATED", "ORDER"],
  ["DEPOSIT", "PAYMENT"],
  ["PAID", "PAYMENT"],
  ["PAYMENT", "PAYMENT"],
  ["CANCEL", "CANCELLATION"],
  ["RETURN", "RETURN"],
  ["EXCHANGE", "EXCHANGE"],
];

/** The category under which a history lists the transition to this state. */
export const historyCategoryOf = (status: OrderItemStatus): HistoryCategory =>
  historyCategoriesByPrefix.find(([beginning]) => status.startsWith(beginning))?.[1] ?? "DELIVERY";

/** The triggers that charges fire on the lines of their order. */
const chargeTriggers: ReadonlySet<AnyOrderItemTrigger> = new Set<AnyOrderItemTrigger>(["payOrder", "failPayment"]);

/** The log type of a transition of an order's lines: a renewal that the gateway charges, or its merchant or payer. */
export const orderLogTypeOf = (
  order: OrderType,
  { trigger, actor }: { trigger: AnyOrderItemTrigger; actor: Actor },
): OrderLogType => (order === "RECURRING" && actor === "SYSTEM" && chargeTriggers.has(trigger) ? "RENEW" : actor);

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
