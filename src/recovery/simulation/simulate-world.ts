import { fixedBaselines } from "./baselines.ts";
import { createCalendarCounter, countByCalendar, type CalendarCounts } from "./calendar-counter.ts";
import { RandomSource } from "./random-source.ts";
import { playWithPerfectForesight } from "./clairvoyant.ts";
import type { RetryStrategy } from "./retry-strategy.ts";
import { toEngineCase } from "./engine-case.ts";
import { engineStrategyOf } from "./engine-strategies.ts";
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
}

/** Purposes that one seed serves without one knowing of the other. */
const randomStreams = { population: 1, attempts: 2, history: 3, historyTries: 4 };

/**
 * Simulates one world under one policy. Learning policies train on `training`, or on other generated payments of the
 * same world. @throws InvalidWorldError
 */
export function simulateWorld(
  world: World,
  policy: string,
  { cases, seed }: SimulationSize,
  training: readonly World[],
): { cases: WorldCases; outcome: PolicyOutcome } {
  const random = new RandomSource(seed, randomStreams.population);
  const strategy =
    policy === "clairvoyant" ? null : createStrategy(policy, training.length > 0 ? training : [world], { cases, seed });
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

function createStrategy(policy: string, trainingWorlds: readonly World[], size: SimulationSize): RetryStrategy {
  if (policy === "calendar-counter") return createCalendarCounter(learnCalendarCounts(trainingWorlds, size));
  const strategy = fixedBaselines.find(({ name }) => name === policy) ?? engineStrategyOf(policy);
  if (!strategy) throw new Error(`There is no policy ${policy}.`);
  return strategy;
}

/** Counts over past payments of all worlds together, which share the number of cases among them. */
function learnCalendarCounts(worlds: readonly World[], { cases, seed }: SimulationSize): CalendarCounts {
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
