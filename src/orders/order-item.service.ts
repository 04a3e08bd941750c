import type { Actor, OrderItemStatus } from "../../schema/vocabulary.ts";
import type { EventService } from "../events/event.service.ts";
import { ZERO, type Amount } from "../kernel/amounts.ts";
import { invalid, missing, unknownReference } from "../kernel/refusals.ts";
import { group } from "../kernel/group-by.ts";
import type { StockService } from "../products/stock.service.ts";
import type { FinishTimes } from "../vendors/vendor-settings.rules.ts";
import type { VendorService } from "../vendors/vendor.service.ts";
import { dependsOnAge, dueTrigger, transitionTime, triggerOfAge } from "./order-item.timed-transitions.ts";
import type { OrderItemRecord, OrderItemValues, OrderRecord, OrderRepository } from "./order.repository.ts";
import { categoryOf, logTypeOf, orderItemStates, serviceItemStates, type OrderItemTrigger } from "./order.states.ts";

/** Who moves a line, and why. */
export interface Move {
  trigger: OrderItemTrigger;
  actor: Actor;
  reason?: string | null;
  /** Where the request names the lines, in the order in which it names them; undefined where it names none. */
  named?: readonly number[];
}

/** States in which a line gives its stock back. */
const gaveUp: ReadonlySet<OrderItemStatus> = new Set(["CANCELLED", "CANCELLATION_REFUNDED", "RETURN_REFUNDED"]);

/** States in which nothing of a line is to be given back: nobody has paid, or all of it is back. */
const neverRefunded: ReadonlySet<OrderItemStatus> = new Set([
  ...gaveUp,
  "CREATED",
  "DEPOSIT_WAITING",
  "PAYMENT_FAILURE",
] as const);

/** Moves lines of orders through their states, and tells it in their histories and in the order's log. */
export class OrderItemService {
  constructor(
    private readonly orders: OrderRepository,
    private readonly stock: StockService,
    private readonly vendors: VendorService,
    private readonly events: EventService,
    private readonly now: Date,
  ) {}

  /**
   * Moves some lines. All of them move, or none.
   * @throws a Refusal NOT_FOUND for a line that the vendor does not have, ILLEGAL_TRANSITION with the legal moves.
   */
  async move(vendorId: number, itemIds: readonly number[], move: Move): Promise<void> {
    const orderIds = new Set((await this.orders.itemsByIds(vendorId, itemIds)).map(({ orderId }) => orderId));
    const orders = await this.orders.lock(vendorId, [...orderIds]);
    // Read again: another move may have come before the lock.
    const items = await this.orders.itemsByIds(vendorId, itemIds);
    const unknown = itemIds.findIndex((id) => !items.some((item) => item.id === id));
    if (unknown >= 0) throw unknownReference("ORDER_ITEM_NOT_FOUND", `itemIds[${unknown}]`, "order item");
    for (const order of orders) {
      const own = items.filter(({ orderId }) => orderId === order.id);
      await this.moveLines(vendorId, order, own, { ...move, named: itemIds });
    }
  }

  /**
   * Moves every line of an order, and those of the orders that child vendors have of it, as far as the trigger leads them on.
   * @throws a Refusal ORDER_NOT_FOUND, ILLEGAL_TRANSITION with the legal moves.
   */
  async moveWhole(vendorId: number, orderId: number, move: Move): Promise<void> {
    const [order] = await this.orders.lock(vendorId, [orderId]);
    if (!order) throw missing("ORDER_NOT_FOUND", "There is no order with this id.");
    const lines = await this.orders.itemsOf(vendorId, orderId);
    if (order.type === "RECURRING" && move.trigger === "cancelOrder") refuseFailed(lines);
    await this.moveLines(vendorId, order, lines, move);
    for (const child of await this.orders.childrenOf(vendorId, orderId)) {
      const [theirs] = await this.orders.lock(child.vendorId, [child.id]);
      const items = await this.orders.itemsOf(child.vendorId, child.id);
      const led = items.filter((item) => tableOf(item).legalFrom(item.status).includes(move.trigger));
      if (led.length > 0) await this.moveLines(child.vendorId, theirs!, led, { ...move, actor: "SYSTEM" });
    }
  }

