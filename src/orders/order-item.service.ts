import type { Actor, OrderItemStatus } from "../../schema/vocabulary.ts";
import type { EventService } from "../events/event.service.ts";
import { ZERO, type Amount } from "../kernel/amounts.ts";
import { invalid, notFound, unknownReference } from "../kernel/refusals.ts";
import { groupBy } from "../kernel/group-by.ts";
import { lastOf, firstOf } from "../kernel/required-values.ts";
import type { StockService } from "../products/stock.service.ts";
import type { FinishTimes } from "../vendors/vendor-settings.rules.ts";
import type { VendorService } from "../vendors/vendor.service.ts";
import type { OrderItemRecord, OrderItemValues, OrderRecord, OrderRepository } from "./order.repository.ts";
import {
  dueTrigger,
  historyCategoryOf,
  involvesTimedStatus,
  latestPassedTrigger,
  nextTransitionTime,
  orderLogTypeOf,
  orderItemStates,
  serviceItemStates,
  type AnyOrderItemTrigger,
} from "./order.states.ts";

/** The actor and the reason of a transition. */
export interface OrderItemTransition {
  trigger: AnyOrderItemTrigger;
  actor: Actor;
  reason?: string | null;
  /** The lines in the request, in the order of the request; undefined if it has none. */
  requestedItemIds?: readonly number[];
}

/** States in which a line gives its stock back. */
const stockReturningStatuses: ReadonlySet<OrderItemStatus> = new Set([
  "CANCELLED",
  "CANCELLATION_REFUNDED",
  "RETURN_REFUNDED",
]);

/** States without a refundable amount: the line is unpaid, or fully refunded. */
const unrefundableStatuses: ReadonlySet<OrderItemStatus> = new Set([
  ...stockReturningStatuses,
  "CREATED",
  "DEPOSIT_WAITING",
  "PAYMENT_FAILURE",
] as const);

/** Moves order lines through their states, and records it in their histories and in the order's log. */
export class OrderItemService {
  constructor(
    private readonly deps: {
      orderRepository: OrderRepository;
      stock: StockService;
      vendors: VendorService;
      events: EventService;
      now: Date;
    },
  ) {}

  /**
   * Applies a transition to some lines, to all of them or none.
   * @throws a Refusal NOT_FOUND for a line that the vendor does not have, ILLEGAL_TRANSITION with the legal
   * transitions.
   */
  async transitionItems(vendorId: number, itemIds: readonly number[], transition: OrderItemTransition): Promise<void> {
    const orderIds = new Set(
      (await this.deps.orderRepository.itemsByIds(vendorId, itemIds)).map(({ orderId }) => orderId),
    );
    const orders = await this.deps.orderRepository.lock(vendorId, [...orderIds]);
    // Read again, because another transition may have come before the lock.
    const items = await this.deps.orderRepository.itemsByIds(vendorId, itemIds);
    const unknown = itemIds.findIndex((id) => !items.some((item) => item.id === id));
    if (unknown >= 0) throw unknownReference("ORDER_ITEM_NOT_FOUND", `itemIds[${unknown}]`, "order item");
    for (const order of orders) {
      const itemsOfOrder = items.filter(({ orderId }) => orderId === order.id);
      await this.applyTransition(vendorId, order, itemsOfOrder, { ...transition, requestedItemIds: itemIds });
    }
  }

  /**
   * Applies a transition to every line of an order, and to those of its child orders, if it is legal for them.
   * @throws a Refusal ORDER_NOT_FOUND, ILLEGAL_TRANSITION with the legal transitions.
   */
  async transitionOrder(vendorId: number, orderId: number, transition: OrderItemTransition): Promise<void> {
    const [order] = await this.deps.orderRepository.lock(vendorId, [orderId]);
    if (!order) throw notFound("ORDER_NOT_FOUND", "There is no order with this id.");
    const lines = await this.deps.orderRepository.itemsOf(vendorId, orderId);
    if (order.type === "RECURRING" && transition.trigger === "cancelOrder") refuseFailedRenewal(lines);
    await this.applyTransition(vendorId, order, lines, transition);
    for (const child of await this.deps.orderRepository.childrenOf(vendorId, orderId)) {
      const childOrder = firstOf(await this.deps.orderRepository.lock(child.vendorId, [child.id]));
      const items = await this.deps.orderRepository.itemsOf(child.vendorId, child.id);
      const eligible = items.filter((item) =>
        stateTableOf(item).legalTriggersFrom(item.status).includes(transition.trigger),
      );
      if (eligible.length > 0)
        await this.applyTransition(child.vendorId, childOrder, eligible, { ...transition, actor: "SYSTEM" });
    }
  }

