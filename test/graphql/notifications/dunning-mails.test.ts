import { beforeEach, describe, expect, test } from "vitest";
import { DunnedShop, noonOfApril, SUBSCRIBED_AT } from "../../support/fixtures/dunned-shop.ts";
import { createMessageDispatcher, MailServer } from "../../support/mail-server.ts";
import { startGateway } from "../../support/test-gateway.ts";
import { testCards } from "../../support/test-payments.ts";

/* The payer of a failed renewal hears of it: each message once, at its time, and none that is not true any more. */

const gateway = await startGateway({ now: SUBSCRIBED_AT, publicUrl: "https://pay.example.com" });
const mails = await MailServer.start();
const dispatcher = createMessageDispatcher(gateway, mails.settings);
let shop: DunnedShop;

beforeEach(async () => {
  shop = await DunnedShop.open(gateway, dispatcher);
});

describe("a failed renewal", () => {
  test("is reported once to its payer, in the payer's language, with a link that opens the payer's page", async () => {
    await shop.subscribe(testCards.neverAgain);
    await shop.advanceTo(noonOfApril(1));
    await shop.advanceTo(noonOfApril(1));
    const [message, ...others] = await shop.outbox();
    expect(others).toEqual([]);
    expect(message).toMatchObject({
      kind: "PAYMENT_FAILED",
      state: "SENT",
      subjectLine: "한빛서점: 결제되지 않았습니다",
    });
    expect(message!.text).toContain("₩18,900을 결제하지 못했습니다.");
    const { statusCode } = await gateway.gateway.server.inject({
      method: "GET",
      url: DunnedShop.pageLinkOf(message!.text),
    });
    expect(statusCode).toBe(200);
  });

  test("is not reported within quiet hours, but at their end", async () => {
    gateway.clock.setTo("2026-03-01T14:00:00.000Z");
    await shop.subscribe(testCards.neverAgain);
    // 23:00 in Seoul.
    await shop.advanceTo("2026-04-01T14:00:00.000Z");
    expect(await shop.outbox()).toMatchObject([{ state: "QUEUED", dueAt: "2026-04-01T23:00:00.000Z" }]);
    await shop.advanceTo("2026-04-01T23:00:00.000Z");
    expect(await shop.kinds()).toEqual(["PAYMENT_FAILED SENT"]);
  });

  test("is reported as paid when a retry succeeds", async () => {
    await shop.subscribe(testCards.recoversOnThirdRetry);
    await shop.advanceThroughApril(1, 30);
    const sent = await shop.kinds();
    expect(sent.filter((one) => one.startsWith("PAYMENT_"))).toEqual(["PAYMENT_FAILED SENT", "PAYMENT_RECOVERED SENT"]);
    // The notices of the second and the third retry.
    expect(sent.filter((one) => one.startsWith("RETRY_COMING"))).toEqual(["RETRY_COMING SENT", "RETRY_COMING SENT"]);
  });

  test("has a last notice before the last try, and nothing afterwards", async () => {
    await shop.subscribe(testCards.neverAgain);
    await shop.advanceThroughApril(1, 30);
    expect((await shop.kinds()).filter((one) => !one.startsWith("RETRY_COMING"))).toEqual([
      "LAST_NOTICE SENT",
      "PAYMENT_FAILED SENT",
    ]);
  });

  test("is not reported when the vendor has switched the kind off", async () => {
    await shop.payments.runMutation(
      "updateMessageSettings",
      { disabledKinds: ["PAYMENT_FAILED"] },
      "settings { disabledKinds }",
    );
    await shop.subscribe(testCards.neverAgain);
    await shop.advanceTo(noonOfApril(1));
    expect(await shop.outbox()).toEqual([]);
  });

  test("is not reported after the quiet hours when the subscription was cancelled meanwhile", async () => {
    gateway.clock.setTo("2026-03-01T14:00:00.000Z");
    const subscriptionId = await shop.subscribe(testCards.neverAgain);
    await shop.advanceTo("2026-04-01T14:00:00.000Z");
    await shop.payments.runMutation("cancelSubscription", { subscriptionId, when: "NOW" }, "subscription { status }");
    await shop.advanceTo("2026-04-01T23:00:00.000Z");
    expect(await shop.kinds()).toEqual(["PAYMENT_FAILED CANCELED"]);
  });
});
