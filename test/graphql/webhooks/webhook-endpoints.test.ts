import { hostname } from "node:os";
import { describe, expect, test } from "vitest";
import { queryRows } from "../../hostile/query-rows.ts";
import { DAY } from "../../support/test-clock.ts";
import { startGateway } from "../../support/test-gateway.ts";
import { createWorker } from "../../support/test-worker.ts";
import { endpointFields, openWebhookMerchants, orderIdOf } from "../../support/webhook-merchants.ts";
import { createDispatcher, deliverWebhooks, verifyWebhook } from "../../support/webhook-receiver.ts";

const { gateway, receiver, deliver, change, createEndpoint, sendTest, readEndpoint, deliveries, record, current } =
  await openWebhookMerchants();

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
    const stored = await queryRows(gateway, `select * from webhook_endpoints where vendor_id = ${current.vendor.id}`);
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
    current.vendor = await gateway.openVendor({ sandbox: true });
    await record([[1]]);
    await deliver();
    expect(receiver.take()).toHaveLength(1);
    expect([await deliveries(), await readEndpoint(endpoint.id)]).toEqual([[], null]);
    expect(await sendTest(endpoint.id)).toEqual(["WEBHOOK_ENDPOINT_NOT_FOUND"]);
  });

  test("signs by two secrets for a day after a rotation", async () => {
    const { endpoint, secret } = await createEndpoint();
    const rotated = await change(
      "rotateWebhookSecret",
      { endpointId: endpoint.id },
      `secret endpoint { ${endpointFields} }`,
    );
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
    expect(await queryRows(gateway, `select from webhook_endpoints where vendor_id = ${current.vendor.id}`)).toEqual(
      [],
    );
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
    current.vendor = await gateway.openVendor({ sandbox: false });
    expect(await createEndpoint()).toEqual(refused);
    expect(await createEndpoint({ url: "https://127.0.0.1:8443/" })).toEqual(refused);
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
