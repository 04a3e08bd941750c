import { join } from "node:path";
import postgres from "postgres";
import { openDatabase } from "../../src/database/client.ts";
import { projectFile } from "../../src/kernel/project-files.ts";
import { openBenchStore } from "../support/bench-store.ts";
import { runLoad, median, type LoadResult } from "../support/http-load.ts";
import { startMeasuredProcess, type MeasuredProcess } from "../support/measured-process.ts";
import { postgraphileOrdersQuery, recoupOrdersQuery, restOrdersQuery } from "../support/orders-queries.ts";
import { seedOrders } from "../support/orders-seed.ts";
import { addVendors, createToken } from "../support/vendor-seed.ts";

/** The rates of a page of orders, and the processes that answered it. */
export interface ReadFigures {
  /** Requests per second; null for those that were not measured. */
  reads: { bare: number; gateway: number; postgraphile: number | null } | null;
  rest: { orders: number; twin: number } | null;
  details: ReadDetails[];
}

/** What one request took. */
export interface ReadDetails extends LoadResult {
  name: string;
  /** Megabytes of memory of the process that answers, before the load and after it. */
  memoryAtRest: number;
  memoryAfter: number;
}

/** The volume of the database, and what is measured in it. */
export interface ReadLoad {
  vendors: number;
  each: number;
  rounds: number;
  reads: boolean;
  rest: boolean;
}

const SECONDS = Number(process.env["SECONDS"] ?? 5);
const loadOptions = { seconds: SECONDS, connections: 4 };

interface LoadRun {
  process: MeasuredProcess;
  send: () => Promise<LoadResult>;
}

/**
 * Fifty orders with customer, lines, price plan and product out of the orders of many vendors, read from the gateway, from a
 * minimal server (a bare Fastify handler with one `json_agg` statement) and from PostGraphile on the same tables, if
 * POSTGRAPHILE names a folder with a `serve.mjs` that serves it; and GET /orders?size=20 beside the equal GraphQL query. Each
 * runs in a process of its own and in turns. SEEDED names a data directory that is reused.
 */
export async function measureReads({ vendors, each, rounds, reads, rest }: ReadLoad): Promise<ReadFigures> {
  const { store, remove } = await openBenchStore(process.env["SEEDED"]);
  const { vendorId, token } = await seed(store.url, vendors, each);
  const environment = { DATABASE_URL: store.url, PORT: "0", LOG_LEVEL: "warn" };
  const gateway = await startMeasuredProcess([projectFile("dist/src/main.js")], environment);
  const bare = await startMeasuredProcess([projectFile("dist/bench/bare-orders-server.js")], environment);
  const postgraphileFolder = reads ? process.env["POSTGRAPHILE"] : undefined;
  const postgraphile = postgraphileFolder
    ? await startMeasuredProcess([join(postgraphileFolder, "serve.mjs")], environment)
    : undefined;
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
  const firstPage = { page: 0, size: 20, sort: "CREATED_AT", sortDir: "DESC" };
  const runs = {
    ...(reads && { bare: getRun(bare, "/orders"), gateway: graphqlRun(gateway, recoupOrdersQuery) }),
    ...(postgraphile && { postgraphile: graphqlRun(postgraphile, postgraphileOrdersQuery(vendorId)) }),
    ...(rest && {
      orders: getRun(gateway, "/api/v1/orders?size=20"),
      twin: graphqlRun(gateway, await restOrdersQuery(), firstPage),
    }),
  };
  try {
    const detailsByName = await measureInTurns(runs, rounds);
    const rateOf = (name: keyof typeof runs) => detailsByName.get(name)?.perSecond ?? 0;
    return {
      reads: reads
        ? {
            ...{ bare: rateOf("bare"), gateway: rateOf("gateway") },
            postgraphile: postgraphile ? rateOf("postgraphile") : null,
          }
        : null,
      rest: rest ? { orders: rateOf("orders"), twin: rateOf("twin") } : null,
      details: [...detailsByName.values()],
    };
  } finally {
    for (const contestant of [gateway, bare, postgraphile]) await contestant?.stop();
    await remove();
  }
}

async function measureInTurns(runs: Record<string, LoadRun>, rounds: number): Promise<Map<string, ReadDetails>> {
  const entries = Object.entries(runs);
  const memoryAtRest = new Map<string, number>();
  for (const [name, { process }] of entries) memoryAtRest.set(name, await process.memoryBytes());
  const resultsByName = new Map<string, LoadResult[]>(entries.map(([name]) => [name, []]));
  for (const [, { send }] of entries) await send();
  for (let round = 0; round < rounds; round++)
    for (const [name, { send }] of entries) resultsByName.get(name)?.push(await send());
  const detailsByName = new Map<string, ReadDetails>();
  for (const [name, { process }] of entries) {
    const results = resultsByName.get(name) ?? [];
    const middle = (key: keyof LoadResult) => median(results.map((result) => result[key]));
    detailsByName.set(name, {
      name,
      perSecond: Number(middle("perSecond").toFixed(1)),
      p50: middle("p50"),
      p99: middle("p99"),
      failed: results.reduce((sum, { failed }) => sum + failed, 0),
      memoryAtRest: memoryAtRest.get(name) ?? 0,
      memoryAfter: await process.memoryBytes(),
    });
  }
  return detailsByName;
}

/** Vendors with their orders, and a token of the first; a directory that has them already only gets a new token. */
async function seed(
  url: string,
  vendorCount: number,
  ordersEach: number,
): Promise<{ vendorId: number; token: string }> {
  const database = openDatabase({ url });
  const sql = postgres(url, { max: 1, onnotice: () => undefined });
  try {
    const [known] = await sql<{ id: number | null }[]>`select min(id)::int as id from vendors`;
    const vendorIds = known?.id == null ? await addVendors(database, vendorCount) : [];
    await seedOrders(sql, { vendorIds, ordersEach, lines: 3, customersEach: 100, productsEach: 20 });
    const vendorId = known?.id ?? vendorIds[0]!;
    return { vendorId, token: await createToken(database, vendorId) };
  } finally {
    await sql.end();
    await database.close();
  }
}
