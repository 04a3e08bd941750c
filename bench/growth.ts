import "reflect-metadata";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import postgres from "postgres";
import { openDatabase } from "../src/database/client.ts";
import { openStore } from "../src/database/store.ts";
import { openGateway } from "../src/gateway.ts";
import { systemClock } from "../src/kernel/clock.ts";
import { addVendors, tokenOf } from "./orders-vendors.ts";
import { seedOrders } from "./orders-seed.ts";

/*
 * `npm run bench:growth`: lists of orders of one vendor, from ten thousand orders to a million: the first page, by state, a page
 * in the middle, the last, the totals alone, and first pages with their totals by a keyword. The vendors take turns in one run;
 * what counts is how the slowest twentieth grows. SIZES changes the numbers of orders, SEEDED names a data directory that is kept.
 */

const SIZES = (process.env["SIZES"] ?? "10000,100000,1000000").split(",").map(Number);
const ROUNDS = Number(process.env["ROUNDS"] ?? 100);
const PAGE = 20;

const folder = process.env["SEEDED"] ?? (await mkdtemp(join(tmpdir(), "recoup-growth-")));
await chmod(folder, 0o755);
const store = await openStore(undefined, folder);
const database = openDatabase({ url: store.url });
const sql = postgres(store.url, { max: 1, onnotice: () => undefined });
const known = await sql<{ id: number }[]>`select id::int from vendors order by id`;
const vendorIds = known.length > 0 ? known.map(({ id }) => id) : await addVendors(database, SIZES.length);
if (known.length === 0) {
  for (const [index, vendorId] of vendorIds.entries())
    await seedOrders(sql, {
      vendorIds: [vendorId],
      ordersEach: SIZES[index]!,
      lines: 1,
      customersEach: 1000,
      productsEach: 20,
    });
}
await sql.end();
const tokens = await Promise.all(vendorIds.map((vendorId) => tokenOf(database, vendorId)));
const gateway = await openGateway({ database, clock: systemClock, logger: pino({ level: "silent" }), vocabulary: {} });

const pageOf = (page: number, more = "") => ({
  method: "GET" as const,
  url: `/api/v1/orders?size=${PAGE}&page=${page}${more}`,
});
const totals = (filter: string) => ({
  method: "POST" as const,
  url: "/graphql",
  payload: { query: `{ orders${filter} { totalCount } }` },
});
const questions: Record<string, (orders: number) => ReturnType<typeof pageOf> | ReturnType<typeof totals>> = {
  "first page": () => pageOf(0),
  "first page by state": () => pageOf(0, "&status=CREATED"),
  "page in the middle": (orders) => pageOf(Math.floor(orders / PAGE / 2)),
  "page in the middle by state": (orders) => pageOf(Math.floor(orders / PAGE / 10), "&status=CREATED"),
  "last page": (orders) => pageOf(Math.floor((orders - 1) / PAGE)),
  "total alone": () => totals(""),
  "total by state alone": () => totals("(filter: { status: CREATED })"),
  "keyword of one order": () => pageOf(0, "&keyword=order_000007777"),
  "keyword of a thousandth": () => pageOf(0, "&keyword=customer777@"),
  "keyword of none": () => pageOf(0, "&keyword=nobody%20at%20all"),
  "keyword of two letters": () => pageOf(0, "&keyword=77"),
};

console.log(`GET /orders?size=${PAGE}, ${ROUNDS} rounds in turns, 95th percentile in ms; Node ${process.version}`);
console.log(
  `${"orders of the vendor".padEnd(28)} ${SIZES.map((size) => String(size).padStart(9)).join(" ")}   last/first`,
);
for (const [name, question] of Object.entries(questions)) {
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
