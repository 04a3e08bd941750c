import type { RecurringInterval } from "../../../schema/vocabulary.ts";
import { toAmount, type Amount } from "../../kernel/amounts.ts";
import { toPaymentCurrency } from "../../products/price-plans/price.currency.ts";
import { groupIntoSubscriptions, type InitialSubscription } from "../subscription.activation.ts";
import type { PaidLine } from "../subscription-activation.service.ts";
import { nextChargedCycle } from "../subscription.schedule.ts";
import { prepaidQuotaOf } from "../usage.series.ts";
import type { VendorService } from "../../vendors/vendor.service.ts";
import { toChargedItems, type RenewedItem } from "./renewal.items.ts";
import { buildOrderLines } from "../../orders/pricing/order.line-builder.ts";
import type { OrderRecordService } from "../../orders/order-record.service.ts";
import { calculateOrderTotals } from "../../orders/pricing/order.totals.ts";
import type { SubscriptionPaymentService } from "../subscription-payment.service.ts";
import { isMeteredType } from "../../products/price-plans/price.plan-types.ts";

/** The charges of a subscription after its first order is paid. */
export interface UpcomingCharge {
  /** The date of the charge. */
  date: Date;
  /** The amount of that charge; null if it depends on usage until then. */
  amount: Amount | null;
  currency: string;
  interval: RecurringInterval;
  intervalCount: number;
  /** The end of its trial; null without one. */
  trialEndDate: Date | null;
  /** The automatic end date; null if the subscription runs until it is cancelled. */
  endDate: Date | null;
}

/** Says what the subscriptions of an unpaid first order will charge, were it paid now. */
export class UpcomingChargeService {
  constructor(
    private readonly deps: {
      orderRecords: OrderRecordService;
      subscriptionPayments: SubscriptionPaymentService;
      vendors: VendorService;
      now: Date;
    },
  ) {}

  /** The next charge of each subscription that the order would start; none for an order that starts none. */
  async forecastFirstOrder(vendorId: number, orderId: number): Promise<UpcomingCharge[]> {
    const order = await this.deps.orderRecords.find(vendorId, orderId);
    if (order?.type !== "RECURRING_INITIAL") return [];
    const terms = await this.deps.vendors.billingTerms(vendorId);
    const money = toPaymentCurrency(terms, order.currency);
    const lines = await this.deps.subscriptionPayments.toPaidLines(vendorId, order);
    return groupIntoSubscriptions(lines, this.deps.now, terms.zoneId, true).flatMap(
      ({ initial, lines: subscriptionLines }) => {
        const { nextPaymentDate: date, interval, intervalCount, trialEndDate, endDate, claimMethodType } = initial;
        if (date === null) return [];
        const isPrepaid = claimMethodType === "PRE";
        const items = subscriptionLines.map((line) => this.toRenewedItem(line, initial));
        const cycleItems = toChargedItems(items, isPrepaid, nextChargedCycle(initial, terms.zoneId), 0, money);
        const { amount } = calculateOrderTotals(buildOrderLines(cycleItems, terms, money, null));
        const isMetered = subscriptionLines.some(
          ({ terms: { type, claim } }) => claim.methodType === "POST" && isMeteredType(type),
        );
        const upcoming = { date, currency: order.currency, interval, intervalCount, trialEndDate, endDate };
        return [{ ...upcoming, amount: isMetered ? null : amount }];
      },
    );
  }

  /** A line as an item of the subscription that it would start. */
  private toRenewedItem(line: PaidLine, initial: InitialSubscription): RenewedItem {
    const quota = prepaidQuotaOf(line.terms, line.quantity);
    return {
      id: line.id,
      parentItemId: line.parent?.id ?? null,
      terms: line.terms,
      productName: line.productName,
      productType: line.productType,
      quantity: line.quantity,
      price: line.price,
      optionPrice: line.optionPrice,
      optionPriceNow: line.optionPriceNow,
      isAdditional: false,
      keepWhenRenew: true,
      chargedCycles: initial.chargedCycle,
      activatedAt: this.deps.now,
      removedAt: null,
      usage: [],
      quota: quota > 0 ? [{ at: initial.currentPeriodStart, change: toAmount(quota) }] : [],
    };
  }
}
