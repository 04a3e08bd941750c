import type { WorldCases, PolicyOutcome } from "../../recovery/simulation/policy-outcome.ts";
import type { SimulationSize } from "../../recovery/simulation/simulate-world.ts";

/** The simulation of one world under one policy, which one thread runs. */
export interface SimulationJob {
  file: string;
  policy: string;
  size: SimulationSize;
  /** Files of the worlds to train on. If empty, other payments of the world itself are used. */
  training: readonly string[];
  /** Files of the worlds of the published prior. If empty, the prior is used as it is. */
  priorWorlds: readonly string[];
}

/** The reply of a thread to a job: the results, or a sentence about the error. */
export type SimulationReply = { cases: WorldCases; outcome: PolicyOutcome } | { fault: string };
