import { describe, expect, test } from "vitest";
import type { MessageKind } from "../../../schema/vocabulary.ts";
import { Refusal } from "../../../src/kernel/refusals.ts";
import { toDunningContent } from "../../../src/notifications/dunning/dunning-message.content.ts";
import { renderMessage } from "../../../src/notifications/rendering/message-renderer.ts";
import { delayedFrom, readDelays } from "../../../src/notifications/settings/message-delay.ts";
import { applyWording, readWordings } from "../../../src/notifications/settings/message-wording.ts";
import { toAmount } from "../../../src/kernel/amounts.ts";

/* A vendor's own words: what they may hold, and where they stand. */

const refusalOf = (work: () => unknown): string => {
  try {
    work();
  } catch (error) {
    if (error instanceof Refusal) return error.message;
    throw error;
  }
  return "none";
};

const wording = (
  words: { subjectLine?: string | null; opening?: string | null },
  kind: MessageKind = "PAYMENT_FAILED",
) => [{ kind, language: "ENGLISH" as const, ...words }];

describe("own words", () => {
  test.each([
    [
      "an unknown placeholder",
      { opening: "Pay {{amont}} soon" },
      "wordings[0].opening has {{amont}}, which PAYMENT_FAILED does not know. Did you mean {{amount}}? It knows {{name}}, {{shop}}, {{amount}}, {{product}}, {{day}}.",
    ],
    [
      "a placeholder of other names",
      { subjectLine: "{{constructor}}" },
      "wordings[0].subjectLine has {{constructor}}, which PAYMENT_FAILED does not know. It knows",
    ],
    ["an open placeholder", { opening: "Pay {{amount soon" }, "wordings[0].opening must close each placeholder"],
    ["an address", { opening: "See https://evil.example" }, "wordings[0].opening must not have links"],
    ["a host name", { opening: "See pay.evil.com." }, "wordings[0].opening must not have links"],
    ["an e-mail address", { subjectLine: "Write to me@shop.co" }, "wordings[0].subjectLine must not have links"],
    ["a second line in the subject", { subjectLine: "One\r\nBcc: x" }, "wordings[0].subjectLine must be one line"],
    ["a blank subject", { subjectLine: "  " }, "wordings[0].subjectLine must not be blank"],
    ["a long subject", { subjectLine: "x".repeat(121) }, "wordings[0].subjectLine must have at most 120 characters."],
    ["a long opening", { opening: "x".repeat(1001) }, "wordings[0].opening must have at most 1000 characters."],
    ["nothing", {}, "wordings[0] must have `subjectLine` or `opening`."],
  ])("are refused with %s", (_, words, message) => {
    expect(refusalOf(() => readWordings(wording(words)))).toContain(message);
  });

  test("are refused with the day of a charge where none is planned", () => {
    expect(refusalOf(() => readWordings(wording({ opening: "On {{day}}" }, "PAYMENT_RECOVERED")))).toContain(
      "has {{day}}",
    );
  });

  test("are refused twice for a kind and language", () => {
    const twice = [...wording({ opening: "a" }), ...wording({ opening: "b" })];
    expect(refusalOf(() => readWordings(twice))).toContain(
      "wordings[1] must not have PAYMENT_FAILED in ENGLISH twice.",
    );
  });

  test("stand in the subject line and before what happened, escaped in HTML", () => {
    const content = toDunningContent(
      "PAYMENT_FAILED",
      {
        cover: {
          ...{
            customerName: "<b>Kim</b> $& {{shop}}",
            productName: "House Blend",
            currency: "KRW",
            zoneId: "Asia/Seoul",
          },
          ...{ amount: toAmount("18900"), paidAmount: toAmount("0"), retryAt: new Date("2026-04-02T03:00:00Z") },
        },
        shop: { name: "Hanbit", email: "" },
        url: null,
      },
      "ENGLISH",
    );
    const words = readWordings(
      wording({ subjectLine: "{{shop}}: {{ amount }} is open", opening: "Hello {{name}} <i>\n{{product}}, {{day}}" }),
    );
    const { subjectLine, textBody, htmlBody } = renderMessage(applyWording(content, "PAYMENT_FAILED", words), "EMAIL");
    expect(subjectLine).toBe("Hanbit: ₩18,900 is open");
    expect(textBody).toContain(
      "Hello <b>Kim</b> $& {{shop}} <i>\nHouse Blend, April 2, 2026\n\nWe could not charge ₩18,900. We try again on April 2, 2026.",
    );
    expect(textBody).not.toContain("Dear");
    expect(htmlBody).toContain("Hello &lt;b&gt;Kim&lt;/b&gt; $&amp; {{shop}} &lt;i&gt;");
    expect(htmlBody).not.toContain("<i>");
    // Other kinds and languages keep the built-in words.
    expect(applyWording(content, "LAST_NOTICE", words)).toBe(content);
    expect(applyWording({ ...content, language: "KOREAN" }, "PAYMENT_FAILED", words).title).toBe(content.title);
  });
});

describe("delays", () => {
  test.each([
    ["INVOICE", "PT1H", "delays[0].kind must not be INVOICE, which has a date of its own."],
    ["RETRY_COMING", "PT1H", "delays[0].kind must not be RETRY_COMING"],
    ["PAYMENT_FAILED", "PT30S", "delays[0].delay must be an ISO 8601 duration from PT1M to P7D."],
    ["PAYMENT_FAILED", "P7DT1S", "delays[0].delay must be an ISO 8601 duration from PT1M to P7D."],
    ["PAYMENT_FAILED", "-PT1H", "delays[0].delay must be an ISO 8601 duration from PT1M to P7D."],
  ] as const)("of %s by %s are refused", (kind, delay, message) => {
    expect(refusalOf(() => readDelays([{ kind, delay }]))).toContain(message);
  });

  test("are added to the time of the event, for their kind only", () => {
    const now = new Date("2026-04-01T00:00:00Z");
    const delays = readDelays([{ kind: "LAST_NOTICE", delay: "PT90M" }]);
    expect(delayedFrom(now, "LAST_NOTICE", delays).toISOString()).toBe("2026-04-01T01:30:00.000Z");
    expect(delayedFrom(now, "PAYMENT_FAILED", delays)).toBe(now);
  });
});
