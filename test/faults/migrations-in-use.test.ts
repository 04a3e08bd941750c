import { setTimeout as sleep } from "node:timers/promises";
import type { Sql } from "postgres";
import { beforeAll, describe, expect, test } from "vitest";
import { withHomePlace } from "../../src/database/migrations/migrate.ts";
import { applyMigration } from "../../src/database/migrations/apply-migration.ts";
import { parseMigration, type Migration } from "../../src/database/migrations/migration-files.ts";
import type { MigrationOptions } from "../../src/database/migrations/migration-place.ts";
import { adminSession, createDatabase, openSession, withSetting } from "./harness/fault-databases.ts";

/* Migrations of a database that is used meanwhile: each is committed by itself, continues where it was stopped, and is applied once. */

const MIGRATOR = "the migrator";

let url: string;
let sql: Sql;
beforeAll(async () => {
  url = await createDatabase();
  sql = adminSession(url);
});

let lastTime = 9_000_000_000_000;
const migrationOf = (...lines: string[]): Migration => {
  lastTime += 1;
  return parseMigration(`test_${lastTime}`, lastTime, lines.join("\n"));
};

const OUTSIDE = "-- recoup: outside of a transaction";

const migrate = (migration: Migration, { address = url, ...options }: MigrationOptions & { address?: string } = {}) =>
  withHomePlace(withSetting(address, "application_name", MIGRATOR), options, (place) =>
    applyMigration(place, migration),
  );

const countJournaled = async ({ at, hash }: Migration): Promise<number> =>
  (await sql`select from drizzle.__drizzle_migrations where created_at = ${at} and hash = ${hash}`).length;

/** Ends the sessions of the migrator, as its death does. */
const endMigrator = () =>
  sql`select pg_terminate_backend(pid, 5000) from pg_stat_activity where application_name = ${MIGRATOR}`;

/** A transaction that has written a row of a table, and stays open until it is ended. */
async function openWriter(table: string): Promise<() => Promise<void>> {
  const writer = await openSession(url).reserve();
  await writer`begin`;
  await writer.unsafe(`update ${table} set vendor_id = vendor_id where ctid = (select ctid from ${table} limit 1)`);
  return async () => {
    await writer`rollback`;
    writer.release();
  };
}

const findIndex = async (name: string) =>
  (
    await sql<{ oid: number; valid: boolean }[]>`select indexrelid::int as oid, indisvalid as valid from pg_index
    where indexrelid = to_regclass(${name})`
  )[0];

/** The statements of the migrator that wait, or run. */
const listRunning = async (): Promise<string[]> => {
  const rows = await sql`select query from pg_stat_activity where application_name = ${MIGRATOR} and state = 'active'`;
  return rows.map(({ query }) => query as string);
};

test("a migration that fails leaves those before it applied, and nothing of itself", async () => {
  const first = migrationOf('alter table "orders" add column "note_one" text');
  const second = migrationOf(
    'alter table "orders" add column "note_two" text;\n--> statement-breakpoint\nselect 1 / 0',
  );
  await migrate(first);
  await expect(migrate(second)).rejects.toThrow("division by zero");
  expect([await countJournaled(first), await countJournaled(second)]).toEqual([1, 0]);
  const columns = await sql`select column_name as name from information_schema.columns
    where table_name = 'orders' and column_name like 'note_%'`;
  expect(columns.map(({ name }) => name as string)).toEqual(["note_one"]);
});

test("five migrators at once apply a migration of each kind once", async () => {
  await sql`create table public.traces (vendor_id bigint primary key, changes int not null default 0)`;
  await sql`alter table public.traces owner to ${sql(new URL(url).username)}`;
  await sql`insert into traces select n from generate_series(1, 5000) n`;
  const migrations = [
    migrationOf('update "traces" set "changes" = "changes" + 1'),
    migrationOf(OUTSIDE, 'create index concurrently "traces_changes" on "traces" ("changes")'),
    migrationOf(OUTSIDE, 'update "traces" set "changes" = "changes" + 10'),
    migrationOf('-- recoup: in batches of "traces"', 'update "traces" set "changes" = "changes" + 100 where {batch}'),
  ];
  for (const migration of migrations) await Promise.all(Array.from({ length: 5 }, () => migrate(migration)));
  expect([...(await sql`select changes, count(*)::int from traces group by 1`)]).toEqual([
    { changes: 111, count: 5000 },
  ]);
  for (const migration of migrations) expect(await countJournaled(migration)).toBe(1);
  expect(await findIndex("traces_changes")).toMatchObject({ valid: true });
});

