import { afterEach, beforeAll, expect, test } from "vitest";
import { buildOnce } from "../support/build-once.ts";
import { findInconsistencies } from "./harness/consistency-checker.ts";
import { openSession } from "./harness/fault-databases.ts";
import { embeddedUrl, createDataDir, findPostmasterPid } from "./harness/data-folders.ts";
import { GatewayProcess } from "./harness/gateway-process.ts";
import { MerchantLoad } from "./harness/merchant-load.ts";
import { timeLimitMs, roundCount } from "./harness/fault-rounds.ts";

/* two gateways on one data directory. */

const times = roundCount(1, 5);
let pair: [GatewayProcess, GatewayProcess];
let dataDir: string;

beforeAll(async () => {
  await buildOnce();
  dataDir = await createDataDir();
});

afterEach(() => Promise.all(pair.map((gateway) => gateway.kill())));

/** Starts two at the same moment, and waits for both. */
async function startPair(directory: string): Promise<void> {
  pair = [GatewayProcess.launch({ DATA_DIR: directory }), GatewayProcess.launch({ DATA_DIR: directory })];
  await Promise.all(pair.map((gateway) => gateway.waitUntilReady()));
}

test(
  "two gateways that start at the same moment on a new DATA_DIR are both ready, on one server",
  async () => {
    for (let round = 0; round < times; round++) {
      const directory = round === 0 ? dataDir : await createDataDir();
      await startPair(directory);
      expect(await findPostmasterPid(directory)).toBeDefined();
      await Promise.all(pair.map((gateway) => gateway.stop()));
      expect(await findPostmasterPid(directory)).toBeUndefined();
    }
  },
  timeLimitMs(times),
);

test(
  "the first of two to stop leaves the server to the other, and what both acknowledged is there",
  async () => {
    for (let round = 0; round < times; round++) {
      await startPair(dataDir);
      const server = await findPostmasterPid(dataDir);
      expect(server).toBeDefined();
      const [first, second] = pair;
      const loads = [new MerchantLoad(() => first.address), new MerchantLoad(() => second.address)] as const;
      await Promise.all(loads.map((load) => load.start()));
      await Promise.all(loads.map((load) => load.waitForProgress(30)));
      await loads[0].stop();
      expect(await first.stop()).toBe(0);
      await loads[1].waitForProgress(30);
      await loads[1].stop();
      // A second server would have stored its half separately.
      const sql = openSession(await embeddedUrl(dataDir));
      expect(await findInconsistencies(sql, [...loads[0].log, ...loads[1].log])).toEqual([]);
      expect(loads[1].log.every(({ attempts }) => attempts.length === 1)).toBe(true);
      await sql.end();
      expect(await findPostmasterPid(dataDir)).toBe(server);
      expect(await second.stop()).toBe(0);
      expect(await findPostmasterPid(dataDir)).toBeUndefined();
    }
  },
  timeLimitMs(times),
);
