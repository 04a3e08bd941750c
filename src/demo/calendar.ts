export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** The past, counted back from the present hour. */
export class DemoCalendar {
  readonly present: Date;

  constructor(now: Date) {
    this.present = new Date(Math.floor(now.getTime() / HOUR_MS) * HOUR_MS);
  }

  /** So many days ago, at a whole minute. */
  daysAgo(days: number): Date {
    return new Date(this.present.getTime() - Math.round((days * DAY_MS) / MINUTE_MS) * MINUTE_MS);
  }

  /** Number of days since then. */
  daysSince(at: Date): number {
    return (this.present.getTime() - at.getTime()) / DAY_MS;
  }
}

/** So many milliseconds later. */
export const addMilliseconds = (at: Date, milliseconds: number): Date => new Date(at.getTime() + milliseconds);