  /**
   * Moves the lines of an order for which the trigger is legal; returns them as they were before. The caller has locked
   * the order.
   */
  async transitionEligibleItems(
    vendorId: number,
    order: OrderRecord,
    transition: OrderItemTransition,
  ): Promise<OrderItemRecord[]> {
    const lines = await this.deps.orderRepository.itemsOf(vendorId, order.id);
    const eligible = lines.filter((item) => canTrigger(item, transition.trigger));
    if (eligible.length > 0) await this.applyTransition(vendorId, order, eligible, transition);
    return eligible;
  }

  /**
   * Moves lines of a locked order to the state in which they wait for their refund, as far as no other party has to
   * decide: a paid service is cancelled on the way.
   */
  async advanceToRefund(
    vendorId: number,
    order: OrderRecord,
    itemIds: readonly number[],
    transition: Omit<OrderItemTransition, "trigger">,
  ) {
    for (const trigger of ["requestCancellation", "acceptCancellation"] as const) {
      const lines = await this.deps.orderRepository.itemsByIds(vendorId, itemIds);
      const eligible = lines.filter((item) => !canTrigger(item, "refundOrderItems") && canTrigger(item, trigger));
      if (eligible.length > 0) await this.applyTransition(vendorId, order, eligible, { ...transition, trigger });
    }
  }

  /** Whether a line is paid, and not fully refunded. */
  isPaidNotRefunded({ status }: OrderItemRecord): boolean {
    return !unrefundableStatuses.has(status);
  }

  /** Whether a line is in a state to be refunded. */
  isRefundable(item: OrderItemRecord): boolean {
    return canTrigger(item, "refundOrderItems");
  }

  /** @throws a Refusal ILLEGAL_TRANSITION with the legal transitions, if a line cannot be refunded in its state. */
  refuseUnrefundable(items: readonly OrderItemRecord[]): void {
    for (const item of items) stateTableOf(item).transition(item.status, "refundOrderItems", { name: nameOf(item) });
  }

  /**
   * Records refunds of lines of a locked order, and moves the lines accordingly; with no refundable remainder of the
   * order, all lines that can move. Goods that were sent meanwhile stay in their state. @returns the moved lines
   * without a remainder.
   */
  async recordRefund(
    vendorId: number,
    order: OrderRecord,
    parts: readonly { itemId: number; amount: Amount }[],
    isWhole: boolean,
    transition: Omit<OrderItemTransition, "trigger">,
  ): Promise<OrderItemRecord[]> {
    const isNamed = ({ id }: OrderItemRecord) => parts.some(({ itemId }) => itemId === id);
    const refundedItems = (await this.deps.orderRepository.itemsOf(vendorId, order.id)).filter(
      (item) => isNamed(item) || (isWhole && canTrigger(item, "refundOrderItems")),
    );
    for (const item of refundedItems) {
      const part = parts.find(({ itemId }) => itemId === item.id)?.amount ?? ZERO;
      item.returnedAmount = isWhole ? item.paidAmount : item.returnedAmount.plus(part);
      await this.deps.orderRepository.updateItem(vendorId, item.id, { returnedAmount: item.returnedAmount });
    }
    const refundableItems = refundedItems.filter((item) => canTrigger(item, "refundOrderItems"));
    const isFullyRefunded = ({ returnedAmount, paidAmount }: OrderItemRecord) => returnedAmount.eq(paidAmount);
    const [fullyRefunded, partlyRefunded] = [
      refundableItems.filter(isFullyRefunded),
      refundableItems.filter((item) => !isFullyRefunded(item)),
    ];
    if (fullyRefunded.length > 0)
      await this.applyTransition(vendorId, order, fullyRefunded, { ...transition, trigger: "refundOrderItems" });
    const newlyPartlyRefunded = partlyRefunded.filter(({ status }) => !status.endsWith("_REFUNDED_PARTIALLY"));
    if (newlyPartlyRefunded.length > 0)
      await this.applyTransition(vendorId, order, newlyPartlyRefunded, {
        ...transition,
        trigger: "refundOrderItemsInPart",
      });
    return fullyRefunded;
  }

  /**
   * Applies the due transitions of order items, in a batch of orders; orders that another transaction has locked wait.
   * A late item passes through each of its states. @returns the number of orders.
   */
  async advanceDueItems(vendorId: number, limit: number): Promise<number> {
    const orders = await this.deps.orderRepository.lockWithDueItems(vendorId, this.deps.now, limit);
    if (orders.length === 0) return 0;
    const times = await this.deps.vendors.finishTimes(vendorId);
    for (const order of orders) while (await this.advanceDueItemsOnce(vendorId, order, times));
    return orders.length;
  }

