import { spawn } from "node:child_process";
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { startEmbeddedServer } from "../../src/database/embedded/embedded-database.ts";
import { migrateWithin, withMigrationLock } from "../../src/database/migrations/migrate.ts";
import { projectFile } from "../../src/kernel/project-files.ts";
import { commandsOn, recordOf } from "../commands/command-line.ts";
import { createDatabase, openSession } from "../faults/harness/fault-databases.ts";
import { GatewayProcess, TOKEN } from "../faults/harness/gateway-process.ts";
import { SmallDisk } from "../faults/harness/small-disk.ts";
import { waitUntil } from "../faults/harness/wait-until.ts";
import { buildOnce } from "../support/build-once.ts";
import type { RawData } from "../support/raw-data.ts";
import { SECRETS_KEY } from "../support/test-gateway.ts";

/* Backups, which are restored on servers of other versions: the embedded one is PostgreSQL 18, that of the tests 18 or 15. */

const LIMIT_MS = 120_000;
const settings = { SECRETS_KEY: SECRETS_KEY.toString("base64") };
const recoupOn = (more: Record<string, string>) => commandsOn({ ...settings, ...more }, LIMIT_MS).recoup;

beforeAll(buildOnce);

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "recoup-backup-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  // Open to the user that PostgreSQL runs as if the tests run as root.
  await chmod(folder, 0o755);
  return folder;
}

/** All rows of all tables as one fingerprint a table, and the sequences; without the mark that a restore makes. */
async function contentOf(url: string): Promise<Record<string, unknown>> {
  const sql = openSession(url);
  await sql.unsafe("set timezone = 'UTC'");
  const relations = await sql<{ name: string; kind: string }[]>`
    select relname as name, relkind as kind from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'S') and relname <> 'database_identity' order by 1`;
  const content: Record<string, unknown> = {};
  for (const { name, kind } of relations) {
    const rows =
      kind === "S"
        ? await sql.unsafe(`select last_value::text as value, is_called from "${name}"`)
        : await sql.unsafe(
            `select count(*)::int as count, md5(string_agg(row_to_json(t)::text, ',' order by row_to_json(t)::text)) as hash from "${name}" t`,
          );
    content[name] = { ...rows[0] };
  }
  return content;
}

/** Foreign and primary keys, and triggers with their state. */
const rulesOf = (url: string) =>
  openSession(url)`
    select conrelid::regclass::text as table, conname as name, pg_get_constraintdef(oid) as state from pg_constraint
      where connamespace = 'public'::regnamespace and contype in ('f', 'p')
    union all select tgrelid::regclass::text, tgname, tgenabled::text from pg_trigger where not tgisinternal order by 1, 2`;

const backUp = async (url: string, path: string) => {
  const ended = await recoupOn({ DATABASE_URL: url })("backup", path);
  expect(ended.err).toBe("");
  return recordOf(ended);
};

