import postgres from "postgres";
import { openDatabase } from "../../src/database/client.ts";
import { projectFile } from "../../src/kernel/project-files.ts";
import { required } from "../../src/kernel/required-values.ts";
import { openBenchStore } from "../support/bench-store.ts";
import { median, runLoad, type LoadResult } from "../support/http-load.ts";
import { startMeasuredProcess, type MeasuredProcess } from "../support/measured-process.ts";
import { startTransactionPooler } from "../support/transaction-pooler.ts";
import { seedOrders } from "../support/orders-seed.ts";
import { addVendors, createToken } from "../support/vendor-seed.ts";

/** The rate of one kind of write. */
export interface WriteRate {
  name: string;
  perSecond: number;
  p50: number;
  failed: number;
}

const MAIN = projectFile("dist/src/main.js");
const SECONDS = Number(process.env["SECONDS"] ?? 5);
const loadOptions = { seconds: SECONDS, connections: 8 };

/**
 * Orders of one line: POST /orders without and with an idempotency key, behind pgbouncer if it is installed, and the minimum by
 * hand, in turns.
 */
export async function measureOrderWrites(rounds: number): Promise<WriteRate[]> {
  const { store, remove } = await openBenchStore();
  const { token, payload } = await seed(store.url);
  const environment = { DATABASE_URL: store.url, PORT: "0", LOG_LEVEL: "warn", RATE_LIMIT: "0" };
  const gateway = await startMeasuredProcess([MAIN], environment);
  const bare = await startMeasuredProcess([projectFile("dist/bench/bare-order-writes-server.js")], environment);
  const pooler = await startTransactionPooler(store.url);
  const pooledEnvironment = pooler && { ...environment, ...pooler.environment };
  const pooled = pooledEnvironment && (await startMeasuredProcess([MAIN], pooledEnvironment));
  let lastKey = 0;
  const send =
    (to: MeasuredProcess, path: string, hasKey = false) =>
    () =>
      runLoad(
        to.address + path,
        "POST",
        () => ({ "secret-token": token, ...(hasKey && { "idempotency-key": `bench-${++lastKey}` }) }),
        () => payload,
        loadOptions,
      );
  const runs = new Map<string, () => Promise<LoadResult>>([
    ["one statement by hand, bare Fastify", send(bare, "/orders")],
    ["`POST /orders`", send(gateway, "/api/v1/orders")],
    ["`POST /orders` with an idempotency key", send(gateway, "/api/v1/orders", true)],
    ...(pooled ? [["`POST /orders` behind pgbouncer, by transaction", send(pooled, "/api/v1/orders")] as const] : []),
  ]);
  const resultsByName = new Map<string, LoadResult[]>([...runs.keys()].map((name) => [name, []]));
  for (const run of runs.values()) await run();
  for (let round = 0; round < rounds; round++)
    for (const [name, run] of runs) resultsByName.get(name)?.push(await run());
  for (const contestant of [gateway, bare, pooled, pooler]) await contestant?.stop();
  await remove();
  return [...resultsByName].map(([name, results]) => ({
    name,
    perSecond: median(results.map(({ perSecond }) => perSecond)),
    p50: median(results.map(({ p50 }) => p50)),
    failed: results.reduce((sum, { failed }) => sum + failed, 0),
  }));
}

/** A vendor with a catalogue and no orders. */
async function seed(url: string): Promise<{ token: string; payload: string }> {
  const database = openDatabase({ url });
  const sql = postgres(url, { max: 1, onnotice: () => undefined });
  try {
    const vendorIds = await addVendors(database, 1);
    await seedOrders(sql, { vendorIds, ordersEach: 0, lines: 0, customersEach: 100, productsEach: 20 });
    const [found] = await sql<{ customer: number; product: string; price: string }[]>`
      select (select min(id)::int from customers) as customer, p.code as product, r.code as price
      from products p join price_plans r on r.product_id = p.id limit 1`;
    const { customer, product, price } = required(found, "an offer");
    const items = [{ productCode: product, priceCode: price }];
    const token = await createToken(database, required(vendorIds[0], "the vendor"));
    return { token, payload: JSON.stringify({ customerId: customer, items }) };
  } finally {
    await sql.end();
    await database.close();
  }
}
