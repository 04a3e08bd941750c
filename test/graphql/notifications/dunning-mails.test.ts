import { beforeEach, describe, expect, test } from "vitest";
import { errorSummaries } from "../../support/cover-mutations.ts";
import { CheckoutPayer } from "../../support/fixtures/checkout-fixture.ts";
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
    // The reminders of the second and the third retry.
    expect(sent.filter((one) => one.startsWith("RETRY_COMING"))).toEqual(["RETRY_COMING SENT", "RETRY_COMING SENT"]);
  });

  test("has a last notice before the last try, and nothing afterwards", async () => {
    await subscribe(testCards.neverAgain);
    for (let day = 1; day <= 30; day++) await advanceTo(`2026-04-${String(day).padStart(2, "0")}T03:00:00.000Z`);
    expect((await kinds()).filter((one) => !one.startsWith("RETRY_COMING"))).toEqual([
      "LAST_NOTICE SENT",
      "PAYMENT_FAILED SENT",
    ]);
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

describe("a vendor's settings", () => {
  const settings = "settings { delays { kind delay } wordings { kind language subjectLine opening } }";

  test("word a message, and its sentence about the payment stays", async () => {
    const wordings = [
      { kind: "PAYMENT_FAILED", language: "KOREAN", subjectLine: "{{shop}} 결제 안내", opening: "{{name}} 고객님께" },
    ];
    const saved = await payments.runMutation("updateMessageSettings", { wordings }, settings);
    expect(saved.settings).toEqual({ delays: [], wordings });
    await subscribe(testCards.neverAgain);
    await advanceTo("2026-04-01T03:00:00.000Z");
    const [message] = await outbox();
    expect(message!.subjectLine).toBe("한빛서점 결제 안내");
    expect(message!.text).toMatch(/^Kim Seo-yeon 고객님께\n\n₩18,900을 결제하지 못했습니다\./);
  });

  test("are refused with a word that no message knows, and keep what was stored", async () => {
    const wordings = [{ kind: "PAYMENT_FAILED", language: "KOREAN", opening: "{{customer}}" }];
    const refused = await payments.sendMutation("updateMessageSettings", { wordings }, settings);
    expect(errorSummaries(refused)).toEqual(["INVALID_ARGUMENT: input.wordings[0].opening INVALID_VALUE"]);
    const kept = await gateway.queryData("{ messageSettings { delays { kind } wordings { kind } } }", {}, vendor);
    expect(kept.messageSettings).toEqual({ delays: [], wordings: [] });
  });

  test("delay a message of a kind", async () => {
    await payments.runMutation(
      "updateMessageSettings",
      { delays: [{ kind: "PAYMENT_FAILED", delay: "PT5H" }] },
      settings,
    );
    await subscribe(testCards.neverAgain);
    await advanceTo("2026-04-01T03:00:00.000Z");
    expect(await outbox()).toMatchObject([{ state: "QUEUED", dueAt: "2026-04-01T08:00:00.000Z" }]);
    await advanceTo("2026-04-01T08:00:00.000Z");
    expect(await kinds()).toEqual(["PAYMENT_FAILED SENT"]);
  });

  test("delay a message beyond the payment, so that none is sent", async () => {
    const delays = [{ kind: "PAYMENT_FAILED", delay: "P6D" }];
    await payments.runMutation("updateMessageSettings", { delays }, settings);
    await subscribe(testCards.recoversOnThirdRetry);
    for (let day = 1; day <= 8; day++) await advanceTo(`2026-04-0${day}T03:00:00.000Z`);
    expect((await kinds()).filter((one) => !one.endsWith("CANCELED"))).toEqual([]);
  });
});

describe("the reminder of a retry", () => {
  const reminders = async () =>
    (await outbox())
      .filter(({ kind }) => kind === "RETRY_COMING")
      .map(({ state, dueAt }) => `${state} ${dueAt}`)
      .sort();
  const saveSettings = (input: Record<string, unknown>) =>
    payments.runMutation("updateMessageSettings", input, "settings { retryNoticeLead }");
  const advanceThrough = async (first: number, last: number) => {
    for (let day = first; day <= last; day++) await advanceTo(`2026-04-${String(day).padStart(2, "0")}T03:00:00.000Z`);
  };

  test("is sent once, a day before each retry but the one that the first message has just named", async () => {
    await subscribe(testCards.neverAgain);
    await advanceThrough(1, 30);
    await advanceThrough(30, 30);
    // Retries on the 2nd, 4th, 6th, 11th and 15th.
    expect(await reminders()).toEqual(
      [3, 5, 10, 14].map((day) => `SENT 2026-04-${String(day).padStart(2, "0")}T03:00:00.000Z`),
    );
    const { text, subjectLine } = (await outbox()).find(({ kind }) => kind === "RETRY_COMING")!;
    expect(subjectLine).toBe("한빛서점: 곧 다시 결제됩니다");
    expect(text).toContain("2026년 4월 15일에 ₩18,900을 다시 결제합니다.");
    expect(text).toContain("https://pay.example.com/payment-method/");
  });

  test("is sent as long before the retry as the vendor has set", async () => {
    await saveSettings({ retryNoticeLead: "PT36H" });
    await subscribe(testCards.neverAgain);
    await advanceThrough(1, 2);
    // The 2nd at 15:00 is midnight in Seoul: it waits until 8:00.
    expect(await reminders()).toEqual(["QUEUED 2026-04-02T23:00:00.000Z"]);
  });

  test("is withdrawn when the payer chooses another day, and sent before that day", async () => {
    await subscribe(testCards.neverAgain);
    await advanceThrough(1, 2);
    const [, link] = /https:\/\/pay\.example\.com(\/payment-method\/\S+)/.exec((await outbox()).at(-1)!.text!)!;
    const payer = await CheckoutPayer.open(gateway, link!);
    expect((await payer.submitForm({ action: "promise", day: "2026-04-20" })).status).toBe(303);
    await advanceThrough(2, 20);
    expect(await reminders()).toEqual(["CANCELED 2026-04-03T03:00:00.000Z", "SENT 2026-04-19T01:00:00.000Z"]);
  });

  test("is not sent when the payer had no message about the failure", async () => {
    await saveSettings({ disabledKinds: ["PAYMENT_FAILED"] });
    await subscribe(testCards.neverAgain);
    await advanceThrough(1, 12);
    expect((await reminders()).map((one) => one.split(" ")[0])).toEqual(["CANCELED", "CANCELED", "CANCELED", "QUEUED"]);
    expect((await kinds()).filter((one) => !one.startsWith("RETRY_COMING"))).toEqual(["LAST_NOTICE SENT"]);
  });

  test("is not sent within a day of another message", async () => {
    await saveSettings({ retryNoticeLead: "PT84H" });
    await subscribe(testCards.neverAgain);
    await advanceThrough(1, 11);
    await advanceTo("2026-04-11T23:00:00.000Z");
    // The last notice came on the 11th, and the retry comes on the 15th.
    expect(await reminders()).toContain("CANCELED 2026-04-11T23:00:00.000Z");
  });

  test("is withdrawn when the subscription is cancelled", async () => {
    const subscriptionId = await subscribe(testCards.neverAgain);
    await advanceThrough(1, 2);
    await payments.runMutation("cancelSubscription", { subscriptionId, when: "NOW" }, "subscription { status }");
    await advanceThrough(3, 5);
    expect(await reminders()).toEqual(["CANCELED 2026-04-03T03:00:00.000Z"]);
  });

  test.each(["PT59M", "P8D", "P1M"])("cannot be sent %s before a retry", async (retryNoticeLead) => {
    const refused = await payments.sendMutation(
      "updateMessageSettings",
      { retryNoticeLead },
      "settings { retryNoticeLead }",
    );
    expect(errorSummaries(refused)).toEqual(["INVALID_ARGUMENT: input.retryNoticeLead INVALID_VALUE"]);
  });
});
