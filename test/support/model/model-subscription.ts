import { DAY } from "../test-clock.ts";
import { ModelCycles } from "./model-cycles.ts";
import type { ModelCard, ModelFinalAction, ModelOrder, ModelPlan, ModelStatus } from "./model-plan.ts";
import { ModelUnits } from "./model-units.ts";

const UNIT_PRICE = 10;
/** The days from a failed renewal to each of its retries. */
export const RETRY_DAYS = [1, 3, 5, 10, 14];

/** The price of a period of a prepaid plan. */
export const periodPriceOf = ({ price, isMetered }: ModelPlan, quantity: number): number =>
  isMetered ? price + quantity * UNIT_PRICE : price * quantity;

const isChangeOrder = ({ type }: ModelOrder): boolean => type === "ADDITIONAL" || type === "ADD_USAGE";

const runningStatuses = new Set<ModelStatus>(["ACTIVE", "PENDING_PAUSE", "PENDING_CANCEL"]);

/**
 * A subscription by the rules of its contract only, as simple as possible: it does not depend on the implementation.
 * Times are milliseconds. The worker may run late: work that was due meanwhile is done then.
 */
export class ModelSubscription {
  status: ModelStatus = "ACTIVE";
  readonly units: ModelUnits;
  private readonly cycles: ModelCycles;
  private pauseAt: number | null = null;
  private resumeAt: number | null = null;
  private cancelAt: number | null = null;
  private failedRenewal: { order: ModelOrder; since: number; retries: number; newMethodAt: number | null } | null =
    null;
  /** Orders that are to be charged at once. */
  private readonly ordersToCharge: ModelOrder[] = [];
  readonly orders: ModelOrder[];

  constructor(
    readonly plan: ModelPlan,
    public quantity: number,
    first: ModelOrder,
    public card: ModelCard,
    private readonly finalAction: ModelFinalAction,
    now: number,
  ) {
    this.cycles = new ModelCycles(plan, now);
    this.units = new ModelUnits(plan.isPostpaid ? null : quantity);
    this.orders = [first];
  }

  get isOver(): boolean {
    return this.status === "CANCELED" || this.status === "EXPIRED";
  }

  get isRunning(): boolean {
    return runningStatuses.has(this.status);
  }

  /** The next charge date; null if there is none. */
  get nextPayment(): number | null {
    if (!this.isRunning) return null;
    const { plan, cycles, cancelAt, pauseAt } = this;
    if (plan.isPostpaid) {
      // The period that ends with a pause is charged; none begins then.
      if (pauseAt !== null && pauseAt <= cycles.start) return null;
      return Math.min(cycles.end, cancelAt ?? Infinity, this.endAt ?? Infinity);
    }
    return cycles.end < Math.min(cancelAt ?? Infinity, pauseAt ?? Infinity, this.endAt ?? Infinity) ? cycles.end : null;
  }

  /** Whether nothing was charged so far because its trial is not over. */
  get isInTrial(): boolean {
    return this.cycles.isInTrial;
  }

  /** When it ends by itself; null is never. */
  get endAt(): number | null {
    return this.isOver ? null : this.cycles.finalEnd(this.status === "PAUSE");
  }

  /** Units used in the current period. */
  get used(): number {
    return this.units.usedWithin(this.cycles.start, Infinity);
  }

  /** The worker's actions at this moment: all that are due, in the order of their times. */
  applyDueActions(now: number): void {
    for (let next = this.nextDueAction(now); next !== undefined; next = this.nextDueAction(now)) next.act();
    for (const order of this.ordersToCharge.splice(0)) {
      if (this.card.behaviour === "WORKS") this.markPaid(order);
      else order.declineCount++;
    }
  }

  /** The payer pays one of its orders by hand. */
  applyManualPayment(order: ModelOrder, now: number): void {
    if (this.failedRenewal?.order === order) this.recoverRenewal(now);
    else this.markPaid(order);
  }

  /** @returns whether this cancellation is permitted. `at` is a future time; null is now, or the end of the period. */
  cancel(when: "NOW" | "PERIOD_END" | "AT", at: number, now: number): boolean {
    if (when === "NOW") {
      if (this.isOver) return false;
      this.chargePartialPeriod(now, now);
      this.endWith("CANCELED");
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
      this.chargePartialPeriod(now, now);
      this.status = "PAUSE";
    } else {
      this.status = "PENDING_PAUSE";
      this.pauseAt = begins;
    }
    return true;
  }

