import { DAY } from "../test-clock.ts";
import { periodBoundary } from "./model-calendar.ts";
import type { ModelPlan } from "./model-plan.ts";

/** The periods of a subscription, one after the other, and where they end. Times are milliseconds. */
export class ModelCycles {
  /** They are counted from here; so many were charged. */
  private anchor: number;
  private chargedPeriods: number;
  /** Periods that were charged, wherever they were counted from. */
  private renewals: number;
  /** When the term is over, whatever becomes of the subscription meanwhile. */
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

  /** The end of the period under way, which is when the next charge is due. */
  get end(): number {
    return this.boundaryAfter(this.plan.isPostpaid ? this.chargedPeriods + 1 : this.chargedPeriods);
  }

  /** When the last of them ends: its term is over, or its count is reached, which a pause holds up. Null is never. */
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

  /** Those that were missed while nothing was paid are not charged afterwards. */
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
