import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Sql } from "postgres";
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from "vitest";
import { commandsOn, faultsOf, recordOf } from "../commands/command-line.ts";
import { adminSession, createDatabase, openSession, runAdminStatement } from "../faults/harness/fault-databases.ts";
import { GatewayProcess, TOKEN } from "../faults/harness/gateway-process.ts";
import { waitUntil } from "../faults/harness/wait-until.ts";
import { buildOnce } from "../support/build-once.ts";
import type { RawData } from "../support/raw-data.ts";
import { SECRETS_KEY } from "../support/test-gateway.ts";
import { testCards } from "../support/test-payments.ts";
import { CellMerchant } from "./cell-merchant.ts";

/*
 * One gateway with its worker, a home database, two cells that are schemas of one database, and a third that is a database. With the address
 * of a superuser of a Citus cluster in CITUS_URL, a fourth is a schema there: `npm run test:citus`.
 */

const clusterUrl = process.env["CITUS_URL"];
const clusterSchema = `cell_${randomBytes(4).toString("hex")}`;
type Name = "east" | "west" | "south" | "cluster";
const names: readonly Name[] = ["east", "west", "south", ...(clusterUrl === undefined ? [] : (["cluster"] as const))];

let gateway: GatewayProcess;
let settings: Record<string, string>;
let places: Record<Name, string>;
const merchants = {} as Record<Name, CellMerchant>;

const readBody = async (response: Response): Promise<RawData> => (await response.json()) as RawData;

const cells = (...words: string[]) => commandsOn(settings).cells(...words);

/** The rows of one statement. Its session ends with it: test files that run beside this one need connections, too. */
const readOnce = (session: Sql, statement: string): Promise<RawData[]> =>
  session.unsafe(statement).finally(() => session.end());

/** Creates a sandbox, whose clock can be moved, in a cell, while the gateway runs. */
async function createMerchant(cell: string): Promise<CellMerchant> {
  const words = ["--name", `Beans of ${cell}`, "--sandbox", "--cell", cell];
  const { vendor, token } = recordOf(await commandsOn(settings).vendorCreate(...words));
  return new CellMerchant(gateway.address, token!, vendor!);
}

beforeAll(async () => {
  await buildOnce();
  const [home, shared, own] = [
    await createDatabase(),
    await createDatabase({ empty: true }),
    await createDatabase({ empty: true }),
  ];
  places = { east: shared, west: shared, south: own, cluster: clusterUrl ?? "" };
  settings = { DATABASE_URL: home, SECRETS_KEY: SECRETS_KEY.toString("base64") };
  // A gateway has a pool for each cell, and all test files share the connections of one server.
  gateway = await GatewayProcess.start({ ...settings, ROLE: "both", PORT: "0", DATABASE_POOL_SIZE: "3" });
  for (const name of ["east", "west"]) recordOf(await cells("add", name, "--url", shared, "--schema", name));
  // Of a superuser, so that a role is made.
  const superuser = Object.assign(new URL(inject("adminUrl")), { pathname: new URL(own).pathname });
  recordOf(await cells("add", "south", "--url", superuser.href));
  if (clusterUrl !== undefined) recordOf(await cells("add", "cluster", "--url", clusterUrl, "--schema", clusterSchema));
  for (const name of names) merchants[name] = await createMerchant(name);
}, 300_000);

afterAll(() => gateway.kill());

