import { hostname } from "node:os";
import { beforeEach, describe, expect, test } from "vitest";
import { createServices } from "../../../src/graphql/services.ts";
import type { ModuleEvent } from "../../../src/events/event.service.ts";
import { queryRows } from "../../hostile/query-rows.ts";
import { errorSummaries } from "../../support/cover-mutations.ts";
import type { RawData } from "../../support/raw-data.ts";
import { DAY, HOUR, MINUTE } from "../../support/test-clock.ts";
import { numberEvents } from "../../support/number-events.ts";
import { startGateway, type TestVendor } from "../../support/test-gateway.ts";
import { createWorker } from "../../support/test-worker.ts";
import {
  createDispatcher,
  deliverWebhooks,
  verifyWebhook,
  WebhookReceiver,
  type ReceivedWebhook,
} from "../../support/webhook-receiver.ts";

/* The library of the specification refuses timestamps that are not of the present. */
const gateway = await startGateway({ now: new Date().toISOString(), allowPrivateWebhooks: true });
const receiver = await WebhookReceiver.start();
const dispatcher = createDispatcher(gateway);

let vendor: TestVendor;
beforeEach(async () => {
  // Open deliveries of the test before must not come into this one.
  await queryRows(
    gateway,
    `update webhook_endpoints set enabled = false, disabled_reason = 'MERCHANT', disabled_at = now() where vendor_id > 0 and enabled`,
  );
  vendor = await gateway.openVendor({ sandbox: true });
  receiver.take();
  receiver.answer = () => 204;
});

const deliver = () => deliverWebhooks(gateway, dispatcher);
const send = (query: string, variables: object) =>
  gateway.sendRawGraphQL(query, variables as Record<string, unknown>, vendor);

const ENDPOINT = "id databaseId url eventTypes description enabled disabledReason failingSince previousSecretUntil";

/** Runs a mutation of an endpoint. */
async function change(mutation: string, input: object, selection = `endpoint { ${ENDPOINT} }`): Promise<RawData> {
  const type = { sendTestWebhook: "SendTestWebhookInput", redeliverWebhook: "RedeliverWebhookInput" }[mutation];
  const inputType =
    type ??
    { createWebhookEndpoint: "CreateWebhookEndpointInput", updateWebhookEndpoint: "UpdateWebhookEndpointInput" }[
      mutation
    ] ??
    (mutation === "replayWebhooks" ? "ReplayWebhooksInput" : "WebhookEndpointInput");
  const document = `mutation ($input: ${inputType}!) { ${mutation}(input: $input) { ${selection} } }`;
  const { data, errors } = await send(document, { input });
  return errors ? errorSummaries({ data, errors } as never) : data[mutation];
}

const createEndpoint = (input: object = {}) =>
  change("createWebhookEndpoint", { url: receiver.url, ...input }, `secret endpoint { ${ENDPOINT} }`);

const sendTest = (endpointId: string) =>
  change("sendTestWebhook", { endpointId }, "delivery { databaseId eventId state }");

const readEndpoint = async (id: string) =>
  (await send(`query ($id: ID!) { webhookEndpoint(id: $id) { ${ENDPOINT} } }`, { id })).data.webhookEndpoint;

/** The deliveries, the oldest first. */
const deliveries = async (filter = ""): Promise<RawData[]> =>
  (
    await send(
      `{ webhookDeliveries(last: 100 ${filter}) { nodes { id databaseId eventId eventType state nextAttemptAt endedAt
        attempts { number status error response durationMs } endpoint { databaseId } } } }`,
      {},
    )
  ).data.webhookDeliveries.nodes.toReversed();

/** Records events of registered orders: `[7, "COVER_STARTED"]` of the order 7. */
async function record(events: [orderId: number, type?: ModuleEvent["type"]][], values: Partial<ModuleEvent> = {}) {
  await gateway.database.transaction((handle) =>
    createServices(handle, gateway.clock.now()).events.recordModuleEvents(
      vendor.id,
      ...events.map(([subjectId, type = "ORDER_CHANGED"]): ModuleEvent => ({
        ...{ type, subject: "COVER_ORDER", subjectId, coverOrderId: subjectId, trigger: "ORDER_UPDATED" },
        ...{ actor: "SYSTEM", ...values },
      })),
    ),
  );
}

