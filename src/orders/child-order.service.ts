import type { PaymentMethod } from "../../schema/vocabulary.ts";
import type { CustomerService } from "../customers/customer.service.ts";
import { sumAmounts } from "../kernel/amounts.ts";
import { groupBy } from "../kernel/group-by.ts";
import { itemAt, required, firstOf } from "../kernel/required-values.ts";
import type { OfferService, Orderable } from "../products/offer.service.ts";
import { toPaymentCurrency } from "../products/price-plans/price.currency.ts";
import type { VendorService } from "../vendors/vendor.service.ts";
import { agreedChildPrice, toChildItem } from "./pricing/child-pricing.ts";
import { buildOrderLines } from "./pricing/order.line-builder.ts";
import { toProrationLines } from "./pricing/proration.pricing.ts";
import type { ChildOfferRepository } from "./child-offer.repository.ts";
import type { OrderItemService } from "./order-item.service.ts";
import type { OrderRecordService, PricedOrder } from "./order-record.service.ts";
import type { OrderItemRecord, OrderRecord, OrderRepository } from "./order.repository.ts";
import type { OfferedItem } from "./pricing/order.item-values.ts";

/** The part of a parent's order that one child vendor sells. */
interface ChildShare<I extends OfferedItem> {
  child: { id: number; country: string };
  /** The customer at the child. */
  customer: Awaited<ReturnType<CustomerService["findOrCreateAtChild"]>>;
  items: I[];
  /** The link from the child's order to that of its parent. */
  parent: { parentVendorId: number; parentOrderId: number };
}

/** Creates and updates the child vendors' orders for the items that are ordered of them through their parent. */
export class ChildOrderService {
  constructor(
    private readonly deps: {
      orderRepository: OrderRepository;
      childOfferRepository: ChildOfferRepository;
      orderItems: OrderItemService;
      orderRecords: OrderRecordService;
      vendors: VendorService;
      customers: CustomerService;
      offers: OfferService;
    },
  ) {}

  /** Has an order made for each child whose products are in an order of its parent, always in the same order of children. */
  async createForEachChild<I extends OfferedItem>(
    vendorId: number,
    order: OrderRecord,
    items: readonly I[],
    make: (share: ChildShare<I>) => Promise<unknown>,
  ): Promise<void> {
    const childItems = items.filter(({ orderable }) => orderable.product.childVendorId !== null);
    const shares = [
      ...groupBy(childItems, ({ orderable }) => required(orderable.product.childVendorId, "childVendorId")),
    ];
    for (const [childId, itemsOfChild] of shares.sort(([one], [other]) => one - other)) {
      const child = await this.deps.vendors.requireChild(vendorId, childId);
      const customer = await this.deps.customers.findOrCreateAtChild(vendorId, order.customerId, childId);
      await make({
        child,
        customer,
        items: itemsOfChild,
        parent: { parentVendorId: vendorId, parentOrderId: order.id },
      });
    }
  }

  /**
   * Creates the children's orders for a charge of their parent's subscription, by their terms, as it was sold. Items no
   * longer on sale continue; only joining items have to be on sale.
   * @throws a Refusal OUT_OF_STOCK, NO_EXCHANGE_RATE, QUANTITY_NOT_PRICED, and PRODUCT_NOT_ORDERABLE, REGION_NOT_SOLD
   * for joining items.
   */
  async createForSubscriptionCharge<I extends OfferedItem>(
    vendorId: number,
    order: OrderRecord,
    pricedOrder: PricedOrder<I>,
    subscriptionId: number,
  ): Promise<void> {
    const { type, region, claimMethodType, stockItems, paymentDueDate, calculateStartDate, calculateEndDate } =
      pricedOrder;
    await this.createForEachChild(vendorId, order, pricedOrder.items, async ({ child, customer, items, parent }) => {
      const terms = await this.deps.vendors.billingTerms(child.id);
      const money = toPaymentCurrency(terms, order.currency);
      const sold = await this.deps.offers.findSoldThroughParent(child.id, items.map(toOfferCodes), region);
      const chargedPrices = await this.deps.childOfferRepository.pricesChargedThroughParent(
        child.id,
        vendorId,
        subscriptionId,
      );
      const previouslySold = await this.deps.offers.findSoldThroughParent(
        child.id,
        items.map(toPreviousOfferCodes),
        region,
      );
      const childItems = items.map((item, index) => {
        const withAgreedPrice = (plan: Orderable) => ({
          ...plan,
          agreed: agreedChildPrice(item, plan, chargedPrices, money),
        });
        return toChildItem(
          item,
          withAgreedPrice(itemAt(sold, index)),
          withAgreedPrice(itemAt(previouslySold, index)),
          money,
        );
      });
      const lines = buildOrderLines(childItems, terms, money, null);
      await this.deps.orderRecords.saveOrder(child.id, {
        type,
        customer,
        terms,
        money,
        region,
        claimMethodType,
        paymentDueDate,
        calculateStartDate,
        calculateEndDate,
        items: childItems,
        lines: type === "RECURRING" ? lines : toProrationLines(lines),
        actor: "SYSTEM",
        stockItems: childItems.filter((_, index) => stockItems?.includes(itemAt(items, index))),
        ...parent,
      });
    });
  }

