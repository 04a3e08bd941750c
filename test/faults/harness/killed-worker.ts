import type { Sql } from "postgres";
import PgBoss from "pg-boss";
import { SECRETS_KEY } from "../../support/test-gateway.ts";
import { GatewayProcess } from "./gateway-process.ts";
import { waitUntil } from "./wait-until.ts";

/** Starts a worker as a process of its own, has it run a task, and kills it while the task's thread fits a model. */
export async function killWorkerWhileFitting(databaseUrl: string, sql: Sql, task: string): Promise<void> {
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
  await waitUntil("the thread fitted", () => isFitting(sql), 240_000);
  await worker.kill();
  await queue.stop({ graceful: false });
  // For two minutes the queue would give the task to no other worker, and the next round would wait.
  await sql`delete from pgboss.job where name = ${task}`;
}

/** Whether the thread has read its last page and fits: its connection has been idle for longer than the next page takes. */
async function isFitting(sql: Sql): Promise<boolean> {
  const found = await sql`select from pg_stat_activity where datname = current_database() and state = 'idle'
    and query like '%''registered ''%' and clock_timestamp() - state_change > interval '200 ms'`;
  return found.length > 0;
}
