import { readdirSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { Sql } from "postgres";
import { beforeAll, expect, test } from "vitest";
import { projectFile } from "../../src/kernel/project-files.ts";
import { buildOnce } from "../support/build-once.ts";
import { adminSession, createDatabase, withSetting } from "./harness/fault-databases.ts";
import { GatewayProcess } from "./harness/gateway-process.ts";
import { timeLimitMs, roundCount } from "./harness/fault-rounds.ts";

/* several gateways start on an empty database, and one of them is killed while it creates the tables. */

beforeAll(buildOnce);

const migrations = readdirSync(projectFile("schema/migrations")).filter((name) => name.endsWith(".sql")).length;

interface Stage {
  url: string;
  admin: Sql;
  /** Starts a gateway whose migrating session has a name. */
  launch: (name: string) => GatewayProcess;
}

async function emptyStage(): Promise<Stage> {
  const url = await createDatabase({ empty: true });
  const launch = (name: string) =>
    GatewayProcess.launch({ DATABASE_URL: withSetting(url, "application_name", name), DEMO_DATA: "false" });
  return { url, admin: adminSession(url), launch };
}

/** Stops the migrating session in the middle: an open transaction has created a table of the same name. */
async function blockMigration(admin: Sql): Promise<() => Promise<void>> {
  const blocker = await admin.reserve();
  await blocker`begin`;
  await blocker`create table public.cover_events ()`;
  return async () => {
    await blocker`rollback`;
    blocker.release();
  };
}

/** The gateways that are blocked by the other transaction. */
async function heldUp(admin: Sql): Promise<string[]> {
  const rows = await admin`select distinct application_name as name from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and wait_event = 'transactionid' order by name`;
  return rows.map(({ name }) => name as string);
}

/** The gateways that have a session, whatever its state. */
async function connected(admin: Sql): Promise<string[]> {
  const rows = await admin`select distinct application_name as name from pg_stat_activity
    where datname = current_database() and application_name in ('one', 'two') order by name`;
  return rows.map(({ name }) => name as string);
}

/** The migrations that the database has recorded. */
async function applied(admin: Sql): Promise<string[]> {
  const [table] = await admin`select to_regclass('drizzle.__drizzle_migrations') as name`;
  if (table!["name"] === null) return [];
  return (await admin`select hash from drizzle.__drizzle_migrations`).map(({ hash }) => hash as string);
}

async function expectMigratedOnce(admin: Sql): Promise<void> {
  const hashes = await applied(admin);
  expect(new Set(hashes).size).toBe(migrations);
  expect(hashes).toHaveLength(migrations);
  const [present] =
    await admin`select to_regclass('public.vendors') as first, to_regclass('public.idempotency_keys') as last`;
  expect(present).toEqual({ first: "vendors", last: "idempotency_keys" });
}

const isReady = async ({ address }: GatewayProcess): Promise<number> => (await fetch(`${address}/readyz`)).status;

test("of two gateways that start on an empty database at once, one creates the tables; when it is killed halfway, the other does, and the first starts again", async () => {
  const { admin, launch } = await emptyStage();
  const unblock = await blockMigration(admin);
  const gateways = { one: launch("one"), two: launch("two") };
  await expect.poll(() => connected(admin)).toEqual(["one", "two"]);
  await expect.poll(async () => (await heldUp(admin)).length).toBe(1);
  const [migrator] = (await heldUp(admin)) as ["one" | "two"];
  const other = migrator === "one" ? "two" : "one";
  await gateways[migrator].kill();
  await unblock();
  await gateways[other].waitUntilReady();
  await expectMigratedOnce(admin);
  const again = launch(migrator);
  await again.waitUntilReady();
  expect(await isReady(again)).toBe(200);
  await expectMigratedOnce(admin);
});

test("a gateway killed halfway leaves no partial tables, and the next one creates them all", async () => {
  const { admin, launch } = await emptyStage();
  const unblock = await blockMigration(admin);
  const cut = launch("one");
  await expect.poll(() => heldUp(admin)).toEqual(["one"]);
  await cut.kill();
  await unblock();
  // The server notices the death at the session's next step, and rolls back what the session had begun.
  await expect.poll(() => connected(admin)).toEqual([]);
  expect(await admin`select tablename from pg_tables where schemaname = 'public'`).toEqual([]);
  expect(await applied(admin)).toEqual([]);
  await launch("two").waitUntilReady();
  await expectMigratedOnce(admin);
});

const times = roundCount(1, 30);

test(
  `gateways killed ${times} times at any moment of their first start never prevent the next one from starting`,
  async () => {
    for (let round = 0; round < times; round++) {
      const { admin, launch } = await emptyStage();
      const pair = [launch("one"), launch("two")];
      await expect.poll(() => connected(admin), { interval: 5 }).not.toEqual([]);
      await sleep(Math.random() * 150);
      await Promise.all(pair.map((gateway) => gateway.kill()));
      const next = launch("three");
      await next.waitUntilReady();
      await expectMigratedOnce(admin);
      await next.kill();
      await admin.end();
    }
  },
  timeLimitMs(times),
);
