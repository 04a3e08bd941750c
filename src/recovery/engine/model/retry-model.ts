import type { FactorKind } from "../../../../schema/vocabulary.ts";
import type { ModelFactor } from "../decision.ts";
import type { RecoveryCase } from "../recovery-case.ts";
import {
  CaseFeatures,
  CELLS_OF_SOURCE,
  type ArrivedSource,
  type AttemptCells,
  type UsualAmounts,
} from "./case-features.ts";
import { factorKindOf, toIncome, valueOfTime } from "./factors.ts";
import { roundToSixDigits } from "./rounding.ts";

/** The probability of an attempt as the model has it, before rounding. */
export interface ModelEstimate {
  logOdds: number;
  deviation: number;
  probability: number;
  low: number;
  high: number;
}

/** What an attempt at one time has over another, in logarithms of odds. */
export interface Advantage {
  mean: number;
  deviation: number;
}

const QUANTILE_97_5 = 1.959963984540054;
const sigmoid = (logOdds: number): number => 1 / (1 + Math.exp(-logOdds));

/** A fitted model: weights of the cells with their variances. */
export class RetryModel {
  constructor(
    readonly version: string,
    readonly weights: Float64Array,
    readonly variances: Float64Array,
    readonly usualAmounts: UsualAmounts,
  ) {}

  forCase(facts: RecoveryCase): ModelledCase {
    return new ModelledCase(this, new CaseFeatures(facts, this.usualAmounts));
  }
}

/** Number of factors that a decision names. */
const FACTORS = 5;
/** Smaller effects, of two per cent of the odds, are not named. */
const SMALLEST_EFFECT = 0.02;

/** The sums of a local day's weights. */
interface DaySums {
  own: number;
  sources: (ArrivedSource & { sum: number })[];
}

/** One case before the model. */
export class ModelledCase {
  private readonly days = new Map<number, DaySums>();
  /** Written anew for each time: a decision looks at hundreds. */
  private readonly hourCells: number[] = [];
  private readonly shares = new Map<number, Map<number, number>>();

  constructor(
    private readonly model: RetryModel,
    private readonly features: CaseFeatures,
  ) {}

  cellsAt(at: Date): AttemptCells {
    return this.features.cellsAt(at);
  }

  estimateAt(at: Date): ModelEstimate {
    const cells = this.features.cellsAt(at);
    const logOdds = this.logOddsOf(cells);
    let variance = 0;
    this.forEachShare(cells, (cell, share) => {
      variance += share * share * (this.model.variances[cell] as number);
    });
    const deviation = Math.sqrt(variance);
    return {
      logOdds,
      deviation,
      probability: sigmoid(logOdds),
      low: sigmoid(logOdds - QUANTILE_97_5 * deviation),
      high: sigmoid(logOdds + QUANTILE_97_5 * deviation),
    };
  }

  /** The log-odds of an attempt at a time: what does not depend on the hour is added up once a day. */
  logOddsAt(at: Date): number {
    const time = this.features.timeOf(at);
    const { own, sources } = this.sumsOf(time.day);
    let total = 1;
    for (const source of sources) {
      const [day, first] = this.features.sourceHourCells(source, time.hour);
      total += Math.exp(source.sum + (this.model.weights[day] as number) + (this.model.weights[first] as number));
    }
    this.hourCells.length = 0;
    this.features.addHourCells(time, this.hourCells);
    return own + this.sumWeights(this.hourCells) + Math.log(total);
  }

  private sumsOf(day: number): DaySums {
    const known = this.days.get(day);
    if (known) return known;
    const { own, sources } = this.features.dayCells(day);
    const sums = {
      own: this.sumWeights(this.features.caseCells) + this.sumWeights(own),
      sources: sources.map((source) => ({ ...source, sum: this.sumWeights(source.cells) })),
    };
    this.days.set(day, sums);
    return sums;
  }

  private sumWeights(cells: readonly number[]): number {
    let sum = 0;
    for (const cell of cells) sum += this.model.weights[cell] as number;
    return sum;
  }

  /** What an attempt at one time has over another. */
  advantage(at: Date, base: Date): Advantage {
    let variance = 0;
    for (const [cell, share] of this.differences(at, base))
      variance += share * share * (this.model.variances[cell] as number);
    return { mean: this.logOddsAt(at) - this.logOddsAt(base), deviation: Math.sqrt(variance) };
  }

