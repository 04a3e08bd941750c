import { beforeAll, expect, test } from "vitest";
import { build } from "../support/build-once.ts";
import { check } from "./harness/consistency-checker.ts";
import { session } from "./harness/fault-databases.ts";
import { survivesDeaths } from "./harness/kill-rounds.ts";
import { embeddedUrl, makeDataDir, postmasterOf } from "./harness/data-folders.ts";
import { GatewayProcess } from "./harness/gateway-process.ts";
import { Load } from "./harness/merchant-load.ts";
import { limit, READY_AGAIN_MS, rounds, seen } from "./harness/fault-rounds.ts";

/* the gateway dies, or the database server that came with it. */

const [kills, crashes] = [rounds(1, 20), rounds(1, 20)];
let settings: { DATA_DIR: string };

beforeAll(async () => {
  await build();
  settings = { DATA_DIR: await makeDataDir() };
});

test(
  `a gateway with the embedded database, killed ${kills} times under load, has lost nothing that it acknowledged`,
  async () => {
    const databaseUrl = () => embeddedUrl(settings.DATA_DIR);
    const gateway = await survivesDeaths({
      name: "R-2 gateway",
      settings,
      times: kills,
      requestsBetween: 40,
      databaseUrl,
    });
    expect(await gateway.stop()).toBe(0);
  },
  limit(kills),
);

test(
  `a gateway whose embedded server is killed ${crashes} times under load starts it again and has lost nothing`,
  async () => {
    const gateway = await GatewayProcess.start(settings);
    const load = new Load(() => gateway.address);
    await load.start();
    const waits: number[] = [];
    for (let round = 0; round < crashes; round++) {
      await load.progress(40);
      const pid = (await postmasterOf(settings.DATA_DIR))!;
      process.kill(pid, "SIGKILL");
      const killed = Date.now();
      // Sessions outlive their postmaster for a moment, and what they still answer is no sign of recovery.
      await expect.poll(() => postmasterOf(settings.DATA_DIR), { timeout: 30_000 }).not.toBe(pid);
      await load.progress(1);
      waits.push(Date.now() - killed);
    }
    await load.progress(40);
    await load.stop();
    expect(await check(session(await embeddedUrl(settings.DATA_DIR)), load.log)).toEqual([]);
    seen(
      `R-2 server: ${load.taken} acknowledged, at work again after ${waits.join(", ")} ms, slowest answer ${load.slowestMs} ms`,
    );
    expect(gateway.running).toBe(true);
    // Nobody is left waiting for a connection long after the server is back.
    expect(load.slowestMs).toBeLessThan(2 * READY_AGAIN_MS);
    expect(await gateway.stop()).toBe(0);
    expect(await postmasterOf(settings.DATA_DIR)).toBeUndefined();
  },
  limit(crashes),
);
