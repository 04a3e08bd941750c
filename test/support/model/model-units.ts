/** Units of a metered plan: the units allowed in each period, and the used ones. Times are milliseconds. */
export class ModelUnits {
  private readonly used: { at: number; units: number }[] = [];

  /** @param allowed null is any number. */
  constructor(public allowed: number | null) {}

  recordUnits(units: number, at: number): void {
    this.used.push({ at, units });
  }

  /** The units used in a time range, whose end is exclusive. */
  usedWithin(start: number, end: number): number {
    const within = this.used.filter(({ at }) => at >= start && at < end);
    return within.reduce((sum, { units }) => sum + units, 0);
  }
}