describe("a backup", () => {
  test("has every row, sequence and rule when it is restored into the embedded database and moved to a server again", async () => {
    const [url, folder] = [await createDatabase(), await newFolder()];
    const sql = openSession(url);
    await sql.unsafe("create table event_log_2020_01 (like event_log including defaults including constraints)");
    await sql.unsafe(
      "alter table event_log attach partition event_log_2020_01 for values from ('2020-01-01') to ('2020-02-01')",
    );
    await sql.unsafe("create table webhook_attempts_first (like webhook_attempts_default including indexes)");
    await sql.unsafe(
      "alter table webhook_attempts attach partition webhook_attempts_first for values from (minvalue) to ('2020-01-01')",
    );
    await sql.unsafe("insert into webhook_attempts values (1, 1, 1, '2019-12-31', 5)");
    await sql.unsafe(
      'update customers set name = E\'\\\\.\\n\\t\\u20ac {"table":"x"}\' where id = (select min(id) from customers)',
    );
    const before = await contentOf(url);
    const file = join(folder, "one.backup");
    const { rows, tables } = await backUp(url, file);
    expect([Number(rows), Number(tables)]).toEqual([expect.toSatisfy((count) => count > 10_000), expect.any(Number)]);
    expect((await stat(file)).mode & 0o777).toBe(0o600);

    const embedded = { DATA_DIR: join(folder, "data") };
    const restored = await recoupOn(embedded)("restore", file, "--json");
    expect(restored.err).toBe("");
    expect(JSON.parse(restored.out)).toMatchObject({ rows: Number(rows), tables: Number(tables) });
    const server = await startEmbeddedServer({ dataDir: embedded.DATA_DIR });
    expect(await contentOf(server.url)).toEqual(before);
    const rules = await rulesOf(url);
    expect(rules.length).toBeGreaterThan(100);
    expect(await rulesOf(server.url)).toEqual(rules);
    await server.release();

    const target = await createDatabase({ empty: true });
    const moved = await recoupOn(embedded)("move", "--to", target);
    expect(moved.err).toBe("");
    expect(moved.out).toContain("next: Start Recoup with DATABASE_URL set to the new database.");
    expect(await contentOf(target)).toEqual(before);
    const again = await recoupOn(embedded)("move", "--to", target);
    expect(again).toMatchObject({ code: 1, err: expect.stringContaining("The database is not empty.") });
    const gateway = await GatewayProcess.start({ ...settings, DATABASE_URL: target });
    const inUse = await recoupOn({ DATABASE_URL: target })("move", "--to", url, "--replace");
    expect(inUse).toMatchObject({ code: 1, err: expect.stringContaining("are connected to the database") });
    const answer = await fetch(`${gateway.address}/api/v1/orders?size=1`, { headers: { "secret-token": TOKEN } });
    expect(answer.status).toBe(200);
  });

  test("has all that was acknowledged before it, and no part of a transaction, when gateways and workers go on", async () => {
    const [url, folder] = [await createDatabase(), await newFolder()];
    const gateway = await GatewayProcess.start({ ...settings, DATABASE_URL: url, ROLE: "both" });
    const acknowledged: number[] = [];
    const end = new AbortController();
    const writing = (async () => {
      for (let count = 0; !end.signal.aborted; count++) {
        const answer = await fetch(`${gateway.address}/graphql`, {
          method: "POST",
          headers: { "content-type": "application/json", "secret-token": TOKEN },
          body: JSON.stringify({
            query: `mutation { createCustomer(input: { name: "Customer ${count}", email: "c${count}@example.com", phone: "01012345678" }) { customer { databaseId } } }`,
          }),
        });
        const body = (await answer.json()) as RawData;
        if (!body.data) throw new Error(JSON.stringify(body));
        const { data } = body;
        acknowledged.push(Number(data.createCustomer.customer.databaseId));
      }
    })();
    await Promise.race([writing, waitUntil("customers were written", async () => acknowledged.length > 20, LIMIT_MS)]);
    const known = [...acknowledged];
    const file = join(folder, "one.backup");
    await backUp(url, file);
    const during = acknowledged.length;
    expect(during).toBeGreaterThan(known.length);
    end.abort();
    await writing;
    await gateway.kill();

    const target = await createDatabase({ empty: true });
    expect((await recoupOn({})("restore", file, "--to", target)).err).toBe("");
    const sql = openSession(target);
    const found = await sql<{ id: number }[]>`select id::int from customers where id = any(${acknowledged})`;
    const ids = new Set(found.map(({ id }) => id));
    expect(known.filter((id) => !ids.has(id))).toEqual([]);
    // An event is recorded in the transaction of its customer; later ones are in neither.
    const events =
      await sql`select distinct subject_id::int as id from event_log where type = 'CUSTOMER_CREATED' and subject_id = any(${acknowledged})`;
    expect(new Set(events.map(({ id }) => id as number))).toEqual(ids);
    const unbalanced = await sql`select order_id from ledger_entries group by order_id having sum(amount) <> 0`;
    expect([...unbalanced]).toEqual([]);
  });

  test("has no name before it is whole when its process is killed", async () => {
    const [url, folder] = [await createDatabase(), await newFolder()];
    const file = join(folder, "one.backup");
    const holder = openSession(url, { max: 1 });
    // The last table waits, so that most of the file is written.
    await holder.unsafe("begin; lock table webhook_endpoints in access exclusive mode");
    const child = spawn(process.execPath, [projectFile("dist/src/commands/recoup.js"), "backup", file], {
      env: { PATH: process.env["PATH"], ...settings, DATABASE_URL: url },
    });
    const partial = async () => (await readdir(folder)).find((name) => name.startsWith("one.backup.partial-"));
    await waitUntil(
      "most of it was written",
      async () => {
        const name = await partial();
        return name !== undefined && (await stat(join(folder, name))).size > 100_000;
      },
      LIMIT_MS,
    );
    child.kill("SIGKILL");
    await waitUntil("the process had ended", async () => child.signalCode !== null, LIMIT_MS);
    expect(await readdir(folder)).toEqual([await partial()]);
    const target = await createDatabase({ empty: true });
    const restored = await recoupOn({})("restore", join(folder, (await partial())!), "--to", target);
    expect(restored).toMatchObject({ code: 1, out: "" });
    expect(restored.err).toContain("The file is no whole backup: unexpected end of file. Nothing was changed.");
    expect(await contentOf(target)).toEqual({});
  });
});

