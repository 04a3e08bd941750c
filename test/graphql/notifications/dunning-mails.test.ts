import { beforeEach, describe, expect, test } from "vitest";
import { createMessageDispatcher, MailServer, sendMessages } from "../../support/mail-server.ts";
import { everyMonth } from "../../support/test-catalogue.ts";
import { startGateway, type TestVendor } from "../../support/test-gateway.ts";
import { testCards, TestPayments } from "../../support/test-payments.ts";
import { createWorker, runUntilIdle } from "../../support/test-worker.ts";

/* The payer of a failed renewal hears of it: each message once, at its time, and none that is not true any more. */

const START = "2026-03-01T03:00:00.000Z";
const gateway = await startGateway({ now: START, publicUrl: "https://pay.example.com" });
const mails = await MailServer.start();
const dispatcher = createMessageDispatcher(gateway, mails.settings);
const worker = createWorker(gateway);
let vendor: TestVendor;
let payments: TestPayments;

beforeEach(async () => {
  gateway.clock.setTo(START);
  vendor = await gateway.openVendor({ name: "한빛서점" });
  payments = await TestPayments.start(gateway, vendor);
});

async function subscribe(card: string): Promise<string> {
  const { databaseId } = await payments.createOrder("18900", { plan: { type: "FLAT", recurring: everyMonth } });
  await payments.payOrder(databaseId, card);
  const { subscriptions } = await payments.readOrder(databaseId, "subscriptions { databaseId }");
  return String(subscriptions[0]!.databaseId);
}

/** Moves to an instant, does all work that is due, and sends the messages. */
async function advanceTo(instant: string): Promise<void> {
  gateway.clock.setTo(instant);
  await runUntilIdle(worker);
  await sendMessages(gateway, dispatcher);
  await worker.runTask("messages.release-due");
  await sendMessages(gateway, dispatcher);
}

const outbox = async () =>
  (await gateway.queryData("{ outbox(first: 50) { nodes { kind state subjectLine text dueAt } } }", {}, vendor)).outbox
    .nodes;

const kinds = async () => (await outbox()).map(({ kind, state }) => `${kind} ${state}`).sort();

describe("a failed renewal", () => {
  test("is reported once to its payer, in the payer's language, with a link that opens the payer's page", async () => {
    await subscribe(testCards.neverAgain);
    await advanceTo("2026-04-01T03:00:00.000Z");
    await advanceTo("2026-04-01T03:00:00.000Z");
    const [message, ...others] = await outbox();
    expect(others).toEqual([]);
    expect(message).toMatchObject({
      kind: "PAYMENT_FAILED",
      state: "SENT",
      subjectLine: "한빛서점: 결제되지 않았습니다",
    });
    expect(message!.text).toContain("₩18,900을 결제하지 못했습니다.");
    const [link] = /https:\/\/pay\.example\.com(\/payment-method\/\S+)/.exec(message!.text!)!.slice(1);
    const { statusCode } = await gateway.gateway.server.inject({ method: "GET", url: link! });
    expect(statusCode).toBe(200);
  });

  test("is not reported within quiet hours, but at their end", async () => {
    gateway.clock.setTo("2026-03-01T14:00:00.000Z");
    await subscribe(testCards.neverAgain);
    // 23:00 in Seoul.
    await advanceTo("2026-04-01T14:00:00.000Z");
    expect(await outbox()).toMatchObject([{ state: "QUEUED", dueAt: "2026-04-01T23:00:00.000Z" }]);
    await advanceTo("2026-04-01T23:00:00.000Z");
    expect(await kinds()).toEqual(["PAYMENT_FAILED SENT"]);
  });

  test("is reported as paid when a retry succeeds", async () => {
    await subscribe(testCards.recoversOnThirdRetry);
    for (let day = 1; day <= 30; day++) await advanceTo(`2026-04-${String(day).padStart(2, "0")}T03:00:00.000Z`);
    const sent = await kinds();
    expect(sent.filter((one) => one.startsWith("PAYMENT_"))).toEqual(["PAYMENT_FAILED SENT", "PAYMENT_RECOVERED SENT"]);
  });

  test("has a last notice before the last try, and nothing afterwards", async () => {
    await subscribe(testCards.neverAgain);
    for (let day = 1; day <= 30; day++) await advanceTo(`2026-04-${String(day).padStart(2, "0")}T03:00:00.000Z`);
    expect(await kinds()).toEqual(["LAST_NOTICE SENT", "PAYMENT_FAILED SENT"]);
  });

  test("is not reported when the vendor has switched the kind off", async () => {
    await payments.runMutation(
      "updateMessageSettings",
      { disabledKinds: ["PAYMENT_FAILED"] },
      "settings { disabledKinds }",
    );
    await subscribe(testCards.neverAgain);
    await advanceTo("2026-04-01T03:00:00.000Z");
    expect(await outbox()).toEqual([]);
  });

  test("is not reported after the quiet hours when the subscription was cancelled meanwhile", async () => {
    gateway.clock.setTo("2026-03-01T14:00:00.000Z");
    const subscriptionId = await subscribe(testCards.neverAgain);
    await advanceTo("2026-04-01T14:00:00.000Z");
    await payments.runMutation("cancelSubscription", { subscriptionId, when: "NOW" }, "subscription { status }");
    await advanceTo("2026-04-01T23:00:00.000Z");
    expect(await kinds()).toEqual(["PAYMENT_FAILED CANCELED"]);
  });
});
