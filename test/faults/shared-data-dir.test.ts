import { expect, test } from "vitest";
import { build } from "./harness/build.ts";
import { check } from "./harness/checker.ts";
import { session } from "./harness/databases.ts";
import { embeddedUrl, makeDataDir, postmasterOf } from "./harness/folders.ts";
import { GatewayProcess } from "./harness/gateway-process.ts";
import { Load } from "./harness/load.ts";
import { limit, rounds } from "./harness/rounds.ts";

/* two gateways on one data directory. */

const times = rounds(1, 5);

test(
  "two gateways that start at the same moment on a new DATA_DIR share one server, and the first to stop leaves it to the other",
  async () => {
    await build();
    for (let round = 0; round < times; round++) {
      const settings = { DATA_DIR: await makeDataDir() };
      const [first, second] = [GatewayProcess.launch(settings), GatewayProcess.launch(settings)];
      await Promise.all([first.ready(), second.ready()]);
      const server = await postmasterOf(settings.DATA_DIR);
      expect(server).toBeDefined();

      const loads = [new Load(() => first.address), new Load(() => second.address)];
      await Promise.all(loads.map((load) => load.start()));
      await Promise.all(loads.map((load) => load.progress(30)));
      await loads[0]!.stop();
      expect(await first.stop()).toBe(0);
      await loads[1]!.progress(30);
      await loads[1]!.stop();
      // One server holds what both have acknowledged: a second one would have kept its half to itself.
      const sql = session(await embeddedUrl(settings.DATA_DIR));
      expect(await check(sql, loads.flatMap(({ log }) => log))).toEqual([]);
      expect(loads[1]!.log.every(({ tries }) => tries.length === 1)).toBe(true);
      await sql.end();
      expect(await postmasterOf(settings.DATA_DIR)).toBe(server);
      expect(await second.stop()).toBe(0);
      expect(await postmasterOf(settings.DATA_DIR)).toBeUndefined();
    }
  },
  limit(times * 2),
);
