import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { Sql } from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { commandsOn, recordOf } from "../commands/command-line.ts";
import { adminSession, createDatabase } from "../faults/harness/fault-databases.ts";
import { logMeasurement } from "../faults/harness/fault-rounds.ts";
import { GatewayProcess } from "../faults/harness/gateway-process.ts";
import { buildOnce } from "../support/build-once.ts";
import { makeNextVersion } from "../support/next-version.ts";
import { SECRETS_KEY } from "../support/test-gateway.ts";
import { CellMerchant } from "./cell-merchant.ts";

/*
 * The next version migrates the home database and cells, is killed in the middle, and continues, while processes of this version serve all of
 * them. CELLS sets the number of cells, each a schema of one database: `CELLS=100 TEST_FORM=long npx vitest run test/cells/cells-migrated.test.ts`.
 */

const CELLS = Number(process.env["CELLS"] ?? 3);
/** A process with many cells leaves little for a command. */
const LIMIT_MS = 300_000;
/** Each migration takes at least so long in a cell with orders, so that a kill meets one. */
const ROWS = 3_000;
const names = Array.from({ length: CELLS }, (_, index) => `c${index + 1}`);

const MIGRATIONS = {
  "9001_add_notes": 'ALTER TABLE "customers" ADD COLUMN "next_note" text;',
  "9002_fill_notes":
    '-- recoup: in batches of "customers"\nUPDATE "customers" SET "next_note" = coalesce("next_note", \'\') || \'x\' WHERE {batch};',
  "9003_find_notes":
    '-- recoup: outside of a transaction\nCREATE INDEX CONCURRENTLY "customers_next_note" ON "customers" ("vendor_id", "next_note");',
};

let gateway: GatewayProcess;
let settings: Record<string, string>;
let cellsUrl: string;
/** One session for all cells: each would be one more connection of a server that has hundreds already. */
let sql: Sql;
let next: Awaited<ReturnType<typeof makeNextVersion>>;
const merchants: CellMerchant[] = [];

/** The command of the next version. */
const nextCommand = (...words: string[]) =>
  [join(next.folder, "dist/src/commands/recoup.js"), "cells", "migrate", ...words] as const;
const environment = () => ({ PATH: process.env["PATH"], HOME: process.env["HOME"], LOG_LEVEL: "silent", ...settings });

interface StatusRow {
  name: string;
  up: boolean;
  pending: string[];
}

async function readStatuses(): Promise<StatusRow[]> {
  const out = await new Promise<string>((resolve, reject) =>
    execFile(process.execPath, nextCommand("--status", "--json"), { env: environment() }, (error, text, err) =>
      error ? reject(new Error(err)) : resolve(text),
    ),
  );
  return (JSON.parse(out) as { cells: StatusRow[] }).cells;
}

beforeAll(async () => {
  await buildOnce();
  cellsUrl = await createDatabase({ empty: true });
  sql = adminSession(cellsUrl);
  settings = { DATABASE_URL: await createDatabase(), SECRETS_KEY: SECRETS_KEY.toString("base64") };
  gateway = await GatewayProcess.start({ ...settings, ROLE: "both", PORT: "0" });
  for (const name of names) {
    recordOf(await commandsOn(settings, LIMIT_MS).cells("add", name, "--url", cellsUrl, "--schema", name));
    const words = ["--name", name, "--sandbox", "--cell", name];
    const { vendor, token } = recordOf(await commandsOn(settings, LIMIT_MS).vendorCreate(...words));
    merchants.push(new CellMerchant(gateway.address, token!, vendor!));
    await sql.unsafe(`insert into ${name}.customers
      (vendor_id, uuid, code, status, name, email, phone, last_active_at, created_at, modified_at)
      select (select min(id) from ${name}.vendors), gen_random_uuid(), 'customer_' || n, 'NORMAL', 'Kim', 'kim' || n || '@example.com', '8210' || n, now(), now(), now()
      from generate_series(1, ${ROWS}) n`);
  }
  next = await makeNextVersion(MIGRATIONS);
}, 1_800_000);

