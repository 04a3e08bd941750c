import "reflect-metadata";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import { openDatabase } from "../src/database/client.ts";
import { openStore } from "../src/database/database-connection.ts";
import { startContestant, type Contestant } from "./measured-process.ts";
import { load, median, type Measured } from "./http-load.ts";
import { postgraphilePage, recoupPage, twinOfOrders } from "./orders-queries.ts";
import { seedOrders } from "./orders-seed.ts";
import { addVendors, tokenOf } from "./vendor-seed.ts";

/*
 * `npm run bench:orders`: fifty orders with customer, lines, price plan and product out of a million orders of a thousand
 * vendors, asked of the gateway, of the least that it could be (a bare Fastify handler with one `json_agg` statement) and of
 * PostGraphile on the same tables, if POSTGRAPHILE names a folder with a `serve.mjs` that serves it; and GET /orders?size=20
 * beside its GraphQL twin. Each runs in a process of its own and in turns; ratios count: the machine is shared.
 * VENDORS and EACH change the volume, SEEDED names a data directory that is kept.
 */

const ROUNDS = Number(process.env["ROUNDS"] ?? 3);
const SECONDS = Number(process.env["SECONDS"] ?? 5);
const VENDORS = Number(process.env["VENDORS"] ?? 1000);
const EACH = Number(process.env["EACH"] ?? 1000);
const shape = { seconds: SECONDS, connections: 4 };

const folder = process.env["SEEDED"] ?? (await mkdtemp(join(tmpdir(), "recoup-bench-")));
await chmod(folder, 0o755);
const store = await openStore(undefined, folder);
const { vendorId, token } = await seed();
const environment = { DATABASE_URL: store.url, PORT: "0", LOG_LEVEL: "warn" };
const here = (path: string) => new URL(path, import.meta.url).pathname;
const gateway = await startContestant([here("../src/main.js")], environment);
const bare = await startContestant([here("orders-bare.js")], environment);
const peer = process.env["POSTGRAPHILE"];
const postgraphile = peer ? await startContestant([join(peer, "serve.mjs")], environment) : undefined;

interface Run {
  of: Contestant;
  send: () => Promise<Measured>;
}
const headers = { "secret-token": token };
const asks = (of: Contestant, query: string, variables: object = {}): Run => ({
  of,
  send: () => load(`${of.address}/graphql`, "POST", headers, () => JSON.stringify({ query, variables }), shape),
});
const gets = (of: Contestant, path: string): Run => ({
  of,
  send: () => load(of.address + path, "GET", headers, () => "", shape),
});
const runs = new Map<string, Run>([
  ["one json_agg statement, bare Fastify", gets(bare, "/orders")],
  ["GraphQL orders(first: 50)", asks(gateway, recoupPage)],
  ...(postgraphile ? [["PostGraphile, the same page", asks(postgraphile, postgraphilePage(vendorId))] as const] : []),
  ["GET /orders?size=20", gets(gateway, "/api/v1/orders?size=20")],
  [
    "GraphQL twin of it",
    asks(gateway, await twinOfOrders(), { page: 0, size: 20, sort: "CREATED_AT", sortDir: "DESC" }),
  ],
]);

const atRest = new Map([...runs].map(([name, { of }]) => [name, of.memory()]));
const seen = new Map<string, Measured[]>([...runs.keys()].map((name) => [name, []]));
for (const { send } of runs.values()) await send();
for (let round = 0; round < ROUNDS; round++) for (const [name, { send }] of runs) seen.get(name)!.push(await send());

const rate = (name: string) => median(seen.get(name)!.map(({ perSecond }) => perSecond));
const limit = rate("one json_agg statement, bare Fastify");
console.log(
  `${VENDORS} vendors of ${EACH} orders; ${ROUNDS} rounds of ${SECONDS} s, ${shape.connections} connections, medians; Node ${process.version}`,
);
for (const [name, { of }] of runs) {
  const middle = (key: keyof Measured) => median(seen.get(name)!.map((round) => round[key]));
  const failed = seen.get(name)!.reduce((sum, round) => sum + round.failed, 0);
  console.log(
    `${name.padEnd(38)} ${rate(name).toFixed(0).padStart(5)} req/s  p50 ${middle("p50")} ms  p99 ${middle("p99")} ms  bare/this ${(limit / rate(name)).toFixed(2)}  ` +
      `memory ${String(await atRest.get(name))} → ${await of.memory()} MB  failed ${failed}`,
  );
}
console.log(
  `GET /orders costs ${(rate("GraphQL twin of it") / rate("GET /orders?size=20")).toFixed(2)} times its twin.`,
);

for (const contestant of [gateway, bare, postgraphile]) await contestant?.stop();
await store.release();
if (!process.env["SEEDED"]) await rm(folder, { recursive: true, force: true });

/** Vendors with their orders, and a token of the first; a directory that has them already only gets a new token. */
async function seed(): Promise<{ vendorId: number; token: string }> {
  const database = openDatabase({ url: store.url });
  const sql = postgres(store.url, { max: 1, onnotice: () => undefined });
  try {
    const [known] = await sql`select min(id)::int as id from vendors`;
    const vendorIds = known!["id"] ? [] : await addVendors(database, VENDORS);
    await seedOrders(sql, { vendorIds, ordersEach: EACH, lines: 3, customersEach: 100, productsEach: 20 });
    const vendorId = (known!["id"] as number | null) ?? vendorIds[0]!;
    return { vendorId, token: await tokenOf(database, vendorId) };
  } finally {
    await sql.end();
    await database.close();
  }
}