describe.each(names)("the merchant of %s", (name) => {
  let order: { databaseId: number; code: string };

  test("has rows in the cell only, and identifiers that name it", async () => {
    order = await merchants[name].orderSubscription();
    expect(await merchants[name].countOrders()).toBe(1);
    expect(merchants[name].token).toMatch(new RegExp(`^recoup_test_c${names.indexOf(name) + 1}_[\\w-]{43}$`));
    const schema = { east: "east", west: "west", south: "public", cluster: clusterSchema }[name];
    const session = name === "cluster" ? openSession(places.cluster) : adminSession(places[name]);
    expect(await readOnce(session, `select code from "${schema}".orders`)).toEqual([{ code: order.code }]);
    const home = openSession(settings["DATABASE_URL"]!);
    expect(await readOnce(home, `select from orders where code = '${order.code}'`)).toHaveLength(0);
  });

  test("lets a payer without a token open the order's page", async () => {
    const link = await fetch(`${gateway.address}/api/public/orders/${order.code}/pay`, { redirect: "manual" });
    expect(link.status).toBe(302);
    const page = await fetch(link.headers.get("location")!);
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining("18,900")]);
  });

  test("is paid, and a worker renews the subscription", async () => {
    const merchant = merchants[name];
    expect(await merchant.pay(order.databaseId)).toBe("SUCCEEDED");
    await merchant.query(`mutation { advanceTestClock(input: { by: "P32D" }) { now } }`);
    await waitUntil("the renewal is paid", async () => {
      const { payments } = await merchant.query("{ payments(first: 5) { nodes { state } } }");
      return payments.nodes.filter(({ state }: { state: string }) => state === "SUCCEEDED").length >= 2;
    });
  });

  test("recovers a payment over REST", async () => {
    const merchant = merchants[name];
    const post = async (path: string, body: object) => readBody(await merchant.rest("POST", path, body));
    const customer = await post("/cover/customer", {
      ...{ name: "Kim", email: "kim@example.com", phone: "010-1234-5678", partnerCustomerId: "kim-1" },
    });
    const product = await post("/cover/product", { name: "Beans", partnerProductId: "beans" });
    const price = await post("/cover/price", {
      ...{ name: "Monthly", productId: product.id, price: 18900, partnerPriceId: "monthly" },
    });
    const registered = await post("/cover/order", {
      ...{
        customerId: customer.id,
        amount: 18900,
        items: [{ priceId: price.id, quantity: 1 }],
        partnerOrderId: "order-1",
      },
      ...{ paymentFailed: true, errorCode: "51" },
    });
    expect(registered).toMatchObject({ status: "PAYMENT_FAILURE", retryDate: expect.any(String) });
    const paid = await merchant.rest("PATCH", `/cover/order/success/${registered.id}`);
    expect((await readBody(paid)).status).toBe("PAID");
  });

  test("has people who sign in to the console, whatever cell they are in", async () => {
    const email = `owner@${name}.example.com`;
    const { child } = await merchants[name].mutate(
      "createChildVendor",
      { name: `Corner of ${name}`, email, password: "correct horse" },
      "child { uuid secretKey }",
    );
    expect(child.secretKey).toContain(`_c${names.indexOf(name) + 1}_`);
    const post = (path: string, body: object, cookie = "") =>
      fetch(`${gateway.address}${path}`, {
        method: "POST",
        headers: { "content-type": "application/json", origin: gateway.address, cookie },
        body: JSON.stringify(body),
      });
    const wrong = await post("/console/sign-in", { email, password: "wrong horse" });
    expect([wrong.status, (await readBody(wrong)).errorCode]).toEqual([403, "SIGN_IN_REFUSED"]);
    const signedIn = await post("/console/sign-in", { email, password: "correct horse" });
    expect(await signedIn.json()).toEqual({ signedIn: true, vendors: [] });
    const [cookie] = signedIn.headers.getSetCookie()[0]!.split(";") as [string];
    const query = { query: "{ vendor { name } }" };
    expect(await (await post("/graphql", query, cookie)).json()).toEqual({
      data: { vendor: { name: `Corner of ${name}` } },
    });
    await post("/console/sign-out", {}, cookie);
    expect((await readBody(await post("/graphql", query, cookie))).errors[0].extensions.code).toBe("SESSION_ENDED");
  });

  test("does not see the others, whose identifiers mean nothing there", async () => {
    const other = merchants[names[(names.indexOf(name) + 1) % names.length]!];
    const { status, body } = await other.send(`{ order(code: "${order.code}") { databaseId } }`);
    expect([status, body.data.order]).toEqual([200, null]);
    const path = `/api/v1/orders/${order.code}`;
    const stolen = await fetch(`${gateway.address}${path}`, { headers: { "secret-token": other.token } });
    expect(stolen.status).toBe(404);
  });
});

