import { expect, test } from "vitest";
import { buildOnce } from "../support/build-once.ts";
import { recordPayments } from "../support/recorded-payments.ts";
import { MINUTE } from "../support/test-clock.ts";
import { startGateway, type TestVendor } from "../support/test-gateway.ts";
import { createWorker } from "../support/test-worker.ts";
import { adminSession } from "./harness/fault-databases.ts";
import { logMeasurement, roundCount, timeLimitMs } from "./harness/fault-rounds.ts";
import { killWorkerWhileFitting } from "./harness/killed-worker.ts";

/* A worker is killed while its thread fits a model. Two others look for work: one of them takes the training over, and one model comes of it. */

const TRAIN = "recovery.train-model";
const rounds = roundCount(1, 5);
const tries = roundCount(6_000, 20_000);

const gateway = await startGateway({ now: new Date().toISOString() });
const sql = adminSession(gateway.databaseUrl);

const trainings = async (vendor: TestVendor) => {
  const { recoveryTrainings } = await gateway.queryData(
    "{ recoveryTrainings(first: 9) { nodes { state runs result tries failure model { version } } } }",
    {},
    vendor,
  );
  return recoveryTrainings.nodes;
};

/** Two workers that look for a training at once. */
const runTwoWorkers = () => Promise.all([1, 2].map(() => createWorker(gateway).runTask(TRAIN)));

async function killWhileFitting(vendor: TestVendor): Promise<void> {
  await gateway.queryRawData("mutation { trainRecoveryModel { training { state } } }", {}, vendor);
  await killWorkerWhileFitting(gateway.databaseUrl, sql, TRAIN);
}

test(
  `a worker killed while it fits leaves the training to another one, ${rounds} times, and each makes one model`,
  async () => {
    await buildOnce();
    for (let round = 0; round < rounds; round++) {
      const vendor = await gateway.openVendor();
      const stored = await recordPayments(sql, { vendorId: vendor.id, tries, until: new Date() });
      await killWhileFitting(vendor);
      expect(await trainings(vendor)).toMatchObject([{ state: "RUNNING", runs: 1, model: null }]);

      // Before the lease ends nobody takes it, afterwards one of two.
      gateway.clock.setTo(new Date().toISOString());
      await runTwoWorkers();
      expect(await trainings(vendor)).toMatchObject([{ state: "RUNNING", runs: 1 }]);
      gateway.clock.setTo(new Date(Date.now() + 3 * MINUTE).toISOString());
      await runTwoWorkers();
      const [done, ...others] = await trainings(vendor);
      expect(others).toEqual([]);
      expect(done).toMatchObject({ state: "DONE", runs: 2, failure: null, model: { version: expect.any(String) } });
      expect(done!.tries).toBeGreaterThan(0.9 * stored.tries);
      const models = await sql`select version from recovery_models where vendor_id = ${vendor.id}`;
      expect(models.map(({ version }) => version)).toEqual([done!.model!.version]);
      const active = await sql`select from recovery_model_activations where vendor_id = ${vendor.id}`;
      expect(active).toHaveLength(done!.result === "ACTIVATED" ? 1 : 0);
    }
    logMeasurement(`${rounds} workers killed while they fitted ${tries} retries: each time one training, one model`);
  },
  timeLimitMs(rounds * 6),
);
