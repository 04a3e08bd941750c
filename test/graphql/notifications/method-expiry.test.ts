import { beforeEach, describe, expect, test } from "vitest";
import { queryRows } from "../../hostile/query-rows.ts";
import { createMessageDispatcher, MailServer, sendMessages } from "../../support/mail-server.ts";
import { everyMonth } from "../../support/test-catalogue.ts";
import { startGateway, type TestVendor } from "../../support/test-gateway.ts";
import { testCards, TestPayments } from "../../support/test-payments.ts";
import { createWorker } from "../../support/test-worker.ts";

/* A stored card that expires soon: the merchant has an event, and the customer of a subscription a notice. */

const START = "2026-03-01T03:00:00.000Z";
/** 10:00 in Seoul, 30 days before the end of April in UTC. */
const NOTICE = "2026-04-01T01:00:00.000Z";
const gateway = await startGateway({ now: START, publicUrl: "https://pay.example.com" });
const mails = await MailServer.start();
const dispatcher = createMessageDispatcher(gateway, mails.settings);
const worker = createWorker(gateway);
let vendor: TestVendor;
let payments: TestPayments;

beforeEach(async () => {
  gateway.clock.setTo(START);
  mails.take();
  vendor = await gateway.openVendor({ name: "한빛서점" });
  payments = await TestPayments.start(gateway, vendor);
});

const cardUntil = (expiryMonth: number, expiryYear: number, number = testCards.approved) => ({
  method: "CARD",
  card: { number, expiryMonth, expiryYear },
});

async function subscribe(card: object): Promise<string> {
  const { databaseId } = await payments.createOrder("18900", { plan: { type: "FLAT", recurring: everyMonth } });
  await payments.payOrder(databaseId, card);
  const { subscriptions } = await payments.readOrder(databaseId, "subscriptions { databaseId }");
  return String(subscriptions[0]!.databaseId);
}

async function announceAt(instant: string): Promise<void> {
  gateway.clock.setTo(instant);
  await worker.runTask("payments.announce-expiring-methods");
  await sendMessages(gateway, dispatcher);
}

const outbox = async () =>
  (
    await gateway.queryData(
      "{ outbox(first: 50) { nodes { kind state subjectLine text lastError customer { databaseId } } } }",
      {},
      vendor,
    )
  ).outbox.nodes;

const events = () =>
  queryRows<{ facts: object; customer: number }>(
    gateway,
    `select facts, customer_id::int as customer from event_log
      where vendor_id = ${vendor.id} and type = 'PAYMENT_METHOD_EXPIRING' order by id`,
  );

describe("a stored card", () => {
  test("is announced once, 30 days before its last month ends, with a link that stores another one", async () => {
    await subscribe(cardUntil(4, 2026));
    await announceAt("2026-04-01T00:59:59.999Z");
    expect(await events()).toEqual([]);
    await announceAt(NOTICE);
    await announceAt("2026-04-10T01:00:00.000Z");
    expect(await events()).toEqual([
      { customer: payments.customerId, facts: { paymentMethod: "CARD_BILL", expiresAt: "2026-05-01T00:00:00.000Z" } },
    ]);
    expect(mails.take().map(({ to }) => to)).toEqual([["seoyeon@example.com"]]);
    const [notice, ...others] = await outbox();
    expect(others).toEqual([]);
    expect(notice).toMatchObject({
      kind: "PAYMENT_METHOD_EXPIRING",
      state: "SENT",
      subjectLine: "한빛서점: 결제 수단 만료 예정 안내",
      customer: { databaseId: payments.customerId },
    });
    for (const part of ["2026년 4월 말", "VISA •••• 4242"]) expect(notice!.text).toContain(part);
    const [link] = /https:\/\/pay\.example\.com(\/payment-method\/\S+)/.exec(notice!.text!)!.slice(1);
    expect((await gateway.gateway.server.inject({ method: "GET", url: link! })).statusCode).toBe(200);
  });

  test("has an event but no notice when no subscription is charged by it", async () => {
    const subscriptionId = await subscribe(cardUntil(4, 2026));
    await payments.runMutation("cancelSubscription", { subscriptionId, when: "NOW" }, "subscription { status }");
    await announceAt(NOTICE);
    expect(await events()).toHaveLength(1);
    expect(await outbox()).toEqual([]);
  });

  test("is not announced when it was renewed before, and again at the end of the new month", async () => {
    await subscribe(cardUntil(4, 2026));
    await subscribe(cardUntil(5, 2026));
    await announceAt(NOTICE);
    expect(await events()).toEqual([]);
    await announceAt("2026-05-02T01:00:00.000Z");
    expect(await events()).toHaveLength(1);
    expect((await outbox())[0]!.text).toContain("2026년 5월 말");
  });

  test("has no notice any more when another one was stored for the subscription before it is sent", async () => {
    mails.refuse = () => ({ status: 451, text: "Try again later." });
    const subscriptionId = await subscribe(cardUntil(4, 2026));
    await announceAt(NOTICE);
    expect(await outbox()).toMatchObject([{ state: "QUEUED" }]);
    mails.refuse = () => undefined;
    const other = "5555555555554444";

    const { order: stored } = await payments.runMutation(
      "requestPaymentMethod",
      { subscriptionId },
      "order { databaseId }",
    );
    await payments.payOrder(stored.databaseId, cardUntil(12, 2031, other));
    await announceAt("2026-04-01T04:00:00.000Z");
    expect(await outbox()).toMatchObject([{ state: "CANCELED" }]);
  });
});
