import { beforeAll, expect, test } from "vitest";
import { buildOnce } from "../support/build-once.ts";
import { findInconsistencies } from "./harness/consistency-checker.ts";
import { openSession } from "./harness/fault-databases.ts";
import { expectSurvivesKills } from "./harness/kill-rounds.ts";
import { embeddedUrl, createDataDir, findPostmasterPid } from "./harness/data-folders.ts";
import { GatewayProcess } from "./harness/gateway-process.ts";
import { MerchantLoad } from "./harness/merchant-load.ts";
import { timeLimitMs, MAX_RESTART_MS, roundCount, logMeasurement } from "./harness/fault-rounds.ts";

/* the gateway or its embedded database server is killed. */

const [kills, crashes] = [roundCount(1, 20), roundCount(1, 20)];
let settings: { DATA_DIR: string };

beforeAll(async () => {
  await buildOnce();
  settings = { DATA_DIR: await createDataDir() };
});

test(
  `a gateway with the embedded database, killed ${kills} times under load, loses nothing that it acknowledged`,
  async () => {
    const databaseUrl = () => embeddedUrl(settings.DATA_DIR);
    const gateway = await expectSurvivesKills({
      name: "R-2 gateway",
      settings,
      times: kills,
      requestsBetween: 40,
      databaseUrl,
    });
    expect(await gateway.stop()).toBe(0);
  },
  timeLimitMs(kills),
);

test(
  `a gateway whose embedded server is killed ${crashes} times under load starts it again and loses nothing`,
  async () => {
    const gateway = await GatewayProcess.start(settings);
    const load = new MerchantLoad(() => gateway.address);
    await load.start();
    const waits: number[] = [];
    for (let round = 0; round < crashes; round++) {
      await load.waitForProgress(40);
      const pid = (await findPostmasterPid(settings.DATA_DIR))!;
      process.kill(pid, "SIGKILL");
      const killed = Date.now();
      // Sessions outlive their postmaster for a moment, so their answers do not prove recovery.
      await expect.poll(() => findPostmasterPid(settings.DATA_DIR), { timeout: 30_000 }).not.toBe(pid);
      await load.waitForProgress(1);
      waits.push(Date.now() - killed);
    }
    await load.waitForProgress(40);
    await load.stop();
    expect(await findInconsistencies(openSession(await embeddedUrl(settings.DATA_DIR)), load.log)).toEqual([]);
    logMeasurement(
      `R-2 server: ${load.acceptedCount} acknowledged, at work again after ${waits.join(", ")} ms, slowest answer ${load.slowestMs} ms`,
    );
    expect(gateway.isRunning).toBe(true);
    // No request waits for a connection long after the server is back.
    expect(load.slowestMs).toBeLessThan(2 * MAX_RESTART_MS);
    expect(await gateway.stop()).toBe(0);
    expect(await findPostmasterPid(settings.DATA_DIR)).toBeUndefined();
  },
  timeLimitMs(crashes),
);
