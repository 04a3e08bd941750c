import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { commandsOn, recordOf } from "../commands/command-line.ts";
import { queryRows } from "../hostile/query-rows.ts";
import { buildOnce } from "../support/build-once.ts";
import { SECRETS_KEY, startGateway, type TestGateway } from "../support/test-gateway.ts";
import { everyMonth } from "../support/test-catalogue.ts";
import { DAY } from "../support/test-clock.ts";
import { testCards, TestPayments } from "../support/test-payments.ts";
import { createWorker, runUntilIdle } from "../support/test-worker.ts";

/*
 * A backup of 12 February is restored on 10 March. The bank's books are external and have the charges between: they are
 * carried over. The charges that the backup lacks must be found, and none made twice.
 */

const original = await startGateway({ now: "2026-01-31T03:00:00.000Z" });
const payments = await TestPayments.start(original);
const silent = await TestPayments.start(original, { token: (await original.openVendor()).token });
await silent.runMutation(
  "configurePaymentGateway",
  { paymentGateway: "HOUSE", credentials: "no-search" },
  "account { databaseId }",
);

async function subscribe(shop: TestPayments, card: string): Promise<number> {
  const order = await shop.createOrder("10000", { plan: { type: "FLAT", recurring: everyMonth } });
  await shop.payOrder(order.databaseId, card);
  const { subscriptions } = await shop.readOrder(order.databaseId, "subscriptions { databaseId }");
  return subscriptions[0]!.databaseId;
}

async function daysOn(gateway: TestGateway, count: number): Promise<void> {
  for (let day = 0; day < count; day++) {
    gateway.clock.advance(DAY);
    await runUntilIdle(createWorker(gateway));
  }
}

const renewed = await subscribe(payments, testCards.approved);
const recovered = await subscribe(payments, testCards.recoversOnThirdRetry);
await subscribe(silent, testCards.approved);
await daysOn(original, 12);
const later = await subscribe(payments, testCards.approved);
const paidSince = await payments.createOrder();
const openedBefore = await payments.createOrder();
const forgotten = await payments.createOrder();
const silentOrder = await silent.createOrder();

const now = original.clock.now().toISOString();
const [restored, snapshot] = [await startGateway({ now }), await startGateway({ now, copyOf: original })];
await restoreBackup(original, restored);

await payments.payOrder(paidSince.databaseId);
await payments.payOrder(forgotten.databaseId);
await daysOn(original, 26);

/** Backs one database up by the command, and restores the file into another. */
async function restoreBackup(from: TestGateway, into: TestGateway): Promise<void> {
  await buildOnce();
  const folder = await mkdtemp(join(tmpdir(), "recoup-backup-"));
  const file = join(folder, "one.backup");
  const settings = { SECRETS_KEY: SECRETS_KEY.toString("base64") };
  const run = async (url: string, ...words: string[]) =>
    recordOf(await commandsOn({ ...settings, DATABASE_URL: url }).recoup(...words));
  await run(from.databaseUrl, "backup", file);
  // A restore refuses a database that a gateway is connected to; this one reconnects by itself.
  await queryRows(
    from,
    `select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = '${new URL(into.databaseUrl).pathname.slice(1)}'`,
  );
  await run(into.databaseUrl, "restore", file, "--replace");
  await rm(folder, { recursive: true });
}

interface Books {
  subject: string;
  approved: number;
}

/** The number of charges of each reference, by the bank's books. */
const booksOf = async (gateway: TestGateway): Promise<Record<string, number>> => {
  const rows = await queryRows<Books>(
    gateway,
    `select subject, count(*)::int as approved from simulated_charges where status = 'APPROVED' group by subject order by subject`,
  );
  return Object.fromEntries(rows.map(({ subject, approved }) => [subject, approved]));
};

/** The bank continues with its own books. */
async function carryBooks(gateway: TestGateway): Promise<void> {
  for (const [table, key] of [
    ["simulated_charges", "idempotency_key"],
    ["simulated_methods", "token"],
  ] as const) {
    const [row] = await queryRows<{ all: unknown }>(original, `select jsonb_agg(to_jsonb(x)) as all from ${table} x`);
    await queryRows(
      gateway,
      sql`insert into ${sql.raw(table)} select * from jsonb_populate_recordset(null::${sql.raw(table)}, ${JSON.stringify(row!.all)}::jsonb)
        on conflict (vendor_id, ${sql.raw(key)}) do nothing`,
    );
  }
}

