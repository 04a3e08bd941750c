import "reflect-metadata";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import postgres from "postgres";
import { openDatabase } from "../src/database/client.ts";
import { openDatabaseSource } from "../src/database/database-connection.ts";
import { openGateway } from "../src/gateway.ts";
import { createServices } from "../src/graphql/services.ts";
import { systemClock } from "../src/kernel/clock.ts";
import { startBareServer } from "./bare-recovery-server.ts";
import { runLoad, median, type LoadResult } from "./support/http-load.ts";

/*
 * `npm run bench`: POST /cover/recovery, the equal mutation in GraphQL, a cover with its attempts, and a bare Fastify
 * handler with the same statements, in turns in one run. Ratios count: the machine is shared. Everything runs in one
 * process, so the load generator takes the same share from each. DATABASE_URL names a server; by default the embedded
 * one is used.
 */

const ROUNDS = Number(process.env["ROUNDS"] ?? 3);
const SECONDS = Number(process.env["SECONDS"] ?? 5);
const CONNECTIONS = 8;
const ORDERS = 150_000;
const SUBSCRIPTIONS = 5_000;

const folder = await mkdtemp(join(tmpdir(), "recoup-bench-"));
await chmod(folder, 0o755);
const store = await openDatabaseSource(process.env["DATABASE_URL"], folder);
const database = openDatabase({ url: store.url });
const { vendorId, token } = await database.transaction(async (handle) => {
  const { vendors, apiKeys } = createServices(handle, new Date());
  const id = await vendors.createVendor({
    name: "Bench",
    zoneId: "Asia/Seoul",
    currency: "KRW",
    country: "KR",
    sandbox: false,
  });
  return {
    vendorId: id,
    ...(await apiKeys.create(id, "bench", false)),
  };
});
const orders = await seed();
const gateway = await openGateway({ database, clock: systemClock, logger: pino({ level: "silent" }), vocabulary: {} });
const address = await gateway.server.listen({ port: 0, host: "127.0.0.1" });
const bare = await startBareServer(store.url, 10);

let next = orders.first;
const failedRenewalBody = () => ({
  subscriptionId: orders.firstSubscription + (next % SUBSCRIPTIONS),
  orderId: next++,
  errorCode: "51",
});
const RECOVERY_MUTATION =
  "mutation ($input: StartRecoveryInput!) { startRecovery(input: $input) { cover { databaseId retryDate } } }";
const COVER_QUERY =
  "query ($id: ID!) { cover(id: $id) { databaseId state retryDate attempts(first: 10) { nodes { number attemptedAt errorCode reasonClass } } } }";
const headers = { "secret-token": token };
const runs = {
  "bare handler, same statements": () =>
    runLoad(`${bare.address}/recovery`, "POST", headers, () => JSON.stringify(failedRenewalBody()), loadOptions),
  "GraphQL startRecovery": () =>
    runLoad(
      `${address}/graphql`,
      "POST",
      headers,
      () => JSON.stringify({ query: RECOVERY_MUTATION, variables: { input: toGraphQLIds(failedRenewalBody()) } }),
      loadOptions,
    ),
  "POST /cover/recovery": () =>
    runLoad(
      `${address}/api/v1/cover/recovery`,
      "POST",
      headers,
      () => JSON.stringify(failedRenewalBody()),
      loadOptions,
    ),
  "GraphQL cover with attempts": () =>
    runLoad(
      `${address}/graphql`,
      "POST",
      headers,
      () => JSON.stringify({ query: COVER_QUERY, variables: { id: "1" } }),
      loadOptions,
    ),
};
const loadOptions = { seconds: SECONDS, connections: CONNECTIONS };
const memory = () => {
  globalThis.gc?.();
  return Math.round(process.memoryUsage().rss / 1_048_576);
};

const memoryAtRest = memory();
const resultsByRun = new Map<string, LoadResult[]>(Object.keys(runs).map((name) => [name, []]));
for (const run of Object.values(runs)) await run();
for (let round = 0; round < ROUNDS; round++)
  for (const [name, run] of Object.entries(runs)) resultsByRun.get(name)!.push(await run());
const afterLoad = memory();

const bareRate = median(resultsByRun.get("bare handler, same statements")!.map(({ perSecond }) => perSecond));
console.log(`${ROUNDS} rounds of ${SECONDS} s, ${CONNECTIONS} connections, medians; Node ${process.version}`);
for (const [name, rounds] of resultsByRun) {
  const of = (key: keyof LoadResult) => median(rounds.map((round) => round[key]));
  const failed = rounds.reduce((sum, round) => sum + round.failed, 0);
  const perSecond = of("perSecond");
  console.log(
    `${name.padEnd(30)} ${perSecond.toFixed(0).padStart(6)} req/s  p50 ${of("p50")} ms  p99 ${of("p99")} ms  bare/this ${(bareRate / perSecond).toFixed(2)}  failed ${failed}`,
  );
}
const rate = (name: keyof typeof runs) => median(resultsByRun.get(name)!.map(({ perSecond }) => perSecond));
console.log(
  `REST costs ${(rate("GraphQL startRecovery") / rate("POST /cover/recovery")).toFixed(2)} times its twin; the twin ${(bareRate / rate("GraphQL startRecovery")).toFixed(2)} times the bare handler.`,
);
console.log(`Memory (whole process): ${memoryAtRest} MB at rest, ${afterLoad} MB after the load.`);

await bare.close();
await gateway.close();
await store.release();
await rm(folder, { recursive: true, force: true });

function toGraphQLIds({ subscriptionId, orderId, errorCode }: ReturnType<typeof failedRenewalBody>) {
  return { subscriptionId: String(subscriptionId), orderId: String(orderId), errorCode };
}

/** Enough open orders for every request of the run, and enough subscriptions that no two requests wait for one. */
async function seed(): Promise<{ firstSubscription: number; first: number }> {
  const sql = postgres(store.url, { max: 1 });
  const now = new Date();
  const [customer] = await sql`
    insert into cover_customers (vendor_id, partner_customer_id, name, email, phone, created_at, modified_at)
    values (${vendorId}, 'bench', 'Bench', 'bench@example.com', '1', ${now}, ${now}) returning id`;
  const customerId = customer!["id"] as number;
  const [subscription] = await sql`
    with added as (
      insert into cover_subscriptions (vendor_id, partner_subscription_id, customer_id, current_period_start, current_period_end, recurring_interval, recurring_interval_count, created_at, modified_at)
      select ${vendorId}, 'bench-' || n, ${customerId}, ${now}, ${now}, 'MONTH', 1, ${now}, ${now} from generate_series(1, ${SUBSCRIPTIONS}) n returning id)
    select min(id) as first from added`;
  const [range] = await sql`
    with added as (
      insert into cover_orders (vendor_id, partner_order_id, customer_id, subscription_id, status, amount, amount_returned, payment_gateway, created_at, modified_at)
      select ${vendorId}, 'bench-' || n, ${customerId}, null, 'CREATED', 18900, 0, 'UNKNOWN', ${now}, ${now} from generate_series(1, ${ORDERS}) n returning id)
    select min(id) as first from added`;
  await sql`analyze cover_orders`;
  await sql`analyze cover_subscriptions`;
  await sql.end();
  return { firstSubscription: Number(subscription!["first"]), first: Number(range!["first"]) };
}
