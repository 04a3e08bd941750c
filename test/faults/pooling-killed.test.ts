import { expect, test } from "vitest";
import { buildOnce } from "../support/build-once.ts";
import { recordPayments } from "../support/recorded-payments.ts";
import { MINUTE } from "../support/test-clock.ts";
import { startGateway } from "../support/test-gateway.ts";
import { createWorker } from "../support/test-worker.ts";
import { updateVendorSettings } from "../support/vendor-queries.ts";
import { adminSession } from "./harness/fault-databases.ts";
import { logMeasurement, roundCount, timeLimitMs } from "./harness/fault-rounds.ts";
import { killWorkerWhileFitting } from "./harness/killed-worker.ts";

/* A worker is killed while its thread pools a country. Two others look for work: one of them takes the pooling over, and one model comes of it. */

const POOL = "recovery.pool-countries";
const FAMILIES = 5;
const rounds = roundCount(1, 5);
const triesOfFamily = roundCount(1_000, 10_000);

const gateway = await startGateway({ now: new Date().toISOString() });
const sql = adminSession(gateway.databaseUrl);

/** The poolings of Korea, the newest first, with the number of models that came of each. */
const poolings = () => sql`select state, runs, result, families, failure, version,
  (select count(*)::int from shared_recovery_models m where m.version = p.version) as models
  from recovery_poolings p where country = 'KR' order by id desc`;

/** Two workers that look for a pooling at once. */
const runTwoWorkers = () => Promise.all([1, 2].map(() => createWorker(gateway).runTask(POOL)));

test(
  `a worker killed while it pools leaves the pooling to another one, ${rounds} times, and each makes one model`,
  async () => {
    await buildOnce();
    for (let family = 0; family < FAMILIES; family++) {
      const vendor = await gateway.openVendor();
      await recordPayments(sql, { vendorId: vendor.id, tries: triesOfFamily, until: new Date() });
      const { errors } = await updateVendorSettings(gateway, { recoveryPooling: true }, vendor);
      expect(errors).toBeUndefined();
    }
    for (let round = 0; round < rounds; round++) {
      await killWorkerWhileFitting(gateway.databaseUrl, sql, POOL);
      expect(await poolings()).toMatchObject([{ state: "RUNNING", runs: 1, result: null, version: null }]);

      // Before the lease ends nobody takes it, afterwards one of two.
      gateway.clock.setTo(new Date().toISOString());
      await runTwoWorkers();
      expect(await poolings()).toMatchObject([{ state: "RUNNING", runs: 1 }]);
      gateway.clock.setTo(new Date(Date.now() + 3 * MINUTE).toISOString());
      await runTwoWorkers();
      expect(await poolings()).toMatchObject([
        { state: "DONE", runs: 2, families: FAMILIES, failure: null, version: expect.any(String), models: 1 },
      ]);
      // The worker of the next round finds none of this week.
      await sql`delete from recovery_poolings`;
    }
    logMeasurement(`${rounds} workers killed while they pooled ${FAMILIES} families of ${triesOfFamily} retries`);
  },
  timeLimitMs(rounds * 10),
);
