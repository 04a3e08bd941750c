import { OWN_PATTERNS, SOURCE_PATTERNS } from "./cell-patterns.ts";
import { SOURCE_COUNT } from "../cells.ts";
import type { TryTable } from "./training-tries.ts";

/** Sums beyond this count as it: a source has three, and the product of their odds must stay a number. */
const MAX_SUM = 200;

/**
 * What weights say of the attempts of a table, and how far the log-odds of an attempt move with its cells: with an own cell by 1, and with a
 * cell of a source by the share of that source in the sum. Attempts are asked one after the other, up to a million of them a hundred times.
 */
export class TryOdds {
  private readonly sums: Float64Array;
  private readonly factors: Float64Array;
  private readonly sharesOfPatterns: Float64Array;
  /** The odds of the sources of the attempt that was asked for last, and the sum that they are shares of. */
  private readonly odds = new Float64Array(SOURCE_COUNT);
  private readonly total = new Float64Array(1);

  constructor(
    private readonly tries: TryTable,
    weights: Float64Array,
  ) {
    this.sums = tries.patterns.sumsOf(weights);
    this.factors = this.sums.map((sum) => Math.exp(Math.min(MAX_SUM, Math.max(-MAX_SUM, sum))));
    this.sharesOfPatterns = new Float64Array(this.sums.length);
  }

  /** The log-odds of an attempt. */
  logOddsOf(index: number): number {
    const { sums, factors, odds } = this;
    const { own, sources, sourcesFrom } = this.tries;
    let sum = 0;
    for (let at = index * OWN_PATTERNS, until = at + OWN_PATTERNS; at < until; at++)
      sum += sums[own[at] as number] as number;
    let total = 1;
    const until = sourcesFrom[index + 1] as number;
    for (let source = 0, at = sourcesFrom[index] as number; at < until; source++, at += SOURCE_PATTERNS) {
      const one =
        (factors[sources[at] as number] as number) *
        (factors[sources[at + 1] as number] as number) *
        (factors[sources[at + 2] as number] as number);
      odds[source] = one;
      total += one;
    }
    this.total[0] = total;
    return sum + Math.log(total);
  }

  /** Adds to each cell of the attempt asked for last an amount times how far the log-odds move with it. */
  addShares(index: number, amount: number): void {
    this.addOwn(index, amount);
    const { odds, sharesOfPatterns: shares } = this;
    const { sources, sourcesFrom } = this.tries;
    const perOdds = amount / (this.total[0] as number);
    const until = sourcesFrom[index + 1] as number;
    for (let source = 0, at = sourcesFrom[index] as number; at < until; source++) {
      const part = perOdds * (odds[source] as number);
      for (const end = at + SOURCE_PATTERNS; at < end; at++) {
        const pattern = sources[at] as number;
        shares[pattern] = (shares[pattern] as number) + part;
      }
    }
  }

  /** The same with the square of how far they move. */
  addSquaredShares(index: number, amount: number): void {
    this.addOwn(index, amount);
    const { odds, sharesOfPatterns: shares } = this;
    const { sources, sourcesFrom } = this.tries;
    const total = this.total[0] as number;
    const until = sourcesFrom[index + 1] as number;
    for (let source = 0, at = sourcesFrom[index] as number; at < until; source++) {
      const share = (odds[source] as number) / total;
      for (const end = at + SOURCE_PATTERNS; at < end; at++) {
        const pattern = sources[at] as number;
        shares[pattern] = (shares[pattern] as number) + amount * share * share;
      }
    }
  }

  /** Adds to each cell what was added up for it. */
  takeShares(into: Float64Array): void {
    this.tries.patterns.addToCells(this.sharesOfPatterns, into);
  }

  private addOwn(index: number, amount: number): void {
    const { sharesOfPatterns: shares } = this;
    const { own } = this.tries;
    for (let at = index * OWN_PATTERNS, until = at + OWN_PATTERNS; at < until; at++) {
      const pattern = own[at] as number;
      shares[pattern] = (shares[pattern] as number) + amount;
    }
  }
}
