import { readFileSync } from "node:fs";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { OrderItemTrigger } from "../../../schema/vocabulary.ts";
import { recountOrders } from "../../../bench/support/order-totals.ts";
import { createRepositories } from "../../../src/graphql/repositories.ts";
import { DueVendorRepository } from "../../../src/jobs/due-vendor.repository.ts";
import { required } from "../../../src/kernel/required-values.ts";
import { OrderTotalsRepository, unfoldedCountChanges } from "../../../src/orders/order-totals.repository.ts";
import { workerCaller } from "../../../src/vendors/people/caller.ts";
import { adminSession } from "../../faults/harness/fault-databases.ts";
import { queryRows } from "../../hostile/query-rows.ts";
import { uniqueName } from "../../support/fixtures/cover-fixture.ts";
import { findWrongOrderTotals } from "../../support/order-totals.ts";
import { PROPERTY_SEED } from "../../support/property-tests.ts";
import { everyMonth, TestCatalogue } from "../../support/test-catalogue.ts";
import { DAY } from "../../support/test-clock.ts";
import { inForm } from "../../support/test-form.ts";
import { startGateway, type TestGateway } from "../../support/test-gateway.ts";
import { cardInput, testCards, TestPayments } from "../../support/test-payments.ts";
import { createWorker, runUntilIdle } from "../../support/test-worker.ts";

/*
 * States and counts of orders are equal to a count of the rows after any sequence of writes, whatever runs at the same time, and while
 * changes are folded.
 */

const CLIENTS = 4;
const NOW = "2026-03-01T09:30:00.000Z";

const steps = {
  create: { lines: fc.integer({ min: 1, max: 3 }), kind: fc.constantFrom("goods", "service", "subscription") },
  pay: { order: fc.nat(), card: fc.constantFrom(testCards.approved, testCards.approved, testCards.insufficientFunds) },
  cancel: { order: fc.nat() },
  move: { order: fc.nat(), trigger: fc.constantFrom(...Object.values(OrderItemTrigger)), all: fc.boolean() },
  refund: { order: fc.nat(), lines: fc.constantFrom("all", "first") },
  reprice: { order: fc.nat(), quantity: fc.integer({ min: 1, max: 4 }) },
  month: {},
};
interface Step {
  name: keyof typeof steps;
  lines?: number | string;
  kind?: string;
  order?: number;
  card?: string;
  trigger?: OrderItemTrigger;
  all?: boolean;
  quantity?: number;
}
const stepOf = (name: keyof typeof steps, weight: number) => ({
  weight,
  arbitrary: fc.record({ name: fc.constant(name), ...steps[name] }) as fc.Arbitrary<Step>,
});
const anyStep = fc.oneof(
  ...[stepOf("create", 4), stepOf("pay", 4), stepOf("cancel", 1), stepOf("move", 6), stepOf("refund", 2)],
  ...[stepOf("reprice", 2), stepOf("month", 1)],
);
const sequences = fc.sample(fc.array(anyStep, { minLength: 25, maxLength: 25 }), {
  seed: PROPERTY_SEED,
  numRuns: CLIENTS * inForm(2, 20),
});

/** A merchant whose orders are written in random ways. */
class Shop {
  private readonly orders: number[] = [];
  private readonly worker;
  private isWorking = false;

  private constructor(
    private readonly gateway: TestGateway,
    private readonly payments: TestPayments,
    private readonly offers: Record<string, { productCode: string; priceCode: string }[]>,
  ) {
    this.worker = createWorker(gateway);
  }

  static async open(gateway: TestGateway): Promise<Shop> {
    const payments = await TestPayments.start(gateway);
    const catalogue = new TestCatalogue(gateway);
    const offersOf = async (type: string, plan: object) => {
      const offers: { productCode: string; priceCode: string }[] = [];
      for (let index = 0; index < 3; index++) {
        const product = await catalogue.createProduct({ type, name: uniqueName("Journal") });
        const { code } = await catalogue.createPlan(product.databaseId, plan);
        offers.push({ productCode: product.code, priceCode: code });
      }
      return offers;
    };
    return new Shop(gateway, payments, {
      goods: await offersOf("BOX", {}),
      service: await offersOf("SOFTWARE", {}),
      subscription: await offersOf("SOFTWARE", { type: "FLAT", recurring: everyMonth }),
    });
  }

