import type { PaymentMethod } from "../../schema/vocabulary.ts";
import type { CustomerService } from "../customers/customer.service.ts";
import { sum } from "../kernel/amounts.ts";
import { group } from "../kernel/group-by.ts";
import type { OfferService, Orderable } from "../products/offer.service.ts";
import { moneyOf } from "../products/price-plans/price.currency.ts";
import type { VendorService } from "../vendors/vendor.service.ts";
import { agreedPrice, chargedByChild } from "./pricing/child-pricing.ts";
import { orderLines } from "./pricing/order.line-builder.ts";
import { settlementLines } from "./pricing/change.pricing.ts";
import type { OrderItemService } from "./order-item.service.ts";
import type { OrderRecordService, ReckonedOrder } from "./order-writer.service.ts";
import type { OrderItemRecord, OrderRecord, OrderRepository } from "./order.repository.ts";
import type { OfferedItem } from "./pricing/order.item-values.ts";

/** What of an order of a parent one of its children sells. */
interface Share<I extends OfferedItem> {
  child: { id: number; country: string };
  /** The customer as the child knows it. */
  customer: Awaited<ReturnType<CustomerService["sharedWith"]>>;
  items: I[];
  /** How the child's order is linked to that of its parent. */
  parent: { parentVendorId: number; parentOrderId: number };
}

/** Lets child vendors know of what is ordered of them through their parent, and of what becomes of it. */
export class ChildOrderService {
  constructor(
    private readonly orders: OrderRepository,
    private readonly orderItems: OrderItemService,
    private readonly records: OrderRecordService,
    private readonly vendors: VendorService,
    private readonly customers: CustomerService,
    private readonly offers: OfferService,
  ) {}

  /** Has an order made for each child whose products are in an order of its parent, always in the same order of children. */
  async tell<I extends OfferedItem>(
    vendorId: number,
    order: OrderRecord,
    items: readonly I[],
    make: (share: Share<I>) => Promise<unknown>,
  ): Promise<void> {
    const theirs = items.filter(({ orderable }) => orderable.product.childVendorId !== null);
    const shares = [...group(theirs, ({ orderable }) => orderable.product.childVendorId!)];
    for (const [childId, own] of shares.sort(([one], [other]) => one - other)) {
      const child = await this.vendors.child(vendorId, childId);
      const customer = await this.customers.sharedWith(vendorId, order.customerId, childId);
      await make({ child, customer, items: own, parent: { parentVendorId: vendorId, parentOrderId: order.id } });
    }
  }

  /**
   * Tells the children of an order that charges a subscription of their parent: the same is charged by their terms, as it was
   * sold. What is not on sale any more goes on; only what joins has to be.
   * @throws a Refusal OUT_OF_STOCK, NO_EXCHANGE_RATE, QUANTITY_NOT_PRICED, and PRODUCT_NOT_ORDERABLE, REGION_NOT_SOLD for what joins.
   */
  async follow<I extends OfferedItem>(
    vendorId: number,
    order: OrderRecord,
    reckoned: ReckonedOrder<I>,
    subscriptionId: number,
  ): Promise<void> {
    const { type, region, claimMethodType, taken, paymentDueDate, calculateStartDate, calculateEndDate } = reckoned;
    await this.tell(vendorId, order, reckoned.items, async ({ child, customer, items, parent }) => {
      const terms = await this.vendors.terms(child.id);
      const money = moneyOf(terms, order.currency);
      const sold = await this.offers.soldThroughParent(child.id, items.map(namedByCodes), region);
      const charged = await this.orders.chargedThroughParent(child.id, vendorId, subscriptionId);
      const before = await this.offers.soldThroughParent(child.id, items.map(namedByCodesBefore), region);
      const own = items.map((item, at) => {
        const known = (plan: Orderable) => ({ ...plan, agreed: agreedPrice(item, plan, charged, money) });
        return chargedByChild(item, known(sold[at]!), known(before[at]!), money);
      });
      const lines = orderLines(own, terms, money, null);
      await this.records.keep(child.id, {
        type,
        customer,
        terms,
        money,
        region,
        claimMethodType,
        paymentDueDate,
        calculateStartDate,
        calculateEndDate,
        items: own,
        lines: type === "RECURRING" ? lines : settlementLines(lines),
        actor: "SYSTEM",
        taken: own.filter((_, at) => taken?.includes(items[at]!)),
        ...parent,
      });
    });
  }

  /** The orders that children have of an order that is paid are paid with it, but for what they have cancelled. */
  async paid(vendorId: number, orderId: number, paymentMethod: PaymentMethod | null, paymentDate: Date): Promise<void> {
    for (const { id, vendorId: childId, amount } of await this.orders.childrenOf(vendorId, orderId)) {
      const [held] = await this.orders.lock(childId, [id]);
      const lines = await this.orders.itemsOf(childId, id);
      if (lines.every(({ status }) => status === "CANCELLED")) continue;
      await this.orderItems.moveWhere(childId, held!, { trigger: "payOrder", actor: "SYSTEM" });
      await this.orders.change(childId, id, { paidAmount: amount, paymentMethod, paymentDate });
    }
  }

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
    const gone = new Set(back.flatMap(({ id }) => sold.get(id) ?? []));
    for (const { id, vendorId: childId } of children) {
      const [child] = await this.orders.lock(childId, [id]);
      const lines = await this.orders.itemsOf(childId, id);
      const theirs = await this.orders.soldAs(childId, id);
      const isGone = ({ id: lineId }: OrderItemRecord) => isWhole || gone.has(theirs.get(lineId) ?? "");
      const chosen = new Set(lines.filter(isGone).map((line) => line.id));
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

/** The plan that an item had before its order changes it. */
const namedByCodesBefore = ({ orderable, planBefore }: OfferedItem) => {
  const { product, plan, optionIds } = planBefore ?? orderable;
  return { productCode: product.code, priceCode: plan.code, optionIds };
};

const namedByCodes = ({ orderable: { product, plan, optionIds }, path }: OfferedItem) => ({
  productCode: product.code,
  priceCode: plan.code,
  optionIds,
  path,
});
