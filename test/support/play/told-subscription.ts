import { DAY } from "../test-clock.ts";
import { boundary, type Interval } from "./told-calendar.ts";

/** An order as it should be: its money, and what the gateway should have in its books for it. */
export interface ToldOrder {
  type: string;
  at: number;
  amount: number;
  paid: number;
  returned: number;
  /** How often it was declined. */
  declined: number;
  /** By how many it raises the quantity. */
  raise: number;
}

export type ToldStatus = "ACTIVE" | "UNPAID" | "PENDING_PAUSE" | "PAUSE" | "PENDING_CANCEL" | "CANCELED" | "EXPIRED";

/** What a subscription is of. A postpaid one charges its price and 10 for each unit that was used. */
export interface ToldPlan {
  interval: Interval;
  price: number;
  isPostpaid: boolean;
  /** Days that cost nothing before the first charge; none is 0. Only prepaid plans have some. */
  trial: number;
  /** After so many charged periods it ends. */
  count: number | null;
}

/** What the merchant's policy has for subscriptions whose recovery was in vain. */
export type ToldFinalAction = "EXPIRE" | "PAUSE" | "CANCEL" | "KEEP";

/** What a card says: yes, no, or never again. */
export type ToldCard = "WORKS" | "DECLINES" | "LOST";

const PER_UNIT = 10;
/** A renewal that failed is tried again so many days later. */
export const RETRIES = [1, 3, 5, 10, 14];
const running = new Set<ToldStatus>(["ACTIVE", "PENDING_PAUSE", "PENDING_CANCEL"]);

/**
 * A subscription by the rules of its contract alone, as simple as they can be told: it knows nothing of how the service does
 * it. Times are milliseconds. The worker may look late: what was due meanwhile is done then.
 */
export class ToldSubscription {
  status: ToldStatus = "ACTIVE";
  card: ToldCard = "WORKS";
  /** Units that were used and are not charged yet. */
  private used: { at: number; units: number }[] = [];
  /** Cycles are counted from here; so many were charged. */
  private anchor: number;
  private charged: number;
  /** Periods that were charged, whatever the cycles they were counted in. */
  private renewals: number;
  private pauseAt: number | null = null;
  private resumeAt: number | null = null;
  private cancelAt: number | null = null;
  private failing: { order: ToldOrder; since: number; retries: number } | null = null;
  /** Orders that are to be charged at once. */
  private readonly atOnce: ToldOrder[] = [];
  readonly orders: ToldOrder[];

  constructor(
    readonly plan: ToldPlan,
    public quantity: number,
    first: ToldOrder,
    private readonly finalAction: ToldFinalAction,
    now: number,
  ) {
    this.anchor = now + plan.trial * DAY;
    this.charged = this.renewals = plan.isPostpaid || plan.trial > 0 ? 0 : 1;
    this.orders = [first];
  }

  get isOver(): boolean {
    return this.status === "CANCELED" || this.status === "EXPIRED";
  }

  get isRunning(): boolean {
    return running.has(this.status);
  }

  /** When it is charged next; null when it will not be. */
  get nextPayment(): number | null {
    if (!this.isRunning) return null;
    const { plan, periodStart, periodEnd, cancelAt, pauseAt } = this;
    if (plan.isPostpaid) {
      // The period that a pause ends is charged; none begins then.
      if (pauseAt !== null && pauseAt <= periodStart) return null;
      return Math.min(periodEnd, cancelAt ?? Infinity, this.endAt ?? Infinity);
    }
    return periodEnd < Math.min(cancelAt ?? Infinity, pauseAt ?? Infinity, this.endAt ?? Infinity) ? periodEnd : null;
  }

  /** Whether nothing was charged so far because its trial is not over. */
  get isTried(): boolean {
    return this.plan.trial > 0 && this.charged === 0;
  }

  /** When its count is reached; a pause holds it up. */
  private get endAt(): number | null {
    const { count } = this.plan;
    if (count === null || this.isOver || this.status === "PAUSE") return null;
    const last = this.charged + Math.max(count - this.renewals, 0);
    return last > 0 ? this.boundary(last) : this.periodEnd;
  }

