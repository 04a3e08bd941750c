import type { Actor } from "../../../schema/vocabulary.ts";
import type { CustomerService } from "../../customers/customer.service.ts";
import { itemAt, required } from "../../kernel/required-values.ts";
import type { OfferService, Orderable } from "../../products/offer.service.ts";
import { toPaymentCurrency, type PaymentCurrency } from "../../products/price-plans/price.currency.ts";
import { finalChargedCycles, nextChargedCycle, type ChargedCycle } from "../subscription.schedule.ts";
import type { SubscriptionItemReaderService } from "../subscription-item-reader.service.ts";
import type { SubscriptionRenewalsService } from "../subscription-renewals.service.ts";
import type { SubscriptionRecord } from "../subscription.service.ts";
import type { VendorService } from "../../vendors/vendor.service.ts";
import type { ChildOrderService } from "../../orders/child-order.service.ts";
import type { OrderItemService } from "../../orders/order-item.service.ts";
import { isFree } from "../../orders/order.payability.ts";
import type { OrderLine } from "../../orders/pricing/order.line.ts";
import { buildOrderLines } from "../../orders/pricing/order.line-builder.ts";
import type { OrderRecord, OrderRecordService, OrderTerms, PricedOrder } from "../../orders/order-record.service.ts";
import type { OfferedItem } from "../../orders/pricing/order.item-values.ts";
import { toChargedItems, type ChargedItem, type RenewedItem } from "./renewal.items.ts";
import { calculateOrderTotals, type OrderTotals } from "../../orders/pricing/order.totals.ts";
import type { SubscriptionOrderRepository } from "../subscription-order.repository.ts";

/** An item of a subscription with its plan as it is charged next. */
interface RenewedOfferItem extends RenewedItem {
  code: string;
  orderable: Orderable;
}

/** An item of a charge, with the subscription's item that it is of. */
export type RenewalItem = ChargedItem<RenewedOfferItem> & OfferedItem;

/** A charge of a subscription as it would be. */
export interface PlannedCharge extends OrderTotals {
  items: RenewalItem[];
  lines: OrderLine<RenewalItem>[];
  cycles: ChargedCycle[];
  /** The metered period; null if there is no postpaid charge. */
  meteredPeriod: { start: Date; end: Date } | null;
  money: PaymentCurrency;
  terms: OrderTerms;
}

/** Creates the orders that charge subscriptions: renewals, and the last order before a postpaid one stops. */
export class RenewalOrderService {
  constructor(
    private readonly deps: {
      subscriptionOrderRepository: SubscriptionOrderRepository;
      orderRecords: OrderRecordService;
      childOrders: ChildOrderService;
      orderItems: OrderItemService;
      subscriptionItemReader: SubscriptionItemReaderService;
      subscriptionRenewals: SubscriptionRenewalsService;
      vendors: VendorService;
      customers: CustomerService;
      offers: OfferService;
      now: Date;
    },
  ) {}

  /**
   * Creates the order of a subscription's next charge, without charging it. A free one is paid, and the subscription
   * renewed, already.
   * @throws a Refusal OUT_OF_STOCK, QUANTITY_NOT_PRICED, NO_EXCHANGE_RATE, of the vendor's own or of a child's.
   */
  async createRenewalOrder(vendorId: number, record: SubscriptionRecord): Promise<OrderRecord> {
    const charge = await this.calculateCharge(vendorId, record);
    const order = await this.saveOrder(vendorId, record, charge, { actor: "SYSTEM" });
    if (!isFree(order)) return order;
    await this.deps.orderItems.transitionOrder(vendorId, order.id, { trigger: "payOrder", actor: "SYSTEM" });
    await this.deps.childOrders.markPaid(vendorId, order.id, null, this.deps.now);
    await this.deps.subscriptionRenewals.markRenewed(vendorId, record.id, order.id);
    return order;
  }

  /**
   * Creates the last order of a subscription that stops, to be charged at once; null if no charge remains, and for
   * every prepaid one.
   */
  async createFinalOrder(
    vendorId: number,
    record: SubscriptionRecord,
    stopsAt: Date,
    actor: Actor,
  ): Promise<OrderRecord | null> {
    const charge = await this.calculateCharge(vendorId, record, stopsAt);
    return isFree(charge) ? null : this.saveOrder(vendorId, record, charge, { actor, isChargedAtOnce: true });
  }

