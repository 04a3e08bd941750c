import { beforeEach, describe, expect, test } from "vitest";
import { errorSummaries } from "../../support/cover-mutations.ts";
import { CheckoutPayer } from "../../support/fixtures/checkout-fixture.ts";
import { DunnedShop, SUBSCRIBED_AT } from "../../support/fixtures/dunned-shop.ts";
import { createMessageDispatcher, MailServer } from "../../support/mail-server.ts";
import { startGateway } from "../../support/test-gateway.ts";
import { testCards } from "../../support/test-payments.ts";

/* The notice of the next retry: who gets it, and when. */

const gateway = await startGateway({ now: SUBSCRIBED_AT, publicUrl: "https://pay.example.com" });
const mails = await MailServer.start();
const dispatcher = createMessageDispatcher(gateway, mails.settings);
let shop: DunnedShop;

beforeEach(async () => {
  shop = await DunnedShop.open(gateway, dispatcher);
});

describe("the notice of a retry", () => {
  const notices = async () =>
    (await shop.outbox())
      .filter(({ kind }) => kind === "RETRY_COMING")
      .map(({ state, dueAt }) => `${state} ${dueAt}`)
      .sort();
  const saveSettings = (input: Record<string, unknown>) =>
    shop.payments.runMutation("updateMessageSettings", input, "settings { retryNoticeLead }");

  test("is sent once, a day before each retry but the one that the first message has just named", async () => {
    await shop.subscribe(testCards.neverAgain);
    await shop.advanceThroughApril(1, 30);
    await shop.advanceThroughApril(30, 30);
    // Retries on the 2nd, 4th, 6th, 11th and 15th.
    expect(await notices()).toEqual(
      [3, 5, 10, 14].map((day) => `SENT 2026-04-${String(day).padStart(2, "0")}T03:00:00.000Z`),
    );
    const { text, subjectLine } = (await shop.outbox()).find(({ kind }) => kind === "RETRY_COMING")!;
    expect(subjectLine).toBe("한빛서점: 곧 다시 결제됩니다");
    expect(text).toContain("2026년 4월 15일에 ₩18,900을 다시 결제합니다.");
    expect(text).toContain("https://pay.example.com/payment-method/");
  });

  test("is sent as long before the retry as the vendor has set", async () => {
    await saveSettings({ retryNoticeLead: "PT36H" });
    await shop.subscribe(testCards.neverAgain);
    await shop.advanceThroughApril(1, 2);
    // The 2nd at 15:00 is midnight in Seoul: it waits until 8:00.
    expect(await notices()).toEqual(["QUEUED 2026-04-02T23:00:00.000Z"]);
  });

  test("is withdrawn when the payer chooses another day, and sent before that day", async () => {
    await shop.subscribe(testCards.neverAgain);
    await shop.advanceThroughApril(1, 2);
    const failure = (await shop.outbox()).find(({ kind }) => kind === "PAYMENT_FAILED")!;
    const payer = await CheckoutPayer.open(gateway, DunnedShop.pageLinkOf(failure.text));
    expect((await payer.submitForm({ action: "promise", day: "2026-04-20" })).status).toBe(303);
    await shop.advanceThroughApril(2, 20);
    expect(await notices()).toEqual(["CANCELED 2026-04-03T03:00:00.000Z", "SENT 2026-04-19T01:00:00.000Z"]);
  });

  test("is not sent when the payer had no message about the failure", async () => {
    await saveSettings({ disabledKinds: ["PAYMENT_FAILED"] });
    await shop.subscribe(testCards.neverAgain);
    await shop.advanceThroughApril(1, 12);
    expect((await notices()).map((one) => one.split(" ")[0])).toEqual(["CANCELED", "CANCELED", "CANCELED", "QUEUED"]);
    expect((await shop.kinds()).filter((one) => !one.startsWith("RETRY_COMING"))).toEqual(["LAST_NOTICE SENT"]);
  });

  test("is not sent within a day of another message", async () => {
    await saveSettings({ retryNoticeLead: "PT84H" });
    await shop.subscribe(testCards.neverAgain);
    await shop.advanceThroughApril(1, 11);
    await shop.advanceTo("2026-04-11T23:00:00.000Z");
    // The last notice came on the 11th, and the retry comes on the 15th.
    expect(await notices()).toContain("CANCELED 2026-04-11T23:00:00.000Z");
  });

  test("is withdrawn when the subscription is cancelled", async () => {
    const subscriptionId = await shop.subscribe(testCards.neverAgain);
    await shop.advanceThroughApril(1, 2);
    await shop.payments.runMutation("cancelSubscription", { subscriptionId, when: "NOW" }, "subscription { status }");
    await shop.advanceThroughApril(3, 5);
    expect(await notices()).toEqual(["CANCELED 2026-04-03T03:00:00.000Z"]);
  });

  test.each(["PT59M", "P8D", "P1M"])("cannot be sent %s before a retry", async (retryNoticeLead) => {
    const refused = await shop.payments.sendMutation(
      "updateMessageSettings",
      { retryNoticeLead },
      "settings { retryNoticeLead }",
    );
    expect(errorSummaries(refused)).toEqual(["INVALID_ARGUMENT: input.retryNoticeLead INVALID_VALUE"]);
  });
});