const orderIdOf = ({ message }: ReceivedWebhook): number => Number(message.data["coverOrderId"]);

describe("an endpoint", () => {
  test("shows its secret once, and the library verifies the test message by it", async () => {
    const { endpoint, secret } = await createEndpoint({ description: "Shop" });
    expect(endpoint).toMatchObject({ url: receiver.url, eventTypes: null, description: "Shop", enabled: true });
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const { delivery } = await sendTest(endpoint.id);
    expect(delivery.state).toBe("PENDING");
    await deliver();
    const [webhook] = receiver.take();
    expect(verifyWebhook(secret, webhook!)).toEqual({
      id: delivery.eventId,
      type: "webhook.test",
      timestamp: gateway.clock.now().toISOString(),
      data: { endpointId: endpoint.databaseId },
    });
    expect(webhook!.headers).toMatchObject({ "webhook-id": delivery.eventId, "content-type": "application/json" });
    expect(await deliveries()).toMatchObject([
      { state: "SUCCEEDED", nextAttemptAt: null, attempts: [{ number: 1, status: 204, error: null, response: "" }] },
    ]);
    const stored = await queryRows(gateway, `select * from webhook_endpoints where vendor_id = ${vendor.id}`);
    expect(JSON.stringify(stored)).not.toContain(secret.slice(6, 30));
    expect(JSON.stringify(gateway.logLines)).not.toContain(secret.slice(6, 30));
  });

  test("receives the events of its types from its creation on, by one id, and none without notification", async () => {
    await record([[1]]);
    const { endpoint, secret } = await createEndpoint({ eventTypes: ["order.changed"] });
    await record([[2], [3, "ORDER_PAID_LATE"]]);
    await record([[4]], { notify: false });
    await deliver();
    // Events before the creation that had no number yet are delivered too.
    const webhooks = receiver.take();
    expect(webhooks.map(orderIdOf).toSorted()).toEqual([1, 2]);
    for (const webhook of webhooks) {
      verifyWebhook(secret, webhook);
      expect(webhook.headers["webhook-id"]).toBe(webhook.message.id);
    }
    await record([[5]]);
    await deliver();
    expect(receiver.take().map(({ message }) => [message.type, message.data["coverOrderId"]])).toEqual([
      ["order.changed", 5],
    ]);
    expect(endpoint.eventTypes).toEqual(["order.changed"]);
  });

  test("gets nothing of other vendors, and they see neither it nor its deliveries", async () => {
    const { endpoint } = await createEndpoint();
    await sendTest(endpoint.id);
    vendor = await gateway.openVendor({ sandbox: true });
    await record([[1]]);
    await deliver();
    expect(receiver.take()).toHaveLength(1);
    expect([await deliveries(), await readEndpoint(endpoint.id)]).toEqual([[], null]);
    expect(await sendTest(endpoint.id)).toEqual(["WEBHOOK_ENDPOINT_NOT_FOUND"]);
  });

  test("signs by two secrets for a day after a rotation", async () => {
    const { endpoint, secret } = await createEndpoint();
    const rotated = await change("rotateWebhookSecret", { endpointId: endpoint.id }, `secret endpoint { ${ENDPOINT} }`);
    await sendTest(endpoint.id);
    await deliver();
    const [both] = receiver.take();
    for (const each of [secret, rotated.secret]) verifyWebhook(each, both!);
    gateway.clock.advance(DAY);
    await sendTest(endpoint.id);
    await deliver();
    expect(receiver.take()[0]!.headers["webhook-signature"]).toMatch(/^v1,\S+$/);
    gateway.clock.setTo(new Date());
  });

  test("is changed, disabled, enabled and deleted", async () => {
    const { endpoint } = await createEndpoint();
    const { id } = endpoint;
    const update = (fields: object) => change("updateWebhookEndpoint", { endpointId: id, ...fields });
    expect((await update({ url: `${receiver.url}/2`, eventTypes: ["order.paid"] })).endpoint).toMatchObject({
      url: `${receiver.url}/2`,
      eventTypes: ["order.paid"],
    });
    expect((await update({ eventTypes: null })).endpoint).toMatchObject({ url: `${receiver.url}/2`, eventTypes: null });
    await record([[1]]);
    await deliver();
    expect(receiver.take().map(({ path }) => path)).toEqual(["/hook/2"]);
    expect((await change("disableWebhookEndpoint", { endpointId: id })).endpoint).toMatchObject({
      enabled: false,
      disabledReason: "MERCHANT",
    });
    expect(await sendTest(id)).toEqual(["WEBHOOK_ENDPOINT_DISABLED"]);
    await record([[2]]);
    await deliver();
    expect((await change("enableWebhookEndpoint", { endpointId: id })).endpoint.disabledReason).toBeNull();
    await record([[3]]);
    await deliver();
    expect(receiver.take().map(orderIdOf)).toEqual([3]);
    await change("deleteWebhookEndpoint", { endpointId: id });
    await record([[4]]);
    await deliver();
    expect([receiver.take(), await readEndpoint(id)]).toEqual([[], null]);
    expect((await deliveries()).map((delivery) => delivery.endpoint)).toEqual([null, null]);
    await createWorker(gateway).runTask("webhooks.delete-endpoints");
    expect(await deliveries()).toEqual([]);
    expect(await queryRows(gateway, `select from webhook_endpoints where vendor_id = ${vendor.id}`)).toEqual([]);
  });

  test("is refused for a URL that cannot be used, for types that do not exist, and beyond twenty", async () => {
    const refused = ["WEBHOOK_URL_REFUSED: input.url INVALID_VALUE"];
    expect(await createEndpoint({ url: "http://169.254.169.254/latest" })).toEqual(refused);
    expect(await createEndpoint({ url: `https://shop.example.com/${"x".repeat(2_000)}` })).toEqual(refused);
    expect(await createEndpoint({ eventTypes: ["order.paid", "order.eaten"] })).toEqual([
      "INVALID_ARGUMENT: input.eventTypes[1] INVALID_VALUE",
    ]);
    expect(await createEndpoint({ eventTypes: [] })).toEqual(["INVALID_ARGUMENT: input.eventTypes INVALID_VALUE"]);
    for (let count = 0; count < 20; count++) await createEndpoint();
    expect((await createEndpoint())[0]).toMatch(/^TOO_MANY_WEBHOOK_ENDPOINTS/);
    vendor = await gateway.openVendor({ sandbox: false });
    expect(await createEndpoint()).toEqual(refused);
    expect(await createEndpoint({ url: "https://127.0.0.1:8443/" })).toEqual(refused);
  });
});