test("new families go to the roomiest cell, not to one that is drained, and a child to its parent's", async () => {
  recordOf(await cells("drain", "east"));
  expect(faultsOf(await commandsOn(settings).vendorCreate("--name", "x", "--cell", "east"))).toEqual([
    "--cell: the cell takes no new families; recoup cells list shows the states.",
  ]);
  const create = async (...words: string[]) =>
    recordOf(await commandsOn(settings).vendorCreate("--name", "New", ...words)).cell;
  // Home has a family of its own and others have one: the first with the fewest gets the new one, then the next.
  const others = ["home", ...names.filter((name) => name !== "east")];
  const created: (string | undefined)[] = [];
  for (const _ of others) created.push(await create());
  expect(created.toSorted()).toEqual(others.toSorted());
  expect(await create("--sandbox", "--parent", merchants.east.uuid)).toBe("east");
  expect(recordOf(await cells("drain", "east", "--end"))).toMatchObject({ state: "OPEN" });
});

test("a cell that is down answers 503 for its own vendors, and touches nobody else", async () => {
  const database = new URL(places.south).pathname.slice(1);
  const endSessions = `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${database}'`;
  await runAdminStatement(`alter database ${database} allow_connections false`);
  await runAdminStatement(endSessions);
  const orders = await merchants.south.rest("GET", "/orders");
  expect([orders.status, orders.headers.get("retry-after"), (await readBody(orders)).errorCode]).toEqual([
    503,
    "1",
    "UNAVAILABLE",
  ]);
  const { status, headers } = await merchants.south.send("{ vendor { name } }");
  expect([status, headers.get("retry-after")]).toEqual([503, "1"]);
  for (const name of ["east", "west"] as const) expect(await merchants[name].countOrders()).toBeGreaterThan(0);
  expect((await fetch(`${gateway.address}/api/v1/orders`, { headers: { "secret-token": TOKEN } })).status).toBe(200);
  const ready = await fetch(`${gateway.address}/readyz`);
  expect([ready.status, await ready.json()]).toEqual([
    200,
    { status: "ready", cells: Object.fromEntries(names.map((name) => [name, name === "south" ? "down" : "ready"])) },
  ]);
  await runAdminStatement(`alter database ${database} allow_connections true`);
  await waitUntil("the cell is back", async () => (await merchants.south.rest("GET", "/orders")).status === 200);
});

