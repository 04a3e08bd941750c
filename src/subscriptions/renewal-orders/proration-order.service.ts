import type { OrderType } from "../../../schema/vocabulary.ts";
import type { CustomerService } from "../../customers/customer.service.ts";
import { ZERO } from "../../kernel/amounts.ts";
import { invalid } from "../../kernel/refusals.ts";
import type { PaymentCurrency } from "../../products/price-plans/price.currency.ts";
import type { OfferService } from "../../products/offer.service.ts";
import { toPaymentCurrency } from "../../products/price-plans/price.currency.ts";
import type { ChangeSource, SubscriptionItemWriterService } from "../changes/subscription-item-writer.service.ts";
import type { ItemWithUnits, SubscriptionItemReaderService } from "../subscription-item-reader.service.ts";
import type { RequestOrigin } from "../subscription-transitions.service.ts";
import type { SubscriptionRecord, SubscriptionService } from "../subscription.service.ts";
import { prepaidQuotaOf } from "../usage.series.ts";
import type { VendorService } from "../../vendors/vendor.service.ts";
import type { ChildOrderService } from "../../orders/child-order.service.ts";
import type { OrderItemService } from "../../orders/order-item.service.ts";
import { isFree } from "../../orders/order.payability.ts";
import { createLine, type OrderLine } from "../../orders/pricing/order.line.ts";
import type {
  OrderItemRecord,
  OrderRecord,
  OrderWriterService,
  OrderTerms,
  PricedOrder,
} from "../../orders/order-writer.service.ts";
import type { OfferedItem } from "../../orders/pricing/order.item-values.ts";
import type { SubscriptionOrderRepository } from "../subscription-order.repository.ts";

/** The change that a proration order charges for. */
interface PricedChange {
  type: OrderType;
  items: readonly OfferedItem[];
  lines: readonly OrderLine<OfferedItem>[];
  terms: OrderTerms;
  money: PaymentCurrency;
  origin: RequestOrigin;
}

/** Makes the orders that change subscriptions between their renewals, and does what they say when they are paid. */
export class ProrationOrderService {
  constructor(
    private readonly subscriptionOrders: SubscriptionOrderRepository,
    private readonly records: OrderWriterService,
    private readonly childOrders: ChildOrderService,
    private readonly orderItems: OrderItemService,
    private readonly subscriptions: SubscriptionService,
    private readonly itemReader: SubscriptionItemReaderService,
    private readonly itemWriter: SubscriptionItemWriterService,
    private readonly vendors: VendorService,
    private readonly customers: CustomerService,
    private readonly offers: OfferService,
    private readonly now: Date,
  ) {}

  /** An order that is charged at once to the subscription's method. Where it comes to nothing it is paid already. */
  async createProrationOrder(vendorId: number, record: SubscriptionRecord, change: PricedChange): Promise<OrderRecord> {
    // Units that may be used are no pieces of stock, and another plan takes none.
    const stockItems = change.type === "ADDITIONAL" ? change.items.filter((item) => !item.changedPlan) : [];
    const order = await this.saveOrder(vendorId, record, change, stockItems);
    if (!isFree(order)) return order;
    await this.orderItems.transitionOrder(vendorId, order.id, { trigger: "payOrder", actor: "SYSTEM" });
    await this.childOrders.markPaid(vendorId, order.id, null, this.now);
    await this.applyPaidChanges(vendorId, order);
    return order;
  }

  /**
   * An order by which the payer stores a payment method, through its link: for the subscription, which is charged to it from
   * then on (PAYMENT_METHOD), or besides those that there are (ADD_PAYMENT_METHOD).
   * @throws a Refusal SUBSCRIPTION_NOT_FOUND.
   */
  async createPaymentMethodOrder(
    vendorId: number,
    subscriptionId: number,
    type: "PAYMENT_METHOD" | "ADD_PAYMENT_METHOD",
    origin: RequestOrigin,
  ): Promise<OrderRecord> {
    const record = await this.subscriptions.lockSubscription(vendorId, subscriptionId);
    const terms = await this.vendors.billingTerms(vendorId);
    const line = createLine<OfferedItem>({
      type: "ADDS",
      item: null,
      amount: ZERO,
      orderedProductName: "Payment method",
    });
    const money = toPaymentCurrency(terms, record.currency);
    const isOver = record.status === "CANCELED" || record.status === "EXPIRED";
    if (isOver && type === "PAYMENT_METHOD")
      throw invalid("SUBSCRIPTION_NOT_RUNNING", `The subscription is ${record.status}; it is not charged any more.`);
    return this.saveOrder(
      vendorId,
      record,
      { type, items: [], lines: [line], terms, money, origin },
      [],
      "Payment method",
    );
  }

