import type { FastifyBaseLogger } from "fastify";
import type { Database } from "./database/client.ts";
import type { Contexts } from "./graphql/context.ts";
import { repositoriesOn } from "./graphql/repositories.ts";
import { startQueue } from "./jobs/job-queue.ts";
import { tasks } from "./jobs/scheduled-tasks.ts";
import { WorkRepository } from "./jobs/due-work.repository.ts";
import { Worker } from "./jobs/worker.ts";
import type { Clock } from "./kernel/clock.ts";

/** What a process works with. */
interface WorkerParts {
  contexts: Contexts;
  database: Database;
  clock: Clock;
  logger: FastifyBaseLogger;
  /** Where the queue keeps what is done every minute. */
  url: string;
}

/** A worker that looks for work until it is stopped. */
export interface RunningWorker {
  /** Ends what is under way. */
  stop(): Promise<void>;
}

/** Starts to do what time brings, beside a gateway or by itself. */
export async function startWorker({ contexts, database, clock, logger, url }: WorkerParts): Promise<RunningWorker> {
  const work = new WorkRepository(database.handle);
  const { vendors } = repositoriesOn(database.handle);
  const vendorOf = (id: number) => vendors.byId(id);
  const worker = new Worker({ contexts, work, vendorOf, now: () => clock.now(), logger });
  const queue = await startQueue({
    url,
    names: Object.keys(tasks),
    perform: (name) => worker.perform(name),
    logger,
  });
  worker.start();
  return {
    stop: async () => {
      await Promise.all([worker.stop(), queue.stop()]);
    },
  };
}
