import { DAY } from "../test-clock.ts";
import { ToldCycles } from "./model-cycles.ts";
import type { ToldCard, ToldFinalAction, ToldOrder, ToldPlan, ToldStatus } from "./model-plan.ts";
import { ToldUnits } from "./model-units.ts";

const PER_UNIT = 10;
/** A renewal that failed is tried again so many days later. */
export const RETRIES = [1, 3, 5, 10, 14];

/** What a period of a prepaid plan costs. */
export const priceOf = ({ price, isMetered }: ToldPlan, quantity: number): number =>
  isMetered ? price + quantity * PER_UNIT : price * quantity;

const isChange = ({ type }: ToldOrder): boolean => type === "ADDITIONAL" || type === "ADD_USAGE";

const running = new Set<ToldStatus>(["ACTIVE", "PENDING_PAUSE", "PENDING_CANCEL"]);

/**
 * A subscription by the rules of its contract alone, as simple as they can be told: it knows nothing of how the service does
 * it. Times are milliseconds. The worker may look late: what was due meanwhile is done then.
 */
export class ToldSubscription {
  status: ToldStatus = "ACTIVE";
  readonly units: ToldUnits;
  private readonly cycles: ToldCycles;
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
    public card: ToldCard,
    private readonly finalAction: ToldFinalAction,
    now: number,
  ) {
    this.cycles = new ToldCycles(plan, now);
    this.units = new ToldUnits(plan.isPostpaid ? null : quantity);
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
    const { plan, cycles, cancelAt, pauseAt } = this;
    if (plan.isPostpaid) {
      // The period that a pause ends is charged; none begins then.
      if (pauseAt !== null && pauseAt <= cycles.start) return null;
      return Math.min(cycles.end, cancelAt ?? Infinity, this.endAt ?? Infinity);
    }
    return cycles.end < Math.min(cancelAt ?? Infinity, pauseAt ?? Infinity, this.endAt ?? Infinity) ? cycles.end : null;
  }

  /** Whether nothing was charged so far because its trial is not over. */
  get isTried(): boolean {
    return this.cycles.areTried;
  }

  /** When it ends by itself; null is never. */
  get endAt(): number | null {
    return this.isOver ? null : this.cycles.endOfAll(this.status === "PAUSE");
  }

  /** Units that were used in the period under way. */
  get used(): number {
    return this.units.usedWithin(this.cycles.start, Infinity);
  }

  /** What the worker does about it at this moment: all whose time has come, in the order of those times. */
  work(now: number): void {
    for (let next = this.firstDue(now); next !== undefined; next = this.firstDue(now)) next.act();
    for (const order of this.atOnce.splice(0)) {
      if (this.card.says === "WORKS") this.settle(order);
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
    this.cancelAt = when === "AT" ? at : this.cycles.end;
    return true;
  }

  /** @returns whether it may be paused. */
  pause(when: "NOW" | "PERIOD_END", days: number | null, now: number): boolean {
    if (this.status !== "ACTIVE") return false;
    const begins = when === "NOW" ? now : this.cycles.end;
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
    return (when === "NOW" ? now : this.cycles.end) + days * DAY;
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
    const [left, whole] = [this.cycles.end - now, this.cycles.end - this.cycles.start];
    this.atOnce.push(this.order("ADDITIONAL", Math.round((this.plan.price * raise * left) / whole), now, raise));
  }

  /** @returns whether so many units may be used besides. */
  use(units: number, at: number): boolean {
    if (this.units.allowed !== null && this.used + units > this.units.allowed) return false;
    this.units.use(units, at);
    return true;
  }

  /**
   * Another number of units that may be used in each period. Prepaid, a raise is charged at once for what is left of the
   * period, and holds when it is paid; all else holds at once. @returns whether it may be: not below what was used.
   */
  allow(units: number, now: number): boolean {
    const { plan, quantity } = this;
    if (!plan.isPostpaid && units > quantity) {
      const [left, whole] = [this.cycles.end - now, this.cycles.end - this.cycles.start];
      const raise = units - quantity;
      this.atOnce.push(this.order("ADD_USAGE", Math.round((PER_UNIT * raise * left) / whole), now, raise));
      return true;
    }
    if (this.used > units) return false;
    this.units.allowed = units;
    if (!plan.isPostpaid) this.quantity = units;
    return true;
  }

  /** The payer stores another method, by an order that costs nothing. */
  changeMethod(now: number): void {
    this.order("PAYMENT_METHOD", 0, now);
    this.card = { says: "WORKS" };
  }

  /** All of an order was given back: with the first one go the subscriptions that it started. */
  returned(order: ToldOrder, now: number): void {
    if (order.type === "RECURRING_INITIAL" && !this.isOver) this.cancel("NOW", 0, now);
  }

  /** What is first of that whose time has come; what stops the subscription comes before what charges it. */
  private firstDue(now: number): { at: number; act: () => void } | undefined {
    const { nextPayment, failing, cancelAt } = this;
    // Nobody is asked for money for what is over, however long ago a try was due.
    const isOverdue = [cancelAt, this.endAt].some((at) => at !== null && at <= now);
    const retryAt = failing && !isOverdue ? failing.since + RETRIES[failing.retries]! * DAY : null;
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
    if (this.card.says === "WORKS") return this.recover(now);
    const failing = this.failing!;
    failing.order.declined++;
    failing.order.awaitedUntil = 0;
    failing.retries = RETRIES.findIndex((days) => failing.since + days * DAY > now);
    if (failing.retries < 0 || this.card.says === "LOST") this.giveUp();
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
    const order = this.order("RECURRING", this.priceOfPeriod(1, this.cycles.end), now);
    if (this.card.says === "WORKS") {
      order.paid = order.amount;
      this.cycles.charge();
      return;
    }
    order.declined = 1;
    this.status = "UNPAID";
    this.pauseAt = this.resumeAt = null;
    this.failing = { order, since: now, retries: 0 };
    if (this.card.says === "LOST") this.giveUp();
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
    this.cycles.chargeLate(now);
    this.status = this.cancelAt === null ? "ACTIVE" : "PENDING_CANCEL";
  }

  /** Within the period that is paid nothing changes by a pause; after it, and afterwards-charged always, cycles begin anew. */
  private resume(now: number): void {
    if (!this.plan.isPostpaid && now < this.cycles.end) return;
    this.cycles.restart(now);
  }

  /** A postpaid one that stops is charged for what it had until then. */
  private chargeTheRest(until: number, now: number): void {
    const { start, end } = this.cycles;
    if (!this.plan.isPostpaid || !this.isRunning || until <= start) return;
    this.atOnce.push(this.order("RECURRING", this.priceOfPeriod((until - start) / (end - start), until), now));
  }

  private priceOfPeriod(share: number, end: number): number {
    const { plan, quantity, cycles, units } = this;
    if (!plan.isPostpaid) return priceOf(plan, quantity);
    return Math.round(plan.price * share) + units.usedWithin(cycles.start, end) * PER_UNIT;
  }

  private order(type: string, amount: number, at: number, raise = 0): ToldOrder {
    const order = { type, at, amount, paid: 0, returned: 0, declined: 0, raise, awaitedUntil: 0, isDropped: false };
    this.orders.push(order);
    return order;
  }

  private settle(order: ToldOrder): void {
    order.paid = order.amount;
    this.quantity += order.raise;
    if (this.plan.isMetered && !this.plan.isPostpaid) this.units.allowed = this.quantity;
  }

  private end(status: "CANCELED" | "EXPIRED"): void {
    this.status = status;
    // What was to change a prepaid one, and could not be charged, is over with it.
    for (const order of this.orders)
      if (!this.plan.isPostpaid && isChange(order) && order.paid < order.amount) order.isDropped = true;
    this.failing = null;
    this.pauseAt = this.resumeAt = this.cancelAt = null;
  }
}
