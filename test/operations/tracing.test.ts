import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { pino } from "pino";
import type { FastifyBaseLogger } from "fastify";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { startTracing } from "../../src/operations/tracing.ts";
import { queryRows } from "../hostile/query-rows.ts";
import { numberEvents } from "../support/number-events.ts";
import { startGateway } from "../support/test-gateway.ts";
import { testCards, TestPayments } from "../support/test-payments.ts";
import { createWorker, runUntilIdle } from "../support/test-worker.ts";
import { createDispatcher, deliverWebhooks, WebhookReceiver } from "../support/webhook-receiver.ts";

/* A collector of OpenTelemetry that understands OTLP as JSON, as a real one does. */

interface CollectedSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  attributes: { key: string; value: { stringValue?: string; intValue?: number } }[];
}

interface Export {
  resourceSpans: { resource: { attributes: CollectedSpan["attributes"] }; scopeSpans: { spans: CollectedSpan[] }[] }[];
}

const spans: CollectedSpan[] = [];
const services = new Set<string | undefined>();
const authorizations = new Set<string | undefined>();
let answer = (response: ServerResponse): void => void response.writeHead(200).end("{}");
const collector = createServer((request, response) => {
  authorizations.add(request.headers.authorization);
  void json(request).then((body) => {
    for (const { resource, scopeSpans } of (body as Export).resourceSpans) {
      services.add(resource.attributes.find(({ key }) => key === "service.name")?.value.stringValue);
      spans.push(...scopeSpans.flatMap((scope) => scope.spans));
    }
    answer(response);
  });
});
collector.listen(0, "127.0.0.1");
await once(collector, "listening");
afterAll(() => {
  collector.closeAllConnections();
  collector.close();
});

