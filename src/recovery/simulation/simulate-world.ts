import { fixedBaselines } from "./baselines.ts";
import { calendarCounter, countByCalendar, type CalendarCounts } from "./calendar-counter.ts";
import { Chance } from "./random-source.ts";
import { clairvoyant } from "./clairvoyant.ts";
import type { Contender } from "./retry-strategy.ts";
import { caseOf } from "./engine-case.ts";
import { enginePolicy } from "./engine-strategies.ts";
import { isHard } from "./constrained-strategy.ts";
import type { Cases, Outcome } from "./policy-outcome.ts";
import { play, storyOf } from "./simulation-run.ts";
import { fingerprint, populate } from "./population.ts";
import { WorldFault, type FailedPayment, type World } from "./world.ts";

/** The names of what every report has, in its order. */
export const baselineNames: readonly string[] = [
  ...fixedBaselines.map(({ name }) => name),
  "calendar-counter",
  "clairvoyant",
];

/** How much is played, and from which chance. */
export interface Size {
  cases: number;
  seed: number;
}

/** Purposes that one seed serves without one knowing of the other. */
const streams = { population: 1, attempts: 2, history: 3, historyTries: 4 };

/** Plays one world under one policy. What learns does so from `training`, or from other payments of the world itself, drawn anew. @throws WorldFault */
export function simulate(
  world: World,
  policy: string,
  { cases, seed }: Size,
  training: readonly World[],
): { cases: Cases; outcome: Outcome } {
  const chance = new Chance(seed, streams.population);
  const contender =
    policy === "clairvoyant" ? null : contenderOf(policy, training.length > 0 ? training : [world], { cases, seed });
  return told(world, () => {
    const payments = populate(world, chance, cases);
    return {
      cases: casesOf(world.name, payments),
      outcome: contender ? play(payments, contender, chance, [seed, streams.attempts]) : clairvoyant(payments),
    };
  });
}

function contenderOf(policy: string, past: readonly World[], size: Size): Contender {
  if (policy === "calendar-counter") return calendarCounter(learn(past, size));
  const contender = fixedBaselines.find(({ name }) => name === policy) ?? enginePolicy(policy, null);
  if (!contender) throw new Error(`There is no policy ${policy}.`);
  return contender;
}

/** Counts over past payments of all worlds together, which share the number of cases among them. */
function learn(worlds: readonly World[], { cases, seed }: Size): CalendarCounts {
  const counts: CalendarCounts = new Map();
  const each = Math.ceil(cases / worlds.length);
  for (const [index, world] of worlds.entries()) {
    const chance = new Chance(seed, streams.history, index);
    told(world, () =>
      countByCalendar({ payments: populate(world, chance, each), chance }, [seed, streams.historyTries, index], counts),
    );
  }
  return counts;
}

/** Work of a world whose faults name it. */
function told<T>({ name }: World, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof WorldFault ? new WorldFault(`The world "${name}": ${error.message}`) : error;
  }
}

function casesOf(world: string, payments: readonly FailedPayment[]): Cases {
  return {
    world,
    fingerprint: fingerprint(payments),
    hard: Uint8Array.from(payments, (payment, index) => (isHard(caseOf(storyOf(payment, index))) ? 1 : 0)),
    amounts: Float64Array.from(payments, ({ amount }) => amount),
    currencies: payments.map(({ currency }) => currency),
  };
}
