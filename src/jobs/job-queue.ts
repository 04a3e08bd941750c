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

/** The queue of what is done every minute, whoever of all workers does it. */
export interface JobQueue {
  stop(): Promise<void>;
}

/** Starts taking work from the queue. Its tables are a schema of their own, which it keeps itself. */
export async function startJobQueue({ url, names, runTask, logger }: JobQueueOptions): Promise<JobQueue> {
  const boss = new PgBoss({ connectionString: url, max: 2, application_name: "recoup-jobs" });
  boss.on("error", (error) => logger.error({ error: error.message }, "the queue failed"));
  // Those who make its tables at once lock each other out: its own lock does not keep them apart.
  await withAdvisoryLock(url, QUEUE_LOCK_KEY, async () => {
    await boss.start();
    for (const name of names) {
      // Of what comes every minute one is enough, however long nobody was there to do it.
      await boss.createQueue(name, { name, policy: "stately", retryLimit: 0, expireInSeconds: EXPIRE_SECONDS });
      await boss.schedule(name, EVERY_MINUTE);
    }
  });
  for (const name of names) await boss.work(name, { pollingIntervalSeconds: POLL_SECONDS }, () => runTask(name));
  return { stop: () => boss.stop({ graceful: true, wait: true, timeout: 10_000 }) };
}
