import "reflect-metadata";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import { openDatabase } from "../src/database/client.ts";
import { openDatabaseSource } from "../src/database/database-connection.ts";
import { startMeasuredProcess, type MeasuredProcess } from "./measured-process.ts";
import { runLoad, median, type LoadResult } from "./http-load.ts";
import { postgraphileOrdersQuery, recoupOrdersQuery, restOrdersQuery } from "./orders-queries.ts";
import { seedOrders } from "./orders-seed.ts";
import { addVendors, createToken } from "./vendor-seed.ts";
import { projectFile } from "../src/kernel/project-files.ts";

/*
 * `npm run bench:orders`: fifty orders with customer, lines, price plan and product out of a million orders of a
 * thousand vendors, read from the gateway, from a minimal server (a bare Fastify handler with one `json_agg` statement)
 * and from PostGraphile on the same tables, if POSTGRAPHILE names a folder with a `serve.mjs` that serves it; and GET
 * /orders?size=20 beside the equal GraphQL query. Each runs in a process of its own and in turns; ratios count: the
 * machine is shared. VENDORS and EACH change the volume, SEEDED names a data directory that is reused.
 */

const ROUNDS = Number(process.env["ROUNDS"] ?? 3);
const SECONDS = Number(process.env["SECONDS"] ?? 5);
const VENDOR_COUNT = Number(process.env["VENDORS"] ?? 1000);
const ORDERS_PER_VENDOR = Number(process.env["EACH"] ?? 1000);
const loadOptions = { seconds: SECONDS, connections: 4 };

const folder = process.env["SEEDED"] ?? (await mkdtemp(join(tmpdir(), "recoup-bench-")));
await chmod(folder, 0o755);
const store = await openDatabaseSource(undefined, folder);
const { vendorId, token } = await seed();
const environment = { DATABASE_URL: store.url, PORT: "0", LOG_LEVEL: "warn" };
const gateway = await startMeasuredProcess([projectFile("dist/src/main.js")], environment);
const bare = await startMeasuredProcess([projectFile("dist/bench/bare-orders-server.js")], environment);
const postgraphileFolder = process.env["POSTGRAPHILE"];
const postgraphile = postgraphileFolder
  ? await startMeasuredProcess([join(postgraphileFolder, "serve.mjs")], environment)
  : undefined;

interface LoadRun {
  process: MeasuredProcess;
  send: () => Promise<LoadResult>;
}
const headers = { "secret-token": token };
const graphqlRun = (of: MeasuredProcess, query: string, variables: object = {}): LoadRun => ({
  process: of,
  send: () =>
    runLoad(`${of.address}/graphql`, "POST", headers, () => JSON.stringify({ query, variables }), loadOptions),
});
const getRun = (of: MeasuredProcess, path: string): LoadRun => ({
  process: of,
  send: () => runLoad(of.address + path, "GET", headers, () => "", loadOptions),
});
const runs = new Map<string, LoadRun>([
  ["one json_agg statement, bare Fastify", getRun(bare, "/orders")],
  ["GraphQL orders(first: 50)", graphqlRun(gateway, recoupOrdersQuery)],
  ...(postgraphile
    ? [["PostGraphile, the same page", graphqlRun(postgraphile, postgraphileOrdersQuery(vendorId))] as const]
    : []),
  ["GET /orders?size=20", getRun(gateway, "/api/v1/orders?size=20")],
  [
    "GraphQL twin of it",
    graphqlRun(gateway, await restOrdersQuery(), { page: 0, size: 20, sort: "CREATED_AT", sortDir: "DESC" }),
  ],
]);

const memoryAtRest = new Map([...runs].map(([name, { process }]) => [name, process.memoryBytes()]));
const resultsByRun = new Map<string, LoadResult[]>([...runs.keys()].map((name) => [name, []]));
for (const { send } of runs.values()) await send();
for (let round = 0; round < ROUNDS; round++)
  for (const [name, { send }] of runs) resultsByRun.get(name)!.push(await send());

const rate = (name: string) => median(resultsByRun.get(name)!.map(({ perSecond }) => perSecond));
const bareRate = rate("one json_agg statement, bare Fastify");
console.log(
  `${VENDOR_COUNT} vendors of ${ORDERS_PER_VENDOR} orders; ${ROUNDS} rounds of ${SECONDS} s, ${loadOptions.connections} connections, medians; Node ${process.version}`,
);
for (const [name, { process }] of runs) {
  const middle = (key: keyof LoadResult) => median(resultsByRun.get(name)!.map((round) => round[key]));
  const failed = resultsByRun.get(name)!.reduce((sum, round) => sum + round.failed, 0);
  console.log(
    `${name.padEnd(38)} ${rate(name).toFixed(0).padStart(5)} req/s  p50 ${middle("p50")} ms  p99 ${middle("p99")} ms  bare/this ${(bareRate / rate(name)).toFixed(2)}  ` +
      `memory ${String(await memoryAtRest.get(name))} → ${await process.memoryBytes()} MB  failed ${failed}`,
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
    const vendorIds = known!["id"] ? [] : await addVendors(database, VENDOR_COUNT);
    await seedOrders(sql, { vendorIds, ordersEach: ORDERS_PER_VENDOR, lines: 3, customersEach: 100, productsEach: 20 });
    const vendorId = (known!["id"] as number | null) ?? vendorIds[0]!;
    return { vendorId, token: await createToken(database, vendorId) };
  } finally {
    await sql.end();
    await database.close();
  }
}
