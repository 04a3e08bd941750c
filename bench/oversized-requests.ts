import "reflect-metadata";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { openDatabase } from "../src/database/client.ts";
import { openDatabaseSource } from "../src/database/database-connection.ts";
import { openGateway } from "../src/gateway.ts";
import { createServices } from "../src/graphql/services.ts";
import { systemClock } from "../src/kernel/clock.ts";
import { oversizedDocuments, oversizedValues } from "./oversized-input.ts";

/*
 * `npm run bench:endless`: the cost of bodies of a megabyte, in milliseconds of the process's CPU time, the minimum of
 * five runs. Only the token is looked up for them. DATABASE_URL names a server; by default the embedded one is used.
 */

const ROUNDS = 5;

const folder = await mkdtemp(join(tmpdir(), "recoup-bench-"));
await chmod(folder, 0o755);
const store = await openDatabaseSource(process.env["DATABASE_URL"], folder);
const database = openDatabase({ url: store.url });
const token = await database.transaction(async (handle) => {
  const now = new Date();
  const shop = { name: "Bench", zoneId: "Asia/Seoul", currency: "KRW", country: "KR", sandbox: false } as const;
  const id = await createServices(handle, now).vendors.createVendor(shop);
  return (await createServices(handle, now).apiKeys.create(id, "bench", false)).token;
});
const gateway = await openGateway({ database, clock: systemClock, logger: pino({ level: "silent" }), vocabulary: {} });

async function measureRequest(url: string, payload: string) {
  let least = Infinity;
  let told = "";
  for (let tries = 0; tries < ROUNDS; tries++) {
    const before = process.cpuUsage();
    const headers = { "secret-token": token, "content-type": "application/json" };
    const answer = await gateway.server.inject({ method: "POST", url, headers, payload });
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1000);
    told = `${answer.statusCode}, ${answer.body.length} bytes`;
  }
  return { milliseconds: Math.round(least), told };
}

const measurements: { what: string; milliseconds: number; told: string }[] = [];
for (const [name, value] of Object.entries(oversizedValues)) {
  const order = `{"customerId":1,"amount":1,"partnerOrderId":"x","items":${value}}`;
  const query = "mutation ($input: RegisterCoverOrderInput!) { registerCoverOrder(input: $input) { order { id } } }";
  const asked = `{"query":${JSON.stringify(query)},"variables":{"input":${order}}}`;
  measurements.push({ what: `REST: ${name}`, ...(await measureRequest("/api/v1/cover/order", order)) });
  measurements.push({ what: `GraphQL: ${name}`, ...(await measureRequest("/graphql", asked)) });
}
for (const [name, query] of Object.entries(oversizedDocuments))
  measurements.push({ what: `document: ${name}`, ...(await measureRequest("/graphql", JSON.stringify({ query }))) });
for (const { what, milliseconds, told } of measurements.sort((one, other) => other.milliseconds - one.milliseconds))
  console.log(`${String(milliseconds).padStart(5)} ms  ${what} (${told})`);

await gateway.close();
await store.release();
await rm(folder, { recursive: true, force: true });