describe("an index that is built beside writers", () => {
  const build = (name: string) => migrationOf(OUTSIDE, `CREATE INDEX CONCURRENTLY "${name}" ON "orders" ("code")`);

  test("is built again when its migrator was killed and left an invalid one", async () => {
    const migration = build("orders_killed");
    const endWriter = await openWriter("orders");
    const killed = expect(migrate(migration)).rejects.toThrow();
    await expect.poll(() => findIndex("orders_killed")).toMatchObject({ valid: false });
    await expect.poll(listRunning).toContainEqual(expect.stringContaining("orders_killed"));
    await endMigrator();
    await killed;
    await endWriter();
    const left = await findIndex("orders_killed");
    expect(left).toMatchObject({ valid: false });
    expect(await countJournaled(migration)).toBe(0);
    const sentences: string[] = [];
    await migrate(migration, { report: (sentence) => sentences.push(sentence) });
    expect(sentences).toContain(
      "The index orders_killed is not valid, because its build was stopped; it is built again.",
    );
    const built = await findIndex("orders_killed");
    expect(built).toMatchObject({ valid: true });
    expect(built?.oid).not.toBe(left?.oid);
    expect(await countJournaled(migration)).toBe(1);
  });

  test("is left alone while the statement of a killed migrator still builds it, and used when that has ended", async () => {
    const migration = build("orders_orphan");
    const endWriter = await openWriter("orders");
    const orphan = openSession(url).unsafe('create index concurrently "orders_orphan" on public.orders ("code")');
    const built = orphan.execute();
    await expect.poll(() => findIndex("orders_orphan")).toMatchObject({ valid: false });
    const begun = await findIndex("orders_orphan");
    const sentences: string[] = [];
    const migrating = migrate(migration, { report: (sentence) => sentences.push(sentence) });
    await expect.poll(() => sentences).toContainEqual(expect.stringContaining("by a session that was left behind"));
    await endWriter();
    await Promise.all([built, migrating]);
    expect(await findIndex("orders_orphan")).toEqual({ oid: begun?.oid, valid: true });
    expect(await countJournaled(migration)).toBe(1);
  });

  test("lets readers and writers of the table go on while it waits for an older transaction", async () => {
    const endWriter = await openWriter("orders");
    const migrating = migrate(build("orders_beside"));
    await expect.poll(listRunning).toContainEqual(expect.stringContaining("orders_beside"));
    const others = openSession(withSetting(url, "lock_timeout", "500"));
    await others`select from orders limit 1`;
    await others`update orders set code = code where ctid = (select ctid from orders order by id desc limit 1)`;
    await endWriter();
    await migrating;
  });

  test("is built on each partition of a table, and on those that are made later", async () => {
    const migration = migrationOf(OUTSIDE, 'create index concurrently "event_log_trigger" on "event_log" ("trigger")');
    const [first] = await sql`select inhrelid::regclass::text as name from pg_inherits
      where inhparent = 'event_log'::regclass order by 1`;
    const endWriter = await openWriter(first!["name"] as string);
    const killed = expect(migrate(migration)).rejects.toThrow();
    await expect.poll(listRunning).toContainEqual(expect.stringContaining("concurrently"));
    await endMigrator();
    await killed;
    await endWriter();
    expect(await findIndex("event_log_trigger")).toMatchObject({ valid: false });
    await migrate(migration);
    expect(await findIndex("event_log_trigger")).toMatchObject({ valid: true });
    await sql`create table event_log_2199_01 partition of event_log for values from ('2199-01-01Z') to ('2199-02-01Z')`;
    const [counts] =
      await sql`select (select count(*)::int from pg_inherits where inhparent = 'event_log'::regclass) as partitions,
      (select count(*)::int from pg_inherits where inhparent = 'event_log_trigger'::regclass) as indexes`;
    expect(counts?.["indexes"]).toBe(counts?.["partitions"]);
    await sql`drop table event_log_2199_01`;
  });

  test("has a name of its own on each partition, also if the names are long and begin alike", async () => {
    const names = ["first", "second"].map((end) => `event_log_of_a_name_that_is_too_long_for_partitions_${end}`);
    const columns = ["trigger", "actor"];
    for (const [index, name] of names.entries())
      await migrate(migrationOf(OUTSIDE, `create index concurrently "${name}" on "event_log" ("${columns[index]!}")`));
    for (const [index, name] of names.entries()) {
      expect(await findIndex(name)).toMatchObject({ valid: true });
      const attached = await sql<{ statement: string }[]>`select pg_get_indexdef(inhrelid) as statement
        from pg_inherits where inhparent = to_regclass(${name})`;
      expect(attached.length).toBeGreaterThan(0);
      for (const { statement } of attached) expect(statement).toMatch(new RegExp(`\\(${columns[index]!}\\)$`));
    }
  });

  test.each([
    ["other columns", 'on orders ("vendor_id", "code")'],
    ["another condition", 'on orders ("code") where code is not null'],
    ["another table", 'on customers ("code")'],
  ])("is refused where its name is that of an index with %s, until that is dropped", async (_, definition) => {
    await sql.unsafe(`create index orders_taken ${definition}`);
    const migration = build("orders_taken");
    await expect(migrate(migration)).rejects.toThrow(
      /There is an index orders_taken already, .*DROP INDEX CONCURRENTLY "public"."orders_taken"/,
    );
    expect(await countJournaled(migration)).toBe(0);
    await sql`drop index orders_taken`;
    await migrate(migration);
    expect(await findIndex("orders_taken")).toMatchObject({ valid: true });
    await sql`drop index orders_taken`;
  });

  test.each([
    ["", '("vendor_id", lower("code")) WHERE "code" is not null and "vendor_id" in (1, 2)'],
    ["unique ", 'USING btree ("code" DESC NULLS LAST, "id") INCLUDE ("modified_at")'],
  ])("is used where it is there, however the %sindex is written", async (unique, definition) => {
    await sql.unsafe(`create ${unique}index orders_there on orders ${definition}`);
    const there = await findIndex("orders_there");
    const migration = migrationOf(
      OUTSIDE,
      `CREATE ${unique}INDEX CONCURRENTLY "orders_there" ON "orders" ${definition}`,
    );
    await migrate(migration);
    expect(await findIndex("orders_there")).toEqual(there);
    expect(await countJournaled(migration)).toBe(1);
    await sql`drop index orders_there`;
  });

  test("is built without a limit of time, also on a connection that was lost and opened again", async () => {
    const migration = build("orders_reconnected");
    const endWriter = await openWriter("orders");
    const orphan = openSession(url).unsafe('create index concurrently "orders_reconnected" on public.orders ("code")');
    const ended = expect(orphan.execute()).rejects.toThrow();
    await expect.poll(() => findIndex("orders_reconnected")).toMatchObject({ valid: false });
    const sentences: string[] = [];
    const migrating = migrate(migration, {
      address: withSetting(url, "statement_timeout", "500"),
      report: (sentence) => sentences.push(sentence),
    });
    await expect.poll(() => sentences).toContainEqual(expect.stringContaining("by a session that was left behind"));
    // The session that works beside the one that locks the journal waits for the other index, and is lost.
    await expect
      .poll(
        async () =>
          (
            await sql`select pg_terminate_backend(pid, 5000) from pg_stat_activity
              where application_name = ${MIGRATOR} and state = 'idle' and query like '%pg_stat_progress_create_index%'`
          ).length,
        { interval: 20 },
      )
      .toBe(1);
    await sql`select pg_cancel_backend(pid) from pg_stat_activity
      where application_name <> ${MIGRATOR} and query like 'create index concurrently "orders_reconnected"%'`;
    await ended;
    const waitsLong = async () =>
      (
        await sql`select from pg_stat_activity where application_name = ${MIGRATOR} and state = 'active'
          and query like '%orders_reconnected%' and query_start < now() - interval '1 second'`
      ).length;
    await expect.poll(waitsLong, { timeout: 20_000 }).toBe(1);
    await endWriter();
    await migrating;
    expect(await findIndex("orders_reconnected")).toMatchObject({ valid: true });
  });

  test("says what to do behind a pooler whose role allows too little time, and leaves no invalid index", async () => {
    const migration = build("orders_pooled");
    const endWriter = await openWriter("orders");
    const address = withSetting(url, "statement_timeout", "300");
    await expect(migrate(migration, { address, isPooled: true })).rejects.toThrow(
      /DATABASE_POOLER=none recoup cells migrate/,
    );
    await endWriter();
    await migrate(migration, { address });
    expect(await findIndex("orders_pooled")).toMatchObject({ valid: true });
  });
});