  /** What speaks for and against a time in comparison with another: groups of effects, by what they do to the odds. */
  factorsOf(at: Date, base: Date): ModelFactor[] {
    const effects = new Map<FactorKind, number>();
    const add = (cells: readonly number[], sign: number) => {
      for (const cell of cells) {
        const kind = factorKindOf(cell);
        if (kind) effects.set(kind, (effects.get(kind) ?? 0) + sign * (this.model.weights[cell] as number));
      }
    };
    add(this.features.cellsAt(at).own, 1);
    add(this.features.cellsAt(base).own, -1);
    const time = this.features.timeOf(at);
    const isBankDay = this.features.isBankDay(time.day);
    const factors = [...effects].map(([kind, effect]) => ({ kind, value: valueOfTime(kind, time, isBankDay), effect }));
    const [income, baseIncome] = [this.incomeAt(at), this.incomeAt(base)];
    if (income.leading)
      factors.push({ ...toIncome(income.leading.source), effect: income.logTotal - baseIncome.logTotal });
    return factors
      .filter(({ effect }) => Math.abs(effect) >= SMALLEST_EFFECT)
      .sort((a, b) => Math.abs(b.effect) - Math.abs(a.effect))
      .slice(0, FACTORS)
      .map(({ kind, value, effect }) => ({ kind, value, odds: roundToSixDigits(Math.exp(effect)) }));
  }

  /** What the sources of money add to the log-odds of a time, and the one that adds most. */
  private incomeAt(at: Date): { logTotal: number; leading: ArrivedSource | null } {
    const time = this.features.timeOf(at);
    let [total, best] = [1, 0];
    let leading: ArrivedSource | null = null;
    for (const source of this.sumsOf(time.day).sources) {
      const odds = Math.exp(source.sum + this.sumWeights(this.features.sourceHourCells(source, time.hour)));
      total += odds;
      if (odds > best) [best, leading] = [odds, source];
    }
    return { logTotal: Math.log(total), leading };
  }

  /** By how much the log-odds of one time move more with each weight than those of another. */
  private differences(at: Date, base: Date): Map<number, number> {
    const shares = new Map(this.sharesAt(at));
    for (const [cell, share] of this.sharesAt(base)) {
      const difference = (shares.get(cell) ?? 0) - share;
      if (difference === 0) shares.delete(cell);
      else shares.set(cell, difference);
    }
    return shares;
  }

  /** How far the log-odds of a time move with each weight. */
  private sharesAt(at: Date): Map<number, number> {
    const known = this.shares.get(at.getTime());
    if (known) return known;
    const shares = new Map<number, number>();
    this.forEachShare(this.features.cellsAt(at), (cell, share) => {
      shares.set(cell, (shares.get(cell) ?? 0) + share);
    });
    this.shares.set(at.getTime(), shares);
    return shares;
  }

  private logOddsOf({ own, sources }: AttemptCells): number {
    let sum = 0;
    for (const cell of own) sum += this.model.weights[cell] as number;
    let total = 1;
    for (let at = 0; at < sources.length; at += CELLS_OF_SOURCE) total += Math.exp(this.sourceLogOdds(sources, at));
    return sum + Math.log(total);
  }

  private sourceLogOdds(sources: readonly number[], at: number): number {
    let sum = 0;
    for (let cell = at; cell < at + CELLS_OF_SOURCE; cell++)
      sum += this.model.weights[sources[cell] as number] as number;
    return sum;
  }

  /** How far the log-odds move with each weight. */
  private forEachShare({ own, sources }: AttemptCells, visit: (cell: number, share: number) => void): void {
    for (const cell of own) visit(cell, 1);
    let total = 1;
    const odds: number[] = [];
    for (let at = 0; at < sources.length; at += CELLS_OF_SOURCE) {
      const one = Math.exp(this.sourceLogOdds(sources, at));
      odds.push(one);
      total += one;
    }
    for (const [index, one] of odds.entries())
      for (let cell = index * CELLS_OF_SOURCE; cell < (index + 1) * CELLS_OF_SOURCE; cell++)
        visit(sources[cell] as number, one / total);
  }
}