  /** Applies the due transitions of a locked order by one step. @returns whether any were due. */
  private async advanceDueItemsOnce(vendorId: number, order: OrderRecord, times: FinishTimes): Promise<boolean> {
    const due = (await this.deps.orderRepository.itemsOf(vendorId, order.id)).flatMap((item) => {
      const trigger = dueTrigger(item.status, arrivedAtOf(item), this.deps.now, times);
      return trigger && (item.transitionAt ?? item.modifiedAt) <= this.deps.now ? [{ item, trigger }] : [];
    });
    // Lines that an older version of the gateway moved have no time yet.
    const withoutTime = due.filter(({ item }) => item.transitionAt === null);
    for (const { item } of withoutTime) {
      const arrivedAt = arrivedAtOf(item);
      const transitionAt = nextTransitionTime(item.status, arrivedAt, this.deps.now, times);
      await this.deps.orderRepository.updateItem(vendorId, item.id, { arrivedAt, transitionAt });
    }
    const withTime = due.filter(({ item }) => item.transitionAt !== null);
    for (const [trigger, dueItems] of groupBy(withTime, (one) => one.trigger)) {
      const items = dueItems.map(({ item }) => item);
      await this.applyTransition(vendorId, order, items, { trigger, actor: "SYSTEM" });
    }
    return due.length > 0;
  }

  private async applyTransition(
    vendorId: number,
    order: OrderRecord,
    items: readonly OrderItemRecord[],
    transition: OrderItemTransition,
  ): Promise<void> {
    const times = involvesTimedStatus(transition.trigger) ? await this.deps.vendors.finishTimes(vendorId) : null;
    const moved = items.map((item) => ({ item, steps: transitionSteps(item, transition, this.deps.now, times) }));
    const moves = moved.map(({ item, steps }) => {
      const status = lastOf(steps).status;
      return {
        id: item.id,
        values: {
          status,
          ...this.valuesSetByTransition(item, status, transition),
          ...this.transitionTimesOf(item, status, transition, times),
          modifiedAt: this.deps.now,
        },
      };
    });
    await this.deps.orderRepository.moveLines(vendorId, order.id, moves);
    await this.deps.orderRepository.addHistories(
      vendorId,
      moved.flatMap(({ item, steps }) =>
        steps.map(({ actor, status, reason }) => ({
          itemId: item.id,
          actor,
          category: historyCategoryOf(status),
          status,
          reason,
          createdAt: this.deps.now,
        })),
      ),
    );
    await this.deps.events.recordEvents(vendorId, ...moved.flatMap(({ item, steps }) => toEvents(order, item, steps)));
    const results = moved.map(({ item, steps }) => ({ item, status: lastOf(steps).status }));
    const log = {
      type: orderLogTypeOf(order.type, transition),
      content: toLogContent(results, transition),
      createdAt: this.deps.now,
    };
    await this.deps.orderRepository.addLog(vendorId, order.id, log);
    const isCancellation = transition.trigger === "cancelOrder";
    await this.deps.orderRepository.update(vendorId, order.id, {
      modifiedAt: this.deps.now,
      ...(isCancellation && { stockReturnedAt: order.stockReturnedAt ?? this.deps.now }),
    });
    // Lines that were unpaid at their deadline have returned their stock already.
    const returned = results.flatMap(({ item, status }) => {
      const { productId, optionIds, quantity } = item;
      const isReturned =
        order.stockReturnedAt === null && stockReturningStatuses.has(status) && hasTakenStock(order, item);
      return isReturned && productId !== null ? [{ productId, optionIds, quantity }] : [];
    });
    await this.deps.stock.returnToStock(vendorId, returned);
  }

  /** The arrival time of the goods, and the time of the next transition from their new state. */
  private transitionTimesOf(
    item: OrderItemRecord,
    status: OrderItemStatus,
    { trigger }: OrderItemTransition,
    times: FinishTimes | null,
  ): Pick<OrderItemValues, "arrivedAt" | "transitionAt"> {
    const arrives = /^(?:ORDER|EXCHANGE)_DELIVERY_COMPLETED$/.test(status) && !trigger.startsWith("withdraw");
    if (!times) return { transitionAt: null };
    const arrivedAt = arrives ? this.deps.now : arrivedAtOf(item);
    return { arrivedAt, transitionAt: nextTransitionTime(status, arrivedAt, this.deps.now, times) };
  }

