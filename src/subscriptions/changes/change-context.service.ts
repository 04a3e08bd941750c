import { ZERO, type Amount } from "../../kernel/amounts.ts";
import type { OfferService } from "../../products/offer.service.ts";
import { moneyOf } from "../../products/price-plans/price.currency.ts";
import type { SubscriptionChangesService } from "./subscription-item-writer.service.ts";
import type { SubscriptionContentsService } from "../subscription-item-reader.service.ts";
import type { Asked } from "../subscription-transitions.service.ts";
import { leftOf } from "./subscription.proration.ts";
import type { VendorService } from "../../vendors/vendor.service.ts";
import { orderLines } from "../../orders/pricing/order.line-builder.ts";
import { settlementLines } from "../../orders/pricing/change.pricing.ts";
import { orderTotals } from "../../orders/pricing/order.totals.ts";
import type { OfferedItem } from "../../orders/pricing/order.item-values.ts";
import type { SettlementOrderService } from "../renewal-orders/proration-order.service.ts";
import type { ChangeCase, Settlement } from "./change.context.ts";
import type { SubscriptionOrderRepository } from "../subscription-order.repository.ts";

/** Collects what a change of a subscription depends on, and makes the order that settles the change. */
export class SubscriptionCaseService {
  constructor(
    private readonly subscriptionOrders: SubscriptionOrderRepository,
    private readonly changes: SubscriptionChangesService,
    private readonly contents: SubscriptionContentsService,
    private readonly settlements: SettlementOrderService,
    private readonly vendors: VendorService,
    private readonly offers: OfferService,
    private readonly now: Date,
  ) {}

  /** A subscription that is to be changed, locked. @throws a Refusal SUBSCRIPTION_NOT_FOUND, SUBSCRIPTION_NOT_RUNNING. */
  async open(vendorId: number, id: number, asked: Asked): Promise<ChangeCase> {
    const record = await this.changes.running(vendorId, id);
    const terms = await this.vendors.terms(vendorId);
    const all = await this.contents.itemsOf(vendorId, id);
    const live = all.filter(({ activatedAt, removedAt }) => activatedAt !== null && removedAt === null);
    const sold = await this.offers.sold(vendorId, live);
    const items = live.map((item, index) => ({ ...item, orderable: sold[index]!, terms: sold[index]!.terms }));
    const period = { start: record.currentPeriodStart, end: record.currentPeriodEnd };
    const isPrepaid = record.claimMethodType === "PRE";
    const left = leftOf(period, this.now);
    const isFree = isPrepaid && record.chargedCycle === 0;
    return {
      record,
      items,
      terms,
      money: moneyOf(terms, record.currency),
      left: isFree ? { ...left, part: ZERO } : left,
      isPrepaid,
      asked,
      count: all.length,
      awaited: isPrepaid
        ? await this.subscriptionOrders.awaitedChanges(
            vendorId,
            live.map((item) => item.id),
          )
        : new Map(),
    };
  }

  /** Notes what a change left of paid time, and makes the order for what it costs; no order where it costs nothing. */
  async settle(
    vendorId: number,
    { record, terms, money, asked }: ChangeCase,
    type: "ADDITIONAL" | "ADD_USAGE",
    items: OfferedItem[],
    refundable: Amount,
  ): Promise<Settlement> {
    await this.changes.noteRefundable(vendorId, record, refundable);
    const lines = settlementLines(orderLines(items, terms, money, null));
    // Postpaid, only what a product costs to be set up is due before the end of the period.
    const isNothing = record.claimMethodType === "POST" && orderTotals(lines).amount.eq(0);
    if (items.length === 0 || isNothing) return { order: null, refundable };
    const order = await this.settlements.make(vendorId, record, { type, items, lines, terms, money, asked });
    return { order, refundable };
  }
}
