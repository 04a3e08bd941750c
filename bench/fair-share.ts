import "reflect-metadata";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";
import { openDatabase } from "../src/database/client.ts";
import { openDatabaseSource } from "../src/database/database-connection.ts";
import { attackShapes } from "./attacker.ts";
import { startMeasuredProcess } from "./support/measured-process.ts";
import { seedOrders } from "./support/orders-seed.ts";
import { addVendors, createToken } from "./support/vendor-seed.ts";
import { projectFile } from "../src/kernel/project-files.ts";

/*
 * `npm run bench:shares`: ten processes with tokens of one vendor attack, each with four connections, niced, and
 * obeying Retry-After. Meanwhile another vendor sends a quarter of the gateway's capacity, at even intervals. The
 * figure is the share of its answers within twice the 99th percentile that it has while the same processes send
 * harmless requests. SHAPE names one kind of attack, SECONDS how long each is measured.
 */

const SECONDS = Number(process.env["SECONDS"] ?? 15);
const ATTACKERS = 10;
const CONNECTIONS = "4";
const VICTIM_PATH = "/api/v1/orders?size=5";

const folder = await mkdtemp(join(tmpdir(), "recoup-bench-"));
await chmod(folder, 0o755);
const store = await openDatabaseSource(undefined, folder);
const { victim, tokens } = await seedVendors();
const environment = { DATABASE_URL: store.url, PORT: "0", LOG_LEVEL: "warn", ROLE: "gateway", DRAIN_SECONDS: "0" };
const gateway = await startMeasuredProcess([projectFile("dist/src/main.js")], environment);
const headers = { "secret-token": victim };

const perSecond = (await measureCapacity()) / 4;
console.log(`a quarter of what the gateway can do: ${perSecond.toFixed(1)} requests a second; Node ${process.version}`);
const baselineTimes = await timesBesideAttack("harmless");
const p99 = percentile(baselineTimes, 0.99);
console.log(`beside harmless requests: p50 ${percentile(baselineTimes, 0.5).toFixed(0)} ms, p99 ${p99.toFixed(0)} ms`);
const onlyShape = process.env["SHAPE"];
for (const shape of Object.keys(attackShapes).filter(
  (name) => name !== "harmless" && (!onlyShape || name === onlyShape),
)) {
  const times = await timesBesideAttack(shape);
  const within = times.filter((time) => time <= 2 * p99).length / times.length;
  console.log(
    `${shape.padEnd(24)} ${(within * 100).toFixed(1).padStart(5)}% within ${(2 * p99).toFixed(0)} ms; p50 ${percentile(times, 0.5).toFixed(0)} ms, p99 ${percentile(times, 0.99).toFixed(0)} ms of ${times.length}`,
  );
}
await gateway.stop();
await store.release();
await rm(folder, { recursive: true, force: true });
process.exit(0);

/** The other vendor's response times during attacks; a failed request counts as infinite. */
async function timesBesideAttack(shape: string): Promise<number[]> {
  const attackers = tokens.map((token) =>
    spawn(
      "nice",
      ["-n", "10", process.execPath, projectFile("dist/bench/attacker.js"), gateway.address, token, shape, CONNECTIONS],
      {
        stdio: ["ignore", "ignore", "inherit"],
      },
    ),
  );
  await sleep(3_000);
  const times: Promise<number>[] = [];
  for (let sent = 0; sent < SECONDS * perSecond; sent++) {
    times.push(timeOneRequest());
    await sleep(1000 / perSecond);
  }
  const seen = await Promise.all(times);
  for (const attacker of attackers) attacker.kill("SIGKILL");
  await Promise.all(attackers.map((attacker) => once(attacker, "exit")));
  await sleep(2_000);
  return seen;
}

async function timeOneRequest(): Promise<number> {
  const startedAt = performance.now();
  const answer = await fetch(gateway.address + VICTIM_PATH, { headers }).catch(() => undefined);
  await answer?.arrayBuffer();
  return answer?.status === 200 ? performance.now() - startedAt : Infinity;
}

/** The number of requests answered in a second without other load. */
async function measureCapacity(): Promise<number> {
  let answered = 0;
  const end = performance.now() + 5_000;
  const callers = Array.from({ length: 8 }, async () => {
    while (performance.now() < end) if ((await timeOneRequest()) < Infinity) answered++;
  });
  await Promise.all(callers);
  return answered / 5;
}

function percentile(times: number[], part: number): number {
  return times.toSorted((a, b) => a - b)[Math.floor((times.length - 1) * part)]!;
}

async function seedVendors(): Promise<{ victim: string; tokens: string[] }> {
  const database = openDatabase({ url: store.url });
  const [own, foreign] = (await addVendors(database, 2)) as [number, number];
  const sql = postgres(store.url, { max: 1, onnotice: () => undefined });
  await seedOrders(sql, {
    vendorIds: [own, foreign],
    ordersEach: 3_000,
    lines: 3,
    customersEach: 100,
    productsEach: 20,
  });
  const [product] = await sql`select id from products where vendor_id = ${foreign} order by id desc limit 1`;
  await sql`update price_plans set product_id = ${product!["id"] as string} where vendor_id = ${foreign}`.catch(
    () => undefined,
  );
  await sql.end();
  const issued: string[] = [];
  for (let each = 0; each < ATTACKERS; each++) issued.push(await createToken(database, foreign));
  const first = await createToken(database, own);
  await database.close();
  return { victim: first, tokens: issued };
}
