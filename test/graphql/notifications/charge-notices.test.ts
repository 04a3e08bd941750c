import { beforeEach, describe, expect, test } from "vitest";
import { createMessageDispatcher, MailServer, sendMessages } from "../../support/mail-server.ts";
import { everyMonth, TestCatalogue } from "../../support/test-catalogue.ts";
import { startGateway, type TestVendor } from "../../support/test-gateway.ts";
import { testCards, TestPayments } from "../../support/test-payments.ts";
import { createWorker, runUntilIdle } from "../../support/test-worker.ts";

/* The customer of a subscription hears of its next charge: once, at the vendor's time, and only if it will be made. */

const START = "2026-03-01T03:00:00.000Z";
/** 10:00 in Seoul, seven days before the charge of 2026-04-01 at 12:00. */
const NOTICE = "2026-03-25T01:00:00.000Z";
const CHARGE = "2026-04-01T03:00:00.000Z";
const gateway = await startGateway({ now: START, publicUrl: "https://pay.example.com" });
const mails = await MailServer.start();
const dispatcher = createMessageDispatcher(gateway, mails.settings);
const worker = createWorker(gateway);
let vendor: TestVendor;
let payments: TestPayments;

async function openVendor(sandbox = false): Promise<void> {
  vendor = await gateway.openVendor({ name: "한빛서점", sandbox });
  payments = await TestPayments.start(gateway, vendor);
}

beforeEach(async () => {
  gateway.clock.setTo(START);
  mails.take();
  mails.refuse = () => undefined;
  await openVendor();
});

async function subscribe(price = "18900", plan: object = {}): Promise<string> {
  const { databaseId } = await payments.createOrder(price, { plan: { type: "FLAT", recurring: everyMonth, ...plan } });
  await payments.payOrder(databaseId, testCards.approved);
  const { subscriptions } = await payments.readOrder(databaseId, "subscriptions { databaseId }");
  return String(subscriptions[0]!.databaseId);
}

const setNotices = (settings: object) => payments.runMutation("updateVendorSettings", settings, "vendor { uuid }");

async function sendNotices(): Promise<void> {
  await worker.runTask("notices.queue-charges");
  await sendMessages(gateway, dispatcher);
}

async function advanceTo(instant: string): Promise<void> {
  gateway.clock.setTo(instant);
  await runUntilIdle(worker);
  await sendNotices();
}

const outbox = async () =>
  (
    await gateway.queryData(
      "{ outbox(first: 50) { nodes { kind state recipient subjectLine text html lastError customer { databaseId } } } }",
      {},
      vendor,
    )
  ).outbox.nodes;
const states = async () => (await outbox()).map(({ kind, state }) => `${kind} ${state}`);

