import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, expect, test } from "vitest";
import { createDatabase, openSession, runAdminStatement } from "../faults/harness/fault-databases.ts";
import { GatewayProcess, TOKEN } from "../faults/harness/gateway-process.ts";
import { waitUntil } from "../faults/harness/wait-until.ts";
import { buildOnce } from "../support/build-once.ts";
import { SECRETS_KEY } from "../support/test-gateway.ts";
import { logLinesOf, postGraphql, scrape, statusOf } from "./operators-view.ts";

/* What an operator sees from outside of processes whose work waits, is done, and fails. */

const settings = {
  METRICS_PORT: "0",
  SECRETS_KEY: SECRETS_KEY.toString("base64"),
  WEBHOOK_ALLOW_PRIVATE: "true",
  LOG_LEVEL: "info",
};
/** A backlog is read at most so often. */
const BACKLOG_KEPT_MS = 10_500;
/** No receiver listens there. */
const DEAD_RECEIVER = "http://127.0.0.1:1025/webhooks";

beforeAll(buildOnce);

/** Opens an event stream that ends at once, because its document is refused. */
async function readStream(gateway: GatewayProcess): Promise<void> {
  const answer = await fetch(`${gateway.address}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "text/event-stream", "secret-token": TOKEN },
    body: JSON.stringify({ query: "subscription { nothing }" }),
  });
  expect([answer.status, answer.headers.get("content-type")]).toEqual([
    200,
    expect.stringContaining("text/event-stream"),
  ]);
  expect(await answer.text()).toContain("event: complete");
}

/** Reports a failed renewal and its payment, by the calls that the gateway prints at its start. */
async function recoverExample(gateway: GatewayProcess): Promise<void> {
  const [, order] = /cover\/order\/success\/(\d+)/.exec(gateway.output)!;
  const [, failure] = /-d '(\{"subscriptionId"[^']*)'/.exec(gateway.output)!;
  const headers = { "content-type": "application/json", "secret-token": TOKEN };
  const base = `${gateway.address}/api/v1/cover`;
  const failed = await fetch(`${base}/recovery`, { method: "POST", headers, body: failure! });
  const paid = await fetch(`${base}/order/success/${order!}`, { method: "PATCH", headers, body: "{}" });
  expect([failed.status, paid.status]).toEqual([201, 200]);
}

test("a renewal that waits, its recovery, a webhook that is down and a database that is away are seen from outside", async () => {
  const url = await createDatabase();
  const sql = openSession(url);
  // Of all subscriptions one is due, since two hours.
  await sql`update subscriptions set next_payment_date = next_payment_date + interval '10 years' where next_payment_date is not null`;
  const [due] = await sql`update subscriptions set next_payment_date = now() - interval '2 hours'
    where id = (select min(id) from subscriptions where status = 'ACTIVE' and next_payment_date is not null and lease_until is null)
    returning id::int`;
  await sql`insert into recovery_model_trust (vendor_id, source, drift, tested_from) select min(id), 'VENDOR', '{}', now() from vendors`;
  const gateway = await GatewayProcess.start({ ...settings, DATABASE_URL: url });
  const endpoint = await postGraphql(
    gateway,
    `mutation { createWebhookEndpoint(input: { url: "${DEAD_RECEIVER}", eventTypes: ["cover.started"] }) { endpoint { id } } }`,
  );
  expect(await endpoint.json()).toMatchObject({ data: { createWebhookEndpoint: { endpoint: {} } } });
  await fetch(`${gateway.address}/api/v1/orders?size=1`, { headers: { "secret-token": TOKEN } });
  await postGraphql(gateway, "query Mine { customers(first: 1) { nodes { id } } }");

  const waiting = await scrape(gateway);
  expect(waiting.get('recoup_due_work{work="renewals",age="0s"}')).toBe(1);
  expect(waiting.get('recoup_due_work{work="renewals",age="1h"}')).toBe(1);
  expect(waiting.get('recoup_due_work{work="renewals",age="1d"}')).toBe(0);
  expect(waiting.get("recoup_database_up")).toBe(1);
  expect(waiting.get('recoup_database_connections{state="limit"}')).toBe(10);
  expect(waiting.get('recoup_http_request_seconds_count{method="GET",route="/api/v1/orders",status="200"}')).toBe(1);
  const operation = 'recoup_graphql_operation_seconds_count{type="query",field="customers",outcome="answered"}';
  expect(waiting.get(operation)).toBe(1);
  expect(waiting.get('recoup_recovery_models{source="vendor",state="decides"}')).toBe(1);
  // A caller's own name of an operation is in no series.
  expect([...waiting.keys()].filter((series) => series.includes("Mine"))).toEqual([]);
  expect([await statusOf(gateway, "/livez"), await statusOf(gateway, "/readyz")]).toEqual([200, 200]);
  expect([await statusOf(gateway, "/"), await statusOf(gateway, "/metrics?x=1")]).toEqual([404, 200]);

  await readStream(gateway);
  const posts = 'recoup_http_request_seconds_count{method="POST",route="/graphql",status="200"}';
  expect((await scrape(gateway)).get(posts)).toBe(waiting.get(posts));

  await recoverExample(gateway);
  const worker = GatewayProcess.launch({ ...settings, DATABASE_URL: url, ROLE: "worker", DEMO_DATA: "false" });
  await waitUntil("the worker had metrics", async () => worker.output.includes("metrics can be read"), 90_000);
  expect([await statusOf(worker, "/livez"), await statusOf(worker, "/readyz")]).toEqual([200, 200]);
  await waitUntil(
    "a webhook had failed",
    async () => logLinesOf(worker).some(({ msg }) => msg === "webhook failed"),
    90_000,
  );
  await waitUntil(
    "a recovery was recorded",
    async () => logLinesOf(worker).some(({ event }) => event === "cover.recovered"),
    90_000,
  );
  const isRenewal = ({ event, subscriptionId }: Record<string, unknown>) =>
    event === "cover.started" && subscriptionId !== undefined;
  await waitUntil("the renewal had failed", async () => logLinesOf(worker).some(isRenewal), 90_000);
  const lines = logLinesOf(worker);
  // A database on a server has no key of the demo, so that its card cannot be charged.
  const recovery = lines.find(isRenewal);
  expect(recovery).toMatchObject({
    msg: "recorded",
    subject: "COVER",
    subscriptionId: due!["id"],
    eventId: expect.stringMatching(/^event_\d+$/),
    vendorId: expect.any(Number),
    orderId: expect.any(Number),
    amount: expect.anything(),
    currency: expect.any(String),
  });
  expect(lines.find(({ msg }) => msg === "webhook failed")).toMatchObject({
    ...{ attempt: 1, status: null, eventId: expect.any(String) },
  });
  const done = await scrape(worker);
  expect(done.get('recoup_events_total{type="cover.started"}')).toBe(2);
  const recovered = lines.find(({ event }) => event === "cover.recovered")!;
  expect(Number(recovered["amount"])).toBeGreaterThan(0);
  expect(done.get(`recoup_recovered_amount_total{currency="${String(recovered["currency"])}"}`)).toBe(
    Number(recovered["amount"]),
  );
  expect(done.get('recoup_webhook_attempts_total{outcome="failed"}')).toBeGreaterThanOrEqual(1);
  expect(done.get('recoup_due_work{work="renewals",age="0s"}')).toBe(0);

  await sleep(BACKLOG_KEPT_MS);
  await runAdminStatement(`alter database "${new URL(url).pathname.slice(1)}" with allow_connections false`);
  await runAdminStatement(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${new URL(url).pathname.slice(1)}'`,
  );
  const away = await scrape(gateway);
  expect(away.get("recoup_database_up")).toBe(0);
  expect([...away.keys()].filter((series) => series.startsWith("recoup_due_work"))).toEqual([]);
  expect(await statusOf(gateway, "/readyz")).toBe(503);
  await worker.kill();
  await gateway.kill();
}, 240_000);
