import { DAY } from "../test-clock.ts";
import { periodBoundary } from "./model-calendar.ts";
import type { ModelPlan } from "./model-plan.ts";

/** The periods of a subscription, one after the other, and where they end. Times are milliseconds. */
export class ModelCycles {
  /** The start of their count, and how many were charged since. */
  private anchor: number;
  private chargedPeriods: number;
  /** Charged periods, whatever the start of their count. */
  private renewals: number;
  /** The end of the term, which no change of the subscription moves. */
  private readonly termEnd: number | null;

  constructor(
    private readonly plan: ModelPlan,
    private readonly startedAt: number,
  ) {
    this.anchor = startedAt + plan.trialDays * DAY;
    this.chargedPeriods = this.renewals = plan.isPostpaid || plan.trialDays > 0 ? 0 : 1;
    this.termEnd = plan.termDays === null ? null : this.anchor + plan.termDays * DAY;
  }

  /** Whether nothing was charged so far because the trial is not over. */
  get isInTrial(): boolean {
    return this.plan.trialDays > 0 && this.renewals === 0;
  }

  get start(): number {
    if (this.isInTrial) return this.startedAt;
    return this.boundaryAfter(this.plan.isPostpaid ? this.chargedPeriods : this.chargedPeriods - 1);
  }

  /** The end of the current period, which is when the next charge is due. */
  get end(): number {
    return this.boundaryAfter(this.plan.isPostpaid ? this.chargedPeriods + 1 : this.chargedPeriods);
  }

  /**
   * The end of the last one: the end of the term, or of the last counted period, which a pause defers. Null is never.
   */
  finalEnd(isPaused: boolean): number | null {
    const { maxPeriods } = this.plan;
    if (maxPeriods === null || isPaused) return this.termEnd;
    const last = this.chargedPeriods + Math.max(maxPeriods - this.renewals, 0);
    return Math.min(this.termEnd ?? Infinity, last > 0 ? this.boundaryAfter(last) : this.end);
  }

  addCharge(): void {
    this.chargedPeriods++;
    this.renewals++;
  }

  /** Periods that were missed while nothing was paid are not charged afterwards. */
  addLateCharge(now: number): void {
    this.addCharge();
    while (this.end <= now) this.chargedPeriods++;
  }

  restartAt(now: number): void {
    this.anchor = now;
    this.chargedPeriods = 0;
  }

  private boundaryAfter(cycles: number): number {
    return periodBoundary(this.anchor, this.plan.interval, cycles);
  }
}
