import { beforeEach, describe, expect, test } from "vitest";
import { createMessageDispatcher, MailServer, sendMessages } from "../../support/mail-server.ts";
import { everyMonth } from "../../support/test-catalogue.ts";
import { startGateway, type TestVendor } from "../../support/test-gateway.ts";
import { testCards, TestPayments } from "../../support/test-payments.ts";
import { createWorker, runUntilIdle } from "../../support/test-worker.ts";

/* Notices whose time a rule sets: of usage charges, of the end of a trial, of dormancy. */

const START = "2026-03-01T03:00:00.000Z";
const gateway = await startGateway({ now: START, publicUrl: "https://pay.example.com" });
const mails = await MailServer.start();
const dispatcher = createMessageDispatcher(gateway, mails.settings);
const worker = createWorker(gateway);
let vendor: TestVendor;
let payments: TestPayments;

beforeEach(async () => {
  gateway.clock.setTo(START);
  mails.take();
  mails.refuse = () => undefined;
  vendor = await gateway.openVendor({ name: "한빛서점" });
  payments = await TestPayments.start(gateway, vendor);
});

const usage = {
  type: "USAGE_BASED",
  claim: { methodType: "POST", whenToClaimType: "FIRST_PAYMENT" },
  additionalBilling: { type: "USAGE_BASED_WITH_RANGE", ranges: [{ price: "10" }] },
};
const trialOf = (days: number) => ({ enabledDemo: true, demoPeriod: days, demoPeriodUnit: "DAY" });

async function subscribe(price: string, plan: object = {}, product: object = {}): Promise<string> {
  const terms = { type: "FLAT", recurring: everyMonth, ...plan };
  const { databaseId } = await payments.createOrder(price, { plan: terms, product });
  await payments.payOrder(databaseId, testCards.approved);
  const { subscriptions } = await payments.readOrder(databaseId, "subscriptions { databaseId }");
  return String(subscriptions[0]!.databaseId);
}

const setNotices = (settings: object) => payments.runMutation("updateVendorSettings", settings, "vendor { uuid }");
const disable = (...disabledKinds: string[]) =>
  payments.runMutation("updateMessageSettings", { disabledKinds }, "settings { replyTo }");

async function sendNotices(): Promise<void> {
  for (const task of ["charges", "usage-charges", "trial-ends", "dormancies"])
    await worker.runTask(`notices.queue-${task}`);
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
      "{ outbox(first: 50) { nodes { kind state subjectLine text lastError customer { databaseId } } } }",
      {},
      vendor,
    )
  ).outbox.nodes;
const states = async () => (await outbox()).map(({ kind, state }) => `${kind} ${state}`);

describe("a usage charge", () => {
  test("is announced once, seven days before, with the amount so far", async () => {
    await setNotices({ notiBeforePayment: false });
    const subscriptionId = await subscribe("9300", usage);
    const { subscription } = await gateway.queryData(
      "query ($id: ID!) { subscription(id: $id) { items { code } } }",
      { id: subscriptionId },
      vendor,
    );
    const { code: itemCode } = subscription!.items[0]!;
    await payments.runMutation("recordUsage", { subscriptionId, itemCode, units: "200" }, "subscription { status }");
    await advanceTo("2026-03-25T00:59:59.999Z");
    expect(await outbox()).toEqual([]);
    await advanceTo("2026-03-25T01:00:00.000Z");
    await advanceTo("2026-03-26T01:00:00.000Z");
    const [notice, ...others] = await outbox();
    expect(others).toEqual([]);
    expect(notice).toMatchObject({
      kind: "USAGE_CHARGE_COMING",
      state: "SENT",
      subjectLine: "한빛서점: 2026년 4월 1일 사용 요금 결제 예정 안내",
    });
    expect(notice!.text).toContain("현재까지의 금액은 ₩11,300이며");
  });

  test("is announced by one message on the day of the vendor's own notice", async () => {
    await subscribe("9300", usage);
    await advanceTo("2026-03-25T01:00:00.000Z");
    expect(await states()).toEqual(["USAGE_CHARGE_COMING SENT"]);
  });

  test("is announced by the vendor's own notice when the kind is switched off", async () => {
    await disable("USAGE_CHARGE_COMING");
    await subscribe("9300", usage);
    await advanceTo("2026-03-25T01:00:00.000Z");
    expect(await states()).toEqual(["CHARGE_COMING SENT"]);
  });

  test("is announced by both on different days", async () => {
    await setNotices({ notiBeforePaymentDays: 3 });
    await subscribe("9300", usage);
    await advanceTo("2026-03-25T01:00:00.000Z");
    await advanceTo("2026-03-29T01:00:00.000Z");
    expect(await states()).toEqual(["CHARGE_COMING SENT", "USAGE_CHARGE_COMING SENT"]);
  });

  test("has no usage notice when a postpaid plan meters nothing", async () => {
    await setNotices({ notiBeforePayment: false });
    await subscribe("9300", { claim: { methodType: "POST", whenToClaimType: "FIRST_PAYMENT" } });
    await advanceTo("2026-03-25T01:00:00.000Z");
    expect(await outbox()).toEqual([]);
  });
});

