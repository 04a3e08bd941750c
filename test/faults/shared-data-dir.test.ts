import { afterEach, beforeAll, expect, test } from "vitest";
import { build } from "../support/build-once.ts";
import { check } from "./harness/consistency-checker.ts";
import { session } from "./harness/fault-databases.ts";
import { embeddedUrl, makeDataDir, postmasterOf } from "./harness/data-folders.ts";
import { GatewayProcess } from "./harness/gateway-process.ts";
import { Load } from "./harness/merchant-load.ts";
import { limit, rounds } from "./harness/fault-rounds.ts";

/* two gateways on one data directory. */

const times = rounds(1, 5);
let pair: [GatewayProcess, GatewayProcess];
let dataDir: string;

beforeAll(async () => {
  await build();
  dataDir = await makeDataDir();
});

afterEach(() => Promise.all(pair.map((gateway) => gateway.kill())));

/** Starts two at the same moment, and waits for both. */
async function startPair(directory: string): Promise<void> {
  pair = [GatewayProcess.launch({ DATA_DIR: directory }), GatewayProcess.launch({ DATA_DIR: directory })];
  await Promise.all(pair.map((gateway) => gateway.ready()));
}

test(
  "two gateways that start at the same moment on a new DATA_DIR are both ready, on one server",
  async () => {
    for (let round = 0; round < times; round++) {
      const directory = round === 0 ? dataDir : await makeDataDir();
      await startPair(directory);
      expect(await postmasterOf(directory)).toBeDefined();
      await Promise.all(pair.map((gateway) => gateway.stop()));
      expect(await postmasterOf(directory)).toBeUndefined();
    }
  },
  limit(times),
);

test(
  "the first of two to stop leaves the server to the other, and what both acknowledged is there",
  async () => {
    for (let round = 0; round < times; round++) {
      await startPair(dataDir);
      const server = await postmasterOf(dataDir);
      expect(server).toBeDefined();
      const [first, second] = pair;
      const loads = [new Load(() => first.address), new Load(() => second.address)] as const;
      await Promise.all(loads.map((load) => load.start()));
      await Promise.all(loads.map((load) => load.progress(30)));
      await loads[0].stop();
      expect(await first.stop()).toBe(0);
      await loads[1].progress(30);
      await loads[1].stop();
      // A second server would have kept its half to itself.
      const sql = session(await embeddedUrl(dataDir));
      expect(await check(sql, [...loads[0].log, ...loads[1].log])).toEqual([]);
      expect(loads[1].log.every(({ tries }) => tries.length === 1)).toBe(true);
      await sql.end();
      expect(await postmasterOf(dataDir)).toBe(server);
      expect(await second.stop()).toBe(0);
      expect(await postmasterOf(dataDir)).toBeUndefined();
    }
  },
  limit(times),
);