test("a backup on a full disk ends with the reason, and leaves no file", async ({ skip }) => {
  const disk = await SmallDisk.mount(1);
  if (!disk) return skip("this user may not mount a disk");
  await disk.fillUp();
  const ended = await recoupOn({ DATABASE_URL: await createDatabase() })("backup", join(disk.folder, "one.backup"));
  expect(ended).toMatchObject({ code: 1, out: "", err: expect.stringContaining("ENOSPC") });
  expect(await readdir(disk.folder)).toEqual(["filler"]);
});

describe("a restore", () => {
  test("changes nothing when it is refused", async () => {
    const [url, folder] = [await createDatabase(), await newFolder()];
    const file = join(folder, "one.backup");
    await backUp(url, file);
    const content = await contentOf(url);
    const run = (name: string, more: Record<string, string> = {}, ...words: string[]) =>
      recoupOn(more)("restore", join(folder, name), "--to", url, ...words);
    const restore = async (...words: Parameters<typeof run>) => {
      const ended = await run(...words);
      expect(ended).toMatchObject({ code: 1, out: "" });
      return ended.err;
    };
    expect(await restore("one.backup")).toContain("The database is not empty.");
    expect(await run("two.backup")).toMatchObject({
      ...{ code: 2, out: "" },
      err: expect.stringContaining("FILE cannot be read: is it there?"),
    });
    const gone = "postgres://127.0.0.1:1/x";
    expect(await recoupOn({})("restore", file, "--to", gone)).toEqual({
      ...{ code: 3, out: "" },
      err: "The database of --to cannot be reached (ECONNREFUSED). Check the address, and whether the server runs.\n",
    });
    expect(await recoupOn({ DATABASE_URL: url })("move", "--to", gone)).toMatchObject({
      ...{ code: 3, out: "" },
      err: expect.stringContaining("The database of --to, or that of the settings, cannot be reached (ECONNREFUSED)."),
    });
    const nothing = await recoupOn({ DATABASE_URL: await createDatabase({ empty: true }) })(
      "backup",
      join(folder, "x"),
    );
    expect(nothing).toMatchObject({ code: 1, err: expect.stringContaining("has no tables of Recoup") });
    expect(await readdir(folder)).toEqual(["one.backup"]);
    expect(
      await restore("one.backup", { SECRETS_KEY: Buffer.alloc(32, "another").toString("base64") }, "--replace"),
    ).toContain("were encrypted with another key");
    const existing = await recoupOn({ DATABASE_URL: url })("backup", file);
    expect(existing).toMatchObject({ code: 1, err: expect.stringContaining("exists already") });
    const nowhere = await recoupOn({ DATABASE_URL: url })("backup", join(file, "inside-a-file"));
    expect(nowhere).toMatchObject({ code: 2, err: expect.stringMatching(/cannot be written \(ENOTDIR\)/) });
    expect(nowhere.err).not.toContain("    at ");

    const whole = await readFile(file);
    const text = gunzipSync(whole).toString("latin1");
    const broken: Record<string, Buffer> = {
      "cut.backup": whole.subarray(0, whole.length - 9),
      "flipped.backup": Buffer.from(whole).fill(whole[5_000]! ^ 1, 5_000, 5_001),
      "row-lost.backup": gzipSync(Buffer.from(text.replace(/(\{"table":"vendors"[^\n]*\n)[^\n]*\n/, "$1"), "latin1")),
      "without-end.backup": gzipSync(Buffer.from(text.slice(0, text.lastIndexOf('{"rows"')), "latin1")),
      "text.backup": Buffer.from("create table x ();"),
    };
    for (const [name, bytes] of Object.entries(broken)) {
      await writeFile(join(folder, name), bytes);
      expect(await restore(name, {}, "--replace")).toContain("The file is no whole backup");
    }
    const newer = text.replace(/"migration":\d+/, '"migration":99999999999999');
    await writeFile(join(folder, "newer.backup"), gzipSync(Buffer.from(newer, "latin1")));
    expect(await restore("newer.backup", {}, "--replace")).toContain("was made by a newer version of Recoup");
    expect(await contentOf(url)).toEqual(content);
  });

  test("replaces the content of a database when it is asked to", async () => {
    const [url, folder] = [await createDatabase(), await newFolder()];
    const file = join(folder, "one.backup");
    await backUp(url, file);
    const content = await contentOf(url);
    await openSession(url)`update vendors set name = 'changed since'`;
    expect((await recoupOn({})("restore", file, "--to", url, "--replace")).err).toBe("");
    expect(await contentOf(url)).toEqual(content);
    // It is the same server and database, but the first charge must notice the restore.
    const { saved, current } = recordOf(await recoupOn({ DATABASE_URL: url })("charges", "status"));
    expect([saved, saved === current]).toEqual(["restored", false]);
  });

  test("migrates a backup of an older version", async () => {
    const [older, target, folder] = [
      await createDatabase({ empty: true }),
      await createDatabase({ empty: true }),
      await newFolder(),
    ];
    const { entries } = JSON.parse(await readFile(projectFile("schema/migrations/meta/_journal.json"), "utf8")) as {
      entries: { when: number; tag: string }[];
    };
    const previous = entries.findIndex(({ tag }) => tag === "0059_expiries_of_cards") - 1;
    await withMigrationLock(older, (session) => migrateWithin(session, entries[previous]!.when));
    await openSession(older)`insert into vendors (uuid, name, zone_id, currency, country, created_at, modified_at)
      values (gen_random_uuid(), 'Bean Club', 'Asia/Seoul', 'KRW', 'KR', now(), now())`;
    const file = join(folder, "older.backup");
    await backUp(older, file);
    expect((await recoupOn({})("restore", file, "--to", target)).err).toBe("");
    const sql = openSession(target);
    expect([...(await sql`select name from vendors`)]).toEqual([{ name: "Bean Club" }]);
    expect([...(await sql`select expires_at from payment_methods`)]).toEqual([]);
    const [{ count }] = await sql<[{ count: string }]>`select count(*) from drizzle.__drizzle_migrations`;
    expect(Number(count)).toBe(entries.length);
  });
});
