import { itemAt } from "../kernel/required-values.ts";
const CODE_CHARACTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** Chance that falls the same way each time. */
export class SeededRandom {
  constructor(private state: number) {}

  /** A whole number from 0, below the end. */
  integerBelow(end: number): number {
    // One step of a linear congruential generator; its upper bits are the ones that look like chance.
    this.state = (Math.imul(this.state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((this.state / 2 ** 32) * end);
  }

  /** A whole number between two, both of which it can be. */
  integerBetween(min: number, max: number): number {
    return min + this.integerBelow(max - min + 1);
  }

  pick<T>(list: readonly T[]): T {
    return itemAt(list, this.integerBelow(list.length));
  }

  /** Whether something happens that does in so many of a hundred cases. */
  chance(percent: number): boolean {
    return this.integerBelow(100) < percent;
  }

  code(length: number): string {
    return Array.from({ length }, () => this.pick([...CODE_CHARACTERS])).join("");
  }

  /** A unique id that looks like one of chance. */
  uuid(): string {
    const digits = Array.from({ length: 32 }, () => this.integerBelow(16).toString(16)).join("");
    return digits.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, "$1-$2-4$3-8$4-$5");
  }
}
