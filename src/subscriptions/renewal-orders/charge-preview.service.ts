import type { SubscriptionRecord, SubscriptionService } from "../subscription.service.ts";
import { toPreviewLine } from "./preview-line.ts";
import type { RenewalOrderService } from "./renewal-order.service.ts";

/** Says what subscriptions will be charged. */
export class SubscriptionChargePreviewService {
  constructor(
    private readonly deps: {
      subscriptions: SubscriptionService;
      renewalOrders: RenewalOrderService;
    },
  ) {}

  /** The next charge by current facts; null if there will be none. @throws a Refusal SUBSCRIPTION_NOT_FOUND. */
  async previewNextCharge(vendorId: number, id: number) {
    const record = await this.deps.subscriptions.getById(vendorId, id);
    const date = record.nextPaymentDate;
    if (date === null) return null;
    const charge = await this.deps.renewalOrders.calculateCharge(vendorId, record, finalChargeStop(record, date));
    const startingPeriod = charge.cycles.at(-1)?.starting ?? null;
    return {
      date,
      amount: charge.amount,
      discountedAmount: charge.discountedAmount,
      currency: record.currency,
      periodStart: startingPeriod?.start ?? null,
      periodEnd: startingPeriod?.end ?? null,
      calculateStartDate: charge.meteredPeriod?.start ?? null,
      calculateEndDate: charge.meteredPeriod?.end ?? null,
      lines: charge.lines.map((line) => toPreviewLine(line, line.item?.subscriptionItem.code ?? null)),
    };
  }
}

/** The stop time of a postpaid subscription whose next charge is its last. */
function finalChargeStop({ claimMethodType, endDate, cancelAt }: SubscriptionRecord, date: Date): Date | null {
  const isFinal = [endDate, cancelAt].some((stop) => stop !== null && stop <= date);
  return claimMethodType === "POST" && isFinal ? date : null;
}
