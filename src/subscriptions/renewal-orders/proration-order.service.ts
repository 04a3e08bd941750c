import type { OrderType } from "../../../schema/vocabulary.ts";
import type { CustomerService } from "../../customers/customer.service.ts";
import { ZERO } from "../../kernel/amounts.ts";
import { invalid } from "../../kernel/refusals.ts";
import type { Money } from "../../products/price-plans/price.currency.ts";
import type { OfferService } from "../../products/offer.service.ts";
import { moneyOf } from "../../products/price-plans/price.currency.ts";
import type { Changed, SubscriptionChangesService } from "../changes/subscription-item-writer.service.ts";
import type { MeteredItem, SubscriptionContentsService } from "../subscription-item-reader.service.ts";
import type { Asked } from "../subscription-transitions.service.ts";
import type { SubscriptionRecord, SubscriptionService } from "../subscription.service.ts";
import { quotaOf } from "../usage.series.ts";
import type { VendorService } from "../../vendors/vendor.service.ts";
import type { ChildOrderService } from "../../orders/child-order.service.ts";
import type { OrderItemService } from "../../orders/order-item.service.ts";
import { lineOf, type OrderLine } from "../../orders/pricing/order.line.ts";
import type {
  OrderItemRecord,
  OrderRecord,
  OrderRecordService,
  OrderTerms,
  ReckonedOrder,
} from "../../orders/order-writer.service.ts";
import type { OfferedItem } from "../../orders/pricing/order.item-values.ts";
import type { SubscriptionOrderRepository } from "../subscription-order.repository.ts";

/** What an order settles. */
interface Settled {
  type: OrderType;
  items: readonly OfferedItem[];
  lines: readonly OrderLine<OfferedItem>[];
  terms: OrderTerms;
  money: Money;
  asked: Asked;
}

/** Makes the orders that change subscriptions between their renewals, and does what they say when they are paid. */
export class SettlementOrderService {
  constructor(
    private readonly subscriptionOrders: SubscriptionOrderRepository,
    private readonly records: OrderRecordService,
    private readonly childOrders: ChildOrderService,
    private readonly orderItems: OrderItemService,
    private readonly subscriptions: SubscriptionService,
    private readonly contents: SubscriptionContentsService,
    private readonly changes: SubscriptionChangesService,
    private readonly vendors: VendorService,
    private readonly customers: CustomerService,
    private readonly offers: OfferService,
    private readonly now: Date,
  ) {}

  /** An order that is charged at once to the subscription's method. Where it comes to nothing it is paid already. */
  async make(vendorId: number, record: SubscriptionRecord, settled: Settled): Promise<OrderRecord> {
    // Units that may be used are no pieces of stock, and another plan takes none.
    const taken = settled.type === "ADDITIONAL" ? settled.items.filter((item) => !item.changedPlan) : [];
    const order = await this.keep(vendorId, record, settled, taken);
    if (order.amount.gt(0)) return order;
    await this.orderItems.moveWhole(vendorId, order.id, { trigger: "payOrder", actor: "SYSTEM" });
    await this.childOrders.paid(vendorId, order.id, null, this.now);
    await this.paid(vendorId, order);
    return order;
  }

  /**
   * An order by which the payer stores a payment method, through its link: for the subscription, which is charged to it from
   * then on (PAYMENT_METHOD), or besides those that there are (ADD_PAYMENT_METHOD).
   * @throws a Refusal SUBSCRIPTION_NOT_FOUND.
   */
  async makeForMethod(
    vendorId: number,
    subscriptionId: number,
    type: "PAYMENT_METHOD" | "ADD_PAYMENT_METHOD",
    asked: Asked,
  ): Promise<OrderRecord> {
    const record = await this.subscriptions.held(vendorId, subscriptionId);
    const terms = await this.vendors.terms(vendorId);
    const line = lineOf<OfferedItem>({
      type: "ADDS",
      item: null,
      amount: ZERO,
      orderedProductName: "Payment method",
    });
    const money = moneyOf(terms, record.currency);
    const isOver = record.status === "CANCELED" || record.status === "EXPIRED";
    if (isOver && type === "PAYMENT_METHOD")
      throw invalid("SUBSCRIPTION_NOT_RUNNING", `The subscription is ${record.status}; it is not charged any more.`);
    return this.keep(vendorId, record, { type, items: [], lines: [line], terms, money, asked }, [], "Payment method");
  }

  /** What an order settles happens when it is paid. */
  async paid(vendorId: number, order: OrderRecord): Promise<void> {
    const lines = (await this.records.itemsOf(vendorId, order.id)).filter(({ type }) => type === "ADDS");
    for (const subscriptionId of await this.subscriptionOrders.subscriptionsOf(vendorId, order.id)) {
      const record = await this.subscriptions.held(vendorId, subscriptionId);
      // What joins a postpaid subscription has joined it already.
      if (record.claimMethodType === "POST") continue;
      const items = await this.contents.itemsOf(vendorId, subscriptionId);
      const changed = { actor: "SYSTEM" as const, orderId: order.id };
      for (const line of lines) {
        const { relatedSubscriptionItemId, quantity } = line;
        const item = items.find(({ id }) => id === relatedSubscriptionItemId);
        if (!item) continue;
        if (line.changesPlan) {
          await this.changePlan(vendorId, record, item, line, changed);
          continue;
        }
        const [sold] = await this.offers.sold(vendorId, [item]);
        const isNew = await this.changes.activate(vendorId, record, item, changed);
        if (!isNew) await this.changes.changeQuantity(vendorId, record, item, item.quantity + quantity, changed);
        await this.changes.changeQuota(vendorId, item, quotaOf(sold!.terms, quantity), changed);
      }
    }
  }

  /** An item that was removed before the change of its plan was paid has none. */
  private async changePlan(
    vendorId: number,
    record: SubscriptionRecord,
    item: MeteredItem,
    { priceId, unitPrice }: OrderItemRecord,
    changed: Changed,
  ): Promise<void> {
    if (item.removedAt !== null) return;
    const codes = await this.offers.codesOf(vendorId, [priceId!, item.priceId]);
    await this.changes.changePlan(
      vendorId,
      record,
      item,
      {
        priceId: priceId!,
        price: unitPrice.minus(item.optionPrice),
        code: codes.get(priceId!)!.priceCode,
        before: codes.get(item.priceId)!.priceCode,
      },
      changed,
    );
  }

  private async keep(
    vendorId: number,
    record: SubscriptionRecord,
    { type, items, lines, terms, money, asked }: Settled,
    taken: readonly OfferedItem[],
    productName?: string,
  ): Promise<OrderRecord> {
    const isCharged = type === "ADDITIONAL" || type === "ADD_USAGE";
    const reckoned: ReckonedOrder<OfferedItem> = {
      type,
      customer: await this.customers.named(vendorId, { customerId: record.customerId }),
      items,
      lines,
      terms,
      money,
      region: await this.subscriptionOrders.regionOf(vendorId, record.id),
      claimMethodType: record.claimMethodType,
      actor: asked.actor,
      taken,
      paymentDueDate: isCharged ? this.now : null,
      ...(productName !== undefined && { productName }),
    };
    const order = await this.records.keep(vendorId, reckoned);
    await this.subscriptionOrders.addSubscription(vendorId, order.id, record.id);
    await this.childOrders.follow(vendorId, order, reckoned, record.id);
    await this.subscriptions.tell(vendorId, record, isCharged ? "orderChange" : "orderPaymentMethod", {
      ...asked,
      orderId: order.id,
      facts: { type },
    });
    return order;
  }
}
