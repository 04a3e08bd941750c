import { toUnitChangeHistory } from "../subscriptions/renewal-orders/renewal.items.ts";
import { toAmount } from "../kernel/amounts.ts";
import { required } from "../kernel/required-values.ts";
import { billingPeriodOf, type BillingPeriod } from "../subscriptions/subscription.period.ts";
import { advanceAfterCharge } from "../subscriptions/subscription.schedule.ts";
import { sumMeteredUnits, type UnitDelta } from "../subscriptions/usage.series.ts";
import { DAY_MS, addMilliseconds, MINUTE_MS, type DemoCalendar } from "./calendar.ts";
import type { SeededRandom } from "./seeded-random.ts";
import { transitionSubscription, transitionAndReschedule } from "./first-orders.ts";
import type { OrderDraft } from "./rows/order-draft.ts";
import type { OrderFactory, OrderedOffer } from "./order-factory.ts";
import type { DemoPayments } from "./rows/demo-payments.ts";
import type { RecoveryHistory } from "./recoveries.ts";
import type { ItemDraft, SubscriptionDraft, UnitDraft } from "./rows/subscription-draft.ts";

/** The outcome of the last renewal before the present. */
export type LastRenewal = "PAID" | "FAILED" | "IN_PROGRESS";

const LEASE_MS = 10 * MINUTE_MS;

/** Builds the renewals of subscriptions by the gateway's rules. */
export class RenewalHistory {
  constructor(
    private readonly random: SeededRandom,
    private readonly calendar: DemoCalendar,
    private readonly zoneId: string,
    private readonly orderFactoryAt: (at: Date) => OrderFactory,
    private readonly payments: DemoPayments,
    private readonly recoveries: RecoveryHistory,
  ) {}

  /** Adds every renewal that is due by `end`. A subscription whose `endDate` has come by then expires. */
  renewUntil(subscription: SubscriptionDraft, end: Date, lastRenewal: LastRenewal = "PAID"): OrderDraft[] {
    const orders: OrderDraft[] = [];
    for (;;) {
      const { nextPaymentDate: dueAt, endDate } = subscription.schedule;
      if (dueAt === null || dueAt > end) {
        if (endDate !== null && endDate <= end)
          transitionAndReschedule(subscription, "expireSubscription", endDate, this.zoneId);
        return orders;
      }
      const order = this.createRenewalOrder(subscription, dueAt);
      orders.push(order);
      transitionSubscription(subscription, "claimRenewal", dueAt, order);
      const at = addMilliseconds(dueAt, 2 * MINUTE_MS);
      const advance = advanceAfterCharge(subscription.schedule, this.zoneId, at, false);
      // A renewal is the last one if the next would be due after the end.
      const isLast = lastRenewal !== "PAID" && advance.currentPeriodEnd > end;
      if (isLast && lastRenewal === "IN_PROGRESS") {
        subscription.leaseUntil = addMilliseconds(this.calendar.present, LEASE_MS);
        return orders;
      }
      if (isLast) {
        this.payments.declineCharge(order, subscription.method, at);
        transitionAndReschedule(subscription, "failRenewal", at, this.zoneId, {}, order);
        this.recoveries.addRetries(subscription, order);
        return orders;
      }
      this.payments.payOrder(order, subscription.method, at);
      transitionAndReschedule(subscription, "completeRenewal", at, this.zoneId, advance, order);
      subscription.lastPaymentDate = at;
      for (const { values } of subscription.items)
        Object.assign(values, { chargedCycles: required(values.chargedCycles, "chargedCycles") + 1, modifiedAt: at });
    }
  }

  private createRenewalOrder(subscription: SubscriptionDraft, dueAt: Date): OrderDraft {
    const { schedule, items, currency, customer } = subscription;
    const isPrepaid = schedule.claimMethodType === "PRE";
    const endedCycle = isPrepaid ? schedule.chargedCycle : schedule.chargedCycle + 1;
    const period = endedCycle > 0 ? billingPeriodOf(schedule.cycleAnchor, schedule, endedCycle, this.zoneId) : null;
    const renewedItems = items.map((item) => this.renewedItem(item, items, isPrepaid, period));
    const isMetered = period !== null && renewedItems.some(({ used }) => used != null);
    const order = this.orderFactoryAt(dueAt).createOrder(customer, renewedItems, {
      type: "RECURRING",
      createdAt: dueAt,
      currency,
      claimMethodType: schedule.claimMethodType,
      paymentDueDate: dueAt,
      calculateStartDate: isMetered ? period.start : null,
      calculateEndDate: isMetered ? period.end : null,
    });
    order.subscriptions.push(subscription);
    order.renewal = { subscription, dueAt: dueAt };
    return order;
  }

  private renewedItem(
    item: ItemDraft,
    items: readonly ItemDraft[],
    isPrepaid: boolean,
    period: BillingPeriod | null,
  ): OrderedOffer {
    const { item: first, values, parent } = item;
    const chargedCycles = required(values.chargedCycles, "chargedCycles");
    const endedCycle = isPrepaid ? chargedCycles || null : chargedCycles + 1;
    return {
      ...first,
      firstPurchase: false,
      trial: null,
      price: parent || first.terms.type === "VOLUME_BASED" ? null : values.price,
      starts: isPrepaid ? chargedCycles + 1 : chargedCycles + 2,
      ends: endedCycle,
      parent: parent && items.indexOf(parent),
      subscriptionItem: item,
      ...(period && this.meteredUsage(item, period)),
    };
  }

  /** Records the usage of a postpaid plan in a period. @returns its totals for pricing. */
  private meteredUsage(item: ItemDraft, period: BillingPeriod): Pick<OrderedOffer, "used" | "unitChanges"> {
    const { type, claim, recurring } = item.item.terms;
    if ((type !== "USAGE_BASED" && type !== "UNIT_BASED") || claim.methodType !== "POST") return {};
    const changes =
      type === "USAGE_BASED" ? this.usageChanges(period) : this.accountChanges(period, item.units.length === 0);
    item.units.push(
      ...changes.map((change): UnitDraft => ({
        ...change,
        series: "RECORD",
        actor: "MANAGER",
        note: null,
        order: null,
      })),
    );
    const units = { used: sumMeteredUnits(type, item.units, period, recurring?.aggregateUsageType ?? null) };
    return type === "UNIT_BASED" ? { ...units, unitChanges: toUnitChangeHistory(item.units, period) } : units;
  }

  private usageChanges(period: BillingPeriod): UnitDelta[] {
    return [1, 2, 3, 4].map((week) => ({
      at: instantInPeriod(period, week / 5),
      change: toAmount(this.random.integerBetween(100, 2_500)),
    }));
  }

  /** The changes of the number of accounts in a period. The first period starts with six accounts. */
  private accountChanges(period: BillingPeriod, isFirst: boolean): UnitDelta[] {
    const first = isFirst ? [{ at: period.start, change: toAmount(6) }] : [];
    const [more, fewer] = [this.random.integerBetween(1, 3), 1];
    const changes = { at: instantInPeriod(period, 0.3), change: toAmount(more) };
    return [...first, changes, { at: instantInPeriod(period, 0.7), change: toAmount(-fewer) }];
  }
}

/** The instant after a fraction of a period, rounded down to whole days from its start. */
const instantInPeriod = ({ start, end }: BillingPeriod, fraction: number): Date =>
  addMilliseconds(start, Math.floor(((end.getTime() - start.getTime()) * fraction) / DAY_MS) * DAY_MS);
