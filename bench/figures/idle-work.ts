import { setTimeout as wait } from "node:timers/promises";
import type postgres from "postgres";
import { openDatabase } from "../../src/database/client.ts";
import { DueVendorRepository } from "../../src/jobs/due-vendor.repository.ts";
import { dueWork } from "../../src/jobs/due-work.ts";
import { median } from "../support/http-load.ts";
import { openRenewingMerchant } from "./renewing-merchant.ts";

/** The time of a search for work that finds none, in milliseconds, with one recovery in progress and with 100,000. */
export interface IdleWorkFigures {
  idleMs: number;
  idleMsAt100k: number;
}

const COVERS = 100_000;
const ROUNDS = 50;

/**
 * A renewal is declined, its recovery waits for the next attempt, and nothing else is due. Then its rows are copied, so that
 * as many recoveries wait.
 */
export async function measureIdleWork(): Promise<IdleWorkFigures> {
  const merchant = await openRenewingMerchant({ subscriptions: 1, gatewayMs: 0, declinedEvery: 1 });
  const { sql } = merchant;
  const database = openDatabase({ url: merchant.databaseUrl });
  try {
    const stopWorker = merchant.launchWorker();
    while ((await sql`select from covers where retry_at > now() + interval '1 hour'`).length === 0) await wait(100);
    await stopWorker();
    await sql`update vendors set clock_ahead_ms = 0`;
    const dueVendors = new DueVendorRepository(database.handle);
    const idleMs = await measureSearch(dueVendors);
    await copyCover(sql);
    return { idleMs, idleMsAt100k: await measureSearch(dueVendors) };
  } finally {
    await database.close();
    await merchant.close();
  }
}

async function measureSearch(dueVendors: DueVendorRepository): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const started = performance.now();
    const found = await dueVendors.vendorsWithDueWork(new Date(), Object.values(dueWork));
    times.push(performance.now() - started);
    if (found.length > 0) throw new Error("Work was found where none is due.");
  }
  return Number(median(times).toFixed(2));
}

/** Copies the cover with its renewal, each with a time of its own for the next attempt. */
async function copyCover(sql: postgres.Sql): Promise<void> {
  const newId = (table: string) => `nextval(pg_get_serial_sequence('${table}', 'id'))`;
  await sql.unsafe(`
    create temporary table copies as
    select c.id as cover, c.renewal_order_id as "order", c.renewal_subscription_id as subscription, number,
      ${newId("covers")} as new_cover, ${newId("orders")} as new_order, ${newId("subscriptions")} as new_subscription
    from covers c, generate_series(1, ${COVERS - 1}) number`);
  const copy = async (table: string, of: string, changes: string): Promise<void> => {
    const columns = await sql<{ name: string }[]>`
      select quote_ident(attname) as name from pg_attribute
      where attrelid = ${table}::regclass and attnum > 0 and not attisdropped and attgenerated = '' order by attnum`;
    const names = columns.map(({ name }) => name);
    // Without the offset the row would be made again for each column.
    await sql.unsafe(`
      insert into ${table} (${names.join(", ")}) overriding system value
      select ${names.map((name) => `(row).${name}`).join(", ")} from (
        select jsonb_populate_record(null::${table}, to_jsonb(r) || jsonb_build_object(${changes})) as row
        from copies n join ${table} r on ${of} offset 0) copied`);
    await sql.unsafe(`analyze ${table}`);
  };
  await copy("subscriptions", "r.id = n.subscription", `'id', new_subscription, 'code', 'copy ' || new_subscription`);
  await copy(
    "orders",
    `r.id = n."order"`,
    `'id', new_order, 'code', 'copy ' || new_order, 'id_key', 'copy ' || new_order,
      'created_at', r.created_at - number * interval '1 second'`,
  );
  await copy(
    "order_items",
    `r.order_id = n."order"`,
    `'id', ${newId("order_items")}, 'order_id', new_order, 'code', 'copy ' || new_order`,
  );
  const ofOrder = `'order_id', new_order, 'subscription_id', new_subscription`;
  await copy("order_subscriptions", `r.order_id = n."order"`, ofOrder);
  await copy("renewals", `r.order_id = n."order"`, ofOrder);
  await copy(
    "payments",
    `r.order_id = n."order"`,
    `'id', ${newId("payments")}, 'order_id', new_order, 'idempotency_key', 'copy ' || new_order, 'gateway_reference', null`,
  );
  await copy(
    "covers",
    "r.id = n.cover",
    `'id', new_cover, 'renewal_order_id', new_order, 'renewal_subscription_id', new_subscription,
      'retry_at', r.retry_at + number * interval '1 second'`,
  );
}