  /** Applies the changes that a proration order charges for, when it is paid. */
  async applyPaidChanges(vendorId: number, order: OrderRecord): Promise<void> {
    const lines = (await this.records.itemsOf(vendorId, order.id)).filter(({ type }) => type === "ADDS");
    for (const subscriptionId of await this.subscriptionOrders.subscriptionsOf(vendorId, order.id)) {
      const record = await this.subscriptions.lockSubscription(vendorId, subscriptionId);
      // Items that join a postpaid subscription have joined it already.
      if (record.claimMethodType === "POST") continue;
      const items = await this.itemReader.itemsOf(vendorId, subscriptionId);
      const source = { actor: "SYSTEM" as const, orderId: order.id };
      for (const line of lines) {
        const { relatedSubscriptionItemId, quantity } = line;
        const item = items.find(({ id }) => id === relatedSubscriptionItemId);
        if (!item) continue;
        if (line.changesPlan) {
          await this.applyPaidPlanChange(vendorId, record, item, line, source);
          continue;
        }
        const [sold] = await this.offers.findSold(vendorId, [item]);
        const isNew = await this.itemWriter.activateItem(vendorId, record, item, source);
        if (!isNew) await this.itemWriter.changeQuantity(vendorId, record, item, item.quantity + quantity, source);
        await this.itemWriter.changeQuota(vendorId, item, prepaidQuotaOf(sold!.terms, quantity), source);
      }
    }
  }

  /** An item that was removed before the change of its plan was paid has none. */
  private async applyPaidPlanChange(
    vendorId: number,
    record: SubscriptionRecord,
    item: ItemWithUnits,
    { priceId, unitPrice }: OrderItemRecord,
    source: ChangeSource,
  ): Promise<void> {
    if (item.removedAt !== null) return;
    const codes = await this.offers.codesOf(vendorId, [priceId!, item.priceId]);
    await this.itemWriter.changePlan(
      vendorId,
      record,
      item,
      {
        priceId: priceId!,
        price: unitPrice.minus(item.optionPrice),
        code: codes.get(priceId!)!.priceCode,
        before: codes.get(item.priceId)!.priceCode,
      },
      source,
    );
  }

  private async saveOrder(
    vendorId: number,
    record: SubscriptionRecord,
    { type, items, lines, terms, money, origin }: PricedChange,
    stockItems: readonly OfferedItem[],
    productName?: string,
  ): Promise<OrderRecord> {
    const isCharged = type === "ADDITIONAL" || type === "ADD_USAGE";
    const pricedOrder: PricedOrder<OfferedItem> = {
      type,
      customer: await this.customers.findByReference(vendorId, { customerId: record.customerId }),
      items,
      lines,
      terms,
      money,
      region: await this.subscriptionOrders.regionOf(vendorId, record.id),
      claimMethodType: record.claimMethodType,
      actor: origin.actor,
      stockItems,
      paymentDueDate: isCharged ? this.now : null,
      ...(productName !== undefined && { productName }),
    };
    const order = await this.records.saveOrder(vendorId, pricedOrder);
    await this.subscriptionOrders.addSubscription(vendorId, order.id, record.id);
    await this.childOrders.createForSubscriptionCharge(vendorId, order, pricedOrder, record.id);
    await this.subscriptions.recordEvent(vendorId, record, isCharged ? "orderChange" : "orderPaymentMethod", {
      ...origin,
      orderId: order.id,
      facts: { type },
    });
    return order;
  }
}
