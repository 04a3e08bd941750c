import { describe, expect, test } from "vitest";
import { queryRows } from "../../hostile/query-rows.ts";
import { DAY, HOUR, MINUTE } from "../../support/test-clock.ts";
import { numberEvents } from "../../support/number-events.ts";
import { createWorker } from "../../support/test-worker.ts";
import { openWebhookMerchants, orderIdOf } from "../../support/webhook-merchants.ts";
import { createDispatcher, deliverWebhooks, WebhookReceiver } from "../../support/webhook-receiver.ts";

const { gateway, receiver, deliver, change, createEndpoint, sendTest, readEndpoint, deliveries, record, current } =
  await openWebhookMerchants();

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
    expect((await gateway.queryData(feed, {}, current.vendor)).events.nodes.map(({ name }) => name)).toEqual([
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

  test("is deleted 30 days after its end, and its attempts with their month", async () => {
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
    const countAttempts = async () => {
      await createWorker(gateway).runTask("webhooks.partition-attempts");
      const attempts = await queryRows(gateway, `select from webhook_attempts where vendor_id = ${current.vendor.id}`);
      return attempts.length;
    };
    expect(await countAttempts()).toBe(1);
    gateway.clock.advance((31 + 3) * DAY);
    expect(await countAttempts()).toBe(0);
    gateway.clock.setTo(new Date());
    expect(await countAttempts()).toBe(0);
    await sendTest(endpoint.id);
    await deliver();
    const [partition] = await queryRows<{ name: string }>(
      gateway,
      `select tableoid::regclass::text as name from webhook_attempts where vendor_id = ${current.vendor.id}`,
    );
    // On a cluster the row names the node's own table, which has the schema before its name and a number after it.
    const month = new Date().toISOString().slice(0, 7).replace("-", "_");
    expect(partition?.name).toMatch(new RegExp(`^(?:\\w+[.])?webhook_attempts_${month}(?:_\\d+)?$`));
  });
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
