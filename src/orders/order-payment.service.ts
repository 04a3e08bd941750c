import type { Actor, PaymentMethod } from "../../schema/vocabulary.ts";
import type { Amount } from "../kernel/amounts.ts";
import { invariant } from "../kernel/errors.ts";
import type { StockService } from "../products/stock.service.ts";
import type { ChildOrderService } from "./child-order.service.ts";
import type { OrderItemService } from "./order-item.service.ts";
import type { OrderItemRecord, OrderRecord, OrderRepository } from "./order.repository.ts";
import { orderItemStates, serviceItemStates } from "./order.states.ts";

export type { OrderRecord } from "./order.repository.ts";

/** Money that came for an order. */
interface Receipt {
  amount: Amount;
  paymentMethod: PaymentMethod | null;
}

/** What became of an order by money that came: all is paid, a part is, or nothing was to be paid. */
export type Reception = "PAID" | "PARTLY" | "NOT_WANTED";

const mayBePaid = (item: OrderItemRecord): boolean =>
  (item.orderedProductType === "BOX" ? orderItemStates : serviceItemStates).legalFrom(item.status).includes("payOrder");

/** What payments do to orders. */
export class OrderPaymentService {
  constructor(
    private readonly orders: OrderRepository,
    private readonly orderItems: OrderItemService,
    private readonly childOrders: ChildOrderService,
    private readonly stock: StockService,
    private readonly now: Date,
  ) {}

  /** The order, held until the transaction ends. */
  async lock(vendorId: number, orderId: number): Promise<OrderRecord | undefined> {
    const [order] = await this.orders.lock(vendorId, [orderId]);
    return order;
  }

  async byId(vendorId: number, orderId: number): Promise<OrderRecord> {
    const order = await this.orders.byId(vendorId, orderId);
    invariant(order, "what was paid for has an order");
    return order;
  }

  find(vendorId: number, orderId: number): Promise<OrderRecord | undefined> {
    return this.orders.byId(vendorId, orderId);
  }

  itemsOf(vendorId: number, orderId: number): Promise<OrderItemRecord[]> {
    return this.orders.itemsOf(vendorId, orderId);
  }

  /** The lines that are still to be paid. */
  async payableLines(vendorId: number, orderId: number): Promise<OrderItemRecord[]> {
    return (await this.orders.itemsOf(vendorId, orderId)).filter(mayBePaid);
  }

  /** Whether an order that costs nothing is about a method that is charged later. */
  needsMethod({ type }: OrderRecord): boolean {
    return type !== "ONE_TIME";
  }

  /** Takes stock again that was given back because nobody had paid. @throws a Refusal OUT_OF_STOCK. */
  async retakeStock(vendorId: number, order: OrderRecord): Promise<void> {
    if (order.stockReturnedAt === null) return;
    const items = await this.orders.itemsOf(vendorId, order.id);
    await this.stock.take(vendorId, items.flatMap(stockOf));
    await this.orders.change(vendorId, order.id, { stockReturnedAt: null });
  }

  /** Gives back the stock of some orders that nobody paid by their deadline. They can be paid later if it is there still. */
  async releaseStock(vendorId: number, most: number): Promise<number> {
    const unpaid = await this.orders.lockUnpaid(vendorId, this.now, most);
    for (const order of unpaid) {
      const items = await this.orders.itemsOf(vendorId, order.id);
      await this.stock.giveBack(vendorId, items.flatMap(stockOf));
      await this.orders.change(vendorId, order.id, { stockReturnedAt: this.now });
      const content = "Nobody paid by the deadline; its stock was given back.";
      await this.orders.addLog(vendorId, order.id, { type: "SYSTEM", content, createdAt: this.now });
    }
    return unpaid.length;
  }

  /** Notes how an order that is held will be paid. */
  async choose(vendorId: number, order: OrderRecord, paymentMethod: PaymentMethod | null): Promise<void> {
    await this.orders.change(vendorId, order.id, { paymentMethod, modifiedAt: this.now });
  }

  /** Takes money for an order that is held; once all is there its lines are paid, and those of child vendors with them. */
  async receive(
    vendorId: number,
    order: OrderRecord,
    { amount, paymentMethod }: Receipt,
    actor: Actor,
  ): Promise<Reception> {
    const payable = await this.payableLines(vendorId, order.id);
    const paidAmount = order.paidAmount.plus(amount);
    await this.orders.change(vendorId, order.id, {
      paidAmount,
      modifiedAt: this.now,
      ...(payable.length > 0 && { paymentMethod, paymentDate: this.now }),
    });
    if (payable.length === 0) return "NOT_WANTED";
    if (paidAmount.lt(order.amount)) return "PARTLY";
    await this.orderItems.moveWhere(vendorId, order, { trigger: "payOrder", actor });
    await this.childOrders.paid(vendorId, order.id, paymentMethod, this.now);
    return "PAID";
  }

  /** Notes what was given back of an order that is held. */
  async giveBack(vendorId: number, order: OrderRecord, amount: Amount): Promise<OrderRecord> {
    const returnedAmount = order.returnedAmount.plus(amount);
    await this.orders.change(vendorId, order.id, { returnedAmount, modifiedAt: this.now });
    return { ...order, returnedAmount };
  }
}

const stockOf = ({ type, productId, optionIds, quantity }: OrderItemRecord) =>
  type === "SKU" && productId !== null ? [{ productId, optionIds, quantity }] : [];