  /** The orders that children have of an order that is paid are paid with it, but for what they have cancelled. */
  async markPaid(
    vendorId: number,
    orderId: number,
    paymentMethod: PaymentMethod | null,
    paymentDate: Date,
  ): Promise<void> {
    for (const { id, vendorId: childId, amount } of await this.deps.orderRepository.childrenOf(vendorId, orderId)) {
      const lockedOrder = firstOf(await this.deps.orderRepository.lock(childId, [id]));
      const lines = await this.deps.orderRepository.itemsOf(childId, id);
      if (lines.every(({ status }) => status === "CANCELLED")) continue;
      await this.deps.orderItems.transitionEligibleItems(childId, lockedOrder, {
        trigger: "payOrder",
        actor: "SYSTEM",
      });
      await this.deps.orderRepository.update(childId, id, { paidAmount: amount, paymentMethod, paymentDate });
    }
  }

  /**
   * Applies a parent's refund of lines, or of the whole order, to the children's orders: unsent items are cancelled,
   * and their stock is returned. The caller has locked the order.
   */
  async applyRefund(
    vendorId: number,
    order: OrderRecord,
    refundedItems: readonly OrderItemRecord[],
    isWhole: boolean,
    reason: string | null,
  ): Promise<void> {
    const children = await this.deps.orderRepository.childrenOf(vendorId, order.id);
    if (children.length === 0) return;
    const parentOfferKeys = await this.deps.childOfferRepository.offerKeysByLine(vendorId, order.id);
    const refundedOfferKeys = new Set(refundedItems.flatMap(({ id }) => parentOfferKeys.get(id) ?? []));
    for (const { id, vendorId: childId } of children) {
      const child = firstOf(await this.deps.orderRepository.lock(childId, [id]));
      const lines = await this.deps.orderRepository.itemsOf(childId, id);
      const childOfferKeys = await this.deps.childOfferRepository.offerKeysByLine(childId, id);
      const isRefunded = ({ id: lineId }: OrderItemRecord) =>
        isWhole || refundedOfferKeys.has(childOfferKeys.get(lineId) ?? "");
      const chosenLineIds = new Set(lines.filter(isRefunded).map((line) => line.id));
      const ids = lines
        .filter((line) =>
          [line.id, line.relatedItemId, line.parentItemId].some(
            (reference) => reference !== null && chosenLineIds.has(reference),
          ),
        )
        .map((line) => line.id);
      await this.refundItems(childId, child, ids, reason);
    }
  }

  private async refundItems(vendorId: number, order: OrderRecord, ids: readonly number[], reason: string | null) {
    const transition = { actor: "SYSTEM" as const, reason };
    await this.deps.orderItems.advanceToRefund(vendorId, order, ids, transition);
    const lines = (await this.deps.orderRepository.itemsOf(vendorId, order.id)).filter(({ id }) => ids.includes(id));
    const parts = lines
      .filter((line) => this.deps.orderItems.isRefundable(line))
      .map(({ id, paidAmount, returnedAmount }) => ({ itemId: id, amount: paidAmount.minus(returnedAmount) }));
    if (parts.length === 0) return;
    const returnedAmount = order.returnedAmount.plus(sumAmounts(parts.map(({ amount }) => amount)));
    await this.deps.orderRepository.update(vendorId, order.id, { returnedAmount });
    await this.deps.orderItems.recordRefund(vendorId, { ...order, returnedAmount }, parts, false, transition);
  }
}

/** The plan that an item had before its order changes it. */
const toPreviousOfferCodes = ({ orderable, planBefore }: OfferedItem) => {
  const { product, plan, optionIds } = planBefore ?? orderable;
  return { productCode: product.code, priceCode: plan.code, optionIds };
};

const toOfferCodes = ({ orderable: { product, plan, optionIds }, path }: OfferedItem) => ({
  productCode: product.code,
  priceCode: plan.code,
  optionIds,
  path,
});
