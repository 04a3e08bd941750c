import type { Sql } from "postgres";
import PgBoss from "pg-boss";
import { SECRETS_KEY } from "../../support/test-gateway.ts";
import { GatewayProcess } from "./gateway-process.ts";
import { waitUntil } from "./wait-until.ts";

/** The tables of the work that a thread does; a process has one thread. */
const tables = { "recovery.train-model": "recovery_trainings", "recovery.pool-countries": "recovery_poolings" };

/** Starts a worker as a process of its own, has it run a task, and kills it while the task's thread fits a model. */
export async function killWorkerWhileFitting(databaseUrl: string, sql: Sql, task: keyof typeof tables): Promise<void> {
  const worker = GatewayProcess.launch({
    ROLE: "worker",
    DATABASE_URL: databaseUrl,
    SECRETS_KEY: SECRETS_KEY.toString("base64"),
    DEMO_DATA: "false",
  });
  await waitUntil("the worker had started", async () => worker.output.includes("Recoup works"), 90_000);
  // Its queue would begin the task within a minute.
  const queue = new PgBoss({ connectionString: databaseUrl, supervise: false, schedule: false, migrate: false });
  await queue.start();
  await queue.send(task, {});
  await waitUntil("the thread fitted", () => isFitting(sql, tables[task]), 240_000);
  await worker.kill();
  await queue.stop({ graceful: false });
  // For two minutes the queue would give the task to no other worker, and the next round would wait.
  await sql`delete from pgboss.job where name = ${task}`;
}

/**
 * Whether the thread does the task, has read its last page and fits: its connection has been idle for longer than the next page
 * takes. The worker finds other work for its thread too, such as a training of the night while it is to pool.
 */
async function isFitting(sql: Sql, table: string): Promise<boolean> {
  const found = await sql`select from pg_stat_activity where datname = current_database() and state = 'idle'
    and query like '%''registered ''%' and clock_timestamp() - state_change > interval '200 ms'
    and exists (select from ${sql(table)} where state = 'RUNNING')`;
  return found.length > 0;
}
