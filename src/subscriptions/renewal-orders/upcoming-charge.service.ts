import type { RecurringInterval } from "../../../schema/vocabulary.ts";
import { amountOf, type Amount } from "../../kernel/amounts.ts";
import { moneyOf } from "../../products/price-plans/price.currency.ts";
import { birthsOf, type Birth } from "../subscription.activation.ts";
import type { PaidLine } from "../subscription-activation.service.ts";
import { nextCharge } from "../subscription.schedule.ts";
import { quotaOf } from "../usage.series.ts";
import type { VendorService } from "../../vendors/vendor.service.ts";
import { chargedItems, type RenewedItem } from "./renewal.items.ts";
import { orderLines } from "../../orders/pricing/order.line-builder.ts";
import type { OrderRecordService } from "../../orders/order-writer.service.ts";
import { orderTotals } from "../../orders/pricing/order.totals.ts";
import type { SubscriptionOrderService } from "../subscription-payment.service.ts";

/** What a subscription will charge once its first order is paid. */
export interface UpcomingCharge {
  /** When it is charged next. */
  date: Date;
  /** What is charged then; null where it depends on what is used until then. */
  amount: Amount | null;
  currency: string;
  interval: RecurringInterval;
  intervalCount: number;
  /** When its trial ends; null without one. */
  trialEndDate: Date | null;
  /** When it ends by itself; null where it goes on until it is cancelled. */
  endDate: Date | null;
}

/** Says what the subscriptions of an unpaid first order will charge, were it paid now. */
export class UpcomingChargeService {
  constructor(
    private readonly orders: OrderRecordService,
    private readonly subscriptionOrders: SubscriptionOrderService,
    private readonly vendors: VendorService,
    private readonly now: Date,
  ) {}

  /** The next charge of each subscription that the order would start; none for an order that starts none. */
  async ofFirstOrder(vendorId: number, orderId: number): Promise<UpcomingCharge[]> {
    const order = await this.orders.byId(vendorId, orderId);
    if (order?.type !== "RECURRING_INITIAL") return [];
    const terms = await this.vendors.terms(vendorId);
    const money = moneyOf(terms, order.currency);
    const lines = await this.subscriptionOrders.linesOf(vendorId, order);
    return birthsOf(lines, this.now, terms.zoneId, true).flatMap(({ birth, lines: own }) => {
      const { nextPaymentDate: date, interval, intervalCount, trialEndDate, endDate, claimMethodType } = birth;
      if (date === null) return [];
      const isPrepaid = claimMethodType === "PRE";
      const items = own.map((line) => this.renewed(line, birth));
      const charged = chargedItems(items, isPrepaid, nextCharge(birth, terms.zoneId), 0, money);
      const { amount } = orderTotals(orderLines(charged, terms, money, null));
      const isMetered = own.some(({ terms: { type, claim } }) => claim.methodType === "POST" && isByUse.has(type));
      const upcoming = { date, currency: order.currency, interval, intervalCount, trialEndDate, endDate };
      return [{ ...upcoming, amount: isMetered ? null : amount }];
    });
  }

  /** A line as an item of the subscription that it would start. */
  private renewed(line: PaidLine, birth: Birth): RenewedItem {
    const quota = quotaOf(line.terms, line.quantity);
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
      chargedCycles: birth.chargedCycle,
      activatedAt: this.now,
      removedAt: null,
      record: [],
      quota: quota > 0 ? [{ at: birth.currentPeriodStart, change: amountOf(quota) }] : [],
    };
  }
}

const isByUse: ReadonlySet<string> = new Set(["UNIT_BASED", "USAGE_BASED"]);
