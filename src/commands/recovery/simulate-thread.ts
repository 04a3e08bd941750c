import { parentPort } from "node:worker_threads";
import { publishedPrior } from "../../recovery/models/published-prior.ts";
import { simulateWorld } from "../../recovery/simulation/simulate-world.ts";
import { loadWorld } from "../../recovery/simulation/load-world.ts";
import { InvalidWorldError } from "../../recovery/simulation/world.ts";
import type { SimulationJob, SimulationReply } from "./simulation-job.ts";

/* A thread of `npm run recovery:simulate`. It runs one job after another. */

const work = async ({ file, policy, size, training, priorWorlds }: SimulationJob): Promise<SimulationReply> => {
  try {
    return simulateWorld(await loadWorld(file), policy, size, {
      worlds: await Promise.all(training.map(loadWorld)),
      prior: publishedPrior(),
      priorWorlds: await Promise.all(priorWorlds.map(loadWorld)),
    });
  } catch (error) {
    if (error instanceof InvalidWorldError) return { fault: error.message };
    throw error;
  }
};

parentPort?.on("message", (job: SimulationJob) => {
  void work(job).then((reply) => parentPort?.postMessage(reply));
});
