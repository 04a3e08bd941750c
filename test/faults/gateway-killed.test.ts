import { expect, test } from "vitest";
import { build } from "../support/build.ts";
import { check } from "./harness/checker.ts";
import { session } from "./harness/databases.ts";
import { GatewayProcess } from "./harness/gateway-process.ts";
import { Load } from "./harness/load.ts";
import { hasPostgres15, Postgres15 } from "./harness/postgres15.ts";
import { limit, READY_AGAIN_MS, rounds, seen } from "./harness/rounds.ts";

/* the gateway dies, and PostgreSQL is somebody else's. */

const times = rounds(3, 30);

test.runIf(hasPostgres15)(
  `a gateway killed ${times} times under load has lost nothing that it acknowledged, and is ready again by itself`,
  async () => {
    await build();
    const server = await Postgres15.start();
    const settings = { DATABASE_URL: server.url };
    let gateway = await GatewayProcess.start(settings);
    const load = new Load(() => gateway.address);
    await load.start();
    const waits: number[] = [];
    for (let round = 0; round < times; round++) {
      await load.progress(50);
      await gateway.kill();
      const killed = Date.now();
      const next = GatewayProcess.launch(settings);
      await next.ready();
      gateway = next;
      waits.push(Date.now() - killed);
    }
    await load.progress(50);
    await load.stop();
    expect(await check(session(server.url), load.log)).toEqual([]);
    // Not one request was open when the gateway died: then this would have shown nothing.
    expect(load.log.some(({ tries }) => tries.some(({ status }) => status === undefined))).toBe(true);
    expect(Math.max(...waits)).toBeLessThan(READY_AGAIN_MS);
    seen(`R-1: ${load.taken} acknowledged, ready again after ${waits.join(", ")} ms`);
  },
  limit(times),
);