  /** The end of a pause that begins now. */
  pauseEnd(when: "NOW" | "PERIOD_END", days: number, now: number): number {
    return (when === "NOW" ? now : this.cycles.end) + days * DAY;
  }

  /** @returns whether there is a pause to resume or a cancellation to withdraw. */
  activate(now: number): boolean {
    if (!["PAUSE", "PENDING_PAUSE", "PENDING_CANCEL"].includes(this.status)) return false;
    if (this.status === "PAUSE") this.resumeAfterPause(now);
    this.status = "ACTIVE";
    this.pauseAt = this.resumeAt = this.cancelAt = null;
    return true;
  }

  /** Another quantity. A raise is charged at once for the rest of the period, and takes effect when it is paid. */
  changeQuantity(quantity: number, now: number): void {
    const raise = quantity - this.quantity;
    if (raise <= 0) {
      this.quantity = quantity;
      return;
    }
    const [left, whole] = [this.cycles.end - now, this.cycles.end - this.cycles.start];
    this.ordersToCharge.push(
      this.addOrder("ADDITIONAL", Math.round((this.plan.price * raise * left) / whole), now, raise),
    );
  }

  /** @returns whether so many more units may be used. */
  recordUsage(units: number, at: number): boolean {
    if (this.units.allowed !== null && this.used + units > this.units.allowed) return false;
    this.units.recordUnits(units, at);
    return true;
  }

  /**
   * Another number of allowed units in each period. Prepaid, a raise is charged at once for the rest of the period, and
   * takes effect when it is paid; every other change takes effect at once. @returns whether it is permitted: not below
   * the used units.
   */
  changeQuota(units: number, now: number): boolean {
    const { plan, quantity } = this;
    if (!plan.isPostpaid && units > quantity) {
      const [left, whole] = [this.cycles.end - now, this.cycles.end - this.cycles.start];
      const raise = units - quantity;
      this.ordersToCharge.push(this.addOrder("ADD_USAGE", Math.round((UNIT_PRICE * raise * left) / whole), now, raise));
      return true;
    }
    if (this.used > units) return false;
    this.units.allowed = units;
    if (!plan.isPostpaid) this.quantity = units;
    return true;
  }

  /** The payer stores another method, by an order of zero. It pays at once what a renewal left unpaid. */
  changeMethod(now: number): void {
    this.addOrder("PAYMENT_METHOD", 0, now);
    this.card = { behaviour: "WORKS" };
    if (this.failedRenewal) this.failedRenewal.newMethodAt = now;
  }

  /** An order was refunded in full: with the first one the subscriptions that it started end. */
  applyFullRefund(order: ModelOrder, now: number): void {
    if (order.type === "RECURRING_INITIAL" && !this.isOver) this.cancel("NOW", 0, now);
  }

  /** The first of the due actions; those that stop the subscription come before those that charge it. */
  private nextDueAction(now: number): { at: number; act: () => void } | undefined {
    const { nextPayment, failedRenewal, cancelAt } = this;
    // A subscription that has ended is never charged, however long ago a retry was due.
    const isOverdue = [cancelAt, this.endAt].some((at) => at !== null && at <= now);
    const retryAt = failedRenewal && !isOverdue ? failedRenewal.since + RETRY_DAYS[failedRenewal.retries]! * DAY : null;
    // A charge due at the end is part of the end.
    const renewAt = nextPayment === cancelAt || nextPayment === this.endAt ? null : nextPayment;
    const due = [
      { at: this.endAt, act: () => this.expireAtEnd(now) },
      { at: cancelAt, act: () => this.applyScheduledCancellation(now) },
      { at: retryAt, act: () => this.retryRenewal(now) },
      { at: isOverdue ? null : (failedRenewal?.newMethodAt ?? null), act: () => this.recoverRenewal(now) },
      { at: renewAt, act: () => this.renewPeriod(now) },
      { at: this.status === "PENDING_PAUSE" ? this.pauseAt : null, act: () => this.applyScheduledPause() },
      { at: this.status === "PAUSE" ? this.resumeAt : null, act: () => this.activate(now) },
    ].flatMap(({ at, act }) => (at !== null && at <= now ? [{ at, act }] : []));
    return due.sort((one, other) => one.at - other.at)[0];
  }