afterAll(async () => {
  await gateway.kill();
  await next.remove();
});

test("a migration over all cells that is killed in the middle continues where it was stopped, while this version serves", async () => {
  const statuses = new Map<number, number>();
  let slowest = 0;
  const stopping = new AbortController();
  /** Reads, and creates customers, in each cell in turn. */
  const load = (async () => {
    for (let turn = 0; !stopping.signal.aborted; turn++) {
      const merchant = merchants[turn % merchants.length]!;
      const startedAt = performance.now();
      const body = { name: "Lee", email: "lee@example.com", phone: "010-1", partnerCustomerId: `lee-${turn}` };
      const answers = [await merchant.rest("GET", "/customers"), await merchant.rest("POST", "/cover/customer", body)];
      for (const answer of answers) {
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
        await answer.text();
      }
      slowest = Math.max(slowest, performance.now() - startedAt);
    }
  })();

  expect((await readStatuses()).every(({ up, pending }) => up && pending.length === 3)).toBe(true);
  const killed = spawn(process.execPath, nextCommand(), { env: environment(), stdio: ["ignore", "ignore", "pipe"] });
  const exited = once(killed, "exit");
  // In the middle of the middle cell.
  const middle = names[Math.floor(CELLS / 2)]!;
  let output = "";
  for await (const chunk of killed.stderr) {
    output += String(chunk);
    if (output.includes(`${middle}: 9002_fill_notes`)) break;
  }
  killed.kill("SIGKILL");
  await exited;
  const after = await readStatuses();
  const pendingOf = (name: string) => after.find((row) => row.name === name)?.pending.length;
  expect([pendingOf("home"), pendingOf(names[0]!), pendingOf(names.at(-1)!)]).toEqual([0, 0, 3]);
  expect(pendingOf(middle)).toBeGreaterThan(0);

  const startedAt = performance.now();
  const resumed = spawn(process.execPath, nextCommand(), { env: environment(), stdio: "ignore" });
  expect(await once(resumed, "exit")).toEqual([0, null]);
  const seconds = (performance.now() - startedAt) / 1_000;
  expect((await readStatuses()).flatMap(({ pending }) => pending)).toEqual([]);
  stopping.abort();
  await load;

  for (const name of names) {
    // Each row that was there was changed once, whether before the kill or after it.
    const changed = await sql.unsafe(
      `select distinct next_note as note from ${name}.customers where code like 'customer\\__%' and email like 'kim%'`,
    );
    expect(changed.map(({ note }) => note as string)).toEqual(["x"]);
    const [index] = await sql.unsafe(
      `select indisvalid as valid from pg_index where indexrelid = '${name}.customers_next_note'::regclass`,
    );
    expect(index).toEqual({ valid: true });
    const journal = await sql.unsafe(
      `select count(*)::int, count(distinct created_at)::int as different from ${name}.__drizzle_migrations`,
    );
    expect(journal[0]!["count"]).toBe(journal[0]!["different"]);
  }
  expect([...statuses.keys()].toSorted()).toEqual([200, 201]);
  logMeasurement(
    `${CELLS} cells migrated: resumed in ${seconds.toFixed(1)} s, answers ${JSON.stringify([...statuses])}, the slowest pair of requests took ${Math.round(slowest)} ms`,
  );
}, 1_800_000);

test("a gateway of the next version serves the cells beside this one", async () => {
  const newer = await GatewayProcess.start({ ...settings, PORT: "0" }, next.folder);
  for (const { token, uuid, address } of merchants) {
    const before = await new CellMerchant(address, token, uuid).rest("GET", "/customers");
    const after = await new CellMerchant(newer.address, token, uuid).rest("GET", "/customers");
    expect([before.status, after.status]).toEqual([200, 200]);
  }
  await newer.kill();
}, 300_000);
