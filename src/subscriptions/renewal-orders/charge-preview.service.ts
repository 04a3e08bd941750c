import type { SubscriptionRecord, SubscriptionService } from "../subscription.service.ts";
import type { OrderLine } from "../../orders/pricing/order.line.ts";
import type { RenewalItem, RenewalOrderService } from "./renewal-order.service.ts";

/** Says what subscriptions will be charged. */
export class SubscriptionPreviewService {
  constructor(
    private readonly subscriptions: SubscriptionService,
    private readonly renewals: RenewalOrderService,
  ) {}

  /** What one is charged next, by what is known now; null where nothing will be. @throws a Refusal SUBSCRIPTION_NOT_FOUND. */
  async next(vendorId: number, id: number) {
    const record = await this.subscriptions.find(vendorId, id);
    const date = record.nextPaymentDate;
    if (date === null) return null;
    const planned = await this.renewals.plan(vendorId, record, stopsAt(record, date));
    const begins = planned.cycles.at(-1)?.begins ?? null;
    return {
      date,
      amount: planned.amount,
      discountedAmount: planned.discountedAmount,
      currency: record.currency,
      periodStart: begins?.start ?? null,
      periodEnd: begins?.end ?? null,
      calculateStartDate: planned.calculated?.start ?? null,
      calculateEndDate: planned.calculated?.end ?? null,
      lines: planned.lines.map(shown),
    };
  }
}

/** Where the next charge of a postpaid subscription is its last, when it stops. */
function stopsAt({ claimMethodType, endDate, cancelAt }: SubscriptionRecord, date: Date): Date | null {
  const stops = [endDate, cancelAt].some((stop) => stop !== null && stop <= date);
  return claimMethodType === "POST" && stops ? date : null;
}

const shown = (line: OrderLine<RenewalItem>) => ({
  type: line.type,
  name: line.orderedProductName,
  itemCode: line.item?.charged.code ?? null,
  quantity: line.quantity,
  unitPrice: line.unitPrice,
  amount: line.amount,
  usedCount: line.usedCount,
  unitCount: line.unitCount,
  usageFormula: line.usageFormula,
});