  /** Calculates the next charge; with `stopsAt`, the charges that remain when the subscription stops then. */
  async calculateCharge(
    vendorId: number,
    record: SubscriptionRecord,
    stopsAt: Date | null = null,
  ): Promise<PlannedCharge> {
    const terms = await this.deps.vendors.billingTerms(vendorId);
    const money = toPaymentCurrency(terms, record.currency);
    const isPrepaid = record.claimMethodType === "PRE";
    const cycles = stopsAt
      ? finalChargedCycles(record, stopsAt, terms.zoneId)
      : [nextChargedCycle(record, terms.zoneId)];
    const renewedItems = await this.itemsOf(vendorId, record);
    const items: RenewalItem[] = [];
    for (const [cycleIndex, cycle] of cycles.entries()) {
      const itemCountBefore = items.length;
      const cycleItems = toChargedItems(renewedItems, isPrepaid, cycle, cycleIndex, money);
      items.push(
        ...cycleItems.map((item) => ({
          ...item,
          parent: item.parent == null ? null : item.parent + itemCountBefore,
          orderable: item.subscriptionItem.orderable,
          subscriptionItemId: item.subscriptionItem.id,
        })),
      );
    }
    const lines = buildOrderLines(items, terms, money, null);
    const isCalculated = !isPrepaid || items.some(({ terms: { claim } }) => claim.methodType === "POST");
    const [first, last] = [cycles[0]?.ended?.charged, cycles.at(-1)?.ended?.charged];
    const meteredPeriod = isCalculated && first && last ? { start: first.start, end: last.end } : null;
    return { items, lines, cycles, meteredPeriod, money, terms, ...calculateOrderTotals(lines) };
  }

  private async saveOrder(
    vendorId: number,
    record: SubscriptionRecord,
    { items, lines, meteredPeriod, money, terms }: PlannedCharge,
    origin: Pick<PricedOrder<RenewalItem>, "actor" | "isChargedAtOnce">,
  ): Promise<OrderRecord> {
    const customer = await this.deps.customers.findByReference(vendorId, { customerId: record.customerId });
    const pricedOrder: PricedOrder<RenewalItem> = {
      type: "RECURRING",
      customer,
      items,
      lines,
      terms,
      money,
      region: await this.deps.subscriptionOrderRepository.regionOf(vendorId, record.id),
      claimMethodType: record.claimMethodType,
      ...origin,
      stockItems: items.filter(({ starts }) => starts != null),
      paymentDueDate: this.deps.now,
      calculateStartDate: meteredPeriod?.start ?? null,
      calculateEndDate: meteredPeriod?.end ?? null,
      parentSubscriptionId: record.id,
    };
    const order = await this.deps.orderRecords.saveOrder(vendorId, pricedOrder);
    await this.deps.subscriptionOrderRepository.addSubscription(vendorId, order.id, record.id);
    await this.deps.childOrders.createForSubscriptionCharge(vendorId, order, pricedOrder, record.id);
    return order;
  }

  /** The items with their plans as they are charged next, and with their units. */
  private async itemsOf(vendorId: number, record: SubscriptionRecord): Promise<RenewedOfferItem[]> {
    const items = await this.deps.subscriptionItemReader.itemsOf(vendorId, record.id);
    const isPrepaid = record.claimMethodType === "PRE";
    const current = items.map((item) => {
      return isPrepaid && item.nextPriceId !== null
        ? { ...item, priceId: item.nextPriceId, price: required(item.nextPrice, "nextPrice") }
        : item;
    });
    const sold = await this.deps.offers.findSold(vendorId, current);
    return current.map((item, index) => {
      const orderable = { ...itemAt(sold, index), optionLabel: item.optionLabel };
      return {
        ...item,
        terms: orderable.terms,
        productName: orderable.product.name,
        productType: orderable.product.type,
        optionPriceNow: orderable.optionPrice,
        orderable,
      };
    });
  }
}
