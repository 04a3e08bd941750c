import type { FactorKind } from "../../../../schema/vocabulary.ts";
import type { ModelFactor } from "../decision.ts";
import { SOURCE_HOUR_GROUPS, sourceHourCells, sourceHourGroupOf, type ArrivedSource } from "./arrived-sources.ts";
import { CELLS_OF_SOURCE, type AttemptCells, type CaseFeatures } from "./case-features.ts";
import { cellCount } from "./cells.ts";
import { factorKindOf, toIncome, valueOfTime } from "./factors.ts";
import { logOddsOfCells, sourceLogOdds, toOdds } from "./log-odds.ts";
import type { RetryModel } from "./retry-model.ts";
import { toStatedOdds } from "./rounding.ts";

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

/** How far the log-odds move with each weight, while a difference is added up: one for all, since nothing waits meanwhile. */
const shareSums = new Float64Array(cellCount);

/** Number of factors that a decision names. */
const FACTORS = 5;
/** Smaller effects, of two per cent of the odds, are not named. */
const SMALLEST_EFFECT = 0.02;

/** The sums of a local day's weights. */
interface DaySums {
  own: number;
  /** Of each three hours. */
  week: readonly number[];
  /** The odds of the sources that have arrived, by their group of hours. */
  sourceOdds: Float64Array;
}

/** The cells that move the log-odds of a time, with how far each moves them. */
interface CellShares {
  cells: number[];
  shares: number[];
}

/** One case before the model. */
export class ModelledCase {
  private readonly days = new Map<number, DaySums>();
  private readonly shares = new Map<number, CellShares>();
  private readonly clock: (number | undefined)[] = [];
  private readonly caseSum: number;

  constructor(
    private readonly model: RetryModel,
    private readonly features: CaseFeatures,
  ) {
    this.caseSum = this.sumWeights(features.caseCells);
  }

  /** Number of attempts that taught the law of the last decline's class. */
  get familiarAttempts(): number {
    return this.model.triesOf(this.features.reason);
  }

  /** Number of attempts of the vendor's own that the model was fitted on. */
  get ownTries(): number {
    return this.model.ownTries;
  }

  /** The case after an attempt at a time that fails as the last one did. */
  afterFailureAt(at: Date): ModelledCase {
    return new ModelledCase(this.model, this.features.afterFailureAt(at));
  }

  cellsAt(at: Date): AttemptCells {
    return this.features.cellsAt(at);
  }

