import type { Actor } from "../../schema/vocabulary.ts";
import { amountOf, rounded, ZERO, type Amount } from "../kernel/amounts.ts";
import type { OfferService } from "../products/offer.service.ts";
import type { PaidLine, SubscriptionBirthService } from "./subscription-activation.service.ts";
import type { SubscriptionRenewalsService } from "./subscription-renewals.service.ts";
import type { SettlementOrderService } from "./renewal-orders/proration-order.service.ts";
import type { OrderItemRecord, OrderRecord, OrderRecordService } from "../orders/order-writer.service.ts";
import type { SubscriptionOrderRepository } from "./subscription-order.repository.ts";

/** How an order was paid. */
export interface HowPaid {
  /** The stored method that paid it, or that it stored; null where there is none. */
  methodId?: number | null;
  /** Whether the gateway has confirmed the stored method; true unless told. */
  isConfirmed?: boolean;
  actor?: Actor;
  /** Whether the money came while the charge was being recovered. */
  isRecovery?: boolean;
}

/** Decimals that any amount may have. */
const ALL_DECIMALS = 6;

/**
 * What the payment of an order means for the subscriptions that it belongs to. Whoever charges calls it in
 * the transaction in which the lines move.
 */
export class SubscriptionOrderService {
  constructor(
    private readonly orders: OrderRecordService,
    private readonly subscriptionOrders: SubscriptionOrderRepository,
    private readonly offers: OfferService,
    private readonly births: SubscriptionBirthService,
    private readonly renewals: SubscriptionRenewalsService,
    private readonly settlements: SettlementOrderService,
  ) {}

  /** An order is paid: subscriptions are born, go on, or change. Once for an order: again, nothing happens. */
  async paid(vendorId: number, orderId: number, how: HowPaid = {}): Promise<void> {
    const order = await this.orders.lock(vendorId, orderId);
    switch (order.type) {
      case "RECURRING_INITIAL":
        return this.firstPaid(vendorId, order, how);
      case "RECURRING":
        return this.renewalPaid(vendorId, order, how);
      case "ADDITIONAL":
      case "ADD_USAGE":
        return this.settlements.paid(vendorId, order);
      case "PAYMENT_METHOD":
        return this.methodPaid(vendorId, order, how);
      case "ONE_TIME":
      case "ADD_PAYMENT_METHOD":
        return;
    }
  }

  /** The subscription that an order renews; null where a later order does. */
  private async subscriptionOf(vendorId: number, { id, type, parentSubscriptionId }: OrderRecord) {
    if (type !== "RECURRING" || parentSubscriptionId === null) return null;
    return (await this.subscriptionOrders.newestRenewal(vendorId, parentSubscriptionId)) === id
      ? parentSubscriptionId
      : null;
  }

  private async renewalPaid(vendorId: number, order: OrderRecord, how: HowPaid): Promise<void> {
    const subscriptionId = await this.subscriptionOf(vendorId, order);
    if (subscriptionId === null) return;
    if (how.isRecovery) await this.renewals.recovered(vendorId, subscriptionId, order.id, how.actor);
    else await this.renewals.renewed(vendorId, subscriptionId, order.id, how.actor);
  }

  /** The method that the payer stored takes the place of the one before. */
  private async methodPaid(vendorId: number, { id: orderId }: OrderRecord, { methodId, actor }: HowPaid) {
    if (methodId == null) return;
    for (const subscriptionId of await this.subscriptionOrders.subscriptionsOf(vendorId, orderId))
      await this.renewals.changeMethod(vendorId, subscriptionId, methodId, { orderId, actor: actor ?? "CUSTOMER" });
  }

  private async firstPaid(vendorId: number, order: OrderRecord, { methodId = null, isConfirmed = true }: HowPaid) {
    const known = await this.subscriptionOrders.subscriptionsOf(vendorId, order.id);
    if (known.length > 0) return;
    const { id, customerId, currency } = order;
    const lines = await this.linesOf(vendorId, order);
    const born = await this.births.give(vendorId, { id, customerId, currency, methodId, isConfirmed }, lines);
    for (const { id: subscriptionId, items } of born) {
      await this.subscriptionOrders.addSubscription(vendorId, order.id, subscriptionId);
      for (const { lineId, itemId } of items) await this.orders.linkItem(vendorId, lineId, itemId);
    }
  }

  /** The product lines of a first order, with their plans; a bundle stands before its members. */
  async linesOf(vendorId: number, order: OrderRecord): Promise<PaidLine[]> {
    const items = (await this.orders.itemsOf(vendorId, order.id)).filter(isProduct);
    const plans = await this.offers.sold(vendorId, items);
    const lines = new Map<number, PaidLine>();
    for (const [index, item] of items.entries()) {
      const { plan, terms, optionPrice, product } = plans[index]!;
      const inOrder = order.currency === order.baseCurrency ? amountOf(1) : order.exchangeRate;
      const option = rounded(optionPrice.times(inOrder), ALL_DECIMALS);
      lines.set(item.id, {
        id: item.id,
        parent: item.parentItemId === null ? null : lines.get(item.parentItemId)!,
        terms,
        expiry: plan,
        trial: item.demoCycleNum && item.demoCycleType ? { num: item.demoCycleNum, type: item.demoCycleType } : null,
        productId: item.productId,
        priceId: item.priceId,
        price: notBelowZero(item.unitPrice.minus(option)),
        quantity: item.quantity,
        optionIds: item.optionIds,
        optionLabel: item.optionLabel,
        optionPrice: option,
        optionPriceNow: optionPrice,
        productName: product.name,
        productType: product.type,
      });
    }
    return [...lines.values()];
  }
}

type ProductLine = OrderItemRecord & { productId: number; priceId: number };

const isProduct = (item: OrderItemRecord): item is ProductLine =>
  item.type === "SKU" && item.productId !== null && item.priceId !== null;

const notBelowZero = (amount: Amount): Amount => (amount.lt(0) ? ZERO : amount);
