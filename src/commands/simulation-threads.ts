import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { WorldFault } from "../recovery/simulation/world.ts";
import type { SimulationJob, SimulationReply } from "./simulation-job.ts";

type Seen = Exclude<SimulationReply, { fault: string }>;

/** How many jobs are played at once. */
export const threads = availableParallelism();

/**
 * Plays jobs, each on a free thread, and answers in their order. What worlds print goes to standard error: standard output is the
 * report's alone. @throws WorldFault for the first that fails
 */
export async function playAll(jobs: readonly SimulationJob[]): Promise<Seen[]> {
  const workers = Array.from({ length: Math.min(threads, jobs.length) }, () => {
    const worker = new Worker(new URL("./recovery-simulate-worker.js", import.meta.url), {
      stdout: true,
      stderr: true,
    });
    worker.stdout.pipe(process.stderr, { end: false });
    worker.stderr.pipe(process.stderr, { end: false });
    return worker;
  });
  const seen: Seen[] = [];
  let next = 0;
  const playOn = async (worker: Worker): Promise<void> => {
    for (let index = next++; index < jobs.length; index = next++) seen[index] = await played(worker, jobs[index]!);
  };
  try {
    await Promise.all(workers.map(playOn));
    return seen;
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
}

const played = (worker: Worker, job: SimulationJob): Promise<Seen> =>
  new Promise<SimulationReply>((resolve, reject) => {
    worker.removeAllListeners("message").removeAllListeners("error").removeAllListeners("exit");
    worker.once("message", resolve);
    worker.once("error", reject);
    worker.once("exit", () => {
      reject(new WorldFault(`${job.file} ended its thread: a world must not call process.exit.`));
    });
    worker.postMessage(job);
  }).then((reply) => {
    if ("fault" in reply) throw new WorldFault(reply.fault);
    return reply;
  });
