import "reflect-metadata";
import { execFile } from "node:child_process";
import { chmod, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import postgres from "postgres";
import { openDatabase } from "../src/database/client.ts";
import { openDatabaseSource } from "../src/database/database-connection.ts";
import { recordPayments } from "../test/support/recorded-payments.ts";
import type { TrainingPhases } from "./training-phases.ts";
import { startMeasuredProcess } from "./support/measured-process.ts";
import { addVendors, createToken } from "./support/vendor-seed.ts";
import { projectFile } from "../src/kernel/project-files.ts";

/*
 * `npm run bench:train`: the training of a model on TRIES recorded retries (100,000 by default) in a real embedded database. First its phases in a
 * process of their own, then the job itself: a gateway with its worker gets half of the requests that it can answer, at even intervals,
 * half of them failed payments and half reads of a cover, before and while it trains. SECONDS is how long each load is measured without a training, SEEDED names a data directory
 * that is kept and reused.
 */

const TRIES = Number(process.env["TRIES"] ?? 100_000);
const SECONDS = Number(process.env["SECONDS"] ?? 30);
const ORDERS = 200_000;
const SUBSCRIPTIONS = 5_000;
const COVER_QUERY =
  "query ($id: ID!) { cover(id: $id) { databaseId state retryDate attempts(first: 10) { nodes { number attemptedAt errorCode reasonClass } } } }";

const folder = process.env["SEEDED"] ?? (await mkdtemp(join(tmpdir(), "recoup-train-")));
await chmod(folder, 0o755);
const store = await openDatabaseSource(undefined, folder);
const sql = postgres(store.url, { max: 1, onnotice: () => undefined });
const { vendorId, token } = await seedVendor();

const { stdout } = await promisify(execFile)(process.execPath, [
  ...[projectFile("dist/bench/training-phases.js"), store.url, String(vendorId)],
]);
const phases = JSON.parse(stdout) as TrainingPhases;
console.log(`Node ${process.version}; the phases of a training alone, in seconds, and the most memory by then in MB:`);
console.log(
  `${phases.tries} retries of ${phases.cases} cases, ${phases.patterns} patterns of cells; ${phases.memoryAtStart} MB at the start`,
);
console.log(
  `  reading them       ${phases.readSeconds} s (processor ${phases.readProcessor} s)  ${phases.memoryAfterReading} MB`,
);
console.log(
  `  one fit            ${phases.fitSeconds} s (processor ${phases.fitProcessor} s)  ${phases.memoryAfterFit} MB`,
);
console.log(
  `  both and the test  ${phases.trainSeconds} s (processor ${phases.trainProcessor} s)  ${phases.memoryAtEnd} MB`,
);

const eventLoopFile = join(folder, "event-loop");
const gateway = await startMeasuredProcess(
  ["--import", projectFile("dist/bench/support/event-loop-probe.js"), projectFile("dist/src/main.js")],
  {
    ...{ DATABASE_URL: store.url, PORT: "0", LOG_LEVEL: "warn", ROLE: "both", DRAIN_SECONDS: "0" },
    ...{
      EVENT_LOOP_FILE: eventLoopFile,
      SECRETS_KEY: Buffer.alloc(32, "recoup").toString("base64"),
      DEMO_DATA: "false",
    },
  },
);
const [{ firstOrder, firstSubscription, lastCover }] = await sql<
  [{ firstOrder: number; firstSubscription: number; lastCover: number }]
>`
  select (select max(id) - ${ORDERS} + 1 from cover_orders where vendor_id = ${vendorId})::int as "firstOrder",
    (select max(id) - ${SUBSCRIPTIONS} + 1 from cover_subscriptions where vendor_id = ${vendorId})::int as "firstSubscription",
    (select max(id) from covers where vendor_id = ${vendorId})::int as "lastCover"`;
let sent = 0;

// The first measurement warms up.
await measureCapacity();
const perSecond = (await measureCapacity()) / 2;
const before = await measureLoad(() => sleep(SECONDS * 1000));
await startTraining();
const during = await measureLoad(trainingEnds);
const after = await measureLoad(() => sleep(SECONDS * 1000));
const [job] = await sql<[{ state: string; result: string | null; seconds: number }]>`
  select state, result, extract(epoch from finished_at - started_at)::float as seconds
  from recovery_trainings where vendor_id = ${vendorId} order by id desc limit 1`;
console.log(`the whole job beside the gateway's load: ${job.seconds.toFixed(1)} s, ${job.state} ${String(job.result)}`);
console.log(`half of the capacity: ${perSecond.toFixed(1)} requests a second`);
for (const [name, load] of Object.entries({ before, during, after }))
  console.log(
    `  ${name.padEnd(7)} p50 ${load.p50.toFixed(1)} ms  p99 ${load.p99.toFixed(1)} ms  event loop p99 ${load.eventLoop.toFixed(1)} ms  ${load.memory} MB  ${load.failed} of ${load.count} failed`,
  );
console.log(
  `during / before: p50 ${(during.p50 / before.p50).toFixed(2)}, p99 ${(during.p99 / before.p99).toFixed(2)}, event loop ${(during.eventLoop / before.eventLoop).toFixed(2)}, memory +${during.memory - before.memory} MB`,
);
await gateway.stop();
await sql.end();
await store.release();
if (!process.env["SEEDED"]) await rm(folder, { recursive: true, force: true });
process.exit(0);

async function seedVendor(): Promise<{ vendorId: number; token: string }> {
  const database = openDatabase({ url: store.url });
  const [known] = await sql<{ id: number }[]>`select id::int from vendors order by id limit 1`;
  const id = known?.id ?? (await addVendors(database, 1))[0]!;
  if (!known) {
    const startedAt = performance.now();
    const stored = await recordPayments(sql, { vendorId: id, tries: TRIES, until: new Date() });
    console.log(`${stored.tries} retries stored in ${Math.round((performance.now() - startedAt) / 1000)} s`);
  }
  // Open orders for the failed payments of the load.
  await sql`insert into cover_orders (vendor_id, partner_order_id, customer_id, status, amount, amount_returned, payment_gateway, created_at, modified_at)
    select ${id}::bigint, 'bench-' || gen_random_uuid(), (select min(id) from cover_customers where vendor_id = ${id}), 'CREATED', 18900, 0, 'UNKNOWN', now(), now()
    from generate_series(1, ${ORDERS})`;
  await sql`insert into cover_subscriptions (vendor_id, partner_subscription_id, customer_id, current_period_start, current_period_end, recurring_interval, recurring_interval_count, created_at, modified_at)
    select ${id}::bigint, 'bench-' || gen_random_uuid(), (select min(id) from cover_customers where vendor_id = ${id}), now(), now(), 'MONTH', 1, now(), now()
    from generate_series(1, ${SUBSCRIPTIONS})`;
  await sql`analyze cover_orders, cover_subscriptions`;
  // The training of the night has been: otherwise it would begin by itself.
  await sql`insert into recovery_trainings (vendor_id, state, trigger, requested_at, finished_at, failure)
    values (${id}, 'FAILED', 'NIGHT', now(), now(), 'It was left to the bench.')`;
  const issued = await createToken(database, id);
  await database.close();
  return { vendorId: id, token: issued };
}

/** Requests a training, and waits until a worker runs it. */
async function startTraining(): Promise<void> {
  const answer = await send("/graphql", { query: "mutation { trainRecoveryModel { training { state } } }" });
  if (!(await answer.text()).includes("REQUESTED")) throw new Error("The training was not requested.");
  while ((await trainingState()) === "REQUESTED") await sleep(200);
}

async function trainingEnds(): Promise<void> {
  while ((await trainingState()) === "RUNNING") await sleep(500);
}

async function trainingState(): Promise<string> {
  const [row] = await sql`select state from recovery_trainings where vendor_id = ${vendorId} order by id desc limit 1`;
  return String(row!["state"]);
}

function send(path: string, body: object): Promise<Response> {
  return fetch(gateway.address + path, {
    method: "POST",
    headers: { "content-type": "application/json", "secret-token": token },
    body: JSON.stringify(body),
  });
}

/** The time of one request: in turns a failed payment and a read. A failed request counts as infinite. */
async function timeOneRequest(): Promise<number> {
  const number = sent++;
  const startedAt = performance.now();
  const answer = await (
    number % 2 === 0
      ? send("/api/v1/cover/recovery", {
          ...{ orderId: firstOrder + number / 2, subscriptionId: firstSubscription + ((number / 2) % SUBSCRIPTIONS) },
          errorCode: "51",
        })
      : send("/graphql", { query: COVER_QUERY, variables: { id: String(lastCover) } })
  ).catch(() => undefined);
  const text = await answer?.text();
  return answer?.ok && !text!.includes('"errors"') ? performance.now() - startedAt : Infinity;
}

/** The number of requests answered in a second without a training, by eight callers. */
async function measureCapacity(): Promise<number> {
  const seconds = 10;
  let answered = 0;
  const end = performance.now() + seconds * 1000;
  const callers = Array.from({ length: 8 }, async () => {
    while (performance.now() < end) if ((await timeOneRequest()) < Infinity) answered++;
  });
  await Promise.all(callers);
  return answered / seconds;
}

interface MeasuredLoad {
  count: number;
  failed: number;
  p50: number;
  p99: number;
  /** The 99th percentile of the delay of the gateway's event loop. */
  eventLoop: number;
  /** The most memory of its process, in megabytes. */
  memory: number;
}

/** Sends requests at even intervals, whether or not earlier ones were answered, until something has ended. */
async function measureLoad(wait: () => Promise<unknown>): Promise<MeasuredLoad> {
  await eventLoopDelay();
  const over = new AbortController();
  let memory = 0;
  const waiting = wait().finally(() => {
    over.abort();
  });
  const times: Promise<number>[] = [];
  const startedAt = performance.now();
  while (!over.signal.aborted) {
    times.push(timeOneRequest());
    if ((times.length - 1) % Math.ceil(perSecond) === 0) memory = Math.max(memory, await gateway.memoryBytes());
    await sleep(Math.max(0, startedAt + (times.length * 1000) / perSecond - performance.now()));
  }
  await waiting;
  const sorted = Float64Array.from(await Promise.all(times)).sort();
  const percentile = (part: number) => sorted[Math.floor((sorted.length - 1) * part)]!;
  return {
    ...{ count: sorted.length, failed: sorted.filter((time) => time === Infinity).length },
    ...{ p50: percentile(0.5), p99: percentile(0.99), eventLoop: await eventLoopDelay(), memory },
  };
}

/** The delay of the gateway's event loop since the last question. */
async function eventLoopDelay(): Promise<number> {
  await rm(eventLoopFile, { force: true });
  gateway.signal("SIGUSR2");
  for (;;) {
    await sleep(50);
    const text = await readFile(eventLoopFile, "utf8").catch(() => "");
    if (text) return Number(text);
  }
}
