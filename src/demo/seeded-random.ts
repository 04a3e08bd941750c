import { itemAt } from "../kernel/required-values.ts";
const CODE_CHARACTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** A pseudo-random number generator. The same seed gives the same values. */
export class SeededRandom {
  constructor(private state: number) {}

  /** An integer from 0 to `end` - 1. */
  integerBelow(end: number): number {
    // One step of a linear congruential generator. Only its upper bits are random enough.
    this.state = (Math.imul(this.state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((this.state / 2 ** 32) * end);
  }

  /** An integer from `min` to `max`, both included. */
  integerBetween(min: number, max: number): number {
    return min + this.integerBelow(max - min + 1);
  }

  pick<T>(list: readonly T[]): T {
    return itemAt(list, this.integerBelow(list.length));
  }

  /** True with a probability of `percent`. */
  chance(percent: number): boolean {
    return this.integerBelow(100) < percent;
  }

  code(length: number): string {
    return Array.from({ length }, () => this.pick([...CODE_CHARACTERS])).join("");
  }

  /** A pseudo-random UUID of version 4. */
  uuid(): string {
    const digits = Array.from({ length: 32 }, () => this.integerBelow(16).toString(16)).join("");
    return digits.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, "$1-$2-4$3-8$4-$5");
  }
}