describe("a charge to come", () => {
  test("is announced once by mail with amount, day, card and a link that opens the payer's page", async () => {
    await subscribe();
    await advanceTo("2026-03-25T00:59:59.999Z");
    expect(await outbox()).toEqual([]);
    await advanceTo(NOTICE);
    await advanceTo(NOTICE);
    await advanceTo("2026-03-28T01:00:00.000Z");
    expect(mails.take().map(({ to }) => to)).toEqual([["seoyeon@example.com"]]);
    const [notice, ...others] = await outbox();
    expect(others).toEqual([]);
    expect(notice).toMatchObject({
      kind: "CHARGE_COMING",
      state: "SENT",
      recipient: "seoyeon@example.com",
      subjectLine: "한빛서점: 2026년 4월 1일 결제 예정 안내",
      customer: { databaseId: payments.customerId },
    });
    for (const part of ["₩18,900", "2026년 4월 1일", "VISA •••• 4242"]) expect(notice!.text).toContain(part);
    expect(notice!.text).not.toContain("4242424242424242");
    const [link] = /https:\/\/pay\.example\.com(\/payment-method\/\S+)/.exec(notice!.text!)!.slice(1);
    expect((await gateway.gateway.server.inject({ method: "GET", url: link! })).statusCode).toBe(200);
  });

  test("is announced again for the next cycle", async () => {
    await subscribe();
    await advanceTo(NOTICE);
    await advanceTo(CHARGE);
    expect(await states()).toEqual(["CHARGE_COMING SENT"]);
    await advanceTo("2026-04-24T01:00:00.000Z");
    expect(await states()).toEqual(["CHARGE_COMING SENT", "CHARGE_COMING SENT"]);
  });

  test("is announced at the vendor's days and time of day, in the vendor's zone", async () => {
    await setNotices({ notiBeforePaymentDays: 3, notiBeforePaymentTime: { hour: 23, minute: 30, second: 15 } });
    await subscribe();
    await advanceTo("2026-03-29T14:30:14.999Z");
    expect(await outbox()).toEqual([]);
    await advanceTo("2026-03-29T14:30:15.000Z");
    expect(await states()).toEqual(["CHARGE_COMING SENT"]);
  });

  test("is announced on the day itself when the vendor's notice is 0 days before", async () => {
    await setNotices({ notiBeforePaymentDays: 0 });
    await subscribe();
    await advanceTo("2026-04-01T00:59:59.999Z");
    expect(await outbox()).toEqual([]);
    await advanceTo("2026-04-01T01:00:00.000Z");
    expect(await states()).toEqual(["CHARGE_COMING SENT"]);
  });

  test("is not announced when the vendor has switched notices off", async () => {
    await setNotices({ notiBeforePayment: false });
    await subscribe();
    await advanceTo(NOTICE);
    expect(await outbox()).toEqual([]);
    await setNotices({ notiBeforePayment: true });
    await sendNotices();
    expect(await states()).toEqual(["CHARGE_COMING SENT"]);
  });

  test("is not announced when the vendor has switched the kind off", async () => {
    await payments.runMutation("updateMessageSettings", { disabledKinds: ["CHARGE_COMING"] }, "settings { replyTo }");
    await subscribe();
    await advanceTo(NOTICE);
    expect(await outbox()).toEqual([]);
  });

  test("is announced late, but before it is made, when the subscription becomes nearer than the notice", async () => {
    await setNotices({ notiBeforePaymentDays: 31 });
    await subscribe();
    await sendNotices();
    expect(await states()).toEqual(["CHARGE_COMING SENT"]);
    expect((await outbox())[0]!.text).toContain("2026년 4월 1일");
  });

  test("is not announced when the cycle is shorter than the notice", async () => {
    await subscribe("900", { recurring: { interval: "DAY", intervalCount: 3 } });
    await sendNotices();
    await advanceTo("2026-03-04T02:00:00.000Z");
    expect(await outbox()).toEqual([]);
  });

  test("is not announced when nothing is charged", async () => {
    await subscribe("0");
    await advanceTo(NOTICE);
    expect(await outbox()).toMatchObject([{ state: "CANCELED", lastError: "Nothing will be charged." }]);
  });

  test("is not announced after the subscription was cancelled or paused", async () => {
    const cancelled = await subscribe();
    const paused = await subscribe();
    await payments.runMutation(
      "cancelSubscription",
      { subscriptionId: cancelled, when: "PERIOD_END" },
      "subscription { status }",
    );
    await payments.runMutation("pauseSubscription", { subscriptionId: paused, when: "NOW" }, "subscription { status }");
    await advanceTo(NOTICE);
    expect(await outbox()).toEqual([]);
  });

  test("is withdrawn when the subscription is cancelled before the mail server takes the notice", async () => {
    const subscriptionId = await subscribe();
    mails.refuse = () => ({ status: 451, text: "Try again later." });
    await advanceTo(NOTICE);
    expect(await states()).toEqual(["CHARGE_COMING QUEUED"]);
    mails.refuse = () => undefined;
    await payments.runMutation("cancelSubscription", { subscriptionId, when: "PERIOD_END" }, "subscription { status }");
    await advanceTo("2026-03-25T03:00:00.000Z");
    expect(await outbox()).toMatchObject([
      { state: "CANCELED", lastError: "The charge was made, moved or cancelled." },
    ]);
    expect(mails.take()).toEqual([]);
  });

  test("is announced with the price of the plan that it will be charged by", async () => {
    const subscriptionId = await subscribe();
    const { subscription } = await gateway.queryData(
      "query ($id: ID!) { subscription(id: $id) { items { code product { databaseId } } } }",
      { id: subscriptionId },
      vendor,
    );
    const { code: itemCode, product } = subscription!.items[0]!;
    const catalogue = new TestCatalogue(gateway, vendor);
    const plan = { type: "FLAT", recurring: everyMonth, price: "21000" };
    const { code: priceCode } = await catalogue.createPlan(product.databaseId, plan);
    const changes = [{ itemCode, priceCode }];
    await payments.runMutation(
      "changeSubscriptionPlan",
      { subscriptionId, changes, when: "PERIOD_END" },
      "subscription { status }",
    );
    await advanceTo(NOTICE);
    expect((await outbox())[0]!.text).toContain("2026년 4월 1일에 ₩21,000이 결제될 예정입니다.");
  });

  test("of usage is announced with the amount so far", async () => {
    await setNotices({ notiBeforePaymentDays: 3 });
    const claim = { methodType: "POST", whenToClaimType: "FIRST_PAYMENT" };
    const ranges = [{ price: "10" }];
    await subscribe("9300", {
      ...{ type: "USAGE_BASED", claim },
      additionalBilling: { type: "USAGE_BASED_WITH_RANGE", ranges },
    });
    await advanceTo("2026-03-29T01:00:00.000Z");
    expect((await outbox())[0]!.text).toContain("현재까지의 금액은 ₩9,300이며");
  });

  test("is announced in English to a customer in the United States", async () => {
    const input = { name: "Ada Long", email: "ada@example.com", phone: "+12125550100", region: "US" };
    const { customer } = await payments.runMutation("createCustomer", input, "customer { databaseId }");
    payments.customerId = customer.databaseId;
    await subscribe();
    await advanceTo(NOTICE);
    const [notice] = await outbox();
    expect(notice!.subjectLine).toBe("한빛서점: your next charge is on April 1, 2026");
    expect(notice!.text).toContain("We will charge ₩18,900 on April 1, 2026.");
    expect(notice!.text).toContain("You can cancel at any time before the next charge");
  });

  test("lies in the outbox of a sandbox whose test clock was moved", async () => {
    await openVendor(true);
    await subscribe();
    await payments.runMutation("advanceTestClock", { by: "P24D" }, "now");
    await sendNotices();
    expect(await states()).toEqual(["CHARGE_COMING SENT"]);
    expect(mails.take()).toEqual([]);
  });
});
