import { readFile, writeFile } from "node:fs/promises";
import { gunzipSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { migrateSchema } from "../../src/database/migrations/migrate-schema.ts";
import { projectFile } from "../../src/kernel/project-files.ts";
import { writeBackupFile } from "../../src/operations/backup/write-backup.ts";
import { recordOf } from "../commands/command-line.ts";
import { adminSession, createDatabase, openSession, runAdminStatement } from "../faults/harness/fault-databases.ts";
import { GatewayProcess } from "../faults/harness/gateway-process.ts";
import { hasPostgres15, Postgres15 } from "../faults/harness/postgres15.ts";
import { waitUntil } from "../faults/harness/wait-until.ts";
import { buildOnce } from "../support/build-once.ts";
import type { RawData } from "../support/raw-data.ts";
import { findWrongCharges } from "./cell-books.ts";
import { createCellCommands, LIMIT_MS, refusalOf } from "./cell-commands.ts";
import { CellMerchant } from "./cell-merchant.ts";

/*
 * A gateway with its worker, and cells of which each is a database. The place of one is dropped and restored on another server from a
 * backup of the cell, while the others are served.
 */

const names = ["east", "south", "west"] as const;
type Name = (typeof names)[number];

const { settings, commands, cells, fileOf, sessionOf, restore, backUp, stateOf, start } = await createCellCommands();
let gateway: GatewayProcess;
const places = {} as Record<Name, string>;
const merchants = {} as Record<Name, CellMerchant>;
/** The server of the restored cell: another one than that of the others, where this machine has a second PostgreSQL. */
let target: string;

const addCustomer = async (merchant: CellMerchant, id: string): Promise<number> => {
  const body = { name: "Lee", email: "lee@example.com", phone: "010-1", partnerCustomerId: id };
  const answer = await merchant.rest("POST", "/cover/customer", body);
  await answer.text();
  return answer.status;
};

const findCustomers = async (url: string, schema: string): Promise<string[]> => {
  const rows = await sessionOf(url).unsafe(
    `select partner_customer_id as id from "${schema}".cover_customers order by id`,
  );
  return rows.map(({ id }) => id as string);
};

const countPaid = async (merchant: CellMerchant): Promise<number> => {
  const { payments } = await merchant.query("{ payments(first: 20) { nodes { state } } }");
  return payments.nodes.filter(({ state }: { state: string }) => state === "SUCCEEDED").length;
};

const advanceClock = (merchant: CellMerchant) =>
  merchant.query(`mutation { advanceTestClock(input: { by: "P32D" }) { now } }`);

const isServed = async (merchant: CellMerchant) => (await merchant.rest("GET", "/orders")).status === 200;

/** Starts a restore of a cell, and kills it as soon as something is so. */
async function killRestore(name: string, words: string[], isTime: () => Promise<boolean>): Promise<void> {
  const { child, exited } = start("restore", name, fileOf(name), ...words);
  await waitUntil("it is time to kill the restore", isTime, LIMIT_MS);
  child.kill("SIGKILL");
  expect(await exited).toEqual([null, "SIGKILL"]);
}

/** Whether a place was filled and waits to be registered. */
const isFilled = async (url: string, schema: string): Promise<boolean> => {
  const [row] = await sessionOf(url)`select obj_description(to_regclass(${`"${schema}".vendors`}), 'pg_class') as text`;
  return row!["text"] !== null;
};

beforeAll(async () => {
  await buildOnce();
  // A gateway has a pool for each cell, and all test files share the connections of one server.
  gateway = await GatewayProcess.start({ ...settings, ROLE: "both", DATABASE_POOL_SIZE: "3" });
  target = hasPostgres15 ? (await Postgres15.start()).url : await createDatabase({ empty: true });
  for (const name of names) {
    places[name] = await createDatabase({ empty: true });
    recordOf(await cells("add", name, "--url", places[name]));
    const { vendor, token } = recordOf(
      await commands.vendorCreate("--name", `Beans of ${name}`, "--sandbox", "--cell", name),
    );
    merchants[name] = new CellMerchant(gateway.address, token!, vendor!);
    await merchants[name].orderSubscription();
  }
}, 300_000);

afterAll(() => gateway.kill());

describe("the backup of a cell whose database is lost", () => {
  const acknowledged: string[] = [];
  let known: string[];
  let books: RawData;
  let unpaidId: number;
  /** Answers of the other cells, from the loss on. */
  const answersOfOthers = new Map<number, number>();
  const stopping = new AbortController();
  let others: Promise<void>;
  afterAll(() => stopping.abort());

  test("is written while the cell is served, and has all that was acknowledged before it", async () => {
    const merchant = merchants.south;
    expect(await merchant.pay((await merchant.orderSubscription()).databaseId)).toBe("SUCCEEDED");
    unpaidId = (await merchant.orderSubscription()).databaseId;
    const end = new AbortController();
    const writing = (async () => {
      for (let turn = 0; !end.signal.aborted; turn++)
        if ((await addCustomer(merchant, `lee-${turn}`)) === 201) acknowledged.push(`lee-${turn}`);
    })();
    await waitUntil("customers were created", async () => acknowledged.length > 20);
    known = [...acknowledged];
    const { cell, rows, bytes } = await backUp("south");
    expect([cell, Number(rows) > known.length, Number(bytes) > 0]).toEqual(["south", true, true]);
    expect(acknowledged.length).toBeGreaterThan(known.length);
    end.abort();
    await writing;
    // What the backup does not know: a renewal, and an order that its payer paid.
    await advanceClock(merchant);
    await waitUntil("the renewal is paid", async () => (await countPaid(merchant)) >= 2);
    expect(await merchant.pay(unpaidId)).toBe("SUCCEEDED");
    // The gateway's books are outside of the installation: only the simulated one has them in the cell.
    const [row] = await sessionOf(places.south)`select
      (select jsonb_agg(to_jsonb(c)) from simulated_charges c) as simulated_charges,
      (select jsonb_agg(to_jsonb(m)) from simulated_methods m) as simulated_methods`;
    books = row!;
  });

  test("is refused for the wrong cell, key, version, database and place, each with its sentence", async () => {
    await backUp("east");
    const home = fileOf("home");
    recordOf(await commands.recoup("backup", home));
    const to = ["--to", target];
    expect(await refusalOf(restore("south", ...to))).toBe(
      "The cell south answers: what was written to it since the backup would be lost. Repair or move it, or add --discard-writes.\n",
    );
    await runAdminStatement(`drop database ${new URL(places.south).pathname.slice(1)} with (force)`);
    others = (async () => {
      for (let turn = 0; !stopping.signal.aborted; turn++) {
        const rest = await merchants.west.rest("GET", "/orders");
        for (const status of [rest.status, await addCustomer(merchants.west, `other-${turn}`)])
          answersOfOthers.set(status, (answersOfOthers.get(status) ?? 0) + 1);
        await rest.text();
      }
    })();
    expect((await merchants.south.rest("GET", "/orders")).status).toBe(503);
    expect(await refusalOf(commands.recoup("backup", fileOf("again"), "--cell", "nowhere"))).toBe(
      "There is no cell with this name; recoup cells list shows all.\n",
    );
    const gone = await commands.recoup("backup", fileOf("again"), "--cell", "south");
    expect([gone.code, gone.err]).toEqual([3, expect.stringContaining("The cell south cannot be reached (3D000).")]);
    expect(await refusalOf(cells("restore", "south", fileOf("east"), ...to))).toBe(
      "The backup is that of the cell with the number 1, and south has the number 2, which is in all identifiers of its vendors.\n",
    );
    expect(await refusalOf(cells("restore", "south", home, ...to))).toContain("The backup is that of a home database");
    expect(
      await refusalOf(commands.recoup("restore", fileOf("south"), "--to", await createDatabase({ empty: true }))),
    ).toBe("The backup is that of the cell with the number 2. Restore it by recoup cells restore.\n");
    expect(await refusalOf(cells("restore", "nowhere", fileOf("south"), ...to))).toContain("There is no cell");
    expect(await refusalOf(restore("south", "--to", places.west))).toContain("are a cell already");
    expect(await refusalOf(restore("south", "--to", settings.DATABASE_URL))).toContain(
      "The new place has tables already.",
    );
    // A cell without vendors is nobody's room either.
    const empty = await createDatabase({ empty: true });
    recordOf(await cells("add", "empty", "--url", empty));
    const alias = Object.assign(new URL(empty), { hostname: "localhost" }).href;
    expect(await refusalOf(restore("south", "--to", alias))).toContain("The new place has tables already.");
    const text = gunzipSync(await readFile(fileOf("south"))).toString("latin1");
    await writeFile(
      fileOf("newer"),
      gzipSync(Buffer.from(text.replace(/"migration":\d+/, '"migration":9e15'), "latin1")),
    );
    expect(await refusalOf(cells("restore", "south", fileOf("newer"), ...to))).toContain(
      "by a newer version of Recoup",
    );
    await writeFile(fileOf("cut"), gzipSync(Buffer.from(text.slice(0, -9), "latin1")));
    expect(await refusalOf(cells("restore", "south", fileOf("cut"), ...to))).toContain("The file is no whole backup");
    expect((await stateOf("south"))["state"]).toBe("OPEN");
    expect(await sessionOf(target)`select to_regclass('vendors') is null as is_empty`).toEqual([{ is_empty: true }]);
  });

  test("changes nothing when the restore is killed in the middle", async () => {
    const holder = openSession(target, { max: 1 });
    await killRestore("south", ["--to", target], async () => {
      const [found] = await holder`select to_regclass('webhook_endpoints') is not null as is_there`;
      if (!found!["is_there"]) return false;
      // It cannot end any more.
      await holder.unsafe("begin; lock table webhook_endpoints in share update exclusive mode");
      return true;
    });
    await holder.end();
    expect(await stateOf("south")).toMatchObject({ state: "OPEN", up: false });
    expect((await merchants.south.rest("GET", "/orders")).status).toBe(503);
  });

  test("leaves the cell at its lost place when the restore is killed before the new one is registered", async () => {
    const { url } = await stateOf("south");
    await killRestore("south", ["--to", target], async () => {
      const [row] = await sessionOf(settings.DATABASE_URL)`select state from cells where name = 'south'`;
      return row!["state"] === "MOVING" && (await isFilled(target, "public"));
    });
    expect(await stateOf("south")).toMatchObject({ url, state: "MOVING", up: false });
  });

  test("is restored on another server, whose vendors are served with their tokens, when the restore is repeated", async () => {
    const restored = recordOf(await restore("south", "--to", target));
    expect(restored).toMatchObject({ number: "2", name: "south", schema: "public" });
    expect(restored["next"]).toContain("recoup charges search --cell south");
    await waitUntil("the gateway has opened it", () => isServed(merchants.south));
    expect(await stateOf("south")).toMatchObject({ state: "OPEN", up: true, vendors: 1 });
    expect(await merchants.south.countOrders()).toBe(3);
    const found = new Set(await findCustomers(target, "public"));
    expect(known.filter((id) => !found.has(id))).toEqual([]);
    await waitUntil("it takes writes", async () => (await addCustomer(merchants.south, "after-restore")) === 201);
    expect(await isFilled(target, "public")).toBe(false);
    const [role] = await sessionOf(target)`select rolsuper from pg_roles where rolname = (select tableowner
      from pg_tables where schemaname = 'public' and tablename = 'vendors')`;
    expect(role).toEqual({ rolsuper: false });
  });

  test("makes no charge again that the gateway knows", async () => {
    const sql = sessionOf(target);
    for (const [table, key] of [
      ["simulated_charges", "idempotency_key"],
      ["simulated_methods", "token"],
    ] as const)
      await sql.unsafe(
        `insert into ${table} select * from jsonb_populate_recordset(null::${table}, $1::jsonb) on conflict (vendor_id, ${key}) do nothing`,
        [books[table]],
      );
    const chargesOf = () =>
      sql`select subject, count(*)::int as count from simulated_charges where status = 'APPROVED' group by subject order by subject`;
    const before = [...(await chargesOf())];
    expect(before.map(({ count }) => count as number)).toEqual(before.map(() => 1));
    expect(before).toHaveLength(3);
    expect(await countPaid(merchants.south)).toBe(1);
    await advanceClock(merchants.south);
    await waitUntil("the renewal is found", async () => (await countPaid(merchants.south)) === 2);
    const { recorded } = recordOf(await commands.charges("search", "--cell", "south"));
    expect(recorded).toBe("1");
    expect(await countPaid(merchants.south)).toBe(3);
    expect([...(await chargesOf())]).toEqual(before);
    expect(await findWrongCharges(sql, "public")).toEqual([]);
    const { restored } = recordOf(await commands.charges("status", "--cell", "south"));
    expect(Date.parse(restored!)).toBeGreaterThan(0);
  });

  test("leaves other cells undisturbed", async () => {
    stopping.abort();
    await others;
    expect([...answersOfOthers.keys()].toSorted()).toEqual([200, 201]);
    expect(answersOfOthers.get(201)).toBeGreaterThan(20);
  });
});

describe("a cell that answers", () => {
  test("is replaced by a backup only if its writes are given up, and its tables are put aside", async () => {
    const merchant = merchants.east;
    await addCustomer(merchant, "before");
    await backUp("east");
    await addCustomer(merchant, "since");
    // Another schema of the same database, which no identity of a server tells from the old place.
    const words = ["--to", places.east, "--schema", "restored"];
    expect(await refusalOf(restore("east", ...words))).toContain("The cell east answers");
    expect(await isServed(merchant)).toBe(true);
    const { schema } = recordOf(await restore("east", ...words, "--discard-writes"));
    expect(schema).toBe("restored");
    await waitUntil("it takes writes", async () => (await addCustomer(merchant, "after")) === 201);
    expect(await findCustomers(places.east, "restored")).toEqual(["after", "before"]);
    expect(await findCustomers(places.east, "moved_cell_1")).toEqual(["before", "since"]);
    // The first charge ever, which other charges may have preceded since the backup.
    const { saved } = recordOf(await commands.charges("status", "--cell", "east"));
    expect(saved).toBe("restored");
    expect(await merchant.pay((await merchant.orderSubscription()).databaseId)).toBe("SUCCEEDED");
    const { restored } = recordOf(await commands.charges("status", "--cell", "east"));
    expect(Date.parse(restored!)).toBeGreaterThan(0);
  });

  test("is left alone if it comes back while it is restored", async () => {
    const merchant = merchants.west;
    await backUp("west");
    await addCustomer(merchant, "of-west");
    const database = new URL(places.west).pathname.slice(1);
    const rename = async (from: string, to: string) => {
      await runAdminStatement(`alter database ${from} allow_connections false`);
      await runAdminStatement(`select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = '${from}'`);
      await runAdminStatement(`alter database ${from} rename to ${to}`);
      await runAdminStatement(`alter database ${to} allow_connections true`);
    };
    const other = await createDatabase({ empty: true });
    await runAdminStatement(`alter database ${database} allow_connections false`);
    expect(await refusalOf(restore("west", "--to", other))).toContain(
      "The server of the cell west answers, but with an error:",
    );
    await rename(database, `${database}_away`);
    const restoring = restore("west", "--to", other);
    await waitUntil("the new place is filled", () => isFilled(other, "public"), LIMIT_MS);
    await rename(`${database}_away`, database);
    expect(await refusalOf(restoring)).toBe("The cell west answers again. Nothing was changed.\n");
    await waitUntil("it is served", () => isServed(merchant));
    await waitUntil("it takes writes", async () => (await addCustomer(merchant, "of-west-later")) === 201);
    expect(await findCustomers(places.west, "public")).toEqual(expect.arrayContaining(["of-west", "of-west-later"]));
    expect(await stateOf("west")).toMatchObject({ state: "OPEN", up: true });
  });
});

test("the backup of a cell of an older version is migrated", async () => {
  const [first, second] = [await createDatabase({ empty: true }), await createDatabase({ empty: true })];
  const number = Number(recordOf(await cells("add", "north", "--url", first))["number"]);
  const { entries } = JSON.parse(await readFile(projectFile("schema/migrations/meta/_journal.json"), "utf8")) as {
    entries: { when: number; tag: string }[];
  };
  const previous = entries.findIndex(({ tag }) => tag === "0077_partition_webhook_attempts") - 1;
  await migrateSchema(second, "older", { until: entries[previous]!.when });
  await sessionOf(
    second,
  )`insert into older.vendors (id, uuid, name, zone_id, currency, country, created_at, modified_at)
    overriding system value
    values (${number * 1_000_000_000 + 1}, gen_random_uuid(), 'Bean Club', 'Asia/Seoul', 'KRW', 'KR', now(), now())`;
  const source = { url: second, cell: { number, schema: "older" }, keyId: null, createdAt: new Date() };
  await writeBackupFile(source, fileOf("north"), false);
  recordOf(await restore("north", "--to", second, "--schema", "newer"));
  const [row] = await sessionOf(second)`select (select name from newer.vendors) as name,
    (select count(*)::int from newer.__drizzle_migrations) as migrations`;
  expect(row).toEqual({ name: "Bean Club", migrations: entries.length });
  expect(await sessionOf(second)`select count(*)::int as count from older.__drizzle_migrations`).toEqual([
    { count: previous + 1 },
  ]);
});

test("a cell whose rows a migration changes in batches is not backed up before it has ended", async () => {
  const { url } = await stateOf("west");
  const [admin, table] = [adminSession(places.west), 'public."__migration_batches"'];
  expect(String(url)).toContain(new URL(places.west).pathname);
  await admin.unsafe(`create table ${table} ()`);
  expect(await refusalOf(commands.recoup("backup", fileOf("batches"), "--cell", "west"))).toContain(
    "A migration is changing rows in batches.",
  );
  await admin.unsafe(`drop table ${table}`);
});
