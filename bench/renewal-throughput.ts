import "reflect-metadata";
import { spawn, type ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { pino } from "pino";
import postgres from "postgres";
import { openDatabase } from "../src/database/client.ts";
import { openDatabaseSource } from "../src/database/database-connection.ts";
import { openGateway } from "../src/gateway.ts";
import { createServices } from "../src/graphql/services.ts";
import { systemClock } from "../src/kernel/clock.ts";
import { SecretVault } from "../src/kernel/secrets/secret-vault.ts";
import type { RawData } from "../test/support/raw-data.ts";
import { projectFile } from "../src/kernel/project-files.ts";

/*
 * `npm run bench:renewals`: payers pay the first orders of monthly subscriptions on the checkout's pages, then the
 * vendor's clock is moved a month ahead and one worker charges the renewals; after another month, two workers do. All
 * are processes of their own except the gateway and the payers. SUBSCRIPTIONS sets their number; DATABASE_URL names a
 * server.
 */

const SUBSCRIPTIONS = Number(process.env["SUBSCRIPTIONS"] ?? 600);
const PAYERS = 4;
const CARD = { action: "pay", method: "CARD", number: "4242424242424242", expiry: "12/31" };

const folder = await mkdtemp(join(tmpdir(), "recoup-bench-"));
await chmod(folder, 0o755);
const store = await openDatabaseSource(process.env["DATABASE_URL"], folder);
const database = openDatabase({ url: store.url });
const secretsKey = randomBytes(32);
const token = await database.transaction(async (handle) => {
  const { vendors, apiKeys } = createServices(handle, new Date());
  const terms = { name: "Bench", zoneId: "Asia/Seoul", currency: "KRW", country: "KR", sandbox: true };
  return (await apiKeys.create(await vendors.createVendor(terms), "bench", false)).token;
});
const gateway = await openGateway({
  database,
  clock: systemClock,
  logger: pino({ level: "silent" }),
  vocabulary: {},
  vault: new SecretVault([secretsKey]),
});
const address = await gateway.server.listen({ port: 0, host: "127.0.0.1" });
const sql = postgres(store.url, { max: 1, onnotice: () => undefined });

await runMutation("configurePaymentGateway", { paymentGateway: "HOUSE" }, "account { databaseId }");
const payer = { name: "Bench", email: "bench@example.com", phone: "010-1234-5678" };
const { customer } = await runMutation("createCustomer", payer, "customer { databaseId }");
const { product } = await runMutation(
  "createProduct",
  { type: "SOFTWARE", name: "Journal" },
  "product { databaseId code }",
);
const { pricePlan } = await runMutation(
  "createPricePlan",
  {
    productId: String(product.databaseId),
    type: "FLAT",
    price: "10000",
    plan: { name: "Monthly" },
    recurring: { interval: "MONTH" },
  },
  "pricePlan { code }",
);

const pageTimes: number[] = [];
const chargeTimes: number[] = [];
let remaining = SUBSCRIPTIONS;
await Promise.all(
  Array.from({ length: PAYERS }, async () => {
    while (remaining-- > 0) await subscribe();
  }),
);
console.log(`${SUBSCRIPTIONS} payers, ${PAYERS} at a time; Node ${process.version}`);
for (const [what, times] of Object.entries({ "the page is shown": pageTimes, "the card is charged": chargeTimes }))
  console.log(`${what.padEnd(20)} p50 ${percentileOf(times, 0.5)} ms  p99 ${percentileOf(times, 0.99)} ms`);

for (const workers of [1, 2]) {
  await graphql('mutation { advanceTestClock(input: { by: "P1M" }) { now } }', {});
  const before = await countRenewals();
  const running = Array.from({ length: workers }, launchWorker);
  await waitUntil(async () => (await countRenewals()) > before);
  const [started, first] = [performance.now(), await countRenewals()];
  await waitUntil(async () => (await countRenewals()) === before + SUBSCRIPTIONS);
  const minutes = (performance.now() - started) / 60_000;
  for (const worker of running) await stopWorker(worker);
  const charged = before + SUBSCRIPTIONS - first;
  console.log(`${workers} worker(s): ${(charged / minutes).toFixed(0)} renewals a minute (${charged} of them)`);
}
const [doubleCharges] = await sql`select count(*)::int as twice from (
  select order_reference from simulated_charges where status = 'APPROVED' group by 1 having count(*) > 1) t`;
console.log(`Orders that were charged more than once: ${doubleCharges!["twice"]}`);

await sql.end();
await gateway.close();
await store.release();
await rm(folder, { recursive: true, force: true });

/** One payer: an order, its link, its page, a card. */
async function subscribe(): Promise<void> {
  const input = {
    customerId: String(customer.databaseId),
    items: [{ productCode: product.code, priceCode: pricePlan.code }],
  };
  const { order } = await runMutation("createOrder", input, "order { code }");
  const pay = `${address}/api/v1/orders/${order.code}/pay`;
  const link = await fetch(pay, { redirect: "manual", headers: { "secret-token": token } });
  const url = new URL(new URL(link.headers.get("location")!, address).pathname, address).href;
  const html = await measureInto(pageTimes, async () => (await fetch(url)).text());
  const hidden = [...html.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g)];
  const fields = { ...Object.fromEntries(hidden.map(([, name, value]) => [name!, value!])), ...CARD };
  const body = new URLSearchParams(fields);
  const headers = { "sec-fetch-site": "same-origin" };
  const answer = await measureInto(chargeTimes, () =>
    fetch(url, { method: "POST", headers, body, redirect: "manual" }),
  );
  if (answer.status >= 400) throw new Error(`The checkout answered ${answer.status}: ${await answer.text()}`);
}

async function measureInto<T>(times: number[], work: () => Promise<T>): Promise<T> {
  const started = performance.now();
  const result = await work();
  times.push(performance.now() - started);
  return result;
}

function percentileOf(times: number[], share: number): string {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!.toFixed(0);
}

/** Renewals paid so far. */
async function countRenewals(): Promise<number> {
  const [row] = await sql`select count(*)::int as count from renewals r join order_states s
    on s.vendor_id = r.vendor_id and s.order_id = r.order_id where s.status = 'PAID'`;
  return row!["count"] as number;
}

async function waitUntil(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await wait(50);
}

function launchWorker(): ChildProcess {
  return spawn(process.execPath, [projectFile("dist/src/main.js")], {
    env: {
      ...process.env,
      ROLE: "worker",
      DATABASE_URL: store.url,
      SECRETS_KEY: secretsKey.toString("base64"),
      LOG_LEVEL: "error",
    },
    stdio: ["ignore", "ignore", "inherit"],
  });
}

function stopWorker(worker: ChildProcess): Promise<unknown> {
  const exit = new Promise((resolve) => worker.once("exit", resolve));
  worker.kill("SIGTERM");
  return exit;
}

async function runMutation(name: string, input: object, selection: string): Promise<RawData> {
  const type = `${name[0]!.toUpperCase()}${name.slice(1)}Input`;
  return (await graphql(`mutation ($input: ${type}!) { ${name}(input: $input) { ${selection} } }`, { input }))[name];
}

async function graphql(query: string, variables: object): Promise<RawData> {
  const response = await fetch(`${address}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", "secret-token": token },
    body: JSON.stringify({ query, variables }),
  });
  const { data, errors } = (await response.json()) as { data: RawData; errors?: unknown };
  if (errors) throw new Error(JSON.stringify(errors));
  return data;
}