  /** Takes one step. What the state of its order does not allow is refused. */
  async take(step: Step): Promise<void> {
    if (step.name === "create") return this.create(step);
    if (step.name === "month") return this.passMonth();
    const orderId = this.orders[(step.order ?? 0) % this.orders.length];
    if (orderId === undefined) return;
    const { items } = await this.payments.readOrder(orderId, "items { id }");
    const itemIds = items.map(({ id }) => id);
    const input = { orderId: String(orderId) };
    const sent = {
      pay: () => this.payments.sendPayOrder(orderId, { method: "CARD_BILL", card: cardInput(step.card ?? "") }),
      cancel: () => this.payments.sendRawMutation("cancelOrder", input, "order { databaseId }"),
      move: () =>
        this.payments.sendRawMutation(
          "moveOrderItems",
          { itemIds: step.all ? itemIds : itemIds.slice(0, 1), trigger: step.trigger },
          "items { status }",
        ),
      refund: () =>
        this.payments.sendRawMutation(
          "refundOrder",
          step.lines === "all" ? input : { ...input, items: [{ itemId: itemIds[0] }] },
          "order { databaseId }",
        ),
      reprice: () => this.reprice(orderId, step.quantity ?? 1),
    };
    await sent[step.name]();
  }

  private async create({ lines, kind }: Step): Promise<void> {
    const items = (this.offers[kind ?? ""] ?? []).slice(0, Number(lines));
    const input = { customerId: String(this.payments.customerId), items };
    const { order } = await this.payments.runMutation("createOrder", input, "order { databaseId }");
    this.orders.push(order.databaseId);
  }

  /** A payer chooses another quantity of each line. */
  private async reprice(orderId: number, quantity: number): Promise<void> {
    const record = required(
      await createRepositories(this.gateway.database.handle).vendors.byId(this.gateway.vendor.id),
      "it",
    );
    const { write } = this.gateway.gateway.contexts.createContext(record, "test", workerCaller);
    const rows = await queryRows<{ id: string }>(
      this.gateway,
      `select id from order_items where vendor_id = ${record.id} and order_id = ${orderId} and type = 'SKU'`,
    );
    const quantities = new Map(rows.map(({ id }) => [Number(id), quantity]));
    await write(({ orderPricing }) => orderPricing.recalculate(record.id, orderId, quantities)).catch(() => undefined);
  }

  private async passMonth(): Promise<void> {
    if (this.isWorking) return;
    this.isWorking = true;
    this.gateway.clock.advance(31 * DAY);
    await runUntilIdle(this.worker);
    this.isWorking = false;
  }
}

const foldOnce = (gateway: TestGateway, limit: number) =>
  gateway.database.transaction((handle) =>
    new OrderTotalsRepository(handle).foldChanges(gateway.vendor.id, new Date(Date.now() + DAY), limit),
  );

/** Runs sequences at the same time, while two workers fold in small batches and totals are compared at any moment. */
async function playSequences(
  gateway: TestGateway,
  all: readonly Step[][],
): Promise<{ folded: number; checks: number }> {
  const shop = await Shop.open(gateway);
  const seen = { folded: 0, checks: 0 };
  let isOver = false;
  const fold = async () => {
    while (!isOver) seen.folded += await foldOnce(gateway, 3);
  };
  const compare = async () => {
    for (; !isOver; seen.checks++) expect(await findWrongOrderTotals(gateway)).toEqual([]);
  };
  const play = async (sequence: readonly Step[]) => {
    for (const step of sequence) await shop.take(step);
  };
  const beside = [fold(), fold(), compare()];
  await Promise.all(all.map(play)).finally(() => (isOver = true));
  await Promise.all(beside);
  return seen;
}

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
