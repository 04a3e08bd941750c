/** Units of a metered plan: those that may be used in each period, and those that were used. Times are milliseconds. */
export class ModelUnits {
  private readonly used: { at: number; units: number }[] = [];

  /** @param allowed null is any number. */
  constructor(public allowed: number | null) {}

  recordUnits(units: number, at: number): void {
    this.used.push({ at, units });
  }

  /** Those that were used in a time, whose end is no part of it. */
  usedWithin(start: number, end: number): number {
    const within = this.used.filter(({ at }) => at >= start && at < end);
    return within.reduce((sum, { units }) => sum + units, 0);
  }
}
