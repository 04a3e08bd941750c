import { expect, test } from "vitest";
import { WorkRepository } from "../../src/jobs/due-work.repository.ts";
import { tasks } from "../../src/jobs/scheduled-tasks.ts";
import { faultCodes } from "../../src/payments/gateways/payment.faults.ts";
import { rowsOf } from "../hostile/query-rows.ts";
import { startGateway } from "../support/test-gateway.ts";
import { monthly } from "../support/test-catalogue.ts";
import { DAY } from "../support/test-clock.ts";
import { cards, Till } from "../support/test-payments.ts";
import { workerOf, workOff } from "../support/test-worker.ts";

/* Which vendors have work, and what it costs to find out. */

const NOW = "2026-01-31T03:00:00.000Z";
const gateway = await startGateway({ now: NOW });
const work = new WorkRepository(gateway.database.handle);
const found = () => work.vendorsWithWork(gateway.clock.now(), faultCodes);

/** A vendor with a subscription of a month. */
async function subscribed(card: string, sandbox = false) {
  const vendor = await gateway.openVendor({ sandbox });
  const own = { token: vendor.token };
  const till = await Till.open(gateway, own);
  const { databaseId } = await till.order("10000", { plan: { type: "FLAT", recurring: monthly } });
  await till.paid(databaseId, card);
  return { id: vendor.id, own };
}

test("a vendor is found when something of it is due by its own clock, and not for covers that wait", async () => {
  const failing = await subscribed(cards.neverAgain);
  const ahead = await subscribed(cards.approved, true);
  expect(await found()).toEqual([]);
  await gateway.data(`mutation { advanceTestClock(input: { by: "P1M" }) { now } }`, {}, ahead.own);
  expect(await found()).toEqual([ahead.id]);
  gateway.clock.set("2026-02-28T03:00:00.000Z");
  expect(await found()).toEqual([failing.id, ahead.id].sort((a, b) => a - b));
  await workOff(workerOf(gateway));
  expect(await found()).toEqual([]);
  gateway.clock.advance(DAY);
  expect(await found()).toEqual([failing.id]);
  await rowsOf(gateway, `update covers set lease_until = retry_at + interval '2 days' where vendor_id = ${failing.id}`);
  expect(await found()).toEqual([]);
});

test.each(Object.keys(tasks))("that nobody has anything for %s is found by one statement", async (name) => {
  await subscribed(cards.approved);
  gateway.statements.length = 0;
  await workerOf(gateway).perform(name);
  expect(gateway.statements).toHaveLength(1);
});

test("what is done every minute is done for those who have it, by their own clocks", async () => {
  const vendor = await gateway.openVendor({ sandbox: true });
  const own = { token: vendor.token };
  const till = await Till.open(gateway, own);
  await till.order("5000", { product: { type: "BOX", quantity: 1 } });
  const having = () => work.vendorsAt(tasks["orders.release-stock"]!.rows, gateway.clock.now());
  expect(await having()).toEqual([]);
  await gateway.data(`mutation { advanceTestClock(input: { by: "P1D" }) { now } }`, {}, own);
  expect(await having()).toEqual([vendor.id]);
  await workerOf(gateway).perform("orders.release-stock");
  expect(await having()).toEqual([]);
});

test("keys of requests are deleted after 24 hours of real time, a disabled vendor's too, at the cost of what is due", async () => {
  const vendor = await gateway.openVendor({ sandbox: true });
  const own = { token: vendor.token };
  const name = "requests.delete-expired";
  const keys = async () =>
    (
      await rowsOf<{ key: string }>(
        gateway,
        `select key from idempotency_keys where vendor_id = ${vendor.id} order by key`,
      )
    ).map(({ key }) => key);
  const send = (key: string) =>
    gateway.data(
      `mutation { createCustomer(input: { name: "${key}", email: "a@example.com", phone: "1" }) { customer { id } } }`,
      {},
      { ...own, headers: { "idempotency-key": key } },
    );
  await send("old");
  gateway.clock.advance(DAY - 1);
  await send("young");
  await gateway.data(`mutation { advanceTestClock(input: { by: "P30D" }) { now } }`, {}, own);
  await rowsOf(gateway, `update vendors set enabled = false where id = ${vendor.id}`);
  await workerOf(gateway).perform(name);
  expect(await keys()).toEqual(["old", "young"]);
  gateway.clock.advance(1);
  await workerOf(gateway).perform(name);
  expect(await keys()).toEqual(["young"]);
  await rowsOf(
    gateway,
    `insert into idempotency_keys (vendor_id, key, request_hash, status, body, created_at)
      select ${vendor.id}, 'key ' || g, '', 200, '{}', '2026-01-01T00:00:00Z' from generate_series(1, 1001) g`,
  );
  await rowsOf(gateway, "analyze idempotency_keys");
  await workerOf(gateway).perform(name);
  expect(await keys()).toEqual(["young"]);
  await rowsOf(
    gateway,
    `insert into idempotency_keys (vendor_id, key, request_hash, status, body, created_at)
      select ${vendor.id}, 'key ' || g, '', 200, '{}', '2026-06-01T00:00:00Z' from generate_series(1, 5000) g`,
  );
  await rowsOf(gateway, "analyze idempotency_keys");
  gateway.statements.length = 0;
  await workerOf(gateway).perform(name);
  const { text } = gateway.statements[0]!;
  const plan = await rowsOf<Record<string, string>>(gateway, `explain (costs off) ${text}`);
  expect(JSON.stringify(plan)).toContain("idempotency_keys_due");
});

test("among many subscriptions those that are due are found by indexes", async () => {
  const { id } = await subscribed(cards.approved);
  await rowsOf(
    gateway,
    `insert into subscriptions overriding system value select copy.* from subscriptions s, generate_series(1, 5000) g,
      jsonb_populate_record(s, jsonb_build_object('id', s.id + 1000 + g, 'code', 'copy_' || g,
        'next_payment_date', s.next_payment_date + g * interval '1 minute', 'act_at', s.next_payment_date + g * interval '1 minute')) copy
      where s.vendor_id = ${id}`,
  );
  await rowsOf(gateway, "analyze subscriptions");
  gateway.statements.length = 0;
  await found();
  const { text } = gateway.statements[0]!;
  const plan = (await rowsOf<Record<string, string>>(gateway, `explain (costs off) ${text}`)).map(
    (row) => row["QUERY PLAN"],
  );
  expect(plan.join("\n")).toContain("subscriptions_due_anywhere");
  expect(plan.join("\n")).toContain("subscriptions_acting_anywhere");
});
