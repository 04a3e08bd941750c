import fc from "fast-check";
import { expect, test } from "vitest";
import { markDistributed } from "../../../src/database/distributed-handles.ts";
import { createRepositories } from "../../../src/graphql/repositories.ts";
import { required } from "../../../src/kernel/required-values.ts";
import { RenewalRunner } from "../../../src/renewals/renewal-runner.service.ts";
import { workerCaller } from "../../../src/vendors/people/caller.ts";
import { queryRows } from "../../hostile/query-rows.ts";
import { DAY } from "../../support/test-clock.ts";
import { findWrongOrderTotals } from "../../support/order-totals.ts";
import { inForm } from "../../support/test-form.ts";
import { startGateway, type TestGateway, type TestVendor } from "../../support/test-gateway.ts";
import { PROPERTY_SEED } from "../../support/property-tests.ts";
import { readComparedRows } from "./compared-rows.ts";
import { createWorld, randomWorlds, type RandomSubscription } from "./renewal-world.ts";

/*
 * Renewals that are claimed and recorded in batches, on a plain server and as on a cluster, leave the same rows as renewals that are charged
 * one by one: all are made in copies of the same database, and every row of the vendor is compared.
 */

const NOW = "2026-03-01T09:30:00.000Z";
const worlds = fc.sample(randomWorlds, { seed: PROPERTY_SEED, numRuns: inForm(3, 40) });

type RunnerDependencies = ConstructorParameters<typeof RenewalRunner>[0];

const original = await startGateway({ now: NOW });
async function openWorld(world: readonly RandomSubscription[]): Promise<TestVendor> {
  const vendor = await original.openVendor();
  await createWorld(original, { token: vendor.token }, world);
  return vendor;
}
const vendors: TestVendor[] = [];
for (const world of worlds) vendors.push(await openWorld(world));
const plain = { kind: "PLAIN", price: 9_900, quantity: 1, card: "approved", sharesCustomer: false } as const;
const openPlainWorlds = async (card: RandomSubscription["card"]) => [
  await openWorld([{ ...plain, card }]),
  await openWorld(Array.from({ length: 20 }, () => ({ ...plain, card }))),
];
const approvedVendors = await openPlainWorlds("approved");
const declinedVendors = await openPlainWorlds("recoversOnThirdRetry");
const [inBatches, onCluster, oneByOne] = [
  await startGateway({ now: NOW, copyOf: original }),
  await startGateway({ now: NOW, copyOf: original }),
  await startGateway({ now: NOW, copyOf: original }),
];
// A plain database, whose rows are written as those of a cluster.
markDistributed(onCluster.database.handle);
const gateways = [inBatches, onCluster, oneByOne];

// After a restore each charge would be searched at its gateway first, and claimed by itself.
for (const gateway of gateways) await queryRows(gateway, "delete from database_identity");

async function contextOf({ gateway, database }: TestGateway, { id }: TestVendor) {
  const record = required(await createRepositories(database.handle).vendors.byId(id), "the vendor");
  return gateway.contexts.createContext(record, "worker", workerCaller);
}

/** Charges what is due with batches. @returns the number of statements, without those of the simulated gateway. */
async function chargeInBatches(gateway: TestGateway, vendor: TestVendor): Promise<number> {
  const { renewalRunner } = await contextOf(gateway, vendor);
  gateway.statements.length = 0;
  while ((await renewalRunner.chargeDueRenewals({ concurrency: 50, mayContinue: () => true })) > 0);
  return gateway.statements.filter(({ text }) => !text.includes("simulated_")).length;
}

/** Charges what is due without batches: each renewal is claimed by itself. */
async function chargeOneByOne(vendor: TestVendor): Promise<void> {
  const context = await contextOf(oneByOne, vendor);
  const noBatches = () => Promise.reject(new Error("Nothing is done in batches."));
  const faults: unknown[] = [];
  const runner = new RenewalRunner({
    write: context.write,
    writeBatch: noBatches,
    chargeBatches: { prepare: noBatches, send: noBatches },
    processor: context.paymentProcessor as unknown as RunnerDependencies["processor"],
    vendor: context.vendor,
    now: () => context.clock.now(),
    onBatchFault: (error) => faults.push(error),
  });
  while ((await runner.chargeDueRenewals({ concurrency: 1, mayContinue: () => true })) > 0);
  expect(faults).toContainEqual(new Error("Nothing is done in batches."));
}

test.each([
  { vendors: approvedVendors, outcome: "approved" },
  { vendors: declinedVendors, outcome: "declined" },
])(
  "twenty $outcome renewals send hardly more statements than one, because outcomes may arrive in two or three batches",
  async ({ vendors: ofOneAndTwenty }) => {
    const counts: number[] = [];
    for (const vendor of ofOneAndTwenty) {
      inBatches.clock.setTo(NOW);
      inBatches.clock.advance(31 * DAY);
      counts.push(await chargeInBatches(inBatches, vendor));
    }
    const [ofOne, ofTwenty] = counts as [number, number];
    expect(ofTwenty).toBeLessThan(3 * ofOne);
  },
);

test.each(vendors.map((vendor, index) => ({ index, vendor })))(
  "renewals in batches leave the rows of renewals one by one in random world $index",
  async ({ vendor }) => {
    for (const gateway of gateways) gateway.clock.setTo(NOW);
    for (let month = 1; month <= 2; month++) {
      for (const gateway of gateways) gateway.clock.advance(31 * DAY);
      await chargeInBatches(inBatches, vendor);
      await chargeInBatches(onCluster, vendor);
      await chargeOneByOne(vendor);
    }
    const rows = await readComparedRows(oneByOne, vendor.id);
    expect(rows["renewals"]!.length).toBeGreaterThan(0);
    for (const gateway of [inBatches, onCluster]) {
      expect(await readComparedRows(gateway, vendor.id)).toEqual(rows);
      expect(await findWrongOrderTotals(gateway)).toEqual([]);
    }
  },
);
