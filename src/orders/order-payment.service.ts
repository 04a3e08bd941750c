import type { Actor, PaymentMethod } from "../../schema/vocabulary.ts";
import type { Amount } from "../kernel/amounts.ts";
import { invariant } from "../kernel/refusals.ts";
import type { StockLine, StockService } from "../products/stock.service.ts";
import type { ChildOrderService } from "./child-order.service.ts";
import type { OrderEligibilityService } from "./order-eligibility.service.ts";
import type { OrderItemService } from "./order-item.service.ts";
import type { OrderItemRecord, OrderRecord, OrderRepository } from "./order.repository.ts";
import { orderItemStates, serviceItemStates } from "./order.states.ts";

export type { OrderRecord } from "./order.repository.ts";

/** Money that came for an order. */
interface ReceivedPayment {
  amount: Amount;
  paymentMethod: PaymentMethod | null;
}

/** What became of an order by money that came: all is paid, a part is, or nothing was to be paid. */
export type PaymentReceiptOutcome = "PAID" | "PARTLY" | "NOT_WANTED";

const isPayableItem = (item: OrderItemRecord): boolean =>
  (item.orderedProductType === "BOX" ? orderItemStates : serviceItemStates)
    .legalTriggersFrom(item.status)
    .includes("payOrder");

/** What payments do to orders. */
export class OrderPaymentService {
  constructor(
    private readonly orders: OrderRepository,
    private readonly orderItems: OrderItemService,
    private readonly childOrders: ChildOrderService,
    private readonly stock: StockService,
    private readonly eligibility: OrderEligibilityService,
    private readonly now: Date,
  ) {}

  /** The order, held until the transaction ends. */
  async lockOrder(vendorId: number, orderId: number): Promise<OrderRecord | undefined> {
    const [order] = await this.orders.lock(vendorId, [orderId]);
    return order;
  }

  async byId(vendorId: number, orderId: number): Promise<OrderRecord> {
    const order = await this.orders.byId(vendorId, orderId);
    invariant(order, "a paid item has an order");
    return order;
  }

  /** Orders with a higher number than the given one of which something is unpaid, by their numbers; those of children go with their parents'. */
  unpaidAfter(vendorId: number, orderId: number, limit: number): Promise<OrderRecord[]> {
    return this.orders.unpaidAfter(vendorId, orderId, limit);
  }

  find(vendorId: number, orderId: number): Promise<OrderRecord | undefined> {
    return this.orders.byId(vendorId, orderId);
  }

  itemsOf(vendorId: number, orderId: number): Promise<OrderItemRecord[]> {
    return this.orders.itemsOf(vendorId, orderId);
  }

  /** The lines that are still to be paid. */
  async payableLines(vendorId: number, orderId: number): Promise<OrderItemRecord[]> {
    return (await this.orders.itemsOf(vendorId, orderId)).filter(isPayableItem);
  }

  /** Whether an order that costs nothing is about a method that is charged later. */
  needsMethod({ type }: OrderRecord): boolean {
    return type !== "ONE_TIME";
  }

  /** Takes stock again that was given back because nobody had paid, child vendors' too. @throws a Refusal OUT_OF_STOCK. */
  async retakeStock(order: OrderRecord): Promise<void> {
    for (const { vendorId, id, lines } of await this.findOrdersWithoutStock(order)) {
      await this.stock.takeStock(vendorId, lines);
      await this.orders.update(vendorId, id, { stockReturnedAt: null });
    }
  }

  /**
   * Gives back the stock of some orders that nobody paid by their deadline, that of child vendors with it. They can be paid
   * later if it is there still.
   */
  async releaseStock(vendorId: number, limit: number): Promise<number> {
    const unpaid = await this.orders.lockExpiredUnpaid(vendorId, this.now, limit);
    for (const order of unpaid)
      await this.returnStock(order, "The order was not paid in time; its stock was released.");
    return unpaid.length;
  }

  /** Notes how an order that is held will be paid. */
  async recordChosenMethod(vendorId: number, order: OrderRecord, paymentMethod: PaymentMethod | null): Promise<void> {
    await this.orders.update(vendorId, order.id, { paymentMethod, modifiedAt: this.now });
  }

