import type { Clock } from "../../src/kernel/clock.ts";

/** A clock that the test sets. */
export class TestClock implements Clock {
  constructor(private instant: Date) {}

  now(): Date {
    return new Date(this.instant);
  }

  /** Moves to an instant, or by some milliseconds. */
  setTo(instant: string | Date): void {
    this.instant = new Date(instant);
  }

  advance(milliseconds: number): void {
    this.instant = new Date(this.instant.getTime() + milliseconds);
  }
}

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
