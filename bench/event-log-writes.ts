import "reflect-metadata";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { is, sql, SQL } from "drizzle-orm";
import { PgDialect } from "drizzle-orm/pg-core";
import { pino } from "pino";
import { openDatabase, type Handle } from "../src/database/client.ts";
import { openDatabaseSource } from "../src/database/database-connection.ts";
import { createServices } from "../src/graphql/services.ts";
import { DueVendorRepository } from "../src/jobs/due-vendor.repository.ts";
import { EventNumbering } from "../src/jobs/event-numbering.ts";
import { median } from "./http-load.ts";
import { addVendors } from "./vendor-seed.ts";

/*
 * `npm run bench:events`: writers of one vendor side by side cancel registered orders, each in a transaction with one event:
 * with the event log and the sequencer, with the log alone, and without both, in turns in one run. Ratios count: the machine
 * is shared. DATABASE_URL names a server; by default the embedded one is used.
 */

const ROUNDS = Number(process.env["ROUNDS"] ?? 7);
const SECONDS = Number(process.env["SECONDS"] ?? 4);
const WRITERS = 8;
const ORDERS = 120_000;
const PART = 10_000;

const folder = await mkdtemp(join(tmpdir(), "recoup-bench-"));
await chmod(folder, 0o755);
const store = await openDatabaseSource(process.env["DATABASE_URL"], folder);
const database = openDatabase({ url: store.url, poolSize: WRITERS + 2 });
const [vendorId = 0] = await addVendors(database, 1);
let nextOrder = await seedOrders();

const dialect = new PgDialect();
/** The statement that writes events is left out of a transaction; all others are sent. */
const withoutLog = (handle: Handle): Handle =>
  new Proxy(handle, {
    get(target, key, receiver) {
      if (key !== "execute") return Reflect.get(target, key, receiver) as unknown;
      return (statement: SQL | string) =>
        is(statement, SQL) && dialect.sqlToQuery(statement).sql.includes(`insert into "event_log"`)
          ? Promise.resolve([])
          : target.execute(statement);
    },
  });

/** Writers cancel orders for some seconds. @returns the transactions per second. */
async function measure(prepare: (handle: Handle) => Handle, isNumbered: boolean): Promise<number> {
  const numbering = new EventNumbering({
    write: (work) => database.transaction((handle) => work(createServices(handle, new Date()))),
    dueVendors: new DueVendorRepository(database.handle),
    logger: pino({ level: "silent" }),
  });
  if (isNumbered) numbering.start();
  const [start, end] = [Date.now(), Date.now() + SECONDS * 1_000];
  let done = 0;
  await Promise.all(
    Array.from({ length: WRITERS }, async () => {
      while (Date.now() < end) {
        const orderId = nextOrder++;
        await database.transaction((handle) =>
          createServices(prepare(handle), new Date()).coverOrderTransitions.cancel(vendorId, orderId),
        );
        done++;
      }
    }),
  );
  const perSecond = (done * 1_000) / (Date.now() - start);
  if (isNumbered) await numbering.stop();
  return perSecond;
}

const runs = {
  "log and sequencer": () => measure((handle) => handle, true),
  "log only": () => measure((handle) => handle, false),
  neither: () => measure(withoutLog, false),
};
type Run = keyof typeof runs;

const rates: Record<Run, number[]> = { "log and sequencer": [], "log only": [], neither: [] };
const names = Object.keys(runs) as Run[];
for (const name of names) await runs[name]();
for (let round = 0; round < ROUNDS; round++) for (const name of names) rates[name].push(await runs[name]());

const ratioTo = (name: Run, other: Run) =>
  median(rates[name].map((rate, round) => rate / (rates[other][round] ?? rate)));
console.log(`${ROUNDS} rounds of ${SECONDS} s, ${WRITERS} writers of one vendor, medians; Node ${process.version}`);
for (const name of names) {
  const ratio = ratioTo(name, "neither").toFixed(2);
  console.log(`${name.padEnd(20)} ${median(rates[name]).toFixed(0).padStart(6)} transactions/s  ${ratio} of neither`);
}
console.log(
  `The sequencer leaves ${ratioTo("log and sequencer", "log only").toFixed(2)} of the throughput with the log.`,
);

await database.close();
await store.release();
await rm(folder, { recursive: true, force: true });

/** Registered orders without a payment. @returns the first id. */
async function seedOrders(): Promise<number> {
  const customers = (await database.handle.execute(sql`
    insert into cover_customers (vendor_id, partner_customer_id, name, email, phone, created_at, modified_at)
    values (${vendorId}, 'bench', 'Bench', 'bench@example.com', '1', now(), now()) returning id`)) as Iterable<{
    id: string;
  }>;
  const customerId = [...customers][0]?.id ?? "";
  // In parts, because a statement has a time limit.
  for (let from = 1; from <= ORDERS; from += PART)
    await database.handle.execute(sql`
      insert into cover_orders (vendor_id, partner_order_id, customer_id, status, amount, amount_returned, payment_gateway, created_at, modified_at)
      select ${vendorId}, 'bench-' || n, ${customerId}::bigint, 'CREATED', 18900, 0, 'UNKNOWN', now(), now()
      from generate_series(${from}::integer, ${from + PART - 1}::integer) n`);
  await database.handle.execute(sql`analyze cover_orders`);
  const rows = (await database.handle.execute(
    sql`select min(id) as first from cover_orders where vendor_id = ${vendorId}`,
  )) as Iterable<{ first: string }>;
  return Number([...rows][0]?.first);
}
