import "reflect-metadata";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import postgres from "postgres";
import { openDatabase } from "../src/database/client.ts";
import { openDatabaseSource } from "../src/database/database-connection.ts";
import { openGateway } from "../src/gateway.ts";
import { systemClock } from "../src/kernel/clock.ts";
import { addVendors, createToken } from "./support/vendor-seed.ts";
import { seedKeys, seedOrders } from "./support/orders-seed.ts";

/*
 * `npm run bench:growth`: lists of orders of one vendor, from ten thousand orders to a million: the first page, by
 * state, a page in the middle, the last, the totals alone, and first pages with their totals by a keyword. The vendors
 * take turns in one run; the result is the growth of the 95th percentile. SIZES changes the numbers of orders, SEEDED
 * names a data directory that is reused. KEYS_ONLY reads only the numbers of orders without lines, in a table with only
 * the indexes that find them: ten million are created in minutes then.
 */

const KEYS_ONLY = process.env["KEYS_ONLY"] === "true";

const SIZES = (process.env["SIZES"] ?? "10000,100000,1000000").split(",").map(Number);
const ROUNDS = Number(process.env["ROUNDS"] ?? 100);
const PAGE_SIZE = 20;

const folder = process.env["SEEDED"] ?? (await mkdtemp(join(tmpdir(), "recoup-growth-")));
await chmod(folder, 0o755);
const store = await openDatabaseSource(undefined, folder);
const database = openDatabase({ url: store.url });
const sql = postgres(store.url, { max: 1, onnotice: () => undefined });
const existingVendors = await sql<{ id: number }[]>`select id::int from vendors order by id`;
const vendorIds =
  existingVendors.length > 0 ? existingVendors.map(({ id }) => id) : await addVendors(database, SIZES.length);
if (existingVendors.length === 0) {
  const seed = KEYS_ONLY ? seedKeys : seedOrders;
  for (const [index, vendorId] of vendorIds.entries())
    await seed(sql, {
      vendorIds: [vendorId],
      codesAfter: SIZES.slice(0, index).reduce((sum, size) => sum + size, 0),
      ordersEach: SIZES[index]!,
      lines: KEYS_ONLY ? 0 : 1,
      customersEach: 1000,
      productsEach: 20,
    });
}
await sql.end();
const tokens = await Promise.all(vendorIds.map((vendorId) => createToken(database, vendorId)));
const gateway = await openGateway({ database, clock: systemClock, logger: pino({ level: "silent" }), vocabulary: {} });

interface ListRequest {
  method: "GET" | "POST";
  url: string;
  payload?: object;
}
const graphqlRequest = (query: string): ListRequest => ({ method: "POST", url: "/graphql", payload: { query } });
const pageRequest = (page: number): ListRequest =>
  KEYS_ONLY
    ? graphqlRequest(`{ orderPage(page: ${page}, size: ${PAGE_SIZE}) { totalCount rows { databaseId } } }`)
    : { method: "GET", url: `/api/v1/orders?size=${PAGE_SIZE}&page=${page}` };
const pageByStateRequest = (page: number): ListRequest =>
  KEYS_ONLY
    ? graphqlRequest(
        `{ orderPage(page: ${page}, size: ${PAGE_SIZE}, filter: { status: CREATED }) { totalCount rows { databaseId } } }`,
      )
    : { method: "GET", url: `/api/v1/orders?size=${PAGE_SIZE}&page=${page}&status=CREATED` };
const keywordRequest = (keyword: string): ListRequest => ({
  method: "GET",
  url: `/api/v1/orders?size=${PAGE_SIZE}&keyword=${encodeURIComponent(keyword)}`,
});
const requestsByName: Record<string, (orders: number) => ListRequest> = {
  "first page": () => pageRequest(0),
  "first page by state": () => pageByStateRequest(0),
  "page in the middle": (orders) => pageRequest(Math.floor(orders / PAGE_SIZE / 2)),
  // A fifth of the orders is in this state.
  "page in the middle by state": (orders) => pageByStateRequest(Math.floor(orders / PAGE_SIZE / 10)),
  "last page": (orders) => pageRequest(Math.floor((orders - 1) / PAGE_SIZE)),
  "total alone": () => graphqlRequest("{ orders { totalCount } }"),
  "total by state alone": () => graphqlRequest("{ orders(filter: { status: CREATED }) { totalCount } }"),
  ...(!KEYS_ONLY && {
    "keyword of one order": () => keywordRequest("order_000007777"),
    "keyword of a thousandth": () => keywordRequest("customer777@"),
    "keyword of none": () => keywordRequest("nobody at all"),
    "keyword of two letters": () => keywordRequest("77"),
  }),
};

console.log(
  `${KEYS_ONLY ? "orderPage" : "GET /orders"} of ${PAGE_SIZE}, ${ROUNDS} rounds in turns, 95th percentile in ms; Node ${process.version}`,
);
console.log(
  `${"orders of the vendor".padEnd(28)} ${SIZES.map((size) => String(size).padStart(9)).join(" ")}   last/first`,
);
for (const [name, question] of Object.entries(requestsByName)) {
  const took = SIZES.map((): number[] => []);
  for (let round = -5; round < ROUNDS; round++) {
    for (const [index, size] of SIZES.entries()) {
      const started = performance.now();
      const { statusCode, body } = await gateway.server.inject({
        ...question(size),
        headers: { "secret-token": tokens[index]! },
      });
      if (statusCode !== 200) throw new Error(body);
      if (round >= 0) took[index]!.push(performance.now() - started);
    }
  }
  const slow = took.map((times) => times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)]!);
  console.log(
    `${name.padEnd(28)} ${slow.map((time) => time.toFixed(1).padStart(9)).join(" ")}   ${(slow.at(-1)! / slow[0]!).toFixed(2)}`,
  );
}

await gateway.close();
await store.release();
if (!process.env["SEEDED"]) await rm(folder, { recursive: true, force: true });
