import type { WorldCases, PolicyOutcome } from "../recovery/simulation/policy-outcome.ts";
import type { SimulationSize } from "../recovery/simulation/simulate-world.ts";

/** One world to be played under one policy, by a thread of its own. */
export interface SimulationJob {
  file: string;
  policy: string;
  size: SimulationSize;
  /** Files of the worlds to learn from; none for other payments of the world itself. */
  training: readonly string[];
}

/** What a thread answers to a job: what was seen, or a sentence about what is wrong. */
export type SimulationReply = { cases: WorldCases; outcome: PolicyOutcome } | { fault: string };
