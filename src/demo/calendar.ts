export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** Converts between dates and numbers of days before the current hour. */
export class DemoCalendar {
  readonly present: Date;

  constructor(now: Date) {
    this.present = new Date(Math.floor(now.getTime() / HOUR_MS) * HOUR_MS);
  }

  /** The time some days before the present, rounded to a minute. A negative number is in the future. */
  daysAgo(days: number): Date {
    return new Date(this.present.getTime() - Math.round((days * DAY_MS) / MINUTE_MS) * MINUTE_MS);
  }

  /** The number of days from an instant to the present, with its fraction. */
  daysSince(at: Date): number {
    return (this.present.getTime() - at.getTime()) / DAY_MS;
  }
}

export const addMilliseconds = (at: Date, milliseconds: number): Date => new Date(at.getTime() + milliseconds);
