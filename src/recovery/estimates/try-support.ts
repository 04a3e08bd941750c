import { itemAt } from "../../kernel/required-values.ts";
import { minuteOfDay } from "../engine/local-time.ts";
import type { PastPayment } from "./past-payment.ts";

/*
 * Where a policy would try and the past has no tries, a model only guesses. A try counts as covered if the past has tries of its number,
 * of its quarter of the payer's day, and both earlier and later after the first failure.
 */

const DAY_MS = 86_400_000;
const QUARTERS = 4;
const QUARTER_IN_MINUTES = 360;
/** Tries of the past below which a kind of try counts as unknown. */
const MIN_TRIES = 20;
/** Ladders try on the same day to the second; a policy's try some hours later is like it. */
const TOLERANCE_DAYS = 1;
/** Shares of the past tries that are earlier, and later, than those that count. */
const MARGIN = 0.005;

/** How far the past has tries where a policy would try. */
export interface Support {
  /** The share of what the policy would recover that comes from tries like those of the past: 0 to 1. */
  covered: number;
  /** How many payments of the past would say as much if each had been tried as the policy tries (Kish, Survey Sampling, 1965). */
  effectiveCases: number;
}

/** A try that a policy plans, with the share of a payment that it is expected to recover. */
export interface ExpectedTry {
  payment: PastPayment;
  /** 1 for the first try after the failure. */
  number: number;
  at: Date;
  expected: number;
}

const daysAfterFailure = ({ tries }: PastPayment, at: Date): number =>
  (at.getTime() - itemAt(tries, 0).at.getTime()) / DAY_MS;

const quarterOf = ({ zone }: PastPayment, at: Date): number => Math.floor(minuteOfDay(at, zone) / QUARTER_IN_MINUTES);

/** The tries of the past, which a policy's tries are compared with. */
export class TrySupport {
  private readonly byCell = new Map<number, number>();
  private readonly byNumber: number[] = [];
  private readonly byQuarter = new Uint32Array(QUARTERS);
  /** The days after the failure that part the past tries into thirds: with the quarter, the cells in which tries are compared. */
  private readonly thirds: readonly [first: number, second: number];
  private readonly firstDay: number;
  private readonly lastDay: number;
  private readonly payments: number;

  constructor(payments: readonly PastPayment[]) {
    const days: number[] = [];
    for (const payment of payments)
      for (let number = 1; number < payment.tries.length; number++) {
        const { at } = itemAt(payment.tries, number);
        const quarter = quarterOf(payment, at);
        this.byNumber[number] = (this.byNumber[number] ?? 0) + 1;
        this.byQuarter[quarter] = itemAt(this.byQuarter, quarter) + 1;
        days.push(daysAfterFailure(payment, at));
      }
    days.sort((a, b) => a - b);
    this.thirds = [days[Math.floor(days.length / 3)] ?? 0, days[Math.floor((days.length * 2) / 3)] ?? 0];
    for (const payment of payments)
      for (const { at } of payment.tries.slice(1)) {
        const cell = this.cellOf(payment, at);
        this.byCell.set(cell, (this.byCell.get(cell) ?? 0) + 1);
      }
    this.firstDay = (days[Math.floor(days.length * MARGIN)] ?? Infinity) - TOLERANCE_DAYS;
    this.lastDay = (days[Math.ceil(days.length * (1 - MARGIN)) - 1] ?? -Infinity) + TOLERANCE_DAYS;
    this.payments = payments.length;
  }

  /** Compares the tries of a policy with those of the past. */
  compare(planned: Iterable<ExpectedTry>): Support {
    const wanted = new Map<number, number>();
    let [total, covered, squares] = [0, 0, 0];
    for (const one of planned) {
      total += one.expected;
      if (!this.isCovered(one)) continue;
      covered += one.expected;
      const cell = this.cellOf(one.payment, one.at);
      wanted.set(cell, (wanted.get(cell) ?? 0) + one.expected);
    }
    for (const [cell, expected] of wanted) squares += (expected * expected) / Math.max(1, this.byCell.get(cell) ?? 0);
    return {
      covered: total > 0 ? covered / total : 0,
      effectiveCases: squares > 0 ? Math.min(this.payments, Math.floor((covered * covered) / squares)) : 0,
    };
  }

  private cellOf(payment: PastPayment, at: Date): number {
    const days = daysAfterFailure(payment, at);
    const third = days < this.thirds[0] ? 0 : days < this.thirds[1] ? 1 : 2;
    return third * QUARTERS + quarterOf(payment, at);
  }

  private isCovered({ payment, number, at }: ExpectedTry): boolean {
    const days = daysAfterFailure(payment, at);
    return (
      days >= this.firstDay &&
      days <= this.lastDay &&
      (this.byNumber[number] ?? 0) >= MIN_TRIES &&
      itemAt(this.byQuarter, quarterOf(payment, at)) >= MIN_TRIES
    );
  }
}
