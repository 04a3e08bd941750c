import { ZERO } from "../../kernel/amounts.ts";
import { required } from "../../kernel/required-values.ts";
import type { SubscriptionItemReaderService } from "../subscription-item-reader.service.ts";
import type { SubscriptionIntervalService } from "./subscription-interval.service.ts";
import type { SubscriptionService } from "../subscription.service.ts";
import type { OrderRecordService } from "../../orders/order-record.service.ts";
import { isFree } from "../../orders/order.payability.ts";
import { toPreviewLine } from "../renewal-orders/preview-line.ts";
import type { ProrationOrderService } from "../renewal-orders/proration-order.service.ts";
import type { ItemChanges, SubscriptionItemChangeService } from "./item-change.service.ts";
import type { ChangeOutcome } from "./change.context.ts";
import type { PlanChanges, SubscriptionPlanChangeService } from "./plan-change.service.ts";
import type { SubscriptionChargePreviewService } from "../renewal-orders/charge-preview.service.ts";

/** A change of a subscription, as one of the mutations would make it. */
export interface PreviewedChange {
  plans?: PlanChanges;
  items?: ItemChanges;
  quota?: Parameters<SubscriptionItemChangeService["changeQuota"]>[2];
  interval?: Parameters<SubscriptionIntervalService["changeInterval"]>[2];
}

/**
 * Says what a change of a subscription would cost: it makes the change, lets it be paid, and looks at what is charged next.
 * The sums are those of the change itself, because they are computed by it. The caller rolls all of it back.
 */
export class SubscriptionChangePreviewService {
  constructor(
    private readonly deps: {
      orderRecords: OrderRecordService;
      subscriptions: SubscriptionService;
      subscriptionItemReader: SubscriptionItemReaderService;
      subscriptionItemChanges: SubscriptionItemChangeService;
      subscriptionPlanChanges: SubscriptionPlanChangeService;
      subscriptionIntervals: SubscriptionIntervalService;
      prorationOrders: ProrationOrderService;
      subscriptionPreviews: SubscriptionChargePreviewService;
    },
  ) {}

  /** @throws what the mutation that makes the change is refused with. */
  async previewChange(vendorId: number, id: number, change: PreviewedChange) {
    const items = await this.deps.subscriptionItemReader.itemsOf(vendorId, id);
    const { order, refundable } = await this.applyChange(vendorId, id, change);
    const lines = order ? await this.deps.orderRecords.itemsOf(vendorId, order.id) : [];
    if (order && !isFree(order)) await this.deps.prorationOrders.applyPaidChanges(vendorId, order);
    const next = await this.deps.subscriptionPreviews.previewNextCharge(vendorId, id);
    const { currency } = await this.deps.subscriptions.getById(vendorId, id);
    // Items that the change would add have no code yet.
    const codes = new Map(items.map(({ id: itemId, code }) => [itemId, code]));
    return {
      currency,
      amount: order?.amount ?? ZERO,
      discountedAmount: order?.discountedAmount ?? ZERO,
      refundableAmount: refundable,
      lines: lines.map((line) => toPreviewLine(line, codes.get(line.relatedSubscriptionItemId ?? 0) ?? null)),
      nextCharge: next,
    };
  }

  private async applyChange(vendorId: number, id: number, change: PreviewedChange): Promise<ChangeOutcome> {
    if (change.plans) return this.deps.subscriptionPlanChanges.changePlans(vendorId, id, change.plans);
    if (change.items) return this.deps.subscriptionItemChanges.changeItems(vendorId, id, change.items);
    if (change.quota) return this.deps.subscriptionItemChanges.changeQuota(vendorId, id, change.quota);
    await this.deps.subscriptionIntervals.changeInterval(vendorId, id, required(change.interval, "interval"));
    return { order: null, refundable: ZERO };
  }
}