/** Makes a table with rows to change in batches. */
async function makeNarrowTable(name: string): Promise<void> {
  await sql.unsafe(`create table public.${name} (vendor_id bigint, name text, changes int not null default 0, primary key (vendor_id, name));
    alter table public.${name} owner to "${new URL(url).username}";
    insert into ${name} select n % 7, 'it''s ' || n from generate_series(1, 60000) n`);
}

test("a change in batches continues after the rows that are done when its migrator was killed", async () => {
  await makeNarrowTable("narrow");
  const migration = migrationOf(
    '-- recoup: in batches of "narrow"',
    'update "narrow" set "changes" = "changes" + 1 where {batch}',
  );
  const killed = expect(migrate(migration)).rejects.toThrow();
  const readProgress = async () => {
    const [found] = await sql`select to_regclass('drizzle.__migration_batches') is not null as found`;
    if (!found?.["found"]) return 0;
    const [row] = await sql`select rows::int from drizzle.__migration_batches`;
    return (row?.["rows"] as number | undefined) ?? 0;
  };
  await expect.poll(readProgress, { interval: 5 }).toBeGreaterThan(0);
  await endMigrator();
  await killed;
  const done = await readProgress();
  expect(done).toBeLessThan(60_000);
  const sentences: string[] = [];
  await migrate(migration, { report: (sentence) => sentences.push(sentence) });
  const [, continuedAt] = /has changed (\d+) rows/.exec(sentences.find((sentence) => sentence.includes("rows"))!)!;
  expect(Number(continuedAt)).toBeGreaterThan(done);
  expect([...(await sql`select changes, count(*)::int from narrow group by 1`)]).toEqual([
    { changes: 1, count: 60_000 },
  ]);
  expect([await readProgress(), await countJournaled(migration)]).toEqual([0, 1]);
});

