import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { itemAt } from "../../kernel/required-values.ts";
import { InvalidWorldError } from "../../recovery/simulation/world.ts";
import type { SimulationJob, SimulationReply } from "./simulation-job.ts";
import { projectFile } from "../../kernel/project-files.ts";

type SimulationResult = Exclude<SimulationReply, { fault: string }>;

/** The number of jobs that run at the same time. */
export const threadCount = availableParallelism();

/**
 * Runs each job on a free thread, and returns the results in order. The output of worlds goes to standard error, because
 * standard output is for the report. @throws InvalidWorldError of the first job that fails.
 */
export async function runJobs(jobs: readonly SimulationJob[]): Promise<SimulationResult[]> {
  const workers = Array.from({ length: Math.min(threadCount, jobs.length) }, () => {
    const worker = new Worker(projectFile("dist/src/commands/recovery/simulate-thread.js"), {
      stdout: true,
      stderr: true,
    });
    worker.stdout.pipe(process.stderr, { end: false });
    worker.stderr.pipe(process.stderr, { end: false });
    return worker;
  });
  const results: SimulationResult[] = [];
  let next = 0;
  const runNextJobs = async (worker: Worker): Promise<void> => {
    for (let index = next++; index < jobs.length; index = next++)
      results[index] = await runJob(worker, itemAt(jobs, index));
  };
  try {
    await Promise.all(workers.map(runNextJobs));
    return results;
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
}

const runJob = (worker: Worker, job: SimulationJob): Promise<SimulationResult> =>
  new Promise<SimulationReply>((resolve, reject) => {
    worker.removeAllListeners("message").removeAllListeners("error").removeAllListeners("exit");
    worker.once("message", resolve);
    worker.once("error", reject);
    worker.once("exit", () => {
      reject(new InvalidWorldError(`${job.file} ended its thread: a world must not call process.exit.`));
    });
    worker.postMessage(job);
  }).then((reply) => {
    if ("fault" in reply) throw new InvalidWorldError(reply.fault);
    return reply;
  });
