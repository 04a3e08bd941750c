import { historyOf } from "../subscriptions/renewal-orders/renewal.items.ts";
import { amountOf } from "../kernel/amounts.ts";
import { cyclePeriod, type Period } from "../subscriptions/subscription.period.ts";
import { afterCharge } from "../subscriptions/subscription.schedule.ts";
import { meteredUnits, type UnitChange } from "../subscriptions/usage.series.ts";
import { DAY_MS, later, MINUTE_MS, type Calendar } from "./calendar.ts";
import type { Dice } from "./seeded-random.ts";
import { move, turn } from "./first-orders.ts";
import type { OrderDraft } from "./rows/order-draft.ts";
import type { OrderMaker, Wanted } from "./order-factory.ts";
import type { DemoCashier } from "./rows/demo-payments.ts";
import type { Recoveries } from "./recoveries.ts";
import type { ItemDraft, SubscriptionDraft, UnitDraft } from "./rows/subscription-draft.ts";

/** What becomes of the last renewal before the present. */
export type LastRenewal = "PAID" | "FAILED" | "UNDER_WAY";

const LEASE_MS = 10 * MINUTE_MS;

/** Charges subscriptions until an instant, as the gateway does. */
export class Renewals {
  constructor(
    private readonly dice: Dice,
    private readonly calendar: Calendar,
    private readonly zoneId: string,
    private readonly makerAt: (at: Date) => OrderMaker,
    private readonly cashier: DemoCashier,
    private readonly recoveries: Recoveries,
  ) {}

  /** Every renewal that is due by then. A subscription whose term is over by then ends. */
  until(subscription: SubscriptionDraft, end: Date, last: LastRenewal = "PAID"): OrderDraft[] {
    const orders: OrderDraft[] = [];
    for (;;) {
      const { nextPaymentDate: due, endDate } = subscription.standing;
      if (due === null || due > end) {
        if (endDate !== null && endDate <= end) turn(subscription, "expireSubscription", endDate, this.zoneId);
        return orders;
      }
      const order = this.order(subscription, due);
      orders.push(order);
      move(subscription, "claimRenewal", due, order);
      const at = later(due, 2 * MINUTE_MS);
      const advance = afterCharge(subscription.standing, this.zoneId, at, false);
      // A renewal is the last one where the next would come after the end.
      const isLast = last !== "PAID" && advance.currentPeriodEnd > end;
      if (isLast && last === "UNDER_WAY") {
        subscription.leaseUntil = later(this.calendar.present, LEASE_MS);
        return orders;
      }
      if (isLast) {
        this.cashier.fail(order, subscription.method, at);
        turn(subscription, "failRenewal", at, this.zoneId, {}, order);
        this.recoveries.tell(subscription, order);
        return orders;
      }
      this.cashier.pay(order, subscription.method, at);
      turn(subscription, "completeRenewal", at, this.zoneId, advance, order);
      subscription.lastPaymentDate = at;
      for (const { values } of subscription.items)
        Object.assign(values, { chargedCycles: values.chargedCycles! + 1, modifiedAt: at });
    }
  }

  private order(subscription: SubscriptionDraft, due: Date): OrderDraft {
    const { standing, items, currency, person } = subscription;
    const isPrepaid = standing.claimMethodType === "PRE";
    const ended = isPrepaid ? standing.chargedCycle : standing.chargedCycle + 1;
    const period = ended > 0 ? cyclePeriod(standing.cycleAnchor, standing, ended, this.zoneId) : null;
    const renewed = items.map((item) => this.renewed(item, items, isPrepaid, period));
    const isMetered = period !== null && renewed.some(({ used }) => used != null);
    const order = this.makerAt(due).make(person, renewed, {
      type: "RECURRING",
      createdAt: due,
      currency,
      claimMethodType: standing.claimMethodType,
      paymentDueDate: due,
      calculateStartDate: isMetered ? period.start : null,
      calculateEndDate: isMetered ? period.end : null,
    });
    order.subscriptions.push(subscription);
    order.renews = { subscription, dueAt: due };
    return order;
  }

  private renewed(item: ItemDraft, items: readonly ItemDraft[], isPrepaid: boolean, period: Period | null): Wanted {
    const { wanted: first, values, parent } = item;
    const charged = values.chargedCycles!;
    const ends = isPrepaid ? charged || null : charged + 1;
    return {
      ...first,
      firstPurchase: false,
      trial: null,
      price: parent || first.terms.type === "VOLUME_BASED" ? null : values.price,
      starts: isPrepaid ? charged + 1 : charged + 2,
      ends,
      parent: parent && items.indexOf(parent),
      subscriptionItem: item,
      ...(period && this.metered(item, period)),
    };
  }

  /** What was used of a plan that is charged for it afterwards. */
  private metered(item: ItemDraft, period: Period): Pick<Wanted, "used" | "unitChanges"> {
    const { type, claim, recurring } = item.wanted.terms;
    if ((type !== "USAGE_BASED" && type !== "UNIT_BASED") || claim.methodType !== "POST") return {};
    const changes = type === "USAGE_BASED" ? this.usage(period) : this.accounts(period, item.units.length === 0);
    item.units.push(
      ...changes.map((change): UnitDraft => ({
        ...change,
        series: "RECORD",
        actor: "MANAGER",
        note: null,
        order: null,
      })),
    );
    const units = { used: meteredUnits(type, item.units, period, recurring?.aggregateUsageType ?? null) };
    return type === "UNIT_BASED" ? { ...units, unitChanges: historyOf(item.units, period) } : units;
  }

  private usage(period: Period): UnitChange[] {
    return [1, 2, 3, 4].map((week) => ({
      at: within(period, week / 5),
      change: amountOf(this.dice.between(100, 2_500)),
    }));
  }

  /** Accounts come and go; those of the first cycle are there from its beginning. */
  private accounts(period: Period, isFirst: boolean): UnitChange[] {
    const first = isFirst ? [{ at: period.start, change: amountOf(6) }] : [];
    const [more, fewer] = [this.dice.between(1, 3), 1];
    const changes = { at: within(period, 0.3), change: amountOf(more) };
    return [...first, changes, { at: within(period, 0.7), change: amountOf(-fewer) }];
  }
}

/** An instant within a period, by the part of it that is over then: whole days after it began. */
const within = ({ start, end }: Period, part: number): Date =>
  later(start, Math.floor(((end.getTime() - start.getTime()) * part) / DAY_MS) * DAY_MS);