  /** What the worker does about it at this moment: all whose time has come, in the order of those times. */
  work(now: number): void {
    for (let next = this.firstDue(now); next !== undefined; next = this.firstDue(now)) next.act();
    for (const order of this.atOnce.splice(0)) {
      if (this.card === "WORKS") this.settle(order);
      else order.declined++;
    }
  }

  /** The payer pays one of its orders by hand. */
  paidByHand(order: ToldOrder, now: number): void {
    if (this.failing?.order === order) this.recover(now);
    else this.settle(order);
  }

  /** @returns whether it may be cancelled so. `at` is a time to come; null is now, or the end of the period. */
  cancel(when: "NOW" | "PERIOD_END" | "AT", at: number, now: number): boolean {
    if (when === "NOW") {
      if (this.isOver) return false;
      this.chargeTheRest(now, now);
      this.end("CANCELED");
      return true;
    }
    if (this.status !== "ACTIVE") return false;
    this.status = "PENDING_CANCEL";
    this.cancelAt = when === "AT" ? at : this.periodEnd;
    return true;
  }

  /** @returns whether it may be paused. */
  pause(when: "NOW" | "PERIOD_END", days: number | null, now: number): boolean {
    if (this.status !== "ACTIVE") return false;
    const begins = when === "NOW" ? now : this.periodEnd;
    this.resumeAt = days === null ? null : begins + days * DAY;
    if (when === "NOW") {
      this.chargeTheRest(now, now);
      this.status = "PAUSE";
    } else {
      this.status = "PENDING_PAUSE";
      this.pauseAt = begins;
    }
    return true;
  }

  /** Until when a pause that begins so lasts. */
  pauseEnd(when: "NOW" | "PERIOD_END", days: number, now: number): number {
    return (when === "NOW" ? now : this.periodEnd) + days * DAY;
  }

  /** @returns whether there is anything to be resumed or withdrawn. */
  activate(now: number): boolean {
    if (!["PAUSE", "PENDING_PAUSE", "PENDING_CANCEL"].includes(this.status)) return false;
    if (this.status === "PAUSE") this.resume(now);
    this.status = "ACTIVE";
    this.pauseAt = this.resumeAt = this.cancelAt = null;
    return true;
  }

  /** Another quantity. A raise is charged at once for what is left of the period, and holds when it is paid. */
  change(quantity: number, now: number): void {
    const raise = quantity - this.quantity;
    if (raise <= 0) {
      this.quantity = quantity;
      return;
    }
    const [left, whole] = [this.periodEnd - now, this.periodEnd - this.periodStart];
    this.atOnce.push(this.order("ADDITIONAL", Math.round((this.plan.price * raise * left) / whole), now, raise));
  }

  use(units: number, at: number): void {
    this.used.push({ at, units });
  }

  /** The payer stores another method, by an order that costs nothing. */
  changeMethod(now: number): void {
    this.order("PAYMENT_METHOD", 0, now);
    this.card = "WORKS";
  }

  /** All of an order was given back: with the first one go the subscriptions that it started. */
  returned(order: ToldOrder, now: number): void {
    if (order.type === "RECURRING_INITIAL" && !this.isOver) this.cancel("NOW", 0, now);
  }

  private get periodStart(): number {
    return this.boundary(this.plan.isPostpaid ? this.charged : this.charged - 1);
  }

  /** The end of the period under way, which is when the next charge is due. */
  private get periodEnd(): number {
    return this.boundary(this.plan.isPostpaid ? this.charged + 1 : this.charged);
  }

  private boundary(cycles: number): number {
    return boundary(this.anchor, this.plan.interval, cycles);
  }

  /** What is first of that whose time has come; what stops the subscription comes before what charges it. */
  private firstDue(now: number): { at: number; act: () => void } | undefined {
    const { nextPayment, failing, cancelAt } = this;
    const retryAt = failing && failing.since + RETRIES[failing.retries]! * DAY;
    // What is charged as it ends is charged with its end.
    const renewAt = nextPayment === cancelAt || nextPayment === this.endAt ? null : nextPayment;
    const due = [
      { at: this.endAt, act: () => this.expire(now) },
      { at: cancelAt, act: () => this.cancelInTime(now) },
      { at: retryAt, act: () => this.retry(now) },
      { at: renewAt, act: () => this.renew(now) },
      { at: this.status === "PENDING_PAUSE" ? this.pauseAt : null, act: () => this.pauseInTime() },
      { at: this.status === "PAUSE" ? this.resumeAt : null, act: () => this.activate(now) },
    ].flatMap(({ at, act }) => (at !== null && at <= now ? [{ at, act }] : []));
    return due.sort((one, other) => one.at - other.at)[0];
  }