test("a change in batches finds its rows by the key, where the planner would read the whole table for each", async () => {
  await makeNarrowTable("planned");
  await sql`create table public.plans (line text)`;
  await sql.unsafe(`grant all on public.plans to "${new URL(url).username}"`);
  await sql`analyze planned`;
  const update = 'update "planned" set "changes" = "changes" + 1 where';
  const range = `("vendor_id", "name") > (1, 'it''s 1') and ("vendor_id", "name") <= (3, 'it''s 1')`;
  const ordinary = await sql.unsafe<{ "QUERY PLAN": string }[]>(`explain ${update} ${range}`);
  expect(ordinary.map((line) => line["QUERY PLAN"]).join("\n")).toContain("Seq Scan");
  // Each batch writes its own plan down.
  await migrate(
    migrationOf(
      '-- recoup: in batches of "planned"',
      `do $batch$
       declare line text;
       begin
         for line in explain ${update} {batch} loop insert into plans (line) values (line); end loop;
         ${update} {batch};
       end $batch$`,
    ),
  );
  expect([...(await sql`select changes, count(*)::int from planned group by 1`)]).toEqual([
    { changes: 1, count: 60_000 },
  ]);
  const scans = (await sql`select line from plans where line like '%Scan%'`).map(({ line }) => line as string);
  expect(scans.length).toBeGreaterThan(2);
  expect(scans.filter((line) => !line.includes("Index Scan using planned_pkey on planned"))).toEqual([]);
});

test("a change in batches gives way to a writer who has one of its rows", async () => {
  await makeNarrowTable("guarded");
  const endWriter = await openWriter("guarded");
  const migration = migrationOf(
    '-- recoup: in batches of "guarded"',
    'update "guarded" set "changes" = "changes" + 1 where {batch}',
  );
  const migrating = migrate(migration);
  await sleep(1_500);
  await endWriter();
  await migrating;
  expect([...(await sql`select changes, count(*)::int from guarded group by 1`)]).toEqual([
    { changes: 1, count: 60_000 },
  ]);
});

test("a migration waits longer for a vacuum, which gives way only then, and keeps nobody else waiting", async () => {
  const vacuum = await adminSession(url).reserve();
  await vacuum`begin`;
  await vacuum`lock table orders in share update exclusive mode`;
  const migrating = migrate(migrationOf('alter table "orders" add column "vacuumed" text'));
  const waitsForLock = async () => {
    const rows = await sql`select from pg_locks where mode = 'ShareUpdateExclusiveLock' and not granted
      and waitstart < now() - interval '1.2 seconds'`;
    return rows.length;
  };
  await expect.poll(waitsForLock, { interval: 100 }).toBe(1);
  const others = openSession(withSetting(url, "lock_timeout", "500"));
  await others`select from orders limit 1`;
  await others`update orders set code = code where ctid = (select ctid from orders order by id desc limit 1)`;
  await vacuum`rollback`;
  vacuum.release();
  await migrating;
});

test("a migration that waits for two tables never makes readers of either wait for a second", async () => {
  const reader = await openSession(url).reserve();
  await reader`begin`;
  await reader`select from customers limit 1`;
  const migration = migrationOf(
    'alter table "orders" add column "waited" text;\n--> statement-breakpoint\nalter table "customers" add column "waited" text',
  );
  const sentences: string[] = [];
  const migrating = migrate(migration, { report: (sentence) => sentences.push(sentence) });
  // PostgreSQL itself says if a reader waits for longer.
  const others = openSession(withSetting(url, "lock_timeout", "1000"));
  let reads = 0;
  while (!sentences.some((sentence) => sentence.includes("waits for locks"))) {
    await Promise.all([others`select from orders limit 1`, others`select from customers limit 1`]);
    reads++;
  }
  expect(reads).toBeGreaterThan(10);
  expect(sentences.at(-1)).toMatch(/the longest transactions are \d+ \(/);
  await reader`rollback`;
  reader.release();
  await migrating;
  expect(await countJournaled(migration)).toBe(1);
});
