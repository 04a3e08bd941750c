import type { Actor } from "../../schema/vocabulary.ts";
import { toAmount, roundAmount, ZERO, type Amount } from "../kernel/amounts.ts";
import { getOrThrow, itemAt } from "../kernel/required-values.ts";
import type { OfferService } from "../products/offer.service.ts";
import type { PaidLine, SubscriptionActivationService } from "./subscription-activation.service.ts";
import type { SubscriptionRenewalsService } from "./subscription-renewals.service.ts";
import type { ProrationOrderService } from "./renewal-orders/proration-order.service.ts";
import type { OrderItemRecord, OrderRecord, OrderRecordService } from "../orders/order-record.service.ts";
import type { SubscriptionOrderRepository } from "./subscription-order.repository.ts";

/** The payment details of an order. */
export interface PaymentDetails {
  /** The stored method that paid it, or that it stored; null where there is none. */
  methodId?: number | null;
  /** Whether the gateway has confirmed the stored method. Defaults to true. */
  isConfirmed?: boolean;
  actor?: Actor;
}

/** Decimals that any amount may have. */
const MAX_SCALE = 6;

/**
 * Applies the payment of an order to its subscriptions. The charging code calls it in the transaction in which the
 * lines move.
 */
export class SubscriptionPaymentService {
  constructor(
    private readonly deps: {
      orderRecords: OrderRecordService;
      subscriptionOrderRepository: SubscriptionOrderRepository;
      offers: OfferService;
      subscriptionActivation: SubscriptionActivationService;
      subscriptionRenewals: SubscriptionRenewalsService;
      prorationOrders: ProrationOrderService;
    },
  ) {}

  /**
   * Applies the payment of an order, which the caller has locked: activates, renews or changes subscriptions. Idempotent
   * per order.
   */
  async applyPayment(vendorId: number, order: OrderRecord, details: PaymentDetails = {}): Promise<void> {
    switch (order.type) {
      case "RECURRING_INITIAL":
        return this.applyFirstPayment(vendorId, order, details);
      case "RECURRING":
        return this.applyRenewalPayment(vendorId, order, details);
      case "ADDITIONAL":
      case "ADD_USAGE":
        return this.deps.prorationOrders.applyPaidChanges(vendorId, order);
      case "PAYMENT_METHOD":
        return this.applyPaymentMethod(vendorId, order, details);
      case "ONE_TIME":
      case "ADD_PAYMENT_METHOD":
        return;
    }
  }

  /** The subscription that an order renews; null where a later order does. */
  private async renewedSubscriptionOf(vendorId: number, { id, type, parentSubscriptionId }: OrderRecord) {
    if (type !== "RECURRING" || parentSubscriptionId === null) return null;
    return (await this.deps.subscriptionOrderRepository.latestRenewalOrderId(vendorId, parentSubscriptionId)) === id
      ? parentSubscriptionId
      : null;
  }

  private async applyRenewalPayment(vendorId: number, order: OrderRecord, details: PaymentDetails): Promise<void> {
    const subscriptionId = await this.renewedSubscriptionOf(vendorId, order);
    if (subscriptionId === null) return;
    await this.deps.subscriptionRenewals.markRenewed(vendorId, subscriptionId, order.id, details.actor);
  }

  /** The method that the payer stored takes the place of the one before. */
  private async applyPaymentMethod(
    vendorId: number,
    { id: orderId }: OrderRecord,
    { methodId, actor }: PaymentDetails,
  ) {
    if (methodId == null) return;
    for (const subscriptionId of await this.deps.subscriptionOrderRepository.subscriptionsOf(vendorId, orderId))
      await this.deps.subscriptionRenewals.changePaymentMethod(vendorId, subscriptionId, methodId, {
        orderId,
        actor: actor ?? "CUSTOMER",
      });
  }

  private async applyFirstPayment(
    vendorId: number,
    order: OrderRecord,
    { methodId = null, isConfirmed = true }: PaymentDetails,
  ) {
    const existingIds = await this.deps.subscriptionOrderRepository.subscriptionsOf(vendorId, order.id);
    if (existingIds.length > 0) return;
    const { id, customerId, currency } = order;
    const lines = await this.toPaidLines(vendorId, order);
    const activated = await this.deps.subscriptionActivation.activateSubscriptions(
      vendorId,
      { id, customerId, currency, methodId, isConfirmed },
      lines,
    );
    for (const { id: subscriptionId, items } of activated) {
      await this.deps.subscriptionOrderRepository.addSubscription(vendorId, order.id, subscriptionId);
      for (const { lineId, itemId } of items) await this.deps.orderRecords.linkItem(vendorId, lineId, itemId);
    }
  }

  /** The product lines of a first order, with their plans; a bundle precedes its members. */
  async toPaidLines(vendorId: number, order: OrderRecord): Promise<PaidLine[]> {
    const items = (await this.deps.orderRecords.itemsOf(vendorId, order.id)).filter(isProduct);
    const plans = await this.deps.offers.findSold(vendorId, items);
    const lines = new Map<number, PaidLine>();
    for (const [index, item] of items.entries()) {
      const { plan, terms, optionPrice, product } = itemAt(plans, index);
      const rate = order.currency === order.baseCurrency ? toAmount(1) : order.exchangeRate;
      const option = roundAmount(optionPrice.times(rate), MAX_SCALE);
      lines.set(item.id, {
        id: item.id,
        parent: item.parentItemId === null ? null : getOrThrow(lines, item.parentItemId),
        terms,
        expiry: plan,
        trial: item.demoCycleNum && item.demoCycleType ? { num: item.demoCycleNum, type: item.demoCycleType } : null,
        productId: item.productId,
        priceId: item.priceId,
        price: clampToZero(item.unitPrice.minus(option)),
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

const clampToZero = (amount: Amount): Amount => (amount.lt(0) ? ZERO : amount);
