import { sum } from "../kernel/amounts.ts";
import type { OrderItemService } from "./order-item.service.ts";
import type { OrderItemRecord, OrderRecord, OrderRepository } from "./order.repository.ts";

/** Lets child vendors know what becomes of what was ordered of them through their parent. */
export class ChildOrderService {
  constructor(
    private readonly orders: OrderRepository,
    private readonly orderItems: OrderItemService,
  ) {}

  /**
   * Takes back from children what a parent gave back of an order that is held, or all of it: what is not sent yet need not
   * be, and its stock is there again.
   */
  async refunded(
    vendorId: number,
    order: OrderRecord,
    back: readonly OrderItemRecord[],
    isWhole: boolean,
    reason: string | null,
  ): Promise<void> {
    const children = await this.orders.childrenOf(vendorId, order.id);
    if (children.length === 0) return;
    const sold = await this.orders.soldAs(vendorId, order.id);
    const gone = back.flatMap(({ id }) => sold.get(id) ?? []);
    for (const { id, vendorId: childId } of children) {
      const [child] = await this.orders.lock(childId, [id]);
      const lines = await this.orders.itemsOf(childId, id);
      const theirs = await this.orders.soldAs(childId, id);
      const chosen = new Set(lines.filter((line) => isWhole || took(gone, theirs.get(line.id))).map((line) => line.id));
      const ids = lines
        .filter((line) => [line.id, line.relatedItemId, line.parentItemId].some((of) => of !== null && chosen.has(of)))
        .map((line) => line.id);
      await this.takeBack(childId, child!, ids, reason);
    }
  }

  private async takeBack(vendorId: number, order: OrderRecord, ids: readonly number[], reason: string | null) {
    const move = { actor: "SYSTEM" as const, reason };
    await this.orderItems.awaitRefund(vendorId, order, ids, move);
    const lines = (await this.orders.itemsOf(vendorId, order.id)).filter(({ id }) => ids.includes(id));
    const parts = lines
      .filter((line) => this.orderItems.isRefundable(line))
      .map(({ id, paidAmount, returnedAmount }) => ({ itemId: id, amount: paidAmount.minus(returnedAmount) }));
    if (parts.length === 0) return;
    const returnedAmount = order.returnedAmount.plus(sum(parts.map(({ amount }) => amount)));
    await this.orders.change(vendorId, order.id, { returnedAmount });
    await this.orderItems.refund(vendorId, { ...order, returnedAmount }, parts, false, move);
  }
}

/** Whether something is among what went back; each is there once. */
function took(gone: string[], one: string | undefined): boolean {
  const at = one === undefined ? -1 : gone.indexOf(one);
  if (at >= 0) gone.splice(at, 1);
  return at >= 0;
}
