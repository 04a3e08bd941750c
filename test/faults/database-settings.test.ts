import { beforeAll, expect, test } from "vitest";
import { openDatabase } from "../../src/database/client.ts";
import { withStatementTimeoutFor } from "../../src/kernel/statement-timeout.ts";
import { buildOnce } from "../support/build-once.ts";
import { onFileEnd } from "./harness/cleanup.ts";
import { adminSession, createDatabase } from "./harness/fault-databases.ts";
import { timeLimitMs } from "./harness/fault-rounds.ts";
import { GatewayProcess, TOKEN } from "./harness/gateway-process.ts";

/* DATABASE_POOL_SIZE and STATEMENT_TIMEOUT_SECONDS, from the environment to the sessions of the server. */

beforeAll(buildOnce);

test(
  "a gateway opens no more connections than DATABASE_POOL_SIZE, and a statement takes no longer than STATEMENT_TIMEOUT_SECONDS",
  async () => {
    const url = await createDatabase();
    const settings = { DATABASE_URL: url, DATABASE_POOL_SIZE: "3", STATEMENT_TIMEOUT_SECONDS: "2" };
    const gateway = await GatewayProcess.start(settings);
    const admin = adminSession(url);
    const read = () => fetch(`${gateway.address}/api/v1/customers?size=1`, { headers: { "secret-token": TOKEN } });
    await Promise.all(Array.from({ length: 30 }, async () => (await read()).text()));
    const [sessions] = await admin`select count(*)::int as open from pg_stat_activity
      where datname = current_database() and application_name = 'recoup'`;
    expect(sessions?.["open"]).toBe(3);
    const rival = await admin.reserve();
    await rival`begin`;
    await rival`lock table customers in access exclusive mode`;
    const startedAt = performance.now();
    const answer = await read();
    const seconds = (performance.now() - startedAt) / 1000;
    await rival`rollback`;
    rival.release();
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "1"]);
    expect(seconds).toBeGreaterThan(1.5);
    expect(seconds).toBeLessThan(10);
    expect((await read()).status).toBe(200);
  },
  timeLimitMs(1),
);

test("a large read, which has a timeout of its own, takes no longer than other statements", async () => {
  const database = openDatabase({ url: await createDatabase(), poolSize: 1, statementTimeoutMs: 200 });
  onFileEnd(() => database.close());
  const sleep = () => database.handle.execute("select pg_sleep(30)");
  await expect(sleep()).rejects.toMatchObject({ cause: { code: "57014" } });
  const large = withStatementTimeoutFor(2_000, async () => sleep());
  await expect(large).rejects.toMatchObject({ cause: { code: "QUERY_TOO_SLOW" } });
});