test("a cell is moved to another server's database: reads go on, writes wait, nothing is lost", async () => {
  const merchant = merchants.south;
  const before = await merchant.countOrders();
  const created: string[] = [];
  const refused = new Set<number>();
  let reads = 0;
  const stopping = new AbortController();
  const writing = (async () => {
    for (let turn = 0; !stopping.signal.aborted; turn++) {
      const body = { name: "Lee", email: "lee@example.com", phone: "010-1", partnerCustomerId: `lee-${turn}` };
      const answer = await merchant.rest("POST", "/cover/customer", body);
      if (answer.status === 201) created.push(`lee-${turn}`);
      else refused.add(answer.status);
      await answer.text();
    }
  })();
  const reading = (async () => {
    for (; !stopping.signal.aborted; reads++) expect(await merchant.countOrders()).toBe(before);
  })();
  const target = await createDatabase({ empty: true });
  const moved = recordOf(await cells("move", "south", "--to", target, "--schema", "south"));
  expect(Number(moved.rows)).toBeGreaterThan(before);
  const there = openSession(target, { max: 1 });
  await waitUntil("it takes writes at its new place", async () => {
    const added = created.length;
    await merchant.countOrders();
    return created.length > added && (await there`select from south.cover_customers`).length > added;
  });
  stopping.abort();
  await Promise.all([writing, reading]);
  expect([...refused].filter((status) => status !== 503)).toEqual([]);
  expect(reads).toBeGreaterThan(0);
  const rows = await readOnce(
    there,
    "select partner_customer_id as id from south.cover_customers where partner_customer_id like 'lee-%'",
  );
  expect(rows.map(({ id }) => id as string).toSorted()).toEqual(created.toSorted());
  // What remains at the old place is where nothing looks for it.
  const old = await readOnce(
    adminSession(places.south),
    `select to_regclass('public.vendors') is null as is_gone, (select count(*)::int from moved_cell_3.orders) as orders`,
  );
  expect(old).toEqual([{ is_gone: true, orders: before }]);
  expect(await merchant.pay((await merchant.orderSubscription()).databaseId, testCards.approved)).toBe("SUCCEEDED");
  // The first charge notices another database, as after a restore: charges are searched at their gateways for a day.
  const { restored } = recordOf(await commandsOn(settings).charges("status", "--cell", "south"));
  expect(Date.parse(restored!)).toBeGreaterThan(0);
});

test.skipIf(clusterUrl === undefined)("a cell is not copied to a Citus cluster", async () => {
  const refused = await cells("move", "west", "--to", clusterUrl!);
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining("is not copied to a Citus cluster")]);
  expect(await merchants.west.countOrders()).toBeGreaterThan(0);
});

test.skipIf(clusterUrl === undefined)("a cell of a Citus cluster is moved to a plain server", async () => {
  const merchant = merchants.cluster;
  const before = await merchant.countOrders();
  const target = await createDatabase({ empty: true });
  const moved = recordOf(await cells("move", "cluster", "--to", target, "--schema", "from_cluster"));
  expect(Number(moved.rows)).toBeGreaterThan(before);
  expect(await merchant.countOrders()).toBe(before);
  await waitUntil("it takes writes at its new place", async () => {
    const body = { name: "Lee", email: "lee@example.com", phone: "010-1", partnerCustomerId: "lee-of-plain" };
    const answer = await merchant.rest("POST", "/cover/customer", body);
    return answer.status === 201;
  });
  const orders = await readOnce(openSession(target), "select count(*)::int as count from from_cluster.orders");
  expect(orders).toEqual([{ count: before }]);
  const cluster = openSession(clusterUrl!, { max: 1 });
  const old = await cluster`select to_regclass(${`${clusterSchema}.vendors`}) is null as is_gone,
    (select count(*)::int from moved_cell_4.orders) as orders`;
  expect(old[0]).toEqual({ is_gone: true, orders: before });
  await cluster`drop schema moved_cell_4 cascade`;
  expect(await merchant.pay((await merchant.orderSubscription()).databaseId, testCards.approved)).toBe("SUCCEEDED");
});

test("secrets and commands of a vendor reach its cell", async () => {
  const { err, out } = await commandsOn(settings).keys("create", "--vendor", merchants.west.uuid, "--json");
  expect(err).toBe("");
  const { token } = JSON.parse(out) as { token: string };
  const added = new CellMerchant(gateway.address, token, merchants.west.uuid);
  expect((await added.query("{ vendor { name } }")).vendor.name).toBe("Beans of west");
  const key = Buffer.alloc(32, "another").toString("base64");
  const keys = { ...settings, SECRETS_KEY: `${key},${settings["SECRETS_KEY"]!}` };
  const rotated = recordOf(await commandsOn(keys).secretsRotate());
  expect(Number(rotated.gateways)).toBeGreaterThanOrEqual(names.length);
  expect((await commandsOn({ ...settings, SECRETS_KEY: key }).cells("list")).code).toBe(0);
  recordOf(await commandsOn({ ...keys, SECRETS_KEY: `${settings["SECRETS_KEY"]!},${key}` }).secretsRotate());
});