  /** Several retries that are late become one: the missed ones are not made up for. */
  private retryRenewal(now: number): void {
    if (this.card.behaviour === "WORKS") return this.recoverRenewal(now);
    const failing = this.failedRenewal!;
    failing.order.declineCount++;
    failing.order.awaitedUntil = 0;
    failing.retries = RETRY_DAYS.findIndex((days) => failing.since + days * DAY > now);
    if (failing.retries < 0 || this.card.behaviour === "LOST") this.applyFinalAction();
  }

  /** Applies the policy. A subscription that stays open waits for its payer. */
  private applyFinalAction(): void {
    if (this.finalAction === "EXPIRE") this.endWith("EXPIRED");
    else if (this.finalAction === "CANCEL") this.endWith("CANCELED");
    else if (this.finalAction === "KEEP") this.failedRenewal!.retries = RETRY_DAYS.length;
    else {
      this.status = "PAUSE";
      this.failedRenewal = this.pauseAt = this.resumeAt = null;
    }
  }

  private expireAtEnd(now: number): void {
    this.chargePartialPeriod(this.endAt!, now);
    this.endWith("EXPIRED");
  }

  private renewPeriod(now: number): void {
    const order = this.addOrder("RECURRING", this.priceOfShare(1, this.cycles.end), now);
    if (this.card.behaviour === "WORKS") {
      order.paid = order.amount;
      this.cycles.addCharge();
      return;
    }
    order.declineCount = 1;
    this.status = "UNPAID";
    this.pauseAt = this.resumeAt = null;
    this.failedRenewal = { order, since: now, retries: 0, newMethodAt: null };
    if (this.card.behaviour === "LOST") this.applyFinalAction();
  }

  private applyScheduledCancellation(now: number): void {
    this.chargePartialPeriod(this.cancelAt!, now);
    this.endWith("CANCELED");
  }

  private applyScheduledPause(): void {
    this.status = "PAUSE";
    this.pauseAt = null;
  }

  /** Periods that were missed while it was not paid are not charged afterwards. */
  private recoverRenewal(now: number): void {
    const { order } = this.failedRenewal!;
    order.paid = order.amount;
    this.failedRenewal = null;
    this.cycles.addLateCharge(now);
    this.status = this.cancelAt === null ? "ACTIVE" : "PENDING_CANCEL";
  }

  /** Within the paid period a pause changes nothing; after it, and always for a postpaid plan, cycles begin anew. */
  private resumeAfterPause(now: number): void {
    if (!this.plan.isPostpaid && now < this.cycles.end) return;
    this.cycles.restartAt(now);
  }

  /** A postpaid subscription that stops is charged for its use until then. */
  private chargePartialPeriod(until: number, now: number): void {
    const { start, end } = this.cycles;
    if (!this.plan.isPostpaid || !this.isRunning || until <= start) return;
    this.ordersToCharge.push(
      this.addOrder("RECURRING", this.priceOfShare((until - start) / (end - start), until), now),
    );
  }

  private priceOfShare(share: number, end: number): number {
    const { plan, quantity, cycles, units } = this;
    if (!plan.isPostpaid) return periodPriceOf(plan, quantity);
    return Math.round(plan.price * share) + units.usedWithin(cycles.start, end) * UNIT_PRICE;
  }

  private addOrder(type: string, amount: number, at: number, quantityIncrease = 0): ModelOrder {
    const order = {
      type,
      at,
      amount,
      paid: 0,
      returned: 0,
      declineCount: 0,
      quantityIncrease,
      awaitedUntil: 0,
      isDropped: false,
    };
    this.orders.push(order);
    return order;
  }

  private markPaid(order: ModelOrder): void {
    order.paid = order.amount;
    this.quantity += order.quantityIncrease;
    if (this.plan.isMetered && !this.plan.isPostpaid) this.units.allowed = this.quantity;
  }

  private endWith(status: "CANCELED" | "EXPIRED"): void {
    this.status = status;
    // An unpaid change of a prepaid subscription ends with it.
    for (const order of this.orders)
      if (!this.plan.isPostpaid && isChangeOrder(order) && order.paid < order.amount) order.isDropped = true;
    this.failedRenewal = null;
    this.pauseAt = this.resumeAt = this.cancelAt = null;
  }
}
