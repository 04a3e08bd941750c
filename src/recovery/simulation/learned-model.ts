import { firstOf, itemAt } from "../../kernel/required-values.ts";
import { CaseFeatures, type UsualAmounts } from "../engine/model/case-features.ts";
import { CellPatterns } from "../engine/model/training/cell-patterns.ts";
import { countByClass, fitWeights, vaguePrior, type FittedWeights } from "../engine/model/training/fit-model.ts";
import type { RetryModel } from "../engine/model/retry-model.ts";
import { readStoredModel, toPrior, toStoredModel, type StoredModel } from "../engine/model/stored-model.ts";
import { joinTables, TryCollector } from "../engine/model/training/training-tries.ts";
import { toEngineCase } from "./engine-case.ts";
import { engineStrategyOf } from "./engine-strategies.ts";
import { generatePayments } from "./population.ts";
import { constrainedStrategy } from "./constrained-strategy.ts";
import { RandomSource } from "./random-source.ts";
import type { RetryStrategy } from "./retry-strategy.ts";
import { playPayments, WINDOW_MS } from "./simulation-run.ts";
import type { FailedPayment, World } from "./world.ts";

/* Trains SMART's models for simulations. The training payments are never those that the report is about. */

const HOUR_MS = 3_600_000;

/** The random streams of one seed. Each purpose has its own, so that they do not influence each other. */
const randomStreams = { priorPayments: 11, priorCharges: 12, historyPayments: 13, historyCharges: 14, randomTimes: 15 };

/** Shares of the history after which the model is fitted again, as the gateway does each night. */
const REFITS = [0.25, 0.5, 1];
const HISTORY_EXPLORATION = 0.1;
/** The most batches of payments in a history. Without a limit, a world of hard declines would never yield enough attempts. */
const MAX_BATCHES = 60;

/** The seed of the published prior. */
export const PRIOR_SEED = 1;
/** Attempts of the published prior from each world. */
const TRIES_PER_WORLD = 4000;
const PRIOR_TRIES_PER_CASE = 8;
const PRIOR_EXPLORATION = 0.5;

/**
 * Learns a prior from worlds. Half of the attempts are at random times. The other half are at times that a model of the
 * first half chooses, with much exploration. The weights are fitted on all worlds together. The variance of each block
 * is the mean of the variances of the single worlds around these weights. The same worlds and seed give the same model.
 */
export function learnPrior(worlds: readonly World[], seed: number, triesPerWorld = TRIES_PER_WORLD): StoredModel {
  const usualAmounts = usualAmountsOf(
    worlds.flatMap((world, index) => generatePayments(world, new RandomSource(seed, 0, index), 500)),
  );
  const patterns = new CellPatterns();
  const triesOf = worlds.map(() => new TryCollector(patterns));
  const collect = (strategyOf: (random: RandomSource) => RetryStrategy, round: number) => {
    for (const [index, world] of worlds.entries())
      collectTries(world, strategyOf, usualAmounts, itemAt(triesOf, index), triesPerWorld / 2, [seed, round, index]);
    return triesOf.map((tries) => tries.toTable());
  };
  const about = { worlds: worlds.map(({ name }) => name), usualAmounts };
  const firstTables = collect(randomStrategy, 0);
  const first = fitWeights(joinTables(firstTables), vaguePrior());
  const model = readStoredModel(toStoredModel(first, { ...about, tries: 0 }, true));
  const tables = collect(() => smartStrategy(`SMART-${PRIOR_TRIES_PER_CASE}`, model, PRIOR_EXPLORATION), 1);
  const all = joinTables(tables);
  const fitted = fitWeights(all, vaguePrior(), first.weights);
  const prior = { means: fitted.weights, blockVariances: fitted.blockVariances };
  const variancesByWorld = tables.map((table) => fitWeights(table, prior).blockVariances);
  const blockVariances = fitted.blockVariances.map((_, block) =>
    meanOf(variancesByWorld.map((variances) => itemAt(variances, block))),
  );
  const classTries = familiarTries(tables.map(countByClass));
  return toStoredModel({ ...fitted, blockVariances, classTries }, { ...about, tries: all.count }, true);
}

/** Worlds that must agree on the law of a class: what fewer of them teach may be of those worlds alone. */
const AGREEING_WORLDS = 3;

