import { beforeEach, describe, expect, test } from "vitest";
import { errorSummaries } from "../../support/cover-mutations.ts";
import { DunnedShop, noonOfApril, SUBSCRIBED_AT } from "../../support/fixtures/dunned-shop.ts";
import { createMessageDispatcher, MailServer } from "../../support/mail-server.ts";
import { startGateway } from "../../support/test-gateway.ts";
import { testCards } from "../../support/test-payments.ts";
import { WebhookReceiver } from "../../support/webhook-receiver.ts";

/* What a vendor sets for dunning messages: words, delays and channels. */

const gateway = await startGateway({ now: SUBSCRIBED_AT, publicUrl: "https://pay.example.com" });
const mails = await MailServer.start();
const adapter = await WebhookReceiver.start();
const secret = `whsec_${Buffer.alloc(32, 5).toString("base64")}`;
const dispatcher = createMessageDispatcher(gateway, { ...mails.settings, sms: { url: adapter.url, secret } });
let shop: DunnedShop;

beforeEach(async () => {
  mails.take();
  shop = await DunnedShop.open(gateway, dispatcher);
});

describe("a vendor's settings", () => {
  const settings = "settings { dunningChannels delays { kind delay } wordings { kind language subjectLine opening } }";

  test("word a message, and its sentence about the payment stays", async () => {
    const wordings = [
      { kind: "PAYMENT_FAILED", language: "KOREAN", subjectLine: "{{shop}} 결제 안내", opening: "{{name}} 고객님께" },
    ];
    const saved = await shop.payments.runMutation("updateMessageSettings", { wordings }, settings);
    expect(saved.settings).toEqual({ dunningChannels: ["EMAIL"], delays: [], wordings });
    await shop.subscribe(testCards.neverAgain);
    await shop.advanceTo(noonOfApril(1));
    const [message] = await shop.outbox();
    expect(message!.subjectLine).toBe("한빛서점 결제 안내");
    expect(message!.text).toMatch(/^Kim Seo-yeon 고객님께\n\n₩18,900을 결제하지 못했습니다\./);
  });

  test("are refused with a word that no message knows, and keep what was stored", async () => {
    const wordings = [{ kind: "PAYMENT_FAILED", language: "KOREAN", opening: "{{customer}}" }];
    const refused = await shop.payments.sendMutation("updateMessageSettings", { wordings }, settings);
    expect(errorSummaries(refused)).toEqual(["INVALID_ARGUMENT: input.wordings[0].opening INVALID_VALUE"]);
    const kept = await gateway.queryData("{ messageSettings { delays { kind } wordings { kind } } }", {}, shop.vendor);
    expect(kept.messageSettings).toEqual({ delays: [], wordings: [] });
  });

  test("delay a message of a kind", async () => {
    await shop.payments.runMutation(
      "updateMessageSettings",
      { delays: [{ kind: "PAYMENT_FAILED", delay: "PT5H" }] },
      settings,
    );
    await shop.subscribe(testCards.neverAgain);
    await shop.advanceTo(noonOfApril(1));
    expect(await shop.outbox()).toMatchObject([{ state: "QUEUED", dueAt: "2026-04-01T08:00:00.000Z" }]);
    await shop.advanceTo("2026-04-01T08:00:00.000Z");
    expect(await shop.kinds()).toEqual(["PAYMENT_FAILED SENT"]);
  });

  test("delay a message beyond the payment, so that none is sent", async () => {
    const delays = [{ kind: "PAYMENT_FAILED", delay: "P6D" }];
    await shop.payments.runMutation("updateMessageSettings", { delays }, settings);
    await shop.subscribe(testCards.recoversOnThirdRetry);
    await shop.advanceThroughApril(1, 8);
    expect((await shop.kinds()).filter((one) => !one.endsWith("CANCELED"))).toEqual([]);
  });

  test("choose the channels, of which one without a sender gets nothing", async () => {
    await shop.payments.runMutation(
      "updateMessageSettings",
      { dunningChannels: ["MESSENGER", "SMS", "SMS"] },
      settings,
    );
    await shop.subscribe(testCards.recoversOnThirdRetry);
    await shop.advanceThroughApril(1, 3);
    expect(adapter.take().map(({ body }) => JSON.parse(body))).toMatchObject(
      ["₩18,900을 결제하지 못했습니다.", "2026년 4월 4일에 ₩18,900을 다시 결제합니다."].map((text) => ({
        channel: "SMS",
        to: "01012345678",
        text: expect.stringMatching(
          new RegExp(`^\\[한빛서점\\] ${text}[^]*\nhttps://pay\\.example\\.com/payment-method/`),
        ),
      })),
    );
    expect((await shop.outbox()).map(({ kind, channel, state }) => `${kind} ${channel} ${state}`).sort()).toEqual([
      "PAYMENT_FAILED MESSENGER CANCELED",
      "PAYMENT_FAILED SMS SENT",
      "RETRY_COMING MESSENGER CANCELED",
      "RETRY_COMING SMS SENT",
    ]);
    expect(mails.take()).toEqual([]);
  });

  test("must have a channel", async () => {
    const refused = await shop.payments.sendMutation("updateMessageSettings", { dunningChannels: [] }, settings);
    expect(errorSummaries(refused)).toEqual(["INVALID_ARGUMENT: input.dunningChannels INVALID_VALUE"]);
  });
});
