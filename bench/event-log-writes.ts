import "reflect-metadata";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { pino } from "pino";
import { openDatabase, type Handle } from "../src/database/client.ts";
import { openDatabaseSource } from "../src/database/database-connection.ts";
import { preparedExecution } from "../src/database/prepared-statements.ts";
import { EventRepository, type NewEvent } from "../src/events/event.repository.ts";
import { createServices, type Services } from "../src/graphql/services.ts";
import { DueVendorRepository } from "../src/jobs/due-vendor.repository.ts";
import { EventNumbering } from "../src/jobs/event-numbering.ts";
import { median } from "./support/http-load.ts";
import { addVendors } from "./support/vendor-seed.ts";

/*
 * `npm run bench:events`: writers of one vendor side by side cancel registered orders, each in a transaction with one event:
 * with the event log and the sequencer, with the log alone, with a row in a table as before the log, and without any event,
 * in turns in one run. Ratios count: the machine is shared. DATABASE_URL names a server; by default the embedded one is used.
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

/** Where a transaction writes its events. */
type EventWriter = (handle: Handle) => EventRepository;

const toLog: EventWriter = (handle) => new EventRepository(handle);

/** Events are left out. */
class NoEvents extends EventRepository {
  override insertEvents(): Promise<void> {
    return Promise.resolve();
  }
}
const toNothing: EventWriter = (handle) => new NoEvents(handle);

/* The table of the events of registered orders before the log, with its keys and indexes. */
for (const statement of [
  `create table earlier_events (vendor_id bigint not null, id bigint generated always as identity, type text not null, order_id bigint,
    subscription_id bigint, cover_id bigint, actor text not null check (actor in ('MANAGER', 'SYSTEM', 'CUSTOMER')), facts jsonb not null,
    notify boolean not null default false, occurred_at timestamptz(3) not null, primary key (vendor_id, id),
    foreign key (vendor_id, order_id) references cover_orders (vendor_id, id),
    foreign key (vendor_id, subscription_id) references cover_subscriptions (vendor_id, id),
    foreign key (vendor_id, cover_id) references covers (vendor_id, id))`,
  "create index on earlier_events (vendor_id, order_id, occurred_at, id)",
  "create index on earlier_events (vendor_id, subscription_id, occurred_at, id)",
  "create index on earlier_events (vendor_id, cover_id, occurred_at, id)",
])
  await database.handle.execute(sql.raw(statement));

const insertEarlier = preparedExecution(sql`
  insert into earlier_events (vendor_id, type, order_id, actor, facts, occurred_at) values (${sql.placeholder("vendorId")}::bigint,
    ${sql.placeholder("type")}, ${sql.placeholder("orderId")}::bigint, ${sql.placeholder("actor")}, ${sql.placeholder("facts")}::text::jsonb,
    ${sql.placeholder("at")}::timestamptz)`);

/** Events are written as before the log. */
class EarlierEvents extends EventRepository {
  constructor(private readonly handle: Handle) {
    super(handle);
  }

  override async insertEvents(vendor: number, values: readonly NewEvent[]): Promise<void> {
    for (const { trigger, coverOrderId, actor, facts, occurredAt } of values)
      await insertEarlier(this.handle, {
        ...{ vendorId: vendor, type: trigger, orderId: coverOrderId, actor },
        ...{ facts: JSON.stringify(facts ?? {}), at: occurredAt.toISOString() },
      });
  }
}
const toEarlierTable: EventWriter = (handle) => new EarlierEvents(handle);

/** The services of a transaction that writes its events elsewhere. */
const servicesWith = (handle: Handle, events: EventWriter): Services =>
  Object.defineProperty(createServices(handle, new Date()), "eventRepository", { value: events(handle) });

/** Writers cancel orders for some seconds. @returns the transactions per second. */
async function measure(events: EventWriter, isNumbered: boolean): Promise<number> {
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
          servicesWith(handle, events).coverOrderTransitions.cancel(vendorId, orderId),
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
  "log and sequencer": () => measure(toLog, true),
  "log only": () => measure(toLog, false),
  "as before the log": () => measure(toEarlierTable, false),
  "no event": () => measure(toNothing, false),
};
type Run = keyof typeof runs;

const rates: Record<Run, number[]> = {
  "log and sequencer": [],
  "log only": [],
  "as before the log": [],
  "no event": [],
};
const names = Object.keys(runs) as Run[];
for (const name of names) await runs[name]();
// The order of a round is turned, so that no run always follows the same other one.
for (let round = 0; round < ROUNDS; round++)
  for (let turn = 0; turn < names.length; turn++) {
    const name = names[(round + turn) % names.length] ?? "no event";
    rates[name].push(await runs[name]());
  }

const ratioTo = (name: Run, other: Run) =>
  median(rates[name].map((rate, round) => rate / (rates[other][round] ?? rate))).toFixed(2);
console.log(`${ROUNDS} rounds of ${SECONDS} s, ${WRITERS} writers of one vendor, medians; Node ${process.version}`);
for (const name of names)
  console.log(
    `${name.padEnd(20)} ${median(rates[name]).toFixed(0).padStart(6)} transactions/s  ` +
      `${ratioTo(name, "as before the log")} of before the log  ${ratioTo(name, "no event")} of no event`,
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