  /**
   * Takes money for an order that is held; once all is there its lines are paid, and those of child vendors with them. Money
   * that came late cancels its order where another order used meanwhile what this one may use once.
   */
  async receivePayment(
    vendorId: number,
    order: OrderRecord,
    { amount, paymentMethod }: ReceivedPayment,
    actor: Actor,
    isLate: boolean,
  ): Promise<PaymentReceiptOutcome> {
    if (isLate) await this.cancelIneligible(vendorId, order);
    const payable = await this.payableLines(vendorId, order.id);
    const paidAmount = order.paidAmount.plus(amount);
    await this.orders.update(vendorId, order.id, {
      paidAmount,
      modifiedAt: this.now,
      ...(payable.length > 0 && { paymentMethod, paymentDate: this.now }),
    });
    if (payable.length === 0) return "NOT_WANTED";
    await this.retakeAvailableStock(order);
    if (paidAmount.lt(order.amount)) return "PARTLY";
    await this.orderItems.transitionEligibleItems(vendorId, order, { trigger: "payOrder", actor });
    await this.childOrders.markPaid(vendorId, order.id, paymentMethod, this.now);
    return "PAID";
  }

  /** Cancels an order of which nothing is paid where another one has used what it may use once. */
  private async cancelIneligible(vendorId: number, order: OrderRecord): Promise<void> {
    if (order.paidAmount.gt(0) || (await this.payableLines(vendorId, order.id)).length === 0) return;
    if (await this.eligibility.isStillEligible(vendorId, order)) return;
    const reason = "Another order used its trial, its discount, or a product that is sold only once.";
    await this.orderItems.transitionOrder(vendorId, order.id, { trigger: "cancelOrder", actor: "SYSTEM", reason });
  }

  /** Notes what was given back of an order that is held. */
  async recordRefundedAmount(vendorId: number, order: OrderRecord, amount: Amount): Promise<OrderRecord> {
    const returnedAmount = order.returnedAmount.plus(amount);
    await this.orders.update(vendorId, order.id, { returnedAmount, modifiedAt: this.now });
    return { ...order, returnedAmount };
  }

  private async returnStock(order: OrderRecord, content: string): Promise<void> {
    for (const { vendorId, id, stockReturnedAt } of await this.lockWithChildren(order)) {
      if (stockReturnedAt !== null) continue;
      const items = await this.orders.itemsOf(vendorId, id);
      await this.stock.returnToStock(vendorId, items.flatMap(toStockLines));
      await this.orders.update(vendorId, id, { stockReturnedAt: this.now });
      await this.orders.addLog(vendorId, id, { type: "SYSTEM", content, createdAt: this.now });
    }
  }

  /** Money came, such as a deposit that was waited for, after the stock was given back; others may have it by now. */
  private async retakeAvailableStock(order: OrderRecord): Promise<void> {
    for (const { vendorId, id, lines } of await this.findOrdersWithoutStock(order)) {
      if (await this.stock.takeIfAvailable(vendorId, lines)) {
        await this.orders.update(vendorId, id, { stockReturnedAt: null });
        continue;
      }
      const content = "The order was paid after its stock was released, and the remaining stock is too small.";
      await this.orders.addLog(vendorId, id, { type: "SYSTEM", content, createdAt: this.now });
    }
  }

  /** Of an order that is held and those of child vendors what gave its stock back, with what is still to be paid of it. */
  private async findOrdersWithoutStock(order: OrderRecord) {
    if (order.stockReturnedAt === null) return [];
    const ordersWithoutStock = (await this.lockWithChildren(order)).filter(
      ({ stockReturnedAt }) => stockReturnedAt !== null,
    );
    const neededStock: { vendorId: number; id: number; lines: StockLine[] }[] = [];
    for (const { vendorId, id } of ordersWithoutStock) {
      const lines = (await this.payableLines(vendorId, id)).flatMap(toStockLines);
      if (lines.length > 0) neededStock.push({ vendorId, id, lines });
    }
    return neededStock;
  }

  /** An order that is held, and those that child vendors have of it, held too: their stock goes with that of their parent. */
  private async lockWithChildren(order: OrderRecord): Promise<OrderRecord[]> {
    const lockedOrders = [order];
    for (const { vendorId, id } of await this.orders.childrenOf(order.vendorId, order.id))
      lockedOrders.push(...(await this.orders.lock(vendorId, [id])));
    return lockedOrders;
  }
}

const toStockLines = ({ type, productId, optionIds, quantity }: OrderItemRecord) =>
  type === "SKU" && productId !== null ? [{ productId, optionIds, quantity }] : [];
