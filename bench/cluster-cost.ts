import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { promisify } from "node:util";
import postgres from "postgres";
import { projectFile } from "../src/kernel/project-files.ts";
import { required } from "../src/kernel/required-values.ts";
import { median } from "./support/http-load.ts";
import { startMeasuredProcess } from "./support/measured-process.ts";
import { recoupOrdersQuery } from "./support/orders-queries.ts";

/*
 * `npm run bench:citus`: new orders and pages of orders of a cell on Citus, and of one that is a database of the same coordinator's server
 * without the extension. CITUS_URL is the address of a superuser of the cluster. One gateway serves both cells, in turns. ROUNDS is the
 * number of pairs of rounds, REQUESTS the number of requests of a round, CALLERS how many callers send them at the same time. Neither server is
 * reached by TLS, so compare without it between the nodes too (citus.node_conninfo).
 */

const CLUSTER_URL = required(process.env["CITUS_URL"], "CITUS_URL, the address of a superuser of a Citus cluster");
const ROUNDS = Number(process.env["ROUNDS"] ?? 30);
const REQUESTS = Number(process.env["REQUESTS"] ?? 40);
const CALLERS = (process.env["CALLERS"] ?? "1,4").split(",").map(Number);
/** Each connection prepares its statements the second time, and Citus plans them for some executions more. */
const WARM_UP_ROUNDS = 6;

const MAIN = projectFile("dist/src/main.js");
const COMMANDS = projectFile("dist/src/commands/recoup.js");

const suffix = randomBytes(4).toString("hex");
const at = (database: string) => Object.assign(new URL(CLUSTER_URL), { pathname: `/${database}` }).href;
const databases = { home: `bench_home_${suffix}`, plain: `bench_plain_${suffix}` };
const schema = `bench_${suffix}`;
const settings = {
  DATABASE_URL: at(databases.home),
  SECRETS_KEY: randomBytes(32).toString("base64"),
  ...{ DEMO_DATA: "false", LOG_LEVEL: "warn", PORT: "0", RATE_LIMIT: "0", ROLE: "gateway" },
};

/** A vendor of a cell, and an offer of it. */
interface Seller {
  token: string;
  order: string;
}

type Send = (seller: Seller) => Promise<unknown>;

async function withServer<Result>(work: (session: postgres.Sql) => Promise<Result>, url = at("postgres")) {
  const session = postgres(url, { max: 1, prepare: false, onnotice: () => undefined });
  try {
    return await work(session);
  } finally {
    await session.end();
  }
}

/** Runs a command of Recoup. @returns the record that it prints. */
async function runCommand(...words: string[]): Promise<Record<string, string>> {
  const { stdout } = await promisify(execFile)(process.execPath, [COMMANDS, ...words, "--json"], {
    env: { ...process.env, ...settings, LOG_LEVEL: "silent" },
  });
  return JSON.parse(stdout) as Record<string, string>;
}

await withServer(async (session) => {
  for (const name of Object.values(databases)) await session.unsafe(`create database ${name}`);
});
const gateway = await startMeasuredProcess([MAIN], settings);

async function send(path: string, token: string, body: string): Promise<unknown> {
  const response = await fetch(gateway.address + path, {
    ...{ method: "POST", body, headers: { "secret-token": token, "content-type": "application/json" } },
  });
  const text = await response.text();
  const answer = JSON.parse(text) as { errors?: unknown; data?: unknown };
  if (!response.ok || answer.errors) throw new Error(`${path} was answered ${response.status}: ${text}`);
  return answer.data;
}

/** Creates a vendor in a cell, with a customer and a plan of a product. */
async function createSeller(cell: string): Promise<Seller> {
  const { token } = await runCommand("vendor", "create", "--name", "Bench", "--cell", cell);
  const create = async <Result>(name: string, input: object, selection: string): Promise<Result> => {
    const type = `${name[0]!.toUpperCase()}${name.slice(1)}Input`;
    const query = `mutation ($input: ${type}!) { ${name}(input: $input) { ${selection} } }`;
    const data = await send("/graphql", token!, JSON.stringify({ query, variables: { input } }));
    return (data as Record<string, Result>)[name]!;
  };
  const { customer } = await create<{ customer: { databaseId: number } }>(
    "createCustomer",
    { name: "Kim Seo-yeon", email: "seoyeon@example.com", phone: "010-1234-5678" },
    "customer { databaseId }",
  );
  const { product } = await create<{ product: { databaseId: number; code: string } }>(
    "createProduct",
    { type: "BOX", name: "Beans" },
    "product { databaseId code }",
  );
  const { pricePlan } = await create<{ pricePlan: { code: string } }>(
    "createPricePlan",
    {
      ...{ productId: String(product.databaseId), type: "FLAT", price: "18900", plan: { name: "Monthly" } },
      recurring: { interval: "MONTH" },
    },
    "pricePlan { code }",
  );
  const items = [{ productCode: product.code, priceCode: pricePlan.code }];
  return { token: token!, order: JSON.stringify({ customerId: customer.databaseId, items }) };
}

/** Sends the requests of a round. @returns the milliseconds of each. */
async function measureRound(sendOne: () => Promise<unknown>, callers: number): Promise<number[]> {
  const times: number[] = [];
  let left = REQUESTS;
  await Promise.all(
    Array.from({ length: callers }, async () => {
      while (left-- > 0) {
        const startedAt = performance.now();
        await sendOne();
        times.push(performance.now() - startedAt);
      }
    }),
  );
  return times;
}

/** Measures a kind of request at both sellers in turns, of whom each is the first of every other pair. */
async function compare(name: string, sendTo: Send, callers: number, plain: Seller, citus: Seller): Promise<void> {
  const times = { plain: [] as number[], citus: [] as number[] };
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round++)
    for (const place of round % 2 === 0 ? (["plain", "citus"] as const) : (["citus", "plain"] as const)) {
      const measured = await measureRound(() => sendTo(place === "plain" ? plain : citus), callers);
      if (round >= 0) times[place].push(...measured);
    }
  const [plainMs, citusMs] = [median(times.plain), median(times.citus)];
  console.log(
    `${name}, ${callers} at a time: ${plainMs.toFixed(2)} ms on plain PostgreSQL, ${citusMs.toFixed(2)} ms on Citus, ${(citusMs / plainMs).toFixed(2)} times as long (medians of ${times.plain.length})`,
  );
}

try {
  await runCommand("cells", "add", "plain", "--url", at(databases.plain), "--schema", "plain");
  await runCommand("cells", "add", "citus", "--url", CLUSTER_URL, "--schema", schema);
  const [plain, citus] = [await createSeller("plain"), await createSeller("citus")];
  const [{ version }] = (await withServer(
    (session) => session`select version() || ', fsync ' || current_setting('fsync') as version`,
  )) as unknown as [{ version: string }];
  console.log(`${version}, Node ${process.version}`);
  for (const callers of CALLERS) {
    const page = JSON.stringify({ query: recoupOrdersQuery });
    await compare("POST /orders", ({ token, order }) => send("/api/v1/orders", token, order), callers, plain, citus);
    await compare("a page of 50 orders", ({ token }) => send("/graphql", token, page), callers, plain, citus);
  }
} finally {
  await gateway.stop();
  await withServer(async (session) => {
    for (const name of Object.values(databases)) await session.unsafe(`drop database ${name} with (force)`);
  });
  await withServer((session) => session.unsafe(`drop schema if exists "${schema}" cascade`), CLUSTER_URL);
}
