import { beforeAll, describe, expect, test } from "vitest";
import { buildOnce } from "../support/build-once.ts";
import { findInconsistencies } from "./harness/consistency-checker.ts";
import { openSession } from "./harness/fault-databases.ts";
import { GatewayProcess } from "./harness/gateway-process.ts";
import { MerchantLoad } from "./harness/merchant-load.ts";
import { hasPostgres15, Postgres15 } from "./harness/postgres15.ts";
import { timeLimitMs, MAX_RESTART_MS, roundCount, logMeasurement } from "./harness/fault-rounds.ts";

/*
 * PostgreSQL goes away under the gateway and comes back. The checker accepts 503 with Retry-After as an answer,
 * and never 500.
 */

const times = roundCount(1, 10);

describe.runIf(hasPostgres15)("a gateway whose PostgreSQL is restarted under load", () => {
  let server: Postgres15;
  let gateway: GatewayProcess;

  beforeAll(async () => {
    await buildOnce();
    server = await Postgres15.start();
    gateway = await GatewayProcess.start({ DATABASE_URL: server.url });
  });

  test.each(["fast", "immediate"] as const)(
    "%s loses nothing, answers nothing worse than 503 with Retry-After, and works again by itself",
    async (mode) => {
      const load = new MerchantLoad(() => gateway.address);
      await load.start();
      const waits: number[] = [];
      for (let round = 0; round < times; round++) {
        await load.waitForProgress(60);
        await server.restart(mode);
        const back = Date.now();
        await load.waitForProgress(60);
        waits.push(Date.now() - back);
      }
      await load.stop();
      expect(gateway.isRunning).toBe(true);
      const sql = openSession(server.url);
      expect(await findInconsistencies(sql, load.log)).toEqual([]);
      await sql.end();
      const answers = load.log.flatMap(({ attempts }) => attempts);
      const outages = answers.filter(({ status }) => status === 503).length;
      logMeasurement(
        `R-4 ${mode}: ${load.acceptedCount} acknowledged, ${outages} answered 503, 60 more taken ${waits.join(", ")} ms after it was back, slowest answer ${load.slowestMs} ms`,
      );
      // Every request was answered, some of them while the database was down.
      expect(answers.filter(({ status }) => status === undefined)).toEqual([]);
      expect(answers.some(({ status }) => status === 503)).toBe(true);
      expect(Math.max(...waits)).toBeLessThan(MAX_RESTART_MS);
      // No request waits for a connection long after the others have theirs.
      expect(load.slowestMs).toBeLessThan(MAX_RESTART_MS);
    },
    timeLimitMs(times),
  );
});
