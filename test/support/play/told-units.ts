/** Units of a metered plan: those that may be used in each period, and those that were used. Times are milliseconds. */
export class ToldUnits {
  private used: { at: number; units: number }[] = [];

  /** @param allowed null is any number. */
  constructor(public allowed: number | null) {}

  use(units: number, at: number): void {
    this.used.push({ at, units });
  }

  usedSince(start: number): number {
    return sum(this.used.filter(({ at }) => at >= start));
  }

  /** Those that were used before an instant; they are not told again. */
  takenUntil(end: number): number {
    const taken = this.used.filter(({ at }) => at < end);
    this.used = this.used.filter(({ at }) => at >= end);
    return sum(taken);
  }

  forget(): void {
    this.used = [];
  }
}

const sum = (used: readonly { units: number }[]): number => used.reduce((total, { units }) => total + units, 0);
