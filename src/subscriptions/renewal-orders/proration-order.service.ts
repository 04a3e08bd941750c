import type { OrderType } from "../../../schema/vocabulary.ts";
import type { CustomerService } from "../../customers/customer.service.ts";
import { ZERO } from "../../kernel/amounts.ts";
import { invalid } from "../../kernel/refusals.ts";
import { getOrThrow, required, firstOf } from "../../kernel/required-values.ts";
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
  OrderRecordService,
  OrderTerms,
  PricedOrder,
} from "../../orders/order-record.service.ts";
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

/** Creates the orders that change subscriptions between their renewals, and applies the changes when they are paid. */
export class ProrationOrderService {
  constructor(
    private readonly deps: {
      subscriptionOrderRepository: SubscriptionOrderRepository;
      orderRecords: OrderRecordService;
      childOrders: ChildOrderService;
      orderItems: OrderItemService;
      subscriptions: SubscriptionService;
      subscriptionItemReader: SubscriptionItemReaderService;
      subscriptionItemWriter: SubscriptionItemWriterService;
      vendors: VendorService;
      customers: CustomerService;
      offers: OfferService;
      now: Date;
    },
  ) {}

  /** Creates an order that is charged at once to the subscription's method. A free one is paid already. */
  async createProrationOrder(vendorId: number, record: SubscriptionRecord, change: PricedChange): Promise<OrderRecord> {
    // Units that may be used are no pieces of stock, and another plan takes none.
    const stockItems = change.type === "ADDITIONAL" ? change.items.filter((item) => !item.changedPlan) : [];
    const order = await this.saveOrder(vendorId, record, change, stockItems);
    if (!isFree(order)) return order;
    await this.deps.orderItems.transitionOrder(vendorId, order.id, { trigger: "payOrder", actor: "SYSTEM" });
    await this.deps.childOrders.markPaid(vendorId, order.id, null, this.deps.now);
    await this.applyPaidChanges(vendorId, order);
    return order;
  }

  /**
   * Creates an order by which the payer stores a payment method, through its link: for the subscription, which is
   * charged to it from then on (PAYMENT_METHOD), or in addition to the existing ones (ADD_PAYMENT_METHOD).
   * @throws a Refusal SUBSCRIPTION_NOT_FOUND.
   */
  async createPaymentMethodOrder(
    vendorId: number,
    subscriptionId: number,
    type: "PAYMENT_METHOD" | "ADD_PAYMENT_METHOD",
    origin: RequestOrigin,
  ): Promise<OrderRecord> {
    const record = await this.deps.subscriptions.lockSubscription(vendorId, subscriptionId);
    const terms = await this.deps.vendors.billingTerms(vendorId);
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

  /**
   * The order by which the payer stores a payment method for a subscription: the open one, else a new one; undefined if so many
   * were created since an instant.
   * @throws a Refusal SUBSCRIPTION_NOT_FOUND, SUBSCRIPTION_NOT_RUNNING.
   */
  async openPaymentMethodOrder(
    vendorId: number,
    subscriptionId: number,
    { limit, since }: { limit: number; since: Date },
    origin: RequestOrigin,
  ): Promise<number | undefined> {
    // Locked, so that two forms that are sent at the same time share an order.
    await this.deps.subscriptions.lockSubscription(vendorId, subscriptionId);
    const repository = this.deps.subscriptionOrderRepository;
    const open = await repository.findOpenMethodOrder(vendorId, subscriptionId);
    if (open !== undefined) return open;
    if ((await repository.countMethodOrders(vendorId, subscriptionId, since)) >= limit) return undefined;
    return (await this.createPaymentMethodOrder(vendorId, subscriptionId, "PAYMENT_METHOD", origin)).id;
  }

  /** Applies the changes that a proration order charges for, when it is paid. */
  async applyPaidChanges(vendorId: number, order: OrderRecord): Promise<void> {
    const lines = (await this.deps.orderRecords.itemsOf(vendorId, order.id)).filter(({ type }) => type === "ADDS");
    for (const subscriptionId of await this.deps.subscriptionOrderRepository.subscriptionsOf(vendorId, order.id)) {
      const record = await this.deps.subscriptions.lockSubscription(vendorId, subscriptionId);
      // Items that join a postpaid subscription have joined it already.
      if (record.claimMethodType === "POST") continue;
      const items = await this.deps.subscriptionItemReader.itemsOf(vendorId, subscriptionId);
      const source = { actor: "SYSTEM" as const, orderId: order.id };
      for (const line of lines) {
        const { relatedSubscriptionItemId, quantity } = line;
        const item = items.find(({ id }) => id === relatedSubscriptionItemId);
        if (!item) continue;
        if (line.changesPlan) {
          await this.applyPaidPlanChange(vendorId, record, item, line, source);
          continue;
        }
        const sold = firstOf(await this.deps.offers.findSold(vendorId, [item]));
        const isNew = await this.deps.subscriptionItemWriter.activateItem(vendorId, record, item, source);
        if (!isNew)
          await this.deps.subscriptionItemWriter.changeQuantity(
            vendorId,
            record,
            item,
            item.quantity + quantity,
            source,
          );
        await this.deps.subscriptionItemWriter.changeQuota(
          vendorId,
          item,
          prepaidQuotaOf(sold.terms, quantity),
          source,
        );
      }
    }
  }

  /** An item that was removed before the change of its plan was paid has none. */
  private async applyPaidPlanChange(
    vendorId: number,
    record: SubscriptionRecord,
    item: ItemWithUnits,
    line: OrderItemRecord,
    source: ChangeSource,
  ): Promise<void> {
    if (item.removedAt !== null) return;
    const priceId = required(line.priceId, "priceId");
    const codes = await this.deps.offers.codesOf(vendorId, [priceId, item.priceId]);
    await this.deps.subscriptionItemWriter.changePlan(
      vendorId,
      record,
      item,
      {
        priceId: priceId,
        price: line.unitPrice.minus(item.optionPrice),
        code: getOrThrow(codes, priceId).priceCode,
        before: getOrThrow(codes, item.priceId).priceCode,
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
      customer: await this.deps.customers.findByReference(vendorId, { customerId: record.customerId }),
      items,
      lines,
      terms,
      money,
      region: await this.deps.subscriptionOrderRepository.regionOf(vendorId, record.id),
      claimMethodType: record.claimMethodType,
      actor: origin.actor,
      stockItems,
      paymentDueDate: isCharged ? this.deps.now : null,
      isChargedAtOnce: isCharged,
      ...(productName !== undefined && { productName }),
    };
    const order = await this.deps.orderRecords.saveOrder(vendorId, pricedOrder);
    await this.deps.subscriptionOrderRepository.addSubscription(vendorId, order.id, record.id);
    await this.deps.childOrders.createForSubscriptionCharge(vendorId, order, pricedOrder, record.id);
    await this.deps.subscriptions.recordEvent(vendorId, record, isCharged ? "orderChange" : "orderPaymentMethod", {
      ...origin,
      orderId: order.id,
      facts: { type },
    });
    return order;
  }
}