describe("a delivery", () => {
  test("is in order for each subject, and a dead subject holds up no other", async () => {
    await createEndpoint();
    receiver.answer = (webhook) => (orderIdOf(webhook) === 1 ? 500 : 204);
    await record([[1], [2], [1, "ORDER_PAID_LATE"], [2, "ORDER_PAID_LATE"]]);
    await deliver();
    const seen = () => receiver.take().map((webhook) => `${orderIdOf(webhook)} ${webhook.message.type}`);
    expect(seen().toSorted()).toEqual(["1 order.changed", "2 order.changed", "2 order.paid_late"]);
    gateway.clock.advance(1_200);
    await deliver();
    expect(seen()).toEqual(["1 order.changed"]);
    receiver.answer = () => 200;
    gateway.clock.advance(6_000);
    await deliver();
    expect(seen()).toEqual(["1 order.changed", "1 order.paid_late"]);
    expect((await deliveries()).map(({ state, attempts }) => [state, attempts.length])).toEqual([
      ["SUCCEEDED", 3],
      ["SUCCEEDED", 1],
      ["SUCCEEDED", 1],
      ["SUCCEEDED", 1],
    ]);
  });

  test("fails after three days, the next event of its subject goes on, and the endpoint is disabled", async () => {
    const { endpoint } = await createEndpoint();
    receiver.answer = (webhook) => (orderIdOf(webhook) === 1 && webhook.message.type === "order.changed" ? 503 : 204);
    await record([[1], [1, "ORDER_PAID_LATE"]]);
    for (let hours = 0; hours < 73; hours++) {
      await deliver();
      // Another subject succeeds once a day, so that the endpoint stays enabled.
      if (hours % 24 === 0) await record([[2]]);
      gateway.clock.advance(HOUR);
    }
    await deliver();
    const [failed, next] = await deliveries();
    expect([failed.state, next.state, next.eventType]).toEqual(["FAILED", "SUCCEEDED", "order.paid_late"]);
    expect(failed.attempts.length).toBeGreaterThan(12);
    expect(failed.attempts.at(-1)).toMatchObject({ status: 503, error: expect.stringContaining("503") });
    expect((await readEndpoint(endpoint.id)).enabled).toBe(true);

    receiver.answer = () => 500;
    await record([[3]]);
    for (let hours = 0; hours < 74; hours++) {
      await deliver();
      gateway.clock.advance(HOUR);
    }
    expect(await readEndpoint(endpoint.id)).toMatchObject({ enabled: false, disabledReason: "FAILING" });
    gateway.clock.setTo(new Date());
  });

  test("is reported to the other endpoints when it failed for good, and so is a disabled endpoint", async () => {
    const { endpoint } = await createEndpoint();
    const other = await WebhookReceiver.start();
    await createEndpoint({ url: other.url });
    receiver.answer = (webhook) => (orderIdOf(webhook) === 1 ? 503 : 204);
    await record([[1]]);
    for (let hours = 0; hours < 73; hours++) {
      await deliver();
      if (hours % 24 === 0) await record([[2]]);
      gateway.clock.advance(HOUR);
    }
    await deliver();
    const reports = () => other.take().filter(({ message }) => message.type.startsWith("webhook"));
    const failed = (await deliveries(`, filter: { endpointId: "${endpoint.id}", state: FAILED }`))[0];
    expect(reports().map(({ message }) => message)).toMatchObject([
      {
        type: "webhook_delivery.failed",
        data: {
          subject: "WEBHOOK_DELIVERY",
          webhookDeliveryId: failed.databaseId,
          statusBefore: "PENDING",
          statusAfter: "FAILED",
          facts: {
            endpointId: endpoint.databaseId,
            eventId: failed.eventId,
            eventType: "order.changed",
            attempt: failed.attempts.at(-1).number,
          },
        },
      },
    ]);
    receiver.answer = () => 410;
    await record([[3]]);
    await deliver();
    await deliver();
    expect(reports().map(({ message }) => [message.type, message.data])).toMatchObject([
      ["webhook_endpoint.disabled", { webhookEndpointId: endpoint.databaseId, facts: { reason: "GONE" } }],
    ]);
    expect(receiver.take().some(({ message }) => message.type.startsWith("webhook"))).toBe(false);
    const feed =
      "{ events(first: 50, types: [WEBHOOK_DELIVERY_FAILED, WEBHOOK_ENDPOINT_DISABLED]) { nodes { name } } }";
    expect((await gateway.queryData(feed, {}, vendor)).events.nodes.map(({ name }) => name)).toEqual([
      "webhook_delivery.failed",
      "webhook_endpoint.disabled",
    ]);
    gateway.clock.setTo(new Date());
  });

  test("makes no event when it carried the report of another failure", async () => {
    const other = await WebhookReceiver.start();
    await createEndpoint();
    await createEndpoint({ url: other.url });
    // Only order 2 gets through, so that both endpoints stay enabled.
    receiver.answer = other.answer = (webhook) => (orderIdOf(webhook) === 2 ? 204 : 500);
    await record([[1]]);
    for (let hours = 0; hours < 8 * 24; hours += 2) {
      await deliver();
      if (hours % 24 === 0) await record([[2]]);
      gateway.clock.advance(2 * HOUR);
    }
    await deliver();
    const ended = await deliveries();
    expect(
      ended
        .filter(({ state }) => state === "FAILED")
        .map(({ eventType }) => eventType)
        .toSorted(),
    ).toEqual(["order.changed", "order.changed", "webhook_delivery.failed", "webhook_delivery.failed"]);
    expect(ended.every(({ state }) => state !== "PENDING")).toBe(true);
    gateway.clock.setTo(new Date());
  });

  test("disables the endpoint at once when the receiver says that it is gone", async () => {
    const { endpoint } = await createEndpoint();
    receiver.answer = () => 410;
    await sendTest(endpoint.id);
    await deliver();
    expect(await readEndpoint(endpoint.id)).toMatchObject({ enabled: false, disabledReason: "GONE" });
    receiver.answer = () => 204;
    gateway.clock.advance(MINUTE);
    await deliver();
    expect(receiver.take()).toHaveLength(1);
    await change("enableWebhookEndpoint", { endpointId: endpoint.id });
    await deliver();
    expect((await deliveries()).map(({ state }) => state)).toEqual(["SUCCEEDED"]);
  });

  test("follows no redirect, reads little of a long answer, and says why a connection fails", async () => {
    const { endpoint } = await createEndpoint();
    const attemptOf = async () => {
      await sendTest(endpoint.id);
      await deliver();
      return (await deliveries()).at(-1).attempts[0];
    };
    receiver.answer = (_, response) => void response.writeHead(302, { location: `${receiver.url}/other` }).end();
    expect(await attemptOf()).toMatchObject({ status: 302, error: expect.stringContaining("Redirects") });
    receiver.answer = (_, response) => void response.writeHead(200).end(`a\0${"long ".repeat(100_000)}`);
    const long = await attemptOf();
    expect([long.status, long.response.length, long.response.startsWith("a\uFFFDlong")]).toEqual([200, 1_024, true]);
    receiver.answer = (_, response) => void response.destroy();
    expect(await attemptOf()).toMatchObject({ status: null, error: expect.stringContaining("closed") });
    await change("updateWebhookEndpoint", { endpointId: endpoint.id, url: "http://127.0.0.1:1/" }).then((refused) =>
      expect(refused).toEqual(["WEBHOOK_URL_REFUSED: input.url INVALID_VALUE"]),
    );
    await change("updateWebhookEndpoint", { endpointId: endpoint.id, url: "http://name.invalid/" });
    expect(await attemptOf()).toMatchObject({ status: null, error: expect.stringMatching(/host name/) });
    expect(receiver.take().map(({ path }) => path)).toEqual(["/hook", "/hook", "/hook"]);
  });

  test("is claimed by one of two workers", async () => {
    await createEndpoint();
    await record(Array.from({ length: 40 }, (_, index) => [index + 1]));
    const other = createDispatcher(gateway);
    await Promise.all([deliver(), deliverWebhooks(gateway, other), deliver()]);
    await deliver();
    await other.waitForAttempts();
    expect(
      receiver
        .take()
        .map(orderIdOf)
        .toSorted((a: number, b: number) => a - b),
    ).toEqual(Array.from({ length: 40 }, (_, index) => index + 1));
  });

  test("is repeated by another worker when the first one died, and only then", async () => {
    const { endpoint } = await createEndpoint();
    receiver.answer = () => undefined;
    await sendTest(endpoint.id);
    const dying = createDispatcher(gateway);
    await dying.runTurn();
    await expect.poll(() => receiver.received.length).toBe(1);
    receiver.answer = () => 204;
    await deliver();
    expect(receiver.take()).toHaveLength(1);
    gateway.clock.advance(MINUTE);
    await deliver();
    expect(receiver.take()).toHaveLength(1);
    expect(await deliveries()).toMatchObject([{ state: "SUCCEEDED", attempts: [{ number: 2, status: 204 }] }]);
  });

  test("is made again by redeliverWebhook and replayWebhooks with the same id", async () => {
    const { endpoint } = await createEndpoint();
    await record([[1], [1, "ORDER_PAID_LATE"], [2]]);
    await deliver();
    const first = receiver.take();
    const [{ id }] = await deliveries();
    await change("redeliverWebhook", { deliveryId: id }, "delivery { eventId }");
    await deliver();
    expect(receiver.take().map(({ body }) => body)).toEqual([first.find((one) => orderIdOf(one) === 1)!.body]);
    const from = new Date(Date.now() - HOUR).toISOString();
    await change("replayWebhooks", { endpointId: endpoint.id, from });
    await deliver();
    const again = receiver.take();
    expect(again.map(({ body }) => body).toSorted()).toEqual(first.map(({ body }) => body).toSorted());
    const ofFirst = again.filter((one) => orderIdOf(one) === 1).map(({ message }) => message.type);
    expect(ofFirst).toEqual(["order.changed", "order.paid_late"]);
    const tooEarly = { endpointId: endpoint.id, from: new Date(Date.now() - 40 * DAY).toISOString() };
    expect(await change("replayWebhooks", tooEarly)).toEqual(["INVALID_ARGUMENT: input.from INVALID_VALUE"]);
    expect(await change("redeliverWebhook", { deliveryId: "999999" }, "delivery { id }")).toEqual([
      "WEBHOOK_DELIVERY_NOT_FOUND",
    ]);
  });

  test("is deleted 30 days after its end", async () => {
    const { endpoint } = await createEndpoint();
    await sendTest(endpoint.id);
    await deliver();
    const prune = () => createWorker(gateway).runTask("webhooks.delete-expired");
    gateway.clock.advance(30 * DAY);
    await prune();
    expect(await deliveries()).toHaveLength(1);
    gateway.clock.advance(1);
    await prune();
    expect(await deliveries()).toEqual([]);
    expect(await queryRows(gateway, `select from webhook_attempts where vendor_id = ${vendor.id}`)).toEqual([]);
    gateway.clock.setTo(new Date());
  });
});