  /** Moves those lines of an order that is held which the trigger leads on; answers them as they were. */
  async moveWhere(vendorId: number, order: OrderRecord, move: Move): Promise<OrderItemRecord[]> {
    const lines = await this.orders.itemsOf(vendorId, order.id);
    const led = lines.filter((item) => leadsOn(item, move.trigger));
    if (led.length > 0) await this.moveLines(vendorId, order, led, move);
    return led;
  }

  /**
   * Brings lines of an order that is held to where they wait for their refund, as far as that needs no decision of
   * somebody else: a service that is paid is cancelled on the way.
   */
  async awaitRefund(vendorId: number, order: OrderRecord, itemIds: readonly number[], move: Omit<Move, "trigger">) {
    for (const trigger of ["requestCancellation", "acceptCancellation"] as const) {
      const lines = await this.orders.itemsByIds(vendorId, itemIds);
      const led = lines.filter((item) => !leadsOn(item, "refundOrderItems") && leadsOn(item, trigger));
      if (led.length > 0) await this.moveLines(vendorId, order, led, { ...move, trigger });
    }
  }

  /** Whether a line is paid, and not back already. */
  maybeRefunded({ status }: OrderItemRecord): boolean {
    return !neverRefunded.has(status);
  }

  /** Whether a line is in a state to be refunded. */
  isRefundable(item: OrderItemRecord): boolean {
    return leadsOn(item, "refundOrderItems");
  }

  /** @throws a Refusal ILLEGAL_TRANSITION with the legal moves, where a line is in no state to be refunded. */
  refuseUnrefundable(items: readonly OrderItemRecord[]): void {
    for (const item of items) tableOf(item).move(item.status, "refundOrderItems", { name: nameOf(item) });
  }

  /**
   * Notes what was given back of lines of an order that is held, and moves them by it; all lines that can be, where nothing
   * of the order is left to be given back. Goods that were sent meanwhile stay where they are. @returns those that moved of
   * which nothing is left.
   */
  async refund(
    vendorId: number,
    order: OrderRecord,
    parts: readonly { itemId: number; amount: Amount }[],
    isWhole: boolean,
    move: Omit<Move, "trigger">,
  ): Promise<OrderItemRecord[]> {
    const isNamed = ({ id }: OrderItemRecord) => parts.some(({ itemId }) => itemId === id);
    const noted = (await this.orders.itemsOf(vendorId, order.id)).filter(
      (item) => isNamed(item) || (isWhole && leadsOn(item, "refundOrderItems")),
    );
    for (const item of noted) {
      const part = parts.find(({ itemId }) => itemId === item.id)?.amount ?? ZERO;
      item.returnedAmount = isWhole ? item.paidAmount : item.returnedAmount.plus(part);
      await this.orders.changeItem(vendorId, item.id, { returnedAmount: item.returnedAmount });
    }
    const touched = noted.filter((item) => leadsOn(item, "refundOrderItems"));
    const isBack = ({ returnedAmount, paidAmount }: OrderItemRecord) => returnedAmount.eq(paidAmount);
    const [back, partly] = [touched.filter(isBack), touched.filter((item) => !isBack(item))];
    if (back.length > 0) await this.moveLines(vendorId, order, back, { ...move, trigger: "refundOrderItems" });
    const moving = partly.filter(({ status }) => !status.endsWith("_REFUNDED_PARTIALLY"));
    if (moving.length > 0)
      await this.moveLines(vendorId, order, moving, { ...move, trigger: "refundOrderItemsInPart" });
    return back;
  }

  /**
   * Moves the order items that time leads on, those of some orders at once; what another transaction has locked waits.
   * One that is late passes through each of its states. @returns of how many orders.
   */
  async finishDue(vendorId: number, limit: number): Promise<number> {
    const orders = await this.orders.lockWithDueItems(vendorId, this.now, limit);
    if (orders.length === 0) return 0;
    const times = await this.vendors.finishTimes(vendorId);
    for (const order of orders) while (await this.finishItems(vendorId, order, times));
    return orders.length;
  }

