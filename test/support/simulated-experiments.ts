import { groupBy } from "../../src/kernel/group-by.ts";
import { alphaOfEach, compareRates } from "../../src/recovery/experiments/arm-comparison.ts";
import type { PayerSums } from "../../src/recovery/experiments/rate.ts";
import { RandomSource } from "../../src/recovery/simulation/random-source.ts";

/** An experiment of a year with one arm and a holdout. */
export interface ExperimentSetting {
  payers: number;
  /** The share that is held out. */
  holdout: number;
  /** By how much the arm's chance to recover a case is higher. */
  effect: number;
  /** Mean number of cases of a payer. */
  repeats: number;
  /** Days after which a case is compared. */
  waitDays: number;
}

/** The case of a payer as the counts know it. */
export interface SimulatedCase {
  payer: number;
  day: number;
  amount: number;
  isRecovered: boolean;
}

const DAYS = 365;

/**
 * Lives through a year of an experiment, and looks at it after every day. @returns the first claim, by count or by amount; null
 * without one.
 */
export function runExperiment(setting: ExperimentSetting, seed: number): "BETTER" | "WORSE" | null {
  const random = new RandomSource(20_260, seed);
  const isHeldOut = Array.from({ length: setting.payers }, () => random.next() < setting.holdout);
  return findClaim(drawCases(setting, isHeldOut, random), isHeldOut, setting.waitDays);
}

/** Looks at the counts of every day. */
function findClaim(
  cases: readonly SimulatedCase[],
  isHeldOut: readonly boolean[],
  waitDays: number,
): "BETTER" | "WORSE" | null {
  const byDay = groupBy(cases, ({ day }) => day);
  const [arm, holdout] = [new ArmSums(), new ArmSums()];
  for (let day = 0; day + waitDays < DAYS; day++) {
    for (const one of byDay.get(day) ?? []) (isHeldOut[one.payer] ? holdout : arm).add(one);
    for (const by of ["count", "amount"] as const) {
      const difference = compareRates(arm[by], holdout[by], alphaOfEach(1));
      if (difference && difference.lower > 0) return "BETTER";
      if (difference && difference.upper < 0) return "WORSE";
    }
  }
  return null;
}

/** Payers differ in how often they fail, in how likely they pay then, and in what they owe. */
function drawCases(
  { payers, effect, repeats }: ExperimentSetting,
  isHeldOut: readonly boolean[],
  random: RandomSource,
): SimulatedCase[] {
  const cases: SimulatedCase[] = [];
  for (let payer = 0; payer < payers; payer++) {
    const chance = 0.3 + 0.6 * random.next();
    const amount = Math.exp(2 + 2 * random.next());
    const count = repeats === 1 ? 1 : 1 + Math.floor(random.next() * (2 * repeats - 1));
    for (let index = 0; index < count; index++) {
      const isRecovered = random.next() < chance + (isHeldOut[payer] ? 0 : effect);
      cases.push({ payer, day: Math.floor(random.next() * DAYS), amount, isRecovered });
    }
  }
  return cases;
}

/** The sums of an arm, kept case by case as the database keeps them. */
class ArmSums {
  readonly count = noSums();
  readonly amount = noSums();
  private readonly payers = new Map<number, { cases: number; recovered: number; amount: number; paid: number }>();

  add({ payer, amount, isRecovered }: SimulatedCase): void {
    const known = this.payers.get(payer) ?? { cases: 0, recovered: 0, amount: 0, paid: 0 };
    if (known.cases === 0) for (const sums of [this.count, this.amount]) sums.payers++;
    addCase(this.count, known.cases, known.recovered, 1, isRecovered);
    addCase(this.amount, known.amount, known.paid, amount, isRecovered);
    this.payers.set(payer, {
      cases: known.cases + 1,
      recovered: known.recovered + (isRecovered ? 1 : 0),
      amount: known.amount + amount,
      paid: known.paid + (isRecovered ? amount : 0),
    });
  }
}

const noSums = (): PayerSums => ({ payers: 0, whole: 0, part: 0, wholeSquared: 0, partSquared: 0, product: 0 });

function addCase(sums: PayerSums, whole: number, part: number, size: number, isRecovered: boolean): void {
  sums.whole += size;
  sums.wholeSquared += size * size + 2 * size * whole;
  sums.product += size * part;
  if (!isRecovered) return;
  sums.part += size;
  sums.partSquared += size * size + 2 * size * part;
  sums.product += size * (whole + size);
}