  estimateAt(at: Date): ModelEstimate {
    const cells = this.features.cellsAt(at);
    const logOdds = logOddsOfCells(this.model.weights, cells);
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

  /** The probability of an attempt at a time. */
  probabilityAt(at: Date): number {
    return sigmoid(this.logOddsAt(at));
  }

  /** The log-odds of an attempt at a time: what does not depend on the hour is added up once a day, since a decision looks at hundreds. */
  logOddsAt(at: Date): number {
    const { ms, day, hour } = this.features.timeOf(at);
    const { own, week, sourceOdds } = this.sumsOf(day);
    const factors = this.model.sourceHourFactors;
    let total = 1;
    for (let group = 0; group < SOURCE_HOUR_GROUPS; group++)
      total += (sourceOdds[group] as number) * (factors[group * 24 + hour] as number);
    this.clock[hour] ??= this.sumWeights(this.features.clockCells(hour));
    const passed = this.sumWeights(this.features.instantCells(ms));
    return this.caseSum + own + (week[Math.floor(hour / 3)] as number) + this.clock[hour] + passed + Math.log(total);
  }

  private sumsOf(day: number): DaySums {
    const known = this.days.get(day);
    if (known) return known;
    const { own, sources } = this.features.dayCells(day);
    const sourceOdds = new Float64Array(SOURCE_HOUR_GROUPS);
    for (const source of sources) {
      const group = sourceHourGroupOf(source);
      sourceOdds[group] = (sourceOdds[group] as number) + toOdds(this.sumWeights(source.cells));
    }
    const week = Array.from({ length: 8 }, (_, three) => this.sumWeights(this.features.weekCells(day, three * 3)));
    const sums = { own: this.sumWeights(own), week, sourceOdds };
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
    const [here, there] = [this.sharesAt(at), this.sharesAt(base)];
    addShares(here, 1);
    addShares(there, -1);
    const variance = takeVariance(here, this.model.variances) + takeVariance(there, this.model.variances);
    return { mean: this.logOddsAt(at) - this.logOddsAt(base), deviation: Math.sqrt(variance) };
  }

  /**
   * What speaks for and against a time in comparison with another: groups of effects, by what they do to the odds. `nextOdds` is by what it
   * multiplies those of the attempt after it.
   */
  factorsOf(at: Date, base: Date, nextOdds = 1): ModelFactor[] {
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
    factors.push({ kind: "NEXT_ATTEMPT", value: null, effect: Math.log(nextOdds) });
    const [income, baseIncome] = [this.incomeAt(at), this.incomeAt(base)];
    if (income.leading)
      factors.push({ ...toIncome(income.leading.source), effect: income.logTotal - baseIncome.logTotal });
    return factors
      .filter(({ effect }) => Math.abs(effect) >= SMALLEST_EFFECT)
      .sort((a, b) => Math.abs(b.effect) - Math.abs(a.effect))
      .slice(0, FACTORS)
      .map(({ kind, value, effect }) => ({ kind, value, odds: toStatedOdds(Math.exp(effect)) }));
  }

  /** What the sources of money add to the log-odds of a time, and the one that adds most. */
  private incomeAt(at: Date): { logTotal: number; leading: ArrivedSource | null } {
    const time = this.features.timeOf(at);
    let [total, best] = [1, 0];
    let leading: ArrivedSource | null = null;
    for (const source of this.features.dayCells(time.day).sources) {
      const odds = toOdds(this.sumWeights(source.cells) + this.sumWeights(sourceHourCells(source, time.hour)));
      total += odds;
      if (odds > best) [best, leading] = [odds, source];
    }
    return { logTotal: Math.log(total), leading };
  }

  /** How far the log-odds of a time move with each weight. */
  private sharesAt(at: Date): CellShares {
    const known = this.shares.get(at.getTime());
    if (known) return known;
    const found: CellShares = { cells: [], shares: [] };
    this.forEachShare(this.features.cellsAt(at), (cell, share) => {
      found.cells.push(cell);
      found.shares.push(share);
    });
    this.shares.set(at.getTime(), found);
    return found;
  }

  /** How far the log-odds move with each weight. */
  private forEachShare({ own, sources }: AttemptCells, visit: (cell: number, share: number) => void): void {
    for (const cell of own) visit(cell, 1);
    let total = 1;
    const odds: number[] = [];
    for (let at = 0; at < sources.length; at += CELLS_OF_SOURCE) {
      const one = toOdds(sourceLogOdds(this.model.weights, sources, at));
      odds.push(one);
      total += one;
    }
    for (const [index, one] of odds.entries())
      for (let cell = index * CELLS_OF_SOURCE; cell < (index + 1) * CELLS_OF_SOURCE; cell++)
        visit(sources[cell] as number, one / total);
  }
}

function addShares({ cells, shares }: CellShares, sign: 1 | -1): void {
  for (const [index, cell] of cells.entries())
    shareSums[cell] = (shareSums[cell] as number) + sign * (shares[index] as number);
}

/** The variance of the sums of some cells, which are 0 again afterwards. */
function takeVariance({ cells }: CellShares, variances: Float64Array): number {
  let variance = 0;
  for (const cell of cells) {
    const share = shareSums[cell] as number;
    variance += share * share * (variances[cell] as number);
    shareSums[cell] = 0;
  }
  return variance;
}