describe("the end of a trial", () => {
  test("is announced once, seven days before, with the charge that follows and how to cancel", async () => {
    await subscribe("18900", {}, trialOf(20));
    await advanceTo("2026-03-14T00:59:59.999Z");
    expect(await outbox()).toEqual([]);
    await advanceTo("2026-03-14T01:00:00.000Z");
    await advanceTo("2026-03-20T01:00:00.000Z");
    const [notice, ...others] = await outbox();
    expect(others).toEqual([]);
    expect(notice).toMatchObject({
      kind: "TRIAL_ENDING",
      subjectLine: "한빛서점: 2026년 3월 21일 무료 체험 종료 안내",
    });
    for (const part of [
      "무료 체험이 2026년 3월 21일에 종료됩니다.",
      "2026년 3월 21일에 ₩18,900이 결제될 예정입니다.",
      "결제 주기: 매월",
      "해지하실 수 있습니다",
      "https://pay.example.com/payment-method/",
    ])
      expect(notice!.text).toContain(part);
  });

  test("is announced at once when the trial is shorter than the notice", async () => {
    await subscribe("18900", {}, trialOf(3));
    await sendNotices();
    expect(await states()).toEqual(["TRIAL_ENDING SENT"]);
  });

  test("is announced as a charge when the kind is switched off", async () => {
    await disable("TRIAL_ENDING");
    await subscribe("18900", {}, trialOf(20));
    await advanceTo("2026-03-14T01:00:00.000Z");
    expect(await states()).toEqual(["CHARGE_COMING SENT"]);
  });

  test("is not announced when the subscription ends with the trial, but when it goes on after all", async () => {
    const subscriptionId = await subscribe("18900", {}, trialOf(20));
    await payments.runMutation("cancelSubscription", { subscriptionId, when: "PERIOD_END" }, "subscription { status }");
    await advanceTo("2026-03-14T01:00:00.000Z");
    expect(await outbox()).toEqual([]);
    await payments.runMutation("activateSubscription", { subscriptionId }, "subscription { status }");
    await sendNotices();
    expect(await states()).toEqual(["TRIAL_ENDING SENT"]);
  });
});

describe("a customer who becomes dormant in a month", () => {
  const warning = { useDormantCustomer: true, useDormantNotification: true };

  test("is warned once, at the vendor's time, with the day of the dormancy", async () => {
    await setNotices(warning);
    await advanceTo("2027-02-01T00:59:59.999Z");
    expect(await outbox()).toEqual([]);
    await advanceTo("2027-02-01T01:00:00.000Z");
    await advanceTo("2027-02-10T01:00:00.000Z");
    expect(await outbox()).toMatchObject([
      {
        kind: "DORMANCY_COMING",
        state: "SENT",
        subjectLine: "한빛서점: 2027년 3월 1일 휴면 계정 전환 안내",
        customer: { databaseId: payments.customerId },
      },
    ]);
    await worker.runTask("customers.fall-asleep");
    const status = async () =>
      (
        await gateway.queryData(
          "query ($id: ID!) { customer(id: $id) { status } }",
          { id: String(payments.customerId) },
          vendor,
        )
      ).customer!.status;
    expect(await status()).toBe("NORMAL");
    gateway.clock.setTo("2027-03-01T03:00:00.000Z");
    await worker.runTask("customers.fall-asleep");
    expect(await status()).toBe("DORMANT");
  });

  test("is not warned when the vendor does not warn, or makes nobody dormant", async () => {
    await setNotices({ ...warning, useDormantNotification: false });
    await advanceTo("2027-02-10T01:00:00.000Z");
    await setNotices({ useDormantCustomer: false, useDormantNotification: true });
    await sendNotices();
    expect(await outbox()).toEqual([]);
  });

  test("is not warned with a live subscription", async () => {
    await setNotices({ ...warning, notiBeforePayment: false });
    await subscribe("18900", { recurring: { interval: "YEAR" } });
    await advanceTo("2027-02-10T01:00:00.000Z");
    expect(await outbox()).toEqual([]);
  });

  test("is not warned when an order comes before the mail server takes the notice, and a year later again", async () => {
    await setNotices(warning);
    mails.refuse = () => ({ status: 451, text: "Try again later." });
    await advanceTo("2027-02-10T01:00:00.000Z");
    expect(await states()).toEqual(["DORMANCY_COMING QUEUED"]);
    mails.refuse = () => undefined;
    await payments.createOrder("1000");
    await advanceTo("2027-02-10T03:00:00.000Z");
    expect(await states()).toEqual(["DORMANCY_COMING CANCELED"]);
    await advanceTo("2028-01-11T01:00:00.000Z");
    expect((await states()).sort()).toEqual(["DORMANCY_COMING CANCELED", "DORMANCY_COMING SENT"]);
  });
});