test("behind a transaction pooler, a schema is a cell if its role has the search path", async () => {
  const pooled = commandsOn({ ...settings, DATABASE_POOLER: "transaction" });
  const place = ["--url", await createDatabase({ empty: true }), "--schema", "north"];
  const refused = await pooled.cells("add", "north", ...place);
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining("set the search path of its role")]);
  const listed = await pooled.cells("list");
  expect(listed.out).not.toContain("north");
  // The role that is made with a superuser's address has it, and the refused addition has left no schema of another role.
  const superuser = Object.assign(new URL(inject("adminUrl")), { pathname: new URL(place[1]!).pathname });
  recordOf(await pooled.cells("add", "north", "--url", superuser.href, "--schema", "north"));
  const { vendor } = recordOf(await pooled.vendorCreate("--name", "Beans of north", "--cell", "north"));
  expect(vendor).toMatch(/^[\da-f-]{36}$/);
});

test("behind a transaction pooler, a cell is moved and restored only to a schema that connections see", async () => {
  const pooled = commandsOn({ ...settings, DATABASE_POOLER: "transaction" });
  const createPlace = async () => {
    const { href, pathname } = new URL(await createDatabase({ empty: true }));
    return { href, pathname, superuser: Object.assign(new URL(inject("adminUrl")), { pathname }).href };
  };
  const [old, moved, restored] = [await createPlace(), await createPlace(), await createPlace()];
  recordOf(await pooled.cells("add", "pooled", "--url", old.superuser, "--schema", "pooled"));
  recordOf(await pooled.vendorCreate("--name", "Beans of pooled", "--cell", "pooled"));
  const folder = await mkdtemp(join(tmpdir(), "recoup-cells-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, "pooled.backup");
  recordOf(await pooled.recoup("backup", file, "--cell", "pooled"));
  // A cell that takes no writes for a moment is another version of its row.
  const home = openSession(settings["DATABASE_URL"]!, { max: 1 });
  const readCell = async () => (await home`select url, schema, state, xmin::text from cells where name = 'pooled'`)[0]!;
  const before = await readCell();
  const move = (to: string) => pooled.cells("move", "pooled", "--to", to);
  const restore = (to: string, schema: string) =>
    pooled.cells("restore", "pooled", file, "--to", to, "--schema", schema, "--discard-writes");
  // One schema is missing at first, the other is there.
  const listSchemas = (url: string) =>
    readOnce(openSession(url), "select nspname as name from pg_namespace where nspname = 'pooled'");
  await readOnce(openSession(restored.href), "create schema pooled");
  for (const refused of [await move(moved.href), await restore(restored.href, "pooled")])
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining("set the search path of its role")]);
  expect(await readCell()).toEqual(before);
  expect([await listSchemas(moved.href), await listSchemas(restored.href)]).toEqual([[], [{ name: "pooled" }]]);
  // The statement of the refusal is what was missing.
  const [statement] = /alter role .* set search_path = "pooled", public/.exec((await move(moved.href)).err)!;
  await runAdminStatement(statement);
  recordOf(await move(moved.href));
  expect(await readCell()).toMatchObject({
    schema: "pooled",
    state: "OPEN",
    url: expect.stringContaining(moved.pathname),
  });
  // The role that is made with a superuser's address has the search path, and may use the schema of the role of the refused attempt.
  recordOf(await restore(restored.superuser, "pooled"));
  expect(await readCell()).toMatchObject({
    schema: "pooled",
    state: "OPEN",
    url: expect.stringContaining(restored.pathname),
  });
  const { vendor } = recordOf(await pooled.vendorCreate("--name", "More beans", "--cell", "pooled"));
  expect(vendor).toMatch(/^[\da-f-]{36}$/);
}, 240_000);