  /** Moves what is due of a locked order by one step. @returns whether anything was due. */
  private async finishItems(vendorId: number, order: OrderRecord, times: FinishTimes): Promise<boolean> {
    const due = (await this.orders.itemsOf(vendorId, order.id)).flatMap((item) => {
      const trigger = dueTrigger(item.status, arrivalOf(item), this.now, times);
      return trigger && (item.transitionAt ?? item.modifiedAt) <= this.now ? [{ item, trigger }] : [];
    });
    // What an older gateway led on has no time yet.
    const timeless = due.filter(({ item }) => item.transitionAt === null);
    for (const { item } of timeless) {
      const arrivedAt = arrivalOf(item);
      const transitionAt = transitionTime(item.status, arrivedAt, this.now, times);
      await this.orders.changeItem(vendorId, item.id, { arrivedAt, transitionAt });
    }
    const timed = due.filter(({ item }) => item.transitionAt !== null);
    for (const [trigger, own] of group(timed, (one) => one.trigger)) {
      const items = own.map(({ item }) => item);
      await this.moveLines(vendorId, order, items, { trigger, actor: "SYSTEM" });
    }
    return due.length > 0;
  }

  private async moveLines(
    vendorId: number,
    order: OrderRecord,
    items: readonly OrderItemRecord[],
    move: Move,
  ): Promise<void> {
    const times = dependsOnAge(move.trigger) ? await this.vendors.finishTimes(vendorId) : null;
    const moved = items.map((item) => ({ item, steps: stepsOf(item, move, this.now, times) }));
    for (const { item, steps } of moved) {
      const status = steps.at(-1)!.status;
      await this.orders.changeItem(vendorId, item.id, {
        status,
        ...this.besides(item, status, move),
        ...this.timesOf(item, status, move, times),
        modifiedAt: this.now,
      });
    }
    await this.orders.addHistories(
      vendorId,
      moved.flatMap(({ item, steps }) =>
        steps.map(({ actor, status, reason }) => ({
          itemId: item.id,
          actor,
          category: categoryOf(status),
          status,
          reason,
          createdAt: this.now,
        })),
      ),
    );
    await this.events.record(vendorId, ...moved.flatMap(({ item, steps }) => happeningsOf(order, item, steps)));
    const ends = moved.map(({ item, steps }) => ({ item, status: steps.at(-1)!.status }));
    const log = { type: logTypeOf(order.type, move), content: told(ends, move), createdAt: this.now };
    await this.orders.addLog(vendorId, order.id, log);
    const isOver = move.trigger === "cancelOrder";
    await this.orders.change(vendorId, order.id, {
      modifiedAt: this.now,
      ...(isOver && { stockReturnedAt: order.stockReturnedAt ?? this.now }),
    });
    // What nobody paid by its deadline gave its stock back already.
    const returned = ends.filter(
      ({ item, status }) =>
        order.stockReturnedAt === null && gaveUp.has(status) && tookStock(order, item) && item.productId !== null,
    );
    await this.stock.giveBack(
      vendorId,
      returned.map(({ item: { productId, optionIds, quantity } }) => ({ productId: productId!, optionIds, quantity })),
    );
  }

  /** When the goods arrived, and when time leads them on from their new state. */
  private timesOf(
    item: OrderItemRecord,
    status: OrderItemStatus,
    { trigger }: Move,
    times: FinishTimes | null,
  ): Pick<OrderItemValues, "arrivedAt" | "transitionAt"> {
    const arrives = /^(?:ORDER|EXCHANGE)_DELIVERY_COMPLETED$/.test(status) && !trigger.startsWith("withdraw");
    if (!times) return { transitionAt: null };
    const arrivedAt = arrives ? this.now : arrivalOf(item);
    return { arrivedAt, transitionAt: transitionTime(status, arrivedAt, this.now, times) };
  }

