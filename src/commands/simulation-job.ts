import type { WorldCases, PolicyOutcome } from "../recovery/simulation/policy-outcome.ts";
import type { SimulationSize } from "../recovery/simulation/simulate-world.ts";

/** One world to be played under one policy, by a thread of its own. */
export interface SimulationJob {
  file: string;
  policy: string;
  size: SimulationSize;
  /** Files of the worlds to learn from; none for other payments of the world itself. */
  training: readonly string[];
  /** Files of the worlds of the published prior; none to take it as it is. */
  priorWorlds: readonly string[];
}

/** The reply of a thread to a job: the results, or a sentence about the error. */
export type SimulationReply = { cases: WorldCases; outcome: PolicyOutcome } | { fault: string };