test("a name that leads to a private address is refused when the connection is made", async () => {
  const closed = await startGateway({ now: new Date().toISOString() });
  const { id, token } = await closed.openVendor({ sandbox: true });
  const url = `http://${hostname()}:${receiver.port}/hook`;
  const create = "mutation ($url: String!) { createWebhookEndpoint(input: { url: $url }) { endpoint { databaseId } } }";
  const { createWebhookEndpoint } = await closed.queryData(create, { url }, { token });
  const test = "mutation ($id: ID!) { sendTestWebhook(input: { endpointId: $id }) { delivery { state } } }";
  await closed.queryData(test, { id: createWebhookEndpoint.endpoint.databaseId }, { token });
  await deliverWebhooks(closed, createDispatcher(closed));
  const [attempt] = await queryRows<{ error: string; status: number | null }>(
    closed,
    `select error, status from webhook_attempts where vendor_id = ${id}`,
  );
  expect(attempt).toMatchObject({ status: null, error: expect.stringMatching(/not allowed|no address/) });
  expect(receiver.take()).toEqual([]);
});

test("a slow endpoint slows no other", async () => {
  const slow = await WebhookReceiver.start();
  slow.answer = () => undefined;
  await createEndpoint({ url: slow.url });
  await createEndpoint();
  await record(Array.from({ length: 30 }, (_, index) => [index + 1]));
  const other = createDispatcher(gateway);
  await numberEvents(gateway);
  const end = Date.now() + 10_000;
  while (receiver.received.length < 30 && Date.now() < end) {
    await other.runTurn();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  expect(receiver.take()).toHaveLength(30);
  expect(slow.take()).toHaveLength(8);
});