  private valuesSetByTransition(
    item: OrderItemRecord,
    status: OrderItemStatus,
    { trigger }: OrderItemTransition,
  ): Partial<OrderItemValues> {
    if (trigger === "payOrder") return { paidAmount: item.amount };
    if (status === "CANCELLED" || status === "CANCELLATION_REFUNDED") return { canceledAt: this.deps.now };
    return {};
  }
}

/** The arrival time of goods. For lines that an older version of the gateway moved, the time of the last change. */
const arrivedAtOf = ({ arrivedAt, modifiedAt }: OrderItemRecord): Date => arrivedAt ?? modifiedAt;

/** Items that join a subscription take stock; metered units take none. */
const hasTakenStock = ({ type: ofOrder }: OrderRecord, { type }: OrderItemRecord): boolean =>
  type === "SKU" || (type === "ADDS" && ofOrder === "ADDITIONAL");

/** Only shipped goods are delivered. */
const isShipped = ({ orderedProductType }: OrderItemRecord): boolean => orderedProductType === "BOX";
const stateTableOf = (item: OrderItemRecord) => (isShipped(item) ? orderItemStates : serviceItemStates);

/** Whether a trigger is legal in a line's state. */
const canTrigger = (item: OrderItemRecord, trigger: AnyOrderItemTrigger): boolean =>
  stateTableOf(item).legalTriggersFrom(item.status).includes(trigger);

/**
 * The trigger that follows automatically: a withdrawn request is undone, goods move to the state of their age, and
 * goods whose cancellation is denied are delivered.
 */
function followUpTrigger(
  item: OrderItemRecord,
  trigger: AnyOrderItemTrigger,
  now: Date,
  times: FinishTimes | null,
): AnyOrderItemTrigger | undefined {
  if (trigger.startsWith("withdraw"))
    return (times && latestPassedTrigger(arrivedAtOf(item), now, times)) ?? "resumeOrderItem";
  return trigger === "denyCancellation" && isShipped(item) ? "prepareDelivery" : undefined;
}

/** A subscription waits for its failed renewal: if that ended, the subscription could never be charged again. */
function refuseFailedRenewal(lines: readonly OrderItemRecord[]): void {
  if (!lines.some(({ status }) => status === "PAYMENT_FAILURE")) return;
  const message = "A failed renewal can be cancelled only with its subscription: cancel the subscription instead.";
  throw invalid("ILLEGAL_TRANSITION", message, { legal: ["payOrder"] });
}

/** The name of a line within a sentence. */
const nameOf = ({ id, code, orderedProductName }: OrderItemRecord): string => `${id} (${code}, ${orderedProductName})`;

/** The states that a line passes through, as its history lists them. */
function transitionSteps(
  item: OrderItemRecord,
  { trigger, actor, reason = null, requestedItemIds }: OrderItemTransition,
  now: Date,
  times: FinishTimes | null,
) {
  const table = stateTableOf(item);
  const index = requestedItemIds?.indexOf(item.id) ?? -1;
  const firstStatus = table.transition(item.status, trigger, {
    name: nameOf(item),
    path: index < 0 ? undefined : `itemIds[${index}]`,
  });
  const steps = [{ trigger, actor, status: firstStatus, reason }];
  const followUp = followUpTrigger(item, trigger, now, times);
  if (followUp)
    steps.push({ trigger: followUp, actor: "SYSTEM", status: table.transition(firstStatus, followUp), reason: null });
  return steps;
}

/** Events for the state changes of lines. */
const toEvents = (
  { id: orderId, customerId }: OrderRecord,
  { id: subjectId, status: previousStatus, amount, currency }: OrderItemRecord,
  steps: ReturnType<typeof transitionSteps>,
) =>
  steps.map(({ trigger, actor, status: statusAfter, reason }, index) => ({
    subject: "ORDER_ITEM" as const,
    subjectId,
    trigger,
    statusBefore: steps[index - 1]?.status ?? previousStatus,
    statusAfter,
    orderId,
    customerId,
    actor,
    reason,
    facts: { amount: amount.toFixed(), currency },
  }));

/** One line of the order's log. */
function toLogContent(
  results: readonly { item: OrderItemRecord; status: OrderItemStatus }[],
  { reason }: OrderItemTransition,
): string {
  const lines = results.map(({ item, status }) => `${item.orderedProductName}: ${status}`).join(", ");
  return reason ? `${lines} (${reason})` : lines;
}