const charged = await booksOf(original);
for (const gateway of [restored, snapshot]) {
  await carryBooks(gateway);
  gateway.clock.setTo(original.clock.now().toISOString());
}
// A snapshot of a disk has no sign that it was restored.
await queryRows(snapshot, "delete from database_identity");

const options = { token: original.vendor.token };
const subscriptionOf = async (gateway: TestGateway, id: number) =>
  (
    await gateway.queryData(
      `query ($id: ID!) { subscription(id: $id) { status nextPaymentDate latestOrders { type paidAmount payment { state errorCode } } } }`,
      { id: String(id) },
      options,
    )
  ).subscription;

const ledgerIsBalanced = async (gateway: TestGateway) =>
  expect(
    await queryRows(gateway, "select order_id from ledger_entries group by order_id having sum(amount) <> 0"),
  ).toEqual([]);

describe("a restored backup", () => {
  test("repeats no charge that was made since the backup", async () => {
    expect(Object.values(charged)).toEqual(Object.keys(charged).map(() => 1));
    restored.statements.length = 0;
    await runUntilIdle(createWorker(restored));
    expect(await booksOf(restored)).toEqual(charged);
    expect(restored.statements.some(({ text }) => text.includes(`"simulated_charges"."subject" =`))).toBe(true);
    for (const id of [renewed, recovered]) {
      const here = await subscriptionOf(restored, id);
      const there = await subscriptionOf(original, id);
      expect([here!.status, here!.nextPaymentDate]).toEqual([there!.status, there!.nextPaymentDate]);
      expect(here!.latestOrders[0]).toMatchObject({
        type: "RECURRING",
        paidAmount: "10000",
        payment: { state: "SUCCEEDED" },
      });
    }
    await ledgerIsBalanced(restored);
  });

  test("records an order that was paid since the backup, and charges an unpaid one once", async () => {
    const here = reopened(restored);
    for (const [{ databaseId, idKey }, before] of [
      [paidSince, 1],
      [openedBefore, 0],
    ] as const) {
      expect(await here.countApprovedCharges(idKey)).toBe(before);
      const { payment, order } = await here.payOrder(databaseId, testCards.approved);
      expect([payment.state, order.paidAmount, await here.countApprovedCharges(idKey)]).toEqual([
        "SUCCEEDED",
        "18900",
        1,
      ]);
      expect(await here.ledgerOf(databaseId)).toEqual({ CLEARING: 18_900, SALES: -18_900 });
    }
  });

  test("finds later payments without a new charge when the operator searches", async () => {
    const here = reopened(restored);
    const unpaid = await here.readOrder(forgotten.databaseId, "paidAmount items { status }");
    expect(unpaid).toEqual({ paidAmount: "0", items: [{ status: "CREATED" }] });
    const books = await booksOf(restored);
    const settings = { DATABASE_URL: restored.databaseUrl, SECRETS_KEY: SECRETS_KEY.toString("base64") };
    const search = async () => recordOf(await commandsOn(settings).charges("search"));
    expect(await search()).toMatchObject({ recorded: "1" });
    expect(await here.readOrder(forgotten.databaseId, "paidAmount items { status } payment { state }")).toEqual({
      paidAmount: "18900",
      items: [{ status: "PAID" }],
      payment: { state: "SUCCEEDED" },
    });
    expect(await here.ledgerOf(forgotten.databaseId)).toEqual({ CLEARING: 18_900, SALES: -18_900 });
    expect(await search()).toMatchObject({ recorded: "0" });
    expect(await booksOf(restored)).toEqual(books);
    const { errors } = await here.sendPayOrder(forgotten.databaseId, testCards.approved);
    expect(errors![0]!.extensions["code"]).toBe("ORDER_ALREADY_PAID");
  });

  test("charges nothing when the gateway cannot be searched, until the operator releases it", async () => {
    const here = reopened(restored, silent);
    const { errors } = await here.sendPayOrder(silentOrder.databaseId, testCards.approved);
    expect(errors![0]!.extensions["code"]).toBe("CHARGES_AWAIT_OPERATOR");
    expect(errors![0]!.message).toContain("npm run charges -- release");
    const commands = commandsOn({ DATABASE_URL: restored.databaseUrl });
    const { vendor } = await restored.queryData("{ vendor { uuid } }", {}, silent.options);
    const release = (...words: string[]) => commands.charges("release", ...words);
    expect((await release("--vendor", vendor.uuid, "--gateway", "PROVIDER_01")).err).toContain("no account");
    expect((await release("--vendor", vendor.uuid)).err).toContain("--gateway is missing.");
    const { restored: since } = recordOf(await commands.charges("status"));
    expect(since).toBe(original.clock.now().toISOString());
    expect(await booksOf(restored)).toMatchObject(charged);
    const before = (await booksOf(restored))[`order ${silentOrder.idKey}`];
    expect(before).toBeUndefined();
    expect(recordOf(await release("--vendor", vendor.uuid, "--gateway", "HOUSE"))).toMatchObject({ released: "true" });
    expect((await here.payOrder(silentOrder.databaseId, testCards.approved)).payment.state).toBe("SUCCEEDED");
  });

  test("makes each later charge once", async () => {
    await daysOn(restored, 10);
    const books = await booksOf(restored);
    expect(Object.values(books)).toEqual(Object.keys(books).map(() => 1));
    const [{ code }] = (await queryRows<{ code: string }>(
      restored,
      `select code from subscriptions where id = ${later}`,
    )) as [{ code: string }];
    const its = (all: Record<string, number>) => Object.keys(all).filter((subject) => subject.includes(` ${code} `));
    expect([its(charged).length, its(books).length]).toEqual([0, 1]);
    await ledgerIsBalanced(restored);
  });
});

