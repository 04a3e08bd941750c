import type { Actor } from "../../../schema/vocabulary.ts";
import type { CustomerService } from "../../customers/customer.service.ts";
import type { OfferService, Orderable } from "../../products/offer.service.ts";
import { moneyOf, type Money } from "../../products/price-plans/price.currency.ts";
import { lastCharges, nextCharge, type ChargedCycle } from "../subscription.schedule.ts";
import type { SubscriptionContentsService } from "../subscription-item-reader.service.ts";
import type { SubscriptionRenewalsService } from "../subscription-renewals.service.ts";
import type { SubscriptionRecord } from "../subscription.service.ts";
import type { VendorService } from "../../vendors/vendor.service.ts";
import type { ChildOrderService } from "../../orders/child-order.service.ts";
import type { OrderItemService } from "../../orders/order-item.service.ts";
import type { OrderLine } from "../../orders/pricing/order.line.ts";
import { orderLines } from "../../orders/pricing/order.line-builder.ts";
import type { OrderRecord, OrderRecordService, OrderTerms, ReckonedOrder } from "../../orders/order-writer.service.ts";
import type { OfferedItem } from "../../orders/pricing/order.item-values.ts";
import { chargedItems, type ChargedItem, type RenewedItem } from "./renewal.items.ts";
import { orderTotals, type OrderTotals } from "../../orders/pricing/order.totals.ts";
import type { SubscriptionOrderRepository } from "../subscription-order.repository.ts";

/** An item of a subscription with its plan as it is charged next. */
interface Renewed extends RenewedItem {
  code: string;
  orderable: Orderable;
}

/** An item of a charge, with the subscription's item that it is of. */
export type RenewalItem = ChargedItem<Renewed> & OfferedItem;

/** A charge of a subscription as it would be. */
export interface PlannedCharge extends OrderTotals {
  items: RenewalItem[];
  lines: OrderLine<RenewalItem>[];
  cycles: ChargedCycle[];
  /** The metered period; null where nothing is charged afterwards. */
  calculated: { start: Date; end: Date } | null;
  money: Money;
  terms: OrderTerms;
}

/** Makes the orders that charge subscriptions: renewals, and the last order before a postpaid one stops. */
export class RenewalOrderService {
  constructor(
    private readonly subscriptionOrders: SubscriptionOrderRepository,
    private readonly records: OrderRecordService,
    private readonly childOrders: ChildOrderService,
    private readonly orderItems: OrderItemService,
    private readonly contents: SubscriptionContentsService,
    private readonly renewals: SubscriptionRenewalsService,
    private readonly vendors: VendorService,
    private readonly customers: CustomerService,
    private readonly offers: OfferService,
    private readonly now: Date,
  ) {}

  /**
   * The order of a subscription's next charge; nothing is charged yet. Where it comes to nothing, it is paid and the
   * subscription has gone on already.
   * @throws a Refusal OUT_OF_STOCK, QUANTITY_NOT_PRICED, NO_EXCHANGE_RATE, of the vendor's own or of a child's.
   */
  async make(vendorId: number, record: SubscriptionRecord): Promise<OrderRecord> {
    const planned = await this.plan(vendorId, record);
    const order = await this.keep(vendorId, record, planned, "SYSTEM");
    if (!order.amount.eq(0)) return order;
    await this.orderItems.moveWhole(vendorId, order.id, { trigger: "payOrder", actor: "SYSTEM" });
    await this.childOrders.paid(vendorId, order.id, null, this.now);
    await this.renewals.renewed(vendorId, record.id, order.id);
    return order;
  }

  /**
   * The last order of a subscription that stops, to be charged at once; null where nothing is left to be charged, and
   * for every prepaid one.
   */
  async makeLast(
    vendorId: number,
    record: SubscriptionRecord,
    stopsAt: Date,
    actor: Actor,
  ): Promise<OrderRecord | null> {
    const planned = await this.plan(vendorId, record, stopsAt);
    return planned.amount.gt(0) ? this.keep(vendorId, record, planned, actor) : null;
  }

  /** What the next charge comes to; with `stopsAt`, what is left to be charged when it stops then. */
  async plan(vendorId: number, record: SubscriptionRecord, stopsAt: Date | null = null): Promise<PlannedCharge> {
    const terms = await this.vendors.terms(vendorId);
    const money = moneyOf(terms, record.currency);
    const isPrepaid = record.claimMethodType === "PRE";
    const cycles = stopsAt ? lastCharges(record, stopsAt, terms.zoneId) : [nextCharge(record, terms.zoneId)];
    const held = await this.itemsOf(vendorId, record);
    const items: RenewalItem[] = [];
    for (const [nth, cycle] of cycles.entries()) {
      const before = items.length;
      const charged = chargedItems(held, isPrepaid, cycle, nth, money);
      items.push(
        ...charged.map((item) => ({
          ...item,
          parent: item.parent == null ? null : item.parent + before,
          orderable: item.charged.orderable,
          subscriptionItemId: item.charged.id,
        })),
      );
    }
    const lines = orderLines(items, terms, money, null);
    const isCalculated = !isPrepaid || items.some(({ terms: { claim } }) => claim.methodType === "POST");
    const [first, last] = [cycles[0]?.ended?.charged, cycles.at(-1)?.ended?.charged];
    const calculated = isCalculated && first && last ? { start: first.start, end: last.end } : null;
    return { items, lines, cycles, calculated, money, terms, ...orderTotals(lines) };
  }

  private async keep(
    vendorId: number,
    record: SubscriptionRecord,
    { items, lines, calculated, money, terms }: PlannedCharge,
    actor: Actor,
  ): Promise<OrderRecord> {
    const customer = await this.customers.named(vendorId, { customerId: record.customerId });
    const reckoned: ReckonedOrder<RenewalItem> = {
      type: "RECURRING",
      customer,
      items,
      lines,
      terms,
      money,
      region: await this.subscriptionOrders.regionOf(vendorId, record.id),
      claimMethodType: record.claimMethodType,
      actor,
      taken: items.filter(({ starts }) => starts != null),
      paymentDueDate: this.now,
      calculateStartDate: calculated?.start ?? null,
      calculateEndDate: calculated?.end ?? null,
      parentSubscriptionId: record.id,
    };
    const order = await this.records.keep(vendorId, reckoned);
    await this.subscriptionOrders.addSubscription(vendorId, order.id, record.id);
    await this.childOrders.follow(vendorId, order, reckoned, record.id);
    return order;
  }

  /** The items with their plans as they are charged next, and with their units. */
  private async itemsOf(vendorId: number, record: SubscriptionRecord): Promise<Renewed[]> {
    const items = await this.contents.itemsOf(vendorId, record.id);
    const isPrepaid = record.claimMethodType === "PRE";
    const current = items.map((item) => {
      const changes = isPrepaid && item.nextPriceId !== null;
      return changes ? { ...item, priceId: item.nextPriceId!, price: item.nextPrice! } : item;
    });
    const sold = await this.offers.sold(vendorId, current);
    return current.map((item, index) => {
      const orderable = { ...sold[index]!, optionLabel: item.optionLabel };
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
