import PgBoss from "pg-boss";
import type { FastifyBaseLogger } from "fastify";
import { withAdvisoryLock } from "../database/advisory-lock.ts";

/** The database of the queue, the names of its tasks, and the function that runs them. */
interface JobQueueOptions {
  url: string;
  names: readonly string[];
  runTask: (name: string) => Promise<void>;
  logger: FastifyBaseLogger;
}

/** An arbitrary number. Every version of the gateway must use the same one. */
const QUEUE_LOCK_KEY = 7_264_587_402;
const EVERY_MINUTE = "* * * * *";
const POLL_SECONDS = 15;
/** After this time, another worker may run the task of a worker that died. */
const EXPIRE_SECONDS = 120;

/** The queue that runs each task every minute, on one of all workers. */
export interface JobQueue {
  stop(): Promise<void>;
}

/** Starts the queue. It creates and migrates its tables in a schema of its own. */
export async function startJobQueue({ url, names, runTask, logger }: JobQueueOptions): Promise<JobQueue> {
  const boss = new PgBoss({ connectionString: url, max: 2, application_name: "recoup-jobs" });
  boss.on("error", (error) => logger.error({ error: error.message }, "the queue failed"));
  // Processes that create the queue's tables at the same time block each other. pg-boss's own lock does not prevent this.
  await withAdvisoryLock(url, QUEUE_LOCK_KEY, async () => {
    await boss.start();
    for (const name of names) {
      // The policy keeps one pending run per task, so runs do not pile up while no worker is running.
      await boss.createQueue(name, { name, policy: "stately", retryLimit: 0, expireInSeconds: EXPIRE_SECONDS });
      await boss.schedule(name, EVERY_MINUTE);
    }
  });
  for (const name of names) await boss.work(name, { pollingIntervalSeconds: POLL_SECONDS }, () => runTask(name));
  return { stop: () => boss.stop({ graceful: true, wait: true, timeout: 10_000 }) };
}