describe("a restored snapshot that cannot be detected", () => {
  test("sends the same idempotency keys again, so that the gateway charges once", async () => {
    await runUntilIdle(createWorker(snapshot));
    expect(await booksOf(snapshot)).toEqual(charged);
    expect((await subscriptionOf(snapshot, renewed))!.status).toBe("ACTIVE");
  });

  test("searches the gateway before a charge when the operator has declared the restore", async () => {
    const commands = commandsOn({ DATABASE_URL: snapshot.databaseUrl });
    expect(recordOf(await commands.charges("status"))).toMatchObject({ restored: "never" });
    expect(recordOf(await commands.charges("restored")).restored).toMatch(/^\d{4}-/);
    const here = reopened(snapshot);
    expect((await here.payOrder(paidSince.databaseId, testCards.approved)).payment.state).toBe("SUCCEEDED");
    expect(await here.countApprovedCharges(paidSince.idKey)).toBe(1);
  });
});

describe("the next charge", () => {
  const identityOf = async (gateway: TestGateway) =>
    (
      await queryRows<{ identity: string; restored: boolean }>(
        gateway,
        "select identity, restored_at is not null as restored from database_identity",
      )
    )[0]!;
  /** Charges an order on a database whose last charge had another identity. */
  async function noticedAfter(change: (parts: string[]) => string[]): Promise<boolean> {
    const { identity } = await identityOf(original);
    const before = change(identity.split(" ")).join(" ");
    await queryRows(original, sql`update database_identity set identity = ${before}, restored_at = null`);
    await payments.payOrder((await payments.createOrder()).databaseId);
    const after = await identityOf(original);
    expect(after.identity).toBe(identity);
    return after.restored;
  }

  test.each([
    ["another cluster", 0],
    ["another database of the cluster", 1],
    ["another timeline of its log", 2],
  ])("detects a restore from %s", async (_, part) => {
    expect(await noticedAfter((parts) => parts.with(part, "7"))).toBe(true);
  });

  test("detects a restore when the files of the embedded database are at another place", async () => {
    expect(await noticedAfter((parts) => [...parts, "7:7"])).toBe(true);
  });

  test("detects no restore when the database is the same", async () => {
    expect(await noticedAfter((parts) => parts)).toBe(false);
  });
});

/** The same merchant, at another gateway. */
const reopened = (gateway: TestGateway, shop = payments): TestPayments =>
  TestPayments.forVendor(gateway, shop.options ?? options);
