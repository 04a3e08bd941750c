import { ZERO, type Amount } from "../../kernel/amounts.ts";
import { itemAt } from "../../kernel/required-values.ts";
import type { OfferService } from "../../products/offer.service.ts";
import { toPaymentCurrency } from "../../products/price-plans/price.currency.ts";
import type { SubscriptionItemWriterService } from "./subscription-item-writer.service.ts";
import type { SubscriptionItemReaderService } from "../subscription-item-reader.service.ts";
import type { RequestOrigin } from "../subscription-transitions.service.ts";
import { remainingShare } from "../subscription.remaining-share.ts";
import type { VendorService } from "../../vendors/vendor.service.ts";
import { buildOrderLines } from "../../orders/pricing/order.line-builder.ts";
import { toProrationLines } from "../../orders/pricing/proration.pricing.ts";
import { isFree } from "../../orders/order.payability.ts";
import { calculateOrderTotals } from "../../orders/pricing/order.totals.ts";
import type { OfferedItem } from "../../orders/pricing/order.item-values.ts";
import type { ProrationOrderService } from "../renewal-orders/proration-order.service.ts";
import type { ChangeContext, ChangeOutcome } from "./change.context.ts";
import type { SubscriptionOrderRepository } from "../subscription-order.repository.ts";

/** Collects what a change of a subscription depends on, and makes the order that settles the change. */
export class ChangeContextService {
  constructor(
    private readonly deps: {
      subscriptionOrderRepository: SubscriptionOrderRepository;
      subscriptionItemWriter: SubscriptionItemWriterService;
      subscriptionItemReader: SubscriptionItemReaderService;
      prorationOrders: ProrationOrderService;
      vendors: VendorService;
      offers: OfferService;
      now: Date;
    },
  ) {}

  /** A subscription that is to be changed, locked. @throws a Refusal SUBSCRIPTION_NOT_FOUND, SUBSCRIPTION_NOT_RUNNING. */
  async lockAndLoad(vendorId: number, id: number, origin: RequestOrigin): Promise<ChangeContext> {
    const record = await this.deps.subscriptionItemWriter.lockRunning(vendorId, id);
    const terms = await this.deps.vendors.billingTerms(vendorId);
    const all = await this.deps.subscriptionItemReader.itemsOf(vendorId, id);
    const activeItems = all.filter(({ activatedAt, removedAt }) => activatedAt !== null && removedAt === null);
    const sold = await this.deps.offers.findSold(vendorId, activeItems);
    const items = activeItems.map((item, index) => ({
      ...item,
      orderable: itemAt(sold, index),
      terms: itemAt(sold, index).terms,
    }));
    const period = { start: record.currentPeriodStart, end: record.currentPeriodEnd };
    const isPrepaid = record.claimMethodType === "PRE";
    const share = remainingShare(period, this.deps.now);
    const isUncharged = isPrepaid && record.chargedCycle === 0;
    return {
      record,
      items,
      terms,
      money: toPaymentCurrency(terms, record.currency),
      remainingShare: isUncharged ? { ...share, part: ZERO } : share,
      isPrepaid,
      origin,
      itemCount: all.length,
      pendingOrderCodes: isPrepaid
        ? await this.deps.subscriptionOrderRepository.pendingChanges(
            vendorId,
            activeItems.map((item) => item.id),
          )
        : new Map(),
    };
  }

  /** Notes what a change left of paid time, and makes the order for what it costs; no order where it costs nothing. */
  async completeChange(
    vendorId: number,
    { record, terms, money, origin }: ChangeContext,
    type: "ADDITIONAL" | "ADD_USAGE",
    items: OfferedItem[],
    refundable: Amount,
  ): Promise<ChangeOutcome> {
    await this.deps.subscriptionItemWriter.addRefundableAmount(vendorId, record, refundable);
    const lines = toProrationLines(buildOrderLines(items, terms, money, null));
    // Postpaid, only what a product costs to be set up is due before the end of the period.
    const costsNothing = record.claimMethodType === "POST" && isFree(calculateOrderTotals(lines));
    if (items.length === 0 || costsNothing) return { order: null, refundable };
    const order = await this.deps.prorationOrders.createProrationOrder(vendorId, record, {
      type,
      items,
      lines,
      terms,
      money,
      origin,
    });
    return { order, refundable };
  }
}