/** Of each class, as many attempts as the third of the worlds has, ordered by their number. */
const familiarTries = (ofWorlds: readonly Float64Array[]): Float64Array =>
  firstOf(ofWorlds).map((_, index) => {
    const counts = ofWorlds.map((world) => itemAt(world, index)).sort((a, b) => b - a);
    return counts[AGREEING_WORLDS - 1] ?? 0;
  });

const meanOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Trains a policy's model, from a prior, on a number of the policy's own attempts in other payments of the worlds. */
export function learnFromHistory(
  worlds: readonly World[],
  policy: string,
  prior: StoredModel,
  attemptCount: number,
  seed: number,
): RetryModel {
  let model = readStoredModel(prior);
  let fitted: FittedWeights | null = null;
  const tries = new TryCollector();
  const about = { worlds: [], usualAmounts: { ...prior.usualAmounts } };
  for (const [round, share] of REFITS.entries()) {
    const missing = Math.ceil((attemptCount * share - tries.count) / worlds.length);
    if (missing <= 0) continue;
    for (const [index, world] of worlds.entries()) {
      if (round === 0)
        Object.assign(
          about.usualAmounts,
          usualAmountsOf(generatePayments(world, new RandomSource(seed, 0, index), 500)),
        );
      const currentModel = model;
      const strategy = () => smartStrategy(policy, currentModel, HISTORY_EXPLORATION);
      collectTries(world, strategy, about.usualAmounts, tries, missing, [seed, 2 + round, index]);
    }
    fitted = fitWeights(tries.toTable(), toPrior(prior), fitted?.weights);
    model = readStoredModel(toStoredModel(fitted, { ...about, tries: tries.count }));
  }
  return model;
}

/** Simulates payments of a world until a number of attempts is collected. */
function collectTries(
  world: World,
  strategyOf: (random: RandomSource) => RetryStrategy,
  usualAmounts: UsualAmounts,
  collector: TryCollector,
  attemptCount: number,
  keys: readonly number[],
): void {
  const goal = collector.count + attemptCount;
  const batch = Math.max(50, Math.ceil(attemptCount / 4));
  for (let round = 0; collector.count < goal && round < MAX_BATCHES; round++) {
    const payments = generatePayments(world, new RandomSource(...keys, randomStreams.historyPayments, round), batch);
    const strategy = strategyOf(new RandomSource(...keys, randomStreams.randomTimes, round));
    const collecting: RetryStrategy = {
      ...strategy,
      observe: (history, at, approved) => {
        if (collector.count < goal)
          collector.add(new CaseFeatures(toEngineCase(history), usualAmounts).cellsAt(at), approved);
      },
    };
    playPayments(payments, collecting, new RandomSource(), [...keys, randomStreams.historyCharges, round]);
  }
}

function smartStrategy(policy: string, model: RetryModel, exploration: number): RetryStrategy {
  const strategy = engineStrategyOf(policy, model, exploration);
  if (!strategy) throw new Error(`There is no policy ${policy}.`);
  return strategy;
}

/** Plans attempts at random times: the remaining time is divided by the number of remaining attempts. */
const randomStrategy = (random: RandomSource): RetryStrategy =>
  constrainedStrategy("random", "Random hours", ({ windowStart, declines }, now) => {
    const left = PRIOR_TRIES_PER_CASE + 1 - declines.length;
    if (left < 1) return null;
    const span = (windowStart.getTime() + WINDOW_MS - now.getTime()) / left;
    return { at: new Date(now.getTime() + HOUR_MS + Math.floor(random.next() * (span - HOUR_MS))), probability: null };
  });

/** The median amount of each currency, as a natural logarithm. */
function usualAmountsOf(payments: readonly FailedPayment[]): Record<string, number> {
  const byCurrency = new Map<string, number[]>();
  for (const { currency, amount } of payments) {
    const amounts = byCurrency.get(currency);
    if (amounts) amounts.push(amount);
    else byCurrency.set(currency, [amount]);
  }
  return Object.fromEntries(
    [...byCurrency].map(([currency, amounts]) => {
      amounts.sort((a, b) => a - b);
      return [currency, Math.log(Math.max(itemAt(amounts, amounts.length >> 1), firstOf(amounts), 1e-6))] as const;
    }),
  );
}
