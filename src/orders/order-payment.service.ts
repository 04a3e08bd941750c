import type { Actor, PaymentMethod } from "../../schema/vocabulary.ts";
import type { Amount } from "../kernel/amounts.ts";
import type { StockLine, StockService } from "../products/stock.service.ts";
import type { ChildOrderService } from "./child-order.service.ts";
import type { OrderEligibilityService } from "./order-eligibility.service.ts";
import type { OrderItemService } from "./order-item.service.ts";
import type { OrderItemRecord, OrderRecord, OrderRepository } from "./order.repository.ts";
import { isPaidInFull, isPayableLine, isUntouched } from "./order.payability.ts";

/** A receipt for an order. */
interface ReceivedPayment {
  amount: Amount;
  paymentMethod: PaymentMethod | null;
}

/** The result of a receipt for an order: fully paid, partly paid, or not due. */
export type PaymentReceiptOutcome = "PAID" | "PARTLY_PAID" | "NOT_DUE";

/** Applies payments and refunds to orders. */
export class OrderPaymentService {
  constructor(
    private readonly deps: {
      orderRepository: OrderRepository;
      orderItems: OrderItemService;
      childOrders: ChildOrderService;
      stock: StockService;
      orderEligibility: OrderEligibilityService;
      now: Date;
    },
  ) {}

  /** The lines that are still to be paid. */
  async payableLines(vendorId: number, orderId: number): Promise<OrderItemRecord[]> {
    return (await this.deps.orderRepository.itemsOf(vendorId, orderId)).filter(isPayableLine);
  }

  /**
   * Takes the stock again that an order returned at its payment deadline, child vendors' too. @throws a Refusal
   * OUT_OF_STOCK.
   */
  async retakeStock(order: OrderRecord): Promise<void> {
    for (const { vendorId, id, lines } of await this.findOrdersWithoutStock(order)) {
      await this.deps.stock.takeStock(vendorId, lines);
      await this.deps.orderRepository.update(vendorId, id, { stockReturnedAt: null });
    }
  }

  /**
   * Returns the stock of some orders that were unpaid at their deadline, including that of child vendors. They can
   * still be paid later if the stock is available.
   */
  async releaseStock(vendorId: number, limit: number): Promise<number> {
    const unpaid = await this.deps.orderRepository.lockExpiredUnpaid(vendorId, this.deps.now, limit);
    for (const order of unpaid)
      await this.returnStock(order, "The order was not paid in time; its stock was released.");
    return unpaid.length;
  }

  /** Records the chosen payment method of a locked order. */
  async recordChosenMethod(vendorId: number, order: OrderRecord, paymentMethod: PaymentMethod | null): Promise<void> {
    await this.deps.orderRepository.update(vendorId, order.id, { paymentMethod, modifiedAt: this.deps.now });
  }

  /**
   * Records a receipt for a locked order; once it is fully paid its lines are paid, and those of child vendors with
   * them. A late receipt cancels its order if another order meanwhile used a once-only product.
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
    await this.deps.orderRepository.update(vendorId, order.id, {
      paidAmount,
      modifiedAt: this.deps.now,
      ...(payable.length > 0 && { paymentMethod, paymentDate: this.deps.now }),
    });
    if (payable.length === 0) return "NOT_DUE";
    if (order.stockReturnedAt !== null) await this.retakeAvailableStock(order);
    if (!isPaidInFull({ ...order, paidAmount })) return "PARTLY_PAID";
    await this.deps.orderItems.transitionEligibleItems(vendorId, order, { trigger: "payOrder", actor });
    await this.deps.childOrders.markPaid(vendorId, order.id, paymentMethod, this.deps.now);
    return "PAID";
  }

  /** Cancels an unpaid order if another one has used one of its once-only benefits. */
  private async cancelIneligible(vendorId: number, order: OrderRecord): Promise<void> {
    if (!isUntouched(order) || (await this.payableLines(vendorId, order.id)).length === 0) return;
    if (await this.deps.orderEligibility.isStillEligible(vendorId, order)) return;
    const reason = "Another order used its trial, its discount, or a product that is sold only once.";
    await this.deps.orderItems.transitionOrder(vendorId, order.id, { trigger: "cancelOrder", actor: "SYSTEM", reason });
  }

  /** Records the refunded amount of a locked order. */
  async recordRefundedAmount(vendorId: number, order: OrderRecord, amount: Amount): Promise<OrderRecord> {
    const returnedAmount = order.returnedAmount.plus(amount);
    await this.deps.orderRepository.update(vendorId, order.id, { returnedAmount, modifiedAt: this.deps.now });
    return { ...order, returnedAmount };
  }

  private async returnStock(order: OrderRecord, content: string): Promise<void> {
    for (const { vendorId, id, stockReturnedAt } of await this.lockWithChildren(order)) {
      if (stockReturnedAt !== null) continue;
      const items = await this.deps.orderRepository.itemsOf(vendorId, id);
      await this.deps.stock.returnToStock(vendorId, items.flatMap(toStockLines));
      await this.deps.orderRepository.update(vendorId, id, { stockReturnedAt: this.deps.now });
      await this.deps.orderRepository.addLog(vendorId, id, { type: "SYSTEM", content, createdAt: this.deps.now });
    }
  }

  /** The receipt, such as a deposit, came after the stock was returned; other orders may have taken it meanwhile. */
  private async retakeAvailableStock(order: OrderRecord): Promise<void> {
    for (const { vendorId, id, lines } of await this.findOrdersWithoutStock(order)) {
      if (await this.deps.stock.takeIfAvailable(vendorId, lines)) {
        await this.deps.orderRepository.update(vendorId, id, { stockReturnedAt: null });
        continue;
      }
      const content = "The order was paid after its stock was released, and the remaining stock is too small.";
      await this.deps.orderRepository.addLog(vendorId, id, { type: "SYSTEM", content, createdAt: this.deps.now });
    }
  }

  /** The orders, among a locked order and those of child vendors, that returned their stock, with their amounts due. */
  private async findOrdersWithoutStock(order: OrderRecord) {
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

  /** Locks the child orders of a locked order and returns all: their stock is taken and returned with that of their parent. */
  private async lockWithChildren(order: OrderRecord): Promise<OrderRecord[]> {
    const lockedOrders = [order];
    for (const { vendorId, id } of await this.deps.orderRepository.childrenOf(order.vendorId, order.id))
      lockedOrders.push(...(await this.deps.orderRepository.lock(vendorId, [id])));
    return lockedOrders;
  }
}

const toStockLines = ({ type, productId, optionIds, quantity }: OrderItemRecord) =>
  type === "SKU" && productId !== null ? [{ productId, optionIds, quantity }] : [];
