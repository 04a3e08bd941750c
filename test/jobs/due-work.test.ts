import { expect, test } from "vitest";
import { DueVendorRepository } from "../../src/jobs/due-vendor.repository.ts";
import { scheduledTasks } from "../../src/jobs/scheduled-tasks.ts";
import { dueWork } from "../../src/jobs/due-work.ts";
import { queryRows } from "../hostile/query-rows.ts";
import { startGateway } from "../support/test-gateway.ts";
import { everyMonth } from "../support/test-catalogue.ts";
import { DAY } from "../support/test-clock.ts";
import { testCards, TestPayments } from "../support/test-payments.ts";
import { createWorker, runUntilIdle } from "../support/test-worker.ts";

/* Which vendors have work, and the cost of finding them. */

const NOW = "2026-01-31T03:00:00.000Z";
const gateway = await startGateway({ now: NOW });
const work = new DueVendorRepository(gateway.database.handle);
const found = () => work.vendorsWithDueWork(gateway.clock.now(), Object.values(dueWork));

/** A vendor with a subscription of a month. */
async function subscribed(card: string, sandbox = false) {
  const vendor = await gateway.openVendor({ sandbox });
  const own = { token: vendor.token };
  const payments = await TestPayments.start(gateway, own);
  const { databaseId } = await payments.createOrder("10000", { plan: { type: "FLAT", recurring: everyMonth } });
  await payments.payOrder(databaseId, card);
  return { id: vendor.id, own };
}

test("a vendor is found when its work is due by its own clock, and not for pending covers", async () => {
  const failing = await subscribed(testCards.neverAgain);
  const ahead = await subscribed(testCards.approved, true);
  expect(await found()).toEqual([]);
  await gateway.queryData(`mutation { advanceTestClock(input: { by: "P1M" }) { now } }`, {}, ahead.own);
  expect(await found()).toEqual([ahead.id]);
  gateway.clock.setTo("2026-02-28T03:00:00.000Z");
  expect(await found()).toEqual([failing.id, ahead.id].sort((a, b) => a - b));
  await runUntilIdle(createWorker(gateway));
  expect(await found()).toEqual([]);
  gateway.clock.advance(DAY);
  expect(await found()).toEqual([failing.id]);
  await queryRows(
    gateway,
    `update covers set lease_until = retry_at + interval '2 days' where vendor_id = ${failing.id}`,
  );
  expect(await found()).toEqual([]);
});

test.each(Object.keys(scheduledTasks))("one statement finds that no vendor has work for %s", async (name) => {
  await subscribed(testCards.approved);
  // What earlier tests left is done first.
  await createWorker(gateway).runTask(name);
  gateway.statements.length = 0;
  await createWorker(gateway).runTask(name);
  expect(gateway.statements).toHaveLength(1);
});

test("a task runs for the vendors with due rows, by their own clocks", async () => {
  const vendor = await gateway.openVendor({ sandbox: true });
  const own = { token: vendor.token };
  const payments = await TestPayments.start(gateway, own);
  await payments.createOrder("5000", { product: { type: "BOX", quantity: 1 } });
  const having = () => work.vendorsWithDue(scheduledTasks["orders.release-stock"]!.dueRows, gateway.clock.now());
  expect(await having()).toEqual([]);
  await gateway.queryData(`mutation { advanceTestClock(input: { by: "P1D" }) { now } }`, {}, own);
  expect(await having()).toEqual([vendor.id]);
  await createWorker(gateway).runTask("orders.release-stock");
  expect(await having()).toEqual([]);
});

test("idempotency keys are deleted after 24 hours of real time, also for disabled vendors, at the cost of the due rows", async () => {
  const vendor = await gateway.openVendor({ sandbox: true });
  const own = { token: vendor.token };
  const name = "requests.delete-expired";
  const keys = async () =>
    (
      await queryRows<{ key: string }>(
        gateway,
        `select key from idempotency_keys where vendor_id = ${vendor.id} order by key`,
      )
    ).map(({ key }) => key);
  const send = (key: string) =>
    gateway.queryRawData(
      `mutation { createCustomer(input: { name: "${key}", email: "a@example.com", phone: "1" }) { customer { id } } }`,
      {},
      { ...own, headers: { "idempotency-key": key } },
    );
  await send("old");
  gateway.clock.advance(DAY - 1);
  await send("young");
  await gateway.queryData(`mutation { advanceTestClock(input: { by: "P30D" }) { now } }`, {}, own);
  await queryRows(gateway, `update vendors set enabled = false where id = ${vendor.id}`);
  await createWorker(gateway).runTask(name);
  expect(await keys()).toEqual(["old", "young"]);
  gateway.clock.advance(1);
  await createWorker(gateway).runTask(name);
  expect(await keys()).toEqual(["young"]);
  await queryRows(
    gateway,
    `insert into idempotency_keys (vendor_id, key, request_hash, status, body, created_at)
      select ${vendor.id}, 'key ' || g, '', 200, '{}', '2026-01-01T00:00:00Z' from generate_series(1, 1001) g`,
  );
  await queryRows(gateway, "analyze idempotency_keys");
  await createWorker(gateway).runTask(name);
  expect(await keys()).toEqual(["young"]);
  await queryRows(
    gateway,
    `insert into idempotency_keys (vendor_id, key, request_hash, status, body, created_at)
      select ${vendor.id}, 'key ' || g, '', 200, '{}', '2026-06-01T00:00:00Z' from generate_series(1, 5000) g`,
  );
  await queryRows(gateway, "analyze idempotency_keys");
  gateway.statements.length = 0;
  await createWorker(gateway).runTask(name);
  const { text } = gateway.statements[0]!;
  const plan = await queryRows<Record<string, string>>(gateway, `explain (costs off) ${text}`);
  expect(JSON.stringify(plan)).toContain("idempotency_keys_due");
});

test("due subscriptions are found by indexes among many", async () => {
  const { id } = await subscribed(testCards.approved);
  await queryRows(
    gateway,
    `insert into subscriptions overriding system value select copy.* from subscriptions s, generate_series(1, 5000) g,
      jsonb_populate_record(s, jsonb_build_object('id', s.id + 1000 + g, 'code', 'copy_' || g,
        'next_payment_date', s.next_payment_date + g * interval '1 minute', 'act_at', s.next_payment_date + g * interval '1 minute')) copy
      where s.vendor_id = ${id}`,
  );
  await queryRows(gateway, "analyze subscriptions");
  gateway.statements.length = 0;
  await found();
  const { text } = gateway.statements[0]!;
  const plan = (await queryRows<Record<string, string>>(gateway, `explain (costs off) ${text}`)).map(
    (row) => row["QUERY PLAN"],
  );
  expect(plan.join("\n")).toContain("subscriptions_due_anywhere");
  expect(plan.join("\n")).toContain("subscriptions_acting_anywhere");
});
