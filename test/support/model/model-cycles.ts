import { DAY } from "../test-clock.ts";
import { boundary } from "./model-calendar.ts";
import type { ToldPlan } from "./model-plan.ts";

/** The periods of a subscription, one after the other, and where they end. Times are milliseconds. */
export class ToldCycles {
  /** They are counted from here; so many were charged. */
  private anchor: number;
  private charged: number;
  /** Periods that were charged, wherever they were counted from. */
  private renewals: number;
  /** When the term is over, whatever becomes of the subscription meanwhile. */
  private readonly termEnd: number | null;

  constructor(
    private readonly plan: ToldPlan,
    private readonly bornAt: number,
  ) {
    this.anchor = bornAt + plan.trial * DAY;
    this.charged = this.renewals = plan.isPostpaid || plan.trial > 0 ? 0 : 1;
    this.termEnd = plan.term === null ? null : this.anchor + plan.term * DAY;
  }

  /** Whether nothing was charged so far because the trial is not over. */
  get areTried(): boolean {
    return this.plan.trial > 0 && this.renewals === 0;
  }

  get start(): number {
    if (this.areTried) return this.bornAt;
    return this.boundary(this.plan.isPostpaid ? this.charged : this.charged - 1);
  }

  /** The end of the period under way, which is when the next charge is due. */
  get end(): number {
    return this.boundary(this.plan.isPostpaid ? this.charged + 1 : this.charged);
  }

  /** When the last of them ends: its term is over, or its count is reached, which a pause holds up. Null is never. */
  endOfAll(isPaused: boolean): number | null {
    const { count } = this.plan;
    if (count === null || isPaused) return this.termEnd;
    const last = this.charged + Math.max(count - this.renewals, 0);
    return Math.min(this.termEnd ?? Infinity, last > 0 ? this.boundary(last) : this.end);
  }

  charge(): void {
    this.charged++;
    this.renewals++;
  }

  /** Those that were missed while nothing was paid are not charged afterwards. */
  chargeLate(now: number): void {
    this.charge();
    while (this.end <= now) this.charged++;
  }

  restart(now: number): void {
    this.anchor = now;
    this.charged = 0;
  }

  private boundary(cycles: number): number {
    return boundary(this.anchor, this.plan.interval, cycles);
  }
}
