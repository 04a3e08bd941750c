import { ZERO } from "../../kernel/amounts.ts";
import type { SubscriptionItemReaderService } from "../subscription-item-reader.service.ts";
import type { SubscriptionIntervalService } from "./subscription-interval.service.ts";
import type { SubscriptionService } from "../subscription.service.ts";
import type { OrderItemRecord, OrderWriterService } from "../../orders/order-writer.service.ts";
import { isFree } from "../../orders/order.payability.ts";
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
    private readonly orders: OrderWriterService,
    private readonly subscriptions: SubscriptionService,
    private readonly contents: SubscriptionItemReaderService,
    private readonly changes: SubscriptionItemChangeService,
    private readonly plans: SubscriptionPlanChangeService,
    private readonly intervals: SubscriptionIntervalService,
    private readonly prorationOrders: ProrationOrderService,
    private readonly chargePreviews: SubscriptionChargePreviewService,
  ) {}

  /** @throws what the mutation that makes the change is refused with. */
  async previewChange(vendorId: number, id: number, change: PreviewedChange) {
    const items = await this.contents.itemsOf(vendorId, id);
    const { order, refundable } = await this.applyChange(vendorId, id, change);
    const lines = order ? await this.orders.itemsOf(vendorId, order.id) : [];
    if (order && !isFree(order)) await this.prorationOrders.applyPaidChanges(vendorId, order);
    const next = await this.chargePreviews.previewNextCharge(vendorId, id);
    const { currency } = await this.subscriptions.getById(vendorId, id);
    return {
      currency,
      amount: order?.amount ?? ZERO,
      discountedAmount: order?.discountedAmount ?? ZERO,
      refundableAmount: refundable,
      lines: lines.map((line) => toPreviewLine(line, new Map(items.map(({ id: itemId, code }) => [itemId, code])))),
      nextCharge: next,
    };
  }

  private async applyChange(vendorId: number, id: number, change: PreviewedChange): Promise<ChangeOutcome> {
    if (change.plans) return this.plans.changePlans(vendorId, id, change.plans);
    if (change.items) return this.changes.changeItems(vendorId, id, change.items);
    if (change.quota) return this.changes.changeQuota(vendorId, id, change.quota);
    await this.intervals.changeInterval(vendorId, id, change.interval!);
    return { order: null, refundable: ZERO };
  }
}

/** A line of the order that would be charged; what would be added has no code yet. */
const toPreviewLine = (line: OrderItemRecord, codes: ReadonlyMap<number, string>) => ({
  type: line.type,
  name: line.orderedProductName,
  itemCode: codes.get(line.relatedSubscriptionItemId ?? 0) ?? null,
  quantity: line.quantity,
  unitPrice: line.unitPrice,
  amount: line.amount,
  usedCount: line.usedCount,
  unitCount: line.unitCount,
  usageFormula: line.usageFormula,
});
