import PgBoss from "pg-boss";
import type { FastifyBaseLogger } from "fastify";
import { withAdvisoryLock } from "../database/advisory-lock.ts";

/** Work by its name. */
interface JobQueueOptions {
  url: string;
  names: readonly string[];
  runTask: (name: string) => Promise<void>;
  logger: FastifyBaseLogger;
}

/** Any number will do, as long as every version uses the same one. */
const QUEUE_LOCK_KEY = 7_264_587_402;
const EVERY_MINUTE = "* * * * *";
const POLL_SECONDS = 15;
/** A worker that dies leaves its job to others after this. */
const EXPIRE_SECONDS = 120;

/** The queue of tasks that run every minute, on one of all workers. */
export interface JobQueue {
  stop(): Promise<void>;
}

/** Starts to take work from the queue. Its tables are in their own schema, which it migrates itself. */
export async function startJobQueue({ url, names, runTask, logger }: JobQueueOptions): Promise<JobQueue> {
  const boss = new PgBoss({ connectionString: url, max: 2, application_name: "recoup-jobs" });
  boss.on("error", (error) => logger.error({ error: error.message }, "the queue failed"));
  // Processes that create its tables at the same time block each other: its own lock does not prevent that.
  await withAdvisoryLock(url, QUEUE_LOCK_KEY, async () => {
    await boss.start();
    for (const name of names) {
      // One run of a minutely task is enough, however long no worker was running.
      await boss.createQueue(name, { name, policy: "stately", retryLimit: 0, expireInSeconds: EXPIRE_SECONDS });
      await boss.schedule(name, EVERY_MINUTE);
    }
  });
  for (const name of names) await boss.work(name, { pollingIntervalSeconds: POLL_SECONDS }, () => runTask(name));
  return { stop: () => boss.stop({ graceful: true, wait: true, timeout: 10_000 }) };
}