  private besides(item: OrderItemRecord, status: OrderItemStatus, { trigger }: Move): Partial<OrderItemValues> {
    if (trigger === "payOrder") return { paidAmount: item.amount };
    if (status === "CANCELLED" || status === "CANCELLATION_REFUNDED") return { canceledAt: this.now };
    return {};
  }
}

/** When goods arrived. Of those that an older gateway led on, the last change is what is known. */
const arrivalOf = ({ arrivedAt, modifiedAt }: OrderItemRecord): Date => arrivedAt ?? modifiedAt;

/** What joins a subscription takes stock; units that may be used are no pieces of it. */
const tookStock = ({ type: ofOrder }: OrderRecord, { type }: OrderItemRecord): boolean =>
  type === "SKU" || (type === "ADDS" && ofOrder === "ADDITIONAL");

/** Only shipped goods are delivered. */
const isShipped = ({ orderedProductType }: OrderItemRecord): boolean => orderedProductType === "BOX";
const tableOf = (item: OrderItemRecord) => (isShipped(item) ? orderItemStates : serviceItemStates);

/** Whether a trigger leads on from where a line is. */
const leadsOn = (item: OrderItemRecord, trigger: OrderItemTrigger): boolean =>
  tableOf(item).legalFrom(item.status).includes(trigger);

/** What follows of itself: a withdrawn request leads back, goods to the state of their age, and goods whose cancellation is denied are delivered. */
function onward(
  item: OrderItemRecord,
  trigger: OrderItemTrigger,
  now: Date,
  times: FinishTimes | null,
): OrderItemTrigger | undefined {
  if (trigger.startsWith("withdraw")) return (times && triggerOfAge(arrivalOf(item), now, times)) ?? "resumeOrderItem";
  return trigger === "denyCancellation" && isShipped(item) ? "prepareDelivery" : undefined;
}

/** A renewal that failed is what its subscription waits for: nothing could ever be charged of that again. */
function refuseFailed(lines: readonly OrderItemRecord[]): void {
  if (!lines.some(({ status }) => status === "PAYMENT_FAILURE")) return;
  const message = "A renewal that failed is over with its subscription: cancel that instead.";
  throw invalid("ILLEGAL_TRANSITION", message, { legal: ["payOrder"] });
}

/** A line as a sentence names it. */
const nameOf = ({ id, code, orderedProductName }: OrderItemRecord): string => `${id} (${code}, ${orderedProductName})`;

/** The states that a line passes through, each as its history tells it. */
function stepsOf(
  item: OrderItemRecord,
  { trigger, actor, reason = null, named }: Move,
  now: Date,
  times: FinishTimes | null,
) {
  const table = tableOf(item);
  const index = named?.indexOf(item.id) ?? -1;
  const first = table.move(item.status, trigger, {
    name: nameOf(item),
    path: index < 0 ? undefined : `itemIds[${index}]`,
  });
  const steps = [{ trigger, actor, status: first, reason }];
  const next = onward(item, trigger, now, times);
  if (next) steps.push({ trigger: next, actor: "SYSTEM", status: table.move(first, next), reason: null });
  return steps;
}

/** The changes of a line's state, for whoever listens. */
const happeningsOf = (
  { id: orderId, customerId }: OrderRecord,
  { id: subjectId, status: before }: OrderItemRecord,
  steps: ReturnType<typeof stepsOf>,
) =>
  steps.map(({ trigger: happening, actor, status: statusAfter, reason }, index) => ({
    subject: "ORDER_ITEM" as const,
    subjectId,
    happening,
    statusBefore: steps[index - 1]?.status ?? before,
    statusAfter,
    orderId,
    customerId,
    actor,
    reason,
  }));

/** One line of the order's log. */
function told(ends: readonly { item: OrderItemRecord; status: OrderItemStatus }[], { reason }: Move): string {
  const lines = ends.map(({ item, status }) => `${item.orderedProductName}: ${status}`).join(", ");
  return reason ? `${lines} (${reason})` : lines;
}
