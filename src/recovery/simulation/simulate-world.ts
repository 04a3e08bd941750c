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

/** The names of what every report has, in its order. */
export const baselineNames: readonly string[] = [
  ...fixedBaselines.map(({ name }) => name),
  "calendar-counter",
  "clairvoyant",
];

/** How much is played, and from which chance. */
export interface SimulationSize {
  cases: number;
  seed: number;
  /** Attempts of its own that SMART has learned from before the report; 0 is the published prior alone. */
  history: number;
}

/** What learning policies learn from. */
export interface Training {
  /** Worlds of the histories; empty for other payments of the world itself. */
  worlds: readonly World[];
  /** What SMART knows before its own history; without it, it has no model. */
  prior: StoredModel | null;
  /** The worlds of that prior: for one of them, a prior is made from the others. Empty to take the prior as it is. */
  priorWorlds: readonly World[];
}

const NO_TRAINING: Training = { worlds: [], prior: null, priorWorlds: [] };

/** Purposes that one seed serves without one knowing of the other. */
const randomStreams = { population: 1, attempts: 2, history: 3, historyTries: 4 };

/**
 * Simulates one world under one policy. Learning policies train on `training`, or on other generated payments of the
 * same world. @throws InvalidWorldError
 */
export function simulateWorld(
  world: World,
  policy: string,
  { cases, seed, history }: SimulationSize,
  training: Training = NO_TRAINING,
): { cases: WorldCases; outcome: PolicyOutcome } {
  const random = new RandomSource(seed, randomStreams.population);
  const strategy = policy === "clairvoyant" ? null : createStrategy(world, policy, { cases, seed, history }, training);
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
  const model = prior && learnFromHistory(worlds, policy, prior, size.history, historySeed(size.seed));
  const strategy = fixedBaselines.find(({ name }) => name === policy) ?? engineStrategyOf(policy, model);
  if (!strategy) throw new Error(`There is no policy ${policy}.`);
  return strategy;
}

/** Histories are of other payments than those of the report. */
const historySeed = (seed: number): number => seed + 1_000_003;

const priorsWithout = new Map<string, StoredModel>();

/** The given prior; for one of the worlds that it was made from, a prior from the others. */
function priorFor({ name }: World, { prior, priorWorlds }: Training): StoredModel | null {
  const others = priorWorlds.filter((other) => prior?.worlds.includes(other.name) && other.name !== name);
  if (!prior?.worlds.includes(name) || others.length === 0) return prior;
  const fromOthers = priorsWithout.get(name) ?? learnPrior(others, PRIOR_SEED);
  priorsWithout.set(name, fromOthers);
  return fromOthers;
}

/** Counts over past payments of all worlds together, which share the number of cases among them. */
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

/** Work of a world whose faults name it. */
function withWorldName<T>({ name }: World, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof InvalidWorldError ? new InvalidWorldError(`The world "${name}": ${error.message}`) : error;
  }
}

function toWorldCases(world: string, payments: readonly FailedPayment[]): WorldCases {
  return {
    world,
    fingerprint: fingerprintOf(payments),
    hard: Uint8Array.from(payments, (payment, index) =>
      isHardDecline(toEngineCase(toInitialHistory(payment, index))) ? 1 : 0,
    ),
    amounts: Float64Array.from(payments, ({ amount }) => amount),
    currencies: payments.map(({ currency }) => currency),
  };
}
