import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { buildOnce } from "../support/build-once.ts";
import { findInconsistencies } from "./harness/consistency-checker.ts";
import { openSession } from "./harness/fault-databases.ts";
import { GatewayProcess, TOKEN } from "./harness/gateway-process.ts";
import { MerchantLoad } from "./harness/merchant-load.ts";
import { hasPostgres15, Postgres15 } from "./harness/postgres15.ts";
import { timeLimitMs, roundCount, logMeasurement } from "./harness/fault-rounds.ts";
import { SmallDisk } from "./harness/small-disk.ts";

/* the disk of the tables is full for a while. The write-ahead log is on another disk, as it should be. */

const times = roundCount(1, 5);

/** How many requests have to meet the full disk. */
const REFUSED = 20;

const disk = hasPostgres15 ? await SmallDisk.mount(256) : undefined;

describe.runIf(disk)("a gateway whose database has no disk space left", () => {
  test(
    "continues to serve reads, answers writes with 503, loses nothing, and recovers by itself",
    async () => {
      await buildOnce();
      const server = await Postgres15.start();
      const admin = openSession(server.url);
      await admin.unsafe(`create tablespace small location '${disk!.folder}'`);
      await admin.unsafe("create database shop tablespace small");
      const url = server.url.replace(/postgres$/, "shop");
      const gateway = await GatewayProcess.start({ DATABASE_URL: url });
      const read = () =>
        fetch(`${gateway.address}/api/v1/orders?size=1`, { headers: { "secret-token": TOKEN } }).then(
          ({ status }) => status,
        );

      const load = new MerchantLoad(() => gateway.address);
      const outages = () => load.log.flatMap(({ attempts }) => attempts).filter(({ status }) => status === 503).length;
      await load.start();
      const reads: number[] = [];
      for (let round = 0; round < times; round++) {
        await load.waitForProgress(60);
        const before = outages();
        await disk!.fillUp();
        while (outages() < before + REFUSED) {
          reads.push(await read());
          await sleep(20);
        }
        await disk!.freeSpace();
        await load.waitForProgress(60);
      }
      await load.stop();

      logMeasurement(
        `R-10: ${times} times, ${load.acceptedCount} acknowledged, ${outages()} answered 503, ${reads.length} reads meanwhile`,
      );
      expect(reads.length).toBeGreaterThan(0);
      expect(reads.filter((status) => status !== 200)).toEqual([]);
      expect(gateway.isRunning).toBe(true);
      expect(await findInconsistencies(openSession(url), load.log)).toEqual([]);
    },
    timeLimitMs(times),
  );
});
