import { beforeEach, expect, test } from "vitest";
import { queryRows } from "../hostile/query-rows.ts";
import { everyMonth } from "../support/test-catalogue.ts";
import { DAY } from "../support/test-clock.ts";
import { startGateway, type TestVendor } from "../support/test-gateway.ts";
import { testCards, TestPayments } from "../support/test-payments.ts";
import { createWorker, runUntilIdle } from "../support/test-worker.ts";

/* The simulated gateway answers charges of the slow card after 400 ms. */

const RENEWALS = 6;
const gateway = await startGateway({ now: "2026-03-01T09:30:00.000Z" });

// Workers skip the vendors of earlier tests.
beforeEach(async () => {
  await queryRows(gateway, "update vendors set enabled = false");
});

/** A vendor with monthly subscriptions that pay by the slow card. */
async function openVendorWith(subscriptions: number): Promise<TestVendor> {
  const vendor = await gateway.openVendor();
  const payments = await TestPayments.start(gateway, { token: vendor.token });
  for (let made = 0; made < subscriptions; made++) {
    const { databaseId } = await payments.createOrder("5000", { plan: { type: "FLAT", recurring: everyMonth } });
    await payments.payOrder(databaseId, testCards.slow);
  }
  return vendor;
}

/** The positions of a vendor's charges among those of all vendors since an instant. */
const chargesOf = async ({ id }: TestVendor, since: Date): Promise<number[]> => {
  const rows = await queryRows<{ id: string }>(
    gateway,
    `select id from payments where vendor_id = ${id} and state = 'SUCCEEDED' and created_at >= '${since.toISOString()}' order by id`,
  );
  return rows.map(({ id: paymentId }) => Number(paymentId));
};

test("a vendor whose gateway is slow ends its turn after its time, and makes the rest in later turns", async () => {
  const vendor = await openVendorWith(RENEWALS);
  const worker = createWorker(gateway, undefined, { vendorTurnMs: 500, chargeConcurrency: 1 });
  gateway.clock.advance(31 * DAY);
  const now = gateway.clock.now();
  await worker.runTurn();
  const inFirstTurn = (await chargesOf(vendor, now)).length;
  expect(inFirstTurn).toBeGreaterThanOrEqual(1);
  expect(inFirstTurn).toBeLessThanOrEqual(2);
  for (let turn = 1; turn < RENEWALS; turn++) await worker.runTurn();
  expect(await chargesOf(vendor, now)).toHaveLength(RENEWALS);
});

test("renewals of a vendor are charged at the same time, as many as the operator allows", async () => {
  const vendor = await openVendorWith(RENEWALS);
  gateway.clock.advance(31 * DAY);
  const now = gateway.clock.now();
  const worker = createWorker(gateway, undefined, { vendorTurnMs: 1, chargeConcurrency: RENEWALS - 2 });
  await worker.runTurn();
  expect(await chargesOf(vendor, now)).toHaveLength(RENEWALS - 2);
  const started = performance.now();
  await runUntilIdle(createWorker(gateway, undefined, { chargeConcurrency: RENEWALS }));
  expect(await chargesOf(vendor, now)).toHaveLength(RENEWALS);
  expect(performance.now() - started).toBeLessThan(400 * (RENEWALS - 1));
});

test("retries of a vendor are made at the same time, and none is claimed that cannot be sent at once", async () => {
  const vendor = await openVendorWith(RENEWALS);
  const setCards = (behaviour: object) =>
    queryRows(
      gateway,
      `update simulated_methods set behaviour = (behaviour::jsonb || '${JSON.stringify(behaviour)}')::text where vendor_id = ${vendor.id}`,
    );
  await setCards({ behaviour: "DECLINE", code: "51", message: "Insufficient funds." });
  gateway.clock.advance(31 * DAY);
  await runUntilIdle(createWorker(gateway));
  const [{ latest }] = (await queryRows<{ latest: string }>(
    gateway,
    `select max(retry_at) as latest from covers where vendor_id = ${vendor.id} having count(*) = ${RENEWALS}`,
  )) as [{ latest: string }];
  await setCards({ behaviour: "SLOW" });
  gateway.clock.setTo(new Date(latest).toISOString());
  const now = gateway.clock.now();
  await createWorker(gateway, undefined, { vendorTurnMs: 1, chargeConcurrency: RENEWALS - 2 }).runTurn();
  expect(await chargesOf(vendor, now)).toHaveLength(RENEWALS - 2);
  expect(
    await queryRows(
      gateway,
      `select from covers where vendor_id = ${vendor.id} and lease_until > '${now.toISOString()}'`,
    ),
  ).toHaveLength(0);
  await runUntilIdle(createWorker(gateway, undefined, { chargeConcurrency: RENEWALS }));
  expect(await chargesOf(vendor, now)).toHaveLength(RENEWALS);
});

test("vendors with many renewals take turns, so that a vendor with few does not wait for them", async () => {
  const large: TestVendor[] = [];
  for (let made = 0; made < 4; made++) large.push(await openVendorWith(10));
  const small = await openVendorWith(2);
  gateway.clock.advance(31 * DAY);
  const now = gateway.clock.now();
  await runUntilIdle(createWorker(gateway, undefined, { vendorTurnMs: 200, chargeConcurrency: 2 }));
  const last = Math.max(...(await chargesOf(small, now)));
  expect(await chargesOf(small, now)).toHaveLength(2);
  for (const vendor of large) {
    const charges = await chargesOf(vendor, now);
    expect(charges).toHaveLength(10);
    expect(charges.filter((id) => id > last).length).toBeGreaterThanOrEqual(5);
  }
});