const lines: string[] = [];
const logger = pino({ base: undefined }, { write: (line: string) => void lines.push(line) }) as FastifyBaseLogger;
const settings = {
  OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(collector.address() as AddressInfo).port}`,
  OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer collector",
  OTEL_SERVICE_NAME: "billing",
  OTEL_TRACES_SAMPLER: "parentbased_traceidratio",
  OTEL_TRACES_SAMPLER_ARG: "1",
  OTEL_BSP_SCHEDULE_DELAY: "50",
};
for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value);

expect(await startTracing({}, logger)).toBeUndefined();
expect(await startTracing({ ...settings, OTEL_SDK_DISABLED: "true" }, logger)).toBeUndefined();
const tracing = (await startTracing(settings, logger))!;
afterAll(() => tracing.shutDown());

const gateway = await startGateway({ now: new Date().toISOString(), allowPrivateWebhooks: true });
gateway.vendor = await gateway.openVendor({ sandbox: true });
const receiver = await WebhookReceiver.start();
const worker = createWorker(gateway);
let payments: TestPayments;
beforeAll(async () => void (payments = await TestPayments.start(gateway)));
beforeEach(() => void (spans.length = 0));

const TRACE_ID = "0af7651916cd43dd8448eb211c80319c";
const PARENT_ID = "b7ad6b7169203331";
const traceparent = `00-${TRACE_ID}-${PARENT_ID}-01`;
const spansOf = (traceId: string) => spans.filter((span) => span.traceId === traceId);

/** The names from the root to a span. */
function pathTo(span: CollectedSpan): string[] {
  const parent = spans.find(({ spanId }) => spanId === span.parentSpanId);
  return [...(parent ? pathTo(parent) : []), span.name];
}

test("the spans of a payment form one tree below the caller's span, from the request to the gateway, without values", async () => {
  const order = await payments.createOrder();
  const { data } = await payments.sendPayOrder(order.databaseId, testCards.approved, { traceparent });
  expect(data!.payOrder.payment.state).toBe("SUCCEEDED");
  await vi.waitFor(() => expect(spansOf(TRACE_ID).map(({ name }) => name)).toContain("POST /graphql"), 5_000);
  const trace = spansOf(TRACE_ID);
  const ids = new Set(trace.map(({ spanId }) => spanId));
  const roots = trace.filter(({ parentSpanId }) => !ids.has(parentSpanId!));
  expect(roots.map(({ name, parentSpanId }) => [name, parentSpanId])).toEqual([["POST /graphql", PARENT_ID]]);
  const paths = trace.map((span) => pathTo(span).join(" > "));
  expect(paths).toContain("POST /graphql > mutation payOrder > gateway charge");
  expect(paths).toContain("POST /graphql > mutation payOrder > insert payments");
  expect(paths.filter((path) => path.startsWith("POST /graphql > mutation payOrder > gateway charge > "))).not.toEqual(
    [],
  );
  const text = JSON.stringify(trace);
  const values = [
    "4242424242424242",
    gateway.vendor.token,
    "Kim Seo-yeon",
    "seoyeon@example.com",
    "01012345678",
    order.idKey,
  ];
  for (const value of values) expect(text).not.toContain(value);
  expect(services).toEqual(new Set(["billing"]));
  expect(authorizations).toEqual(new Set(["Bearer collector"]));
});

test("a request without a traceparent has the trace of its traceId, which its log lines have too", async () => {
  gateway.logLines.length = 0;
  const { data } = await payments.sendPayOrder((await payments.createOrder()).databaseId);
  expect(data!.payOrder.payment.state).toBe("SUCCEEDED");
  const answered = gateway.logLines.map((line) => JSON.parse(line) as { msg: string; traceId: string }).at(-1)!;
  await numberEvents(gateway);
  await vi.waitFor(() => expect(spansOf(answered.traceId).map(({ name }) => name)).toContain("POST /graphql"), 5_000);
  const events = await queryRows<{ trace: string }>(
    gateway,
    `select replace(trace::text, '-', '') as trace from event_log where vendor_id = ${gateway.vendor.id} and type = 'PAYMENT_SUCCEEDED' order by id desc limit 1`,
  );
  expect(events).toEqual([{ trace: answered.traceId }]);
});

test("work of a worker is a trace of its own, which webhooks pass on", async () => {
  await gateway.queryData("mutation ($url: String!) { createWebhookEndpoint(input: { url: $url }) { secret } }", {
    url: receiver.url,
  });
  const order = await payments.createOrder("9900", { plan: { type: "FLAT", recurring: { interval: "MONTH" } } });
  await payments.payOrder(order.databaseId, {
    method: "CARD",
    card: { number: testCards.approved, expiryMonth: 12, expiryYear: 2031 },
    storeMethod: true,
  });
  await deliverWebhooks(gateway, createDispatcher(gateway));
  const [, traceId, spanId] = receiver.take().at(-1)!.headers["traceparent"]!.toString().split("-");
  await vi.waitFor(() => expect(spansOf(traceId!).map(({ name }) => name)).toContain("webhook attempt"), 5_000);
  expect(spansOf(traceId!).find((span) => span.spanId === spanId)!.name).toBe("webhook send");

  spans.length = 0;
  gateway.clock.setTo(new Date(gateway.clock.now().getTime() + 32 * 86_400_000));
  await runUntilIdle(worker);
  await vi.waitFor(() => expect(spans.map(({ name }) => name)).toContain("due work"), 5_000);
  const charge = spans.find(({ name }) => name === "gateway charge")!;
  expect(pathTo(charge)).toEqual(["due work", "gateway charge"]);
});

test("a collector that hangs or is down delays no request", async () => {
  const readMany = async () => {
    const started = performance.now();
    for (let index = 0; index < 50; index++) await gateway.queryData("{ customers(first: 1) { nodes { code } } }");
    return performance.now() - started;
  };
  const usual = await readMany();
  answer = () => undefined;
  expect(await readMany()).toBeLessThan(usual * 3 + 500);
  collector.closeAllConnections();
  collector.close();
  expect(await readMany()).toBeLessThan(usual * 3 + 500);
  const started = performance.now();
  await tracing.shutDown();
  expect(performance.now() - started).toBeLessThan(3_000);
});
