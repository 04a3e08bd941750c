import { beforeEach, describe, expect, test } from "vitest";
import { createMessageDispatcher, sendMessages } from "../../support/mail-server.ts";
import { HOUR } from "../../support/test-clock.ts";
import { startGateway, type TestVendor } from "../../support/test-gateway.ts";
import { TestPayments } from "../../support/test-payments.ts";
import { verifyWebhook, WebhookReceiver } from "../../support/webhook-receiver.ts";

/* Text and messenger messages go to the operator's adapters, whose contract is in docs/messages.md. */

/* The library of the signature refuses timestamps that are not of the present. */
const gateway = await startGateway({ now: new Date().toISOString(), publicUrl: "https://pay.example.com" });
const adapter = await WebhookReceiver.start();
const SECRET = `whsec_${Buffer.alloc(32, 5).toString("base64")}`;
const sender = { url: adapter.url, secret: SECRET };
const dispatcher = createMessageDispatcher(gateway, { sms: sender, messenger: sender });

let vendor: TestVendor;
let payments: TestPayments;
beforeEach(async () => {
  vendor = await gateway.openVendor({ name: "한빛서점" });
  payments = await TestPayments.start(gateway, vendor);
  adapter.take();
  adapter.answer = () => 204;
});

async function sendInvoice(publishMethods: string[]): Promise<number> {
  const input = { name: "김하늘", email: "sky@example.com", phone: "010-1234-5678" };
  const { customer } = await payments.runMutation("createCustomer", input, "customer { databaseId }");
  const { invoice } = await payments.runMutation(
    "createInvoice",
    {
      ...{ customerId: String(customer.databaseId), items: [{ productName: "Design", price: "30000" }] },
      publishMethods,
    },
    "invoice { databaseId }",
  );
  await sendMessages(gateway, dispatcher);
  return invoice.databaseId;
}

const statusOf = async (id: number) =>
  (await gateway.queryData("query ($id: ID!) { invoice(id: $id) { status } }", { id: String(id) }, vendor)).invoice!
    .status;

const outbox = async () =>
  (await gateway.queryData("{ outbox(first: 9) { nodes { channel state attempts lastError } } }", {}, vendor)).outbox
    .nodes;

describe("an adapter", () => {
  test("gets a signed message for each channel, with an id that is the idempotency key", async () => {
    const invoiceId = await sendInvoice(["SMS", "MESSENGER"]);
    const requests = adapter.take();
    expect(requests.map(({ body }) => JSON.parse(body).channel).toSorted()).toEqual(["MESSENGER", "SMS"]);
    for (const request of requests) {
      const body = JSON.parse(request.body);
      expect(verifyWebhook(SECRET, request)).toEqual(body);
      expect(body).toEqual({
        ...{ id: request.headers["webhook-id"], channel: body.channel, kind: "INVOICE", language: "KOREAN" },
        ...{
          to: "01012345678",
          sender: "한빛서점",
          text: expect.stringMatching(/^\[한빛서점\] 청구 금액은 ₩30,000입니다[.]\n/),
        },
      });
    }
    expect((await outbox()).map(({ state }) => state)).toEqual(["SENT", "SENT"]);
    expect(await statusOf(invoiceId)).toBe("SENT");
  });

  test("refuses a message for good with 4xx, which makes the invoice SEND_FAIL", async () => {
    adapter.answer = () => 422;
    const invoiceId = await sendInvoice(["SMS"]);
    expect(await outbox()).toMatchObject([{ state: "FAILED", attempts: 1, lastError: expect.stringContaining("422") }]);
    expect(await statusOf(invoiceId)).toBe("SEND_FAIL");
  });

  test.each([429, 503])("gets a message again with the same id after %i", async (status) => {
    adapter.answer = () => status;
    await sendInvoice(["SMS"]);
    expect(await outbox()).toMatchObject([{ state: "QUEUED", attempts: 1 }]);
    adapter.answer = () => 200;
    gateway.clock.advance(HOUR);
    await sendMessages(gateway, dispatcher);
    const ids = adapter.take().map(({ headers }) => headers["webhook-id"]);
    expect(ids).toHaveLength(2);
    expect(new Set(ids).size).toBe(1);
    expect(await outbox()).toMatchObject([{ state: "SENT", attempts: 2 }]);
    gateway.clock.setTo(new Date().toISOString());
  });
});

test("an adapter at a metadata address gets nothing", async () => {
  const url = "http://169.254.169.254/latest";
  const dangerous = createMessageDispatcher(gateway, { sms: { url, secret: SECRET } });
  const input = { name: "Anna", email: "a@example.com", phone: "01012345678" };
  const { customer } = await payments.runMutation("createCustomer", input, "customer { databaseId }");
  const items = [{ productName: "Design", price: "30000" }];
  const invoice = { customerId: String(customer.databaseId), items, publishMethods: ["SMS"] };
  await payments.runMutation("createInvoice", invoice, "invoice { databaseId }");
  await sendMessages(gateway, dangerous);
  expect(await outbox()).toMatchObject([
    { state: "QUEUED", lastError: expect.stringContaining("must be a public address") },
  ]);
});
