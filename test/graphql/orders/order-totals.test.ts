import { readFileSync } from "node:fs";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { recountOrders } from "../../../bench/support/order-totals.ts";
import { DueVendorRepository } from "../../../src/jobs/due-vendor.repository.ts";
import { required } from "../../../src/kernel/required-values.ts";
import { OrderTotalsRepository, unfoldedCountChanges } from "../../../src/orders/order-totals.repository.ts";
import { adminSession } from "../../faults/harness/fault-databases.ts";
import { queryRows } from "../../hostile/query-rows.ts";
import { findWrongOrderTotals } from "../../support/order-totals.ts";
import { PROPERTY_SEED } from "../../support/property-tests.ts";
import { DAY } from "../../support/test-clock.ts";
import { inForm } from "../../support/test-form.ts";
import { startGateway, type TestGateway } from "../../support/test-gateway.ts";
import { TestPayments } from "../../support/test-payments.ts";
import { anyStep, foldOnce, playSequences } from "./random-order-writes.ts";

/*
 * States and counts of orders are equal to a count of the rows after any sequence of writes, whatever runs at the same time, and while
 * changes are folded.
 */

const CLIENTS = 4;
const NOW = "2026-03-01T09:30:00.000Z";

const sequences = fc.sample(fc.array(anyStep, { minLength: 25, maxLength: 25 }), {
  seed: PROPERTY_SEED,
  numRuns: CLIENTS * inForm(2, 20),
});

describe("states and counts of orders", () => {
  const groups = Array.from({ length: sequences.length / CLIENTS }, (_, index) => ({
    index,
    all: sequences.slice(index * CLIENTS, (index + 1) * CLIENTS),
  }));

  test.each(groups)("are those of the rows at any moment of random writes, group $index", async ({ all }) => {
    const gateway = await startGateway({ now: NOW });
    const { folded, checks } = await playSequences(gateway, all);
    expect(folded).toBeGreaterThan(20);
    expect(checks).toBeGreaterThan(5);
    while ((await foldOnce(gateway, 1_000)) > 0);
    expect(await queryRows(gateway, "select id from order_count_changes where vendor_id > 0")).toEqual([]);
    expect(await findWrongOrderTotals(gateway)).toEqual([]);
    const [{ all: total, created } = { all: 0, created: 0 }] = await queryRows<{ all: number; created: number }>(
      gateway,
      `select count(*)::int as all, (select count(distinct order_id)::int from order_items
        where vendor_id = ${gateway.vendor.id} and type = 'SKU' and status = 'CREATED') as created
        from orders where vendor_id = ${gateway.vendor.id}`,
    );
    const totals = await gateway.queryData(
      "{ all: orders { totalCount } created: orders(filter: { status: CREATED }) { totalCount } }",
    );
    expect([totals.all.totalCount, totals.created.totalCount]).toEqual([total, created]);
  });
});

test("transactions that create orders do not wait for one another", async () => {
  const gateway = await startGateway();
  const totals = (id: number) => ({ id, createdAt: new Date(NOW), lines: [] });
  const { databaseId } = await (await TestPayments.start(gateway)).createOrder();
  await gateway.database.transaction(async (first) => {
    await new OrderTotalsRepository(first).addOrders(gateway.vendor.id, [totals(databaseId)]);
    // A second transaction counts in the same day, and ends before the first one.
    await gateway.database.transaction((second) =>
      new OrderTotalsRepository(second).addOrders(gateway.vendor.id, [totals(databaseId)]),
    );
  });
});

test("vendors with nothing to fold are not found, and those with changes are", async () => {
  const gateway = await startGateway();
  const work = new DueVendorRepository(gateway.database.handle);
  const find = () => work.vendorsMatchingAtRealTime(unfoldedCountChanges, new Date(Date.now() + DAY));
  expect(await find()).toEqual([]);
  await (await TestPayments.start(gateway)).createOrder();
  expect(await find()).toEqual([gateway.vendor.id]);
  await foldOnce(gateway, 100);
  expect(await find()).toEqual([]);
});

describe("a database of an earlier version, whose triggers write states and counts", () => {
  const migration = (name: string) =>
    readFileSync(`schema/migrations/${name}`, "utf8").split("--> statement-breakpoint");
  const triggersOf = (gateway: TestGateway) =>
    queryRows<{ name: string }>(
      gateway,
      "select tgname as name from pg_trigger where tgname ~ '^order_?(s|items|states)_' order by 1",
    );
  const upgradeFrom0073 = async (gateway: TestGateway) => {
    const statement = migration("0074_count_orders_by_changes.sql").find((text) => text.includes("keep_order_states"));
    await adminSession(gateway.databaseUrl).unsafe(required(statement, "the statement"));
  };
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startGateway({ now: NOW });
    const admin = adminSession(gateway.databaseUrl);
    for (const statement of migration("0005_order_states_and_counts.sql")) await admin.unsafe(statement);
  });

  test("keeps them when it has vendors", async () => {
    await upgradeFrom0073(gateway);
    expect((await triggersOf(gateway)).map(({ name }) => name)).toEqual([
      ...["order_items_added", "order_items_moved", "order_items_removed"],
      ...["order_states_counted", "order_states_uncounted", "orders_counted", "orders_uncounted"],
    ]);
  });

  test("counts each write of this version once, before and after the next version drops the triggers", async () => {
    const [before, meanwhile] = [sequences.slice(0, CLIENTS), sequences.slice(CLIENTS, 2 * CLIENTS)];
    expect(await playSequences(gateway, before)).toMatchObject({ folded: 0 });
    const drop = () =>
      adminSession(gateway.databaseUrl).begin(async (transaction) => {
        await transaction.unsafe("lock table orders, order_items, order_states in access exclusive mode");
        for (const { name } of await triggersOf(gateway))
          await transaction.unsafe(`drop trigger ${name} on ${name.replace(/_[a-z]+$/, "")}`);
        await transaction.unsafe("drop function keep_order_states(); drop function keep_order_counts()");
      });
    const [{ folded }] = await Promise.all([playSequences(gateway, meanwhile), drop()]);
    expect(folded).toBeGreaterThan(0);
    expect(await findWrongOrderTotals(gateway)).toEqual([]);
  });

  test("loses them when it has no vendors", async () => {
    const empty = await startGateway();
    const admin = adminSession(empty.databaseUrl);
    await admin`set session_replication_role = replica`;
    for (const statement of migration("0005_order_states_and_counts.sql")) await admin.unsafe(statement);
    await admin.begin(async (transaction) => {
      await transaction`delete from vendors`;
      await transaction.unsafe(
        required(
          migration("0074_count_orders_by_changes.sql").find((text) => text.includes("keep_order_states")),
          "the statement",
        ),
      );
    });
    expect(await triggersOf(empty)).toEqual([]);
  });
});

test("a recount of loaded rows has their states and counts", async () => {
  const gateway = await startGateway();
  const { databaseId } = await (await TestPayments.start(gateway)).createOrder();
  const admin = adminSession(gateway.databaseUrl);
  await admin`update order_items set status = 'PAID' where order_id = ${databaseId}`;
  expect(await findWrongOrderTotals(gateway)).toHaveLength(4);
  await recountOrders(admin, [gateway.vendor.id]);
  expect(await findWrongOrderTotals(gateway)).toEqual([]);
});