  /** A retry that comes late is one: those whose time passed meanwhile are not made up for. */
  private retry(now: number): void {
    if (this.card === "WORKS") return this.recover(now);
    const failing = this.failing!;
    failing.order.declined++;
    failing.retries = RETRIES.findIndex((days) => failing.since + days * DAY > now);
    if (failing.retries < 0 || this.card === "LOST") this.giveUp();
  }

  /** What the policy has for it. One that is kept waits for its payer. */
  private giveUp(): void {
    if (this.finalAction === "EXPIRE") this.end("EXPIRED");
    else if (this.finalAction === "CANCEL") this.end("CANCELED");
    else if (this.finalAction === "KEEP") this.failing!.retries = RETRIES.length;
    else {
      this.status = "PAUSE";
      this.failing = this.pauseAt = this.resumeAt = null;
    }
  }

  private expire(now: number): void {
    this.chargeTheRest(this.endAt!, now);
    this.end("EXPIRED");
  }

  private renew(now: number): void {
    const order = this.order("RECURRING", this.priceOfPeriod(1, this.periodEnd), now);
    if (this.card === "WORKS") {
      order.paid = order.amount;
      this.charged++;
      this.renewals++;
      return;
    }
    order.declined = 1;
    this.status = "UNPAID";
    this.pauseAt = this.resumeAt = null;
    this.failing = { order, since: now, retries: 0 };
    if (this.card === "LOST") this.giveUp();
  }

  private cancelInTime(now: number): void {
    this.chargeTheRest(this.cancelAt!, now);
    this.end("CANCELED");
  }

  private pauseInTime(): void {
    this.status = "PAUSE";
    this.pauseAt = null;
  }

  /** Periods that were missed while it was not paid are not charged afterwards. */
  private recover(now: number): void {
    const { order } = this.failing!;
    order.paid = order.amount;
    this.failing = null;
    this.charged++;
    this.renewals++;
    while (this.periodEnd <= now) this.charged++;
    this.status = this.cancelAt === null ? "ACTIVE" : "PENDING_CANCEL";
  }

  /** Within the period that is paid nothing changes by a pause; after it, and afterwards-charged always, cycles begin anew. */
  private resume(now: number): void {
    if (!this.plan.isPostpaid && now < this.periodEnd) return;
    this.anchor = now;
    this.charged = 0;
  }

  /** A postpaid one that stops is charged for what it had until then. */
  private chargeTheRest(until: number, now: number): void {
    if (!this.plan.isPostpaid || !this.isRunning) return;
    if (until > this.periodStart) {
      const share = (until - this.periodStart) / (this.periodEnd - this.periodStart);
      this.atOnce.push(this.order("RECURRING", this.priceOfPeriod(share, until), now));
    }
    // The end of a time is no part of it: what is used at the very instant of the stop is not charged.
    this.used = [];
  }

  private priceOfPeriod(share: number, end: number): number {
    const { price, isPostpaid } = this.plan;
    if (!isPostpaid) return price * this.quantity;
    const units = this.used.filter(({ at }) => at < end).reduce((sum, one) => sum + one.units, 0);
    this.used = this.used.filter(({ at }) => at >= end);
    return Math.round(price * share) + units * PER_UNIT;
  }

  private order(type: string, amount: number, at: number, raise = 0): ToldOrder {
    const order = { type, at, amount, paid: 0, returned: 0, declined: 0, raise };
    this.orders.push(order);
    return order;
  }

  private settle(order: ToldOrder): void {
    order.paid = order.amount;
    this.quantity += order.raise;
  }

  private end(status: "CANCELED" | "EXPIRED"): void {
    this.status = status;
    this.failing = null;
    this.pauseAt = this.resumeAt = this.cancelAt = null;
  }
}
