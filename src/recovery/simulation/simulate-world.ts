import { fixedBaselines } from "./baselines.ts";
import { createCalendarCounter, countByCalendar, type CalendarCounts } from "./calendar-counter.ts";
import { RandomSource } from "./random-source.ts";
import { playWithPerfectForesight } from "./clairvoyant.ts";
import type { RetryStrategy } from "./retry-strategy.ts";
import { toEngineCase } from "./engine-case.ts";
import type { StoredModel } from "../engine/model/stored-model.ts";
import { engineStrategyOf, isLearnedPolicy } from "./engine-strategies.ts";
import { learnFromHistory, learnPrior, PRIOR_SEED } from "./learned-model.ts";
import { isHardDecline } from "./constrained-strategy.ts";
import type { WorldCases, PolicyOutcome } from "./policy-outcome.ts";
import { playPayments, toInitialHistory } from "./simulation-run.ts";
import { fingerprintOf, generatePayments } from "./population.ts";
import { InvalidWorldError, type FailedPayment, type World } from "./world.ts";

/** The names of the baselines that every report contains, in the order of the report. */
export const baselineNames: readonly string[] = [
  ...fixedBaselines.map(({ name }) => name),
  "calendar-counter",
  "clairvoyant",
];

/** The number of payments, the seed, and the length of the training history. */
export interface SimulationSize {
  cases: number;
  seed: number;
  /** The number of SMART's own attempts that it learned from before the report. With 0 it uses only the prior. */
  history: number;
  /** Which of several histories SMART has learned from, from 0; the payments of the report are the same. */
  historyNumber?: number;
  /** Cost of one try in the currency of its payment; SMART knows it. 0 if absent. */
  tryPrice?: number;
}

/** The training data of learning policies. */
export interface Training {
  /** The worlds of the training histories. If empty, other payments of the simulated world are used. */
  worlds: readonly World[];
  /** The prior of SMART's model. If null, SMART has no model. */
  prior: StoredModel | null;
  /** The prior's worlds. To simulate one of them, a prior is learned from the others. If empty, the prior is used as it is. */
  priorWorlds: readonly World[];
}

const DAY_MS = 86_400_000;
const NO_TRAINING: Training = { worlds: [], prior: null, priorWorlds: [] };

/** The random streams of one seed. Each purpose has its own, so that they do not influence each other. */
const randomStreams = { population: 1, attempts: 2, history: 3, historyTries: 4 };

/**
 * Simulates one world under one policy. Learning policies train on `training`, or on other generated payments of the
 * same world. @throws InvalidWorldError
 */
export function simulateWorld(
  world: World,
  policy: string,
  size: SimulationSize,
  training: Training = NO_TRAINING,
): { cases: WorldCases; outcome: PolicyOutcome } {
  const { cases, seed } = size;
  const random = new RandomSource(seed, randomStreams.population);
  const strategy = policy === "clairvoyant" ? null : createStrategy(world, policy, size, training);
  return withWorldName(world, () => {
    const payments = generatePayments(world, random, cases);
    return {
      cases: toWorldCases(world.name, payments),
      outcome: strategy
        ? playPayments(payments, strategy, random, [seed, randomStreams.attempts])
        : playWithPerfectForesight(payments),
    };
  });
}

function createStrategy(world: World, policy: string, size: SimulationSize, training: Training): RetryStrategy {
  const worlds = training.worlds.length > 0 ? training.worlds : [world];
  if (policy === "calendar-counter") return createCalendarCounter(learnCalendarCounts(worlds, size));
  const prior = isLearnedPolicy(policy) ? priorFor(world, training) : null;
  const model = prior && learnFromHistory(worlds, policy, prior, size.history, historySeed(size));
  const tryPrice = size.tryPrice ?? 0;
  const strategy = fixedBaselines.find(({ name }) => name === policy) ?? engineStrategyOf(policy, model, 0, tryPrice);
  if (!strategy) throw new Error(`There is no policy ${policy}.`);
  return strategy;
}

/** The seed of training histories: their payments differ from those of the report. */
const historySeed = ({ seed, historyNumber = 0 }: SimulationSize): number => seed + 1_000_003 * (1 + historyNumber);

const priorWithoutWorld = new Map<string, StoredModel>();

/** The given prior. If the world is one of the prior's own, a prior of its other worlds. */
function priorFor({ name }: World, { prior, priorWorlds }: Training): StoredModel | null {
  const others = priorWorlds.filter((other) => prior?.worlds.includes(other.name) && other.name !== name);
  if (!prior?.worlds.includes(name) || others.length === 0) return prior;
  const priorFromOthers = priorWithoutWorld.get(name) ?? learnPrior(others, PRIOR_SEED);
  priorWithoutWorld.set(name, priorFromOthers);
  return priorFromOthers;
}

/** Learns the counts from training payments of all worlds together. Each world has an equal part of the cases. */
function learnCalendarCounts(
  worlds: readonly World[],
  { cases, seed }: Pick<SimulationSize, "cases" | "seed">,
): CalendarCounts {
  const counts: CalendarCounts = new Map();
  const casesPerWorld = Math.ceil(cases / worlds.length);
  for (const [index, world] of worlds.entries()) {
    const random = new RandomSource(seed, randomStreams.history, index);
    withWorldName(world, () =>
      countByCalendar(
        { payments: generatePayments(world, random, casesPerWorld), chance: random },
        [seed, randomStreams.historyTries, index],
        counts,
      ),
    );
  }
  return counts;
}

/** Runs work on a world, and adds the world's name to its errors. */
function withWorldName<T>({ name }: World, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof InvalidWorldError ? new InvalidWorldError(`The world "${name}": ${error.message}`) : error;
  }
}

function toWorldCases(world: string, payments: readonly FailedPayment[]): WorldCases {
  const firstAt = payments[0]?.failedAt.getTime() ?? 0;
  return {
    world,
    fingerprint: fingerprintOf(payments),
    hard: Uint8Array.from(payments, (payment, index) =>
      isHardDecline(toEngineCase(toInitialHistory(payment, index))) ? 1 : 0,
    ),
    amounts: Float64Array.from(payments, ({ amount }) => amount),
    currencies: payments.map(({ currency }) => currency),
    failedAfterDays: Float64Array.from(payments, ({ failedAt }) => (failedAt.getTime() - firstAt) / DAY_MS),
  };
}
