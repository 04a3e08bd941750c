import { createHash } from "node:crypto";
import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { decodeCheckoutLink } from "../../src/checkout/checkout-link.codec.ts";
import { SecretVault } from "../../src/kernel/secrets/secret-vault.ts";
import { startGateway } from "../support/test-gateway.ts";
import {
  checkoutPathOf,
  createPayableOrder,
  getPage,
  textOfPage,
  type PayableOrder,
} from "../support/fixtures/checkout-fixture.ts";
import { TestCatalogue } from "../support/test-catalogue.ts";
import { HOUR } from "../support/test-clock.ts";

const gateway = await startGateway();
let order: PayableOrder;

beforeAll(async () => {
  order = await createPayableOrder(gateway);
});

const read = async (payable: PayableOrder, query: Record<string, string> = {}) =>
  textOfPage((await getPage(gateway, await checkoutPathOf(gateway, payable, query))).html);

const setState = (orderId: number, state: string, besides = sql``) =>
  gateway.database.transaction(async (handle) => {
    const own = sql`where vendor_id = ${gateway.vendor.id} and`;
    await handle.execute(sql`update order_items set status = ${state} ${own} order_id = ${orderId}`);
    await handle.execute(sql`update orders set modified_at = modified_at ${besides} ${own} id = ${orderId}`);
  });

describe("the page of an order", () => {
  test("shows its lines and its total in English", async () => {
    const text = await read(order, { lang: "en" });
    expect(text).toContain("Test vendor");
    expect(text).toContain(`Order ${order.orderCode}`);
    expect(text).toContain("House Blend Every month 1 ₩18,900");
    expect(text).toContain("Total ₩18,900");
    expect(text).toContain("Payment is not available yet");
  });

  test("shows them in Korean", async () => {
    const { html, headers } = await getPage(gateway, await checkoutPathOf(gateway, order, { lang: "ko-KR" }));
    expect(html).toContain('<html lang="ko">');
    expect(headers["content-language"]).toBe("ko");
    expect(textOfPage(html)).toContain("합계 ₩18,900");
  });

  test.each([
    ["the link's", { lang: "en" }, "ko", "", "en"],
    ["English, when the link's is not supported", { lang: "fr" }, "ko", "", "en"],
    ["the payer's choice on the page", { lang: "en" }, "en", "?lang=ko", "ko"],
    ["the browser's", {}, "fr, en;q=0.8, ko;q=0.9", "", "ko"],
    ["the browser's supported one", {}, "ko;q=0, en;q=0.1", "", "en"],
    ["that of the shop's country, when the browser's are unknown", {}, "fr", "", "ko"],
  ])("is in %s language", async (_, query, browser, search, language) => {
    const path = (await checkoutPathOf(gateway, order, query)) + search;
    const { html } = await getPage(gateway, path, { "accept-language": browser });
    expect(html).toContain(`<html lang="${language}">`);
  });

  test("shows currencies with their decimals, discounts, options, a trial and a deadline", async () => {
    const dollars = await createPayableOrder(gateway, {
      product: { enabledDemo: true, demoPeriod: 2, demoPeriodUnit: "WEEK" },
      order: { currency: "USD", purchaseDeadline: "2026-03-08T03:00:00Z" },
      plan: { currencyPrice: { USD: "12.5" } },
    });
    const text = await read(dollars, { lang: "en" });
    expect(text).toContain("Free trial: 2 weeks 1 $0.00");
    expect(text).toContain("Please pay by: March 8, 2026 at 12:00 PM GMT+9");
    const discounted = await createPayableOrder(gateway, {
      plan: { firstSale: { enabled: true, price: "900" }, currencyPrice: { USD: "12.5" } },
    });
    expect(await read(discounted, { lang: "en" })).toContain("First purchase discount -₩900 Total ₩18,000");
  });

  test.each([
    ["CANCELLED", sql``, "cancelled"],
    ["PAID", sql`, paid_amount = amount`, "is paid"],
    ["ORDER_DELIVERY_ON_THE_WAY", sql`, paid_amount = amount`, "is paid"],
    ["CANCELLATION_REFUNDED", sql`, paid_amount = amount, returned_amount = amount`, "was refunded"],
  ])("says that an order which is %s cannot be paid", async (state, besides, sentence) => {
    const other = await createPayableOrder(gateway);
    await setState(other.orderId, state, besides);
    expect(await read(other, { lang: "en" })).toContain(sentence);
  });

  test("says that there is nothing to pay", async () => {
    const free = await createPayableOrder(gateway, { plan: { type: "ONE_TIME", recurring: null, price: "0" } });
    expect(await read(free, { lang: "en" })).toContain("There is nothing to pay");
  });

  test("says that the payment deadline is over", async () => {
    const link = await createPayableOrder(gateway, { order: { purchaseDeadline: "2026-03-01T09:30:01Z" } });
    expect(await read(link, { lang: "en" })).not.toContain("The payment deadline has passed");
    gateway.clock.advance(1_001);
    expect(await read(link, { lang: "en" })).toContain("The payment deadline has passed");
  });

  test("leads back to the shop: as cancelled, or as paid", async () => {
    const other = await createPayableOrder(gateway);
    const urls = { successUrl: "https://shop.example.com/yes", cancelUrl: "https://shop.example.com/no" };
    const path = await checkoutPathOf(gateway, other, urls);
    expect((await getPage(gateway, path)).html).toMatch(/href="https:\/\/shop\.example\.com\/no\?[^"]+status=cancel"/);
    await setState(other.orderId, "PAID", sql`, paid_amount = amount`);
    expect((await getPage(gateway, path)).html).toMatch(
      /href="https:\/\/shop\.example\.com\/yes\?[^"]+status=success"/,
    );
  });

  test("shows a merchant's input as text, whatever it contains", async () => {
    const evil = `<script>alert("1")</script>`;
    const other = await createPayableOrder(gateway, {
      product: { name: evil },
      plan: { plan: { name: `'"&${evil}` } },
    });
    const { html } = await getPage(gateway, await checkoutPathOf(gateway, other));
    expect(html).not.toContain("<script");
    expect(html).toContain("&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;");
  });

  test("runs no script, fetches nothing, is neither cached nor framed", async () => {
    const { html, headers } = await getPage(gateway, await checkoutPathOf(gateway, order));
    const style = /<style>(.*?)<\/style>/s.exec(html)![1]!;
    expect(headers).toMatchObject({
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-store",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
      "content-security-policy": `default-src 'none'; style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
    });
    expect(html).not.toMatch(/<script|\son\w+=|style="|src=/);
  });
});

describe("a link", () => {
  test("shows its page at each visit, for a day", async () => {
    const path = await checkoutPathOf(gateway, order, { lang: "en" });
    for (const pause of [0, 12 * HOUR, 12 * HOUR - 1]) {
      gateway.clock.advance(pause);
      expect((await getPage(gateway, path)).status).toBe(200);
    }
    gateway.clock.advance(1);
    const { status, html } = await getPage(gateway, path);
    expect(status).toBe(410);
    expect(textOfPage(html)).toContain("This link has expired");
    expect(html).not.toContain(order.orderCode);
  });

  test("that was changed anywhere opens nothing", async () => {
    const path = await checkoutPathOf(gateway, order);
    const [said, signature] = path.replace("/checkout/", "").split(".") as [string, string];
    const other = await checkoutPathOf(gateway, await createPayableOrder(gateway));
    const [othersSaid] = other.replace("/checkout/", "").split(".") as [string, string];
    const flipped = (text: string, at: number) =>
      text.slice(0, at) + (text[at] === "A" ? "B" : "A") + text.slice(at + 1);
    const forged = Buffer.from(JSON.stringify([gateway.vendor.id, order.orderId, 9e15, "en", {}])).toString(
      "base64url",
    );
    for (const link of [
      `${flipped(said, 3)}.${signature}`,
      `${said}.${flipped(signature, 3)}`,
      `${othersSaid}.${signature}`,
      `${forged}.${signature}`,
      `${said}.`,
      said,
      `.${signature}`,
      `${said}.${signature}.${signature}`,
      "%00",
      "style.css",
    ]) {
      const { status, html } = await getPage(gateway, `/checkout/${link}?lang=en`);
      expect([link, status]).toEqual([link, 403]);
      expect(textOfPage(html)).toContain("This link is not valid");
    }
  });

  test("opens after a restart and at every gateway with the same key, and with an older key until that is removed", async () => {
    const [old, next] = [Buffer.alloc(32, "old"), Buffer.alloc(32, "next")];
    const before = await startGateway({ secretsKeys: [old] });
    const path = await checkoutPathOf(before, await createPayableOrder(before), { lang: "en" });
    const statusAt = async (secretsKeys: Buffer[]) => (await getPage(await startGateway({ secretsKeys }), path)).status;
    // Another database has no such order: the test is only whether the signature is accepted.
    expect(await statusAt([next])).toBe(403);
    expect((await getPage(before, path)).status).toBe(200);
    const link = path.replace("/checkout/", "");
    expect(decodeCheckoutLink(link, new SecretVault([next, old]))).toMatchObject({ language: "en" });
    expect(decodeCheckoutLink(link, new SecretVault([next]))).toBeUndefined();
  });

  test("opens nothing of a disabled vendor", async () => {
    const vendor = await gateway.openVendor();
    const path = await checkoutPathOf(gateway, await createPayableOrder(gateway, {}, vendor), { lang: "en" }, vendor);
    await gateway.database.handle.execute(sql`update vendors set enabled = false where id = ${vendor.id}`);
    const { status, html } = await getPage(gateway, path);
    expect([status, textOfPage(html)]).toEqual([403, expect.stringContaining("This shop is closed")]);
  });

  test("shows a trace number when the gateway fails", async () => {
    const path = await checkoutPathOf(gateway, order, { lang: "en" });
    await gateway.database.handle.execute(sql`alter table order_items rename to order_items_gone`);
    const { status, html } = await getPage(gateway, path).finally(() =>
      gateway.database.handle.execute(sql`alter table order_items_gone rename to order_items`),
    );
    expect(status).toBe(500);
    const text = textOfPage(html);
    expect(text).toContain("Something went wrong");
    const [traceId] = /[0-9a-f]{32}/.exec(text)!;
    expect(gateway.logLines.some((line) => line.includes(traceId) && line.includes('"failed"'))).toBe(true);
  });

  test("is never logged", async () => {
    const path = await checkoutPathOf(gateway, order);
    await getPage(gateway, path);
    expect(gateway.logLines.some((line) => line.includes("/checkout/:link"))).toBe(true);
    expect(gateway.logLines.join("\n")).not.toContain(path.slice(-20));
  });
});

test("of a page and a refusal, each statement names the vendor, and there are few", async () => {
  const path = await checkoutPathOf(gateway, order);
  gateway.statements.length = 0;
  await getPage(gateway, path);
  expect(gateway.statements).toHaveLength(5);
  gateway.statements.length = 0;
  await getPage(gateway, "/checkout/nothing.nothing");
  expect(gateway.statements).toHaveLength(0);
});

test("the contact of the shop is on the page, if it is set", async () => {
  await new TestCatalogue(gateway).runMutation("updateVendor", { email: "help@shop.example.com" }, "vendor { id }");
  expect((await getPage(gateway, await checkoutPathOf(gateway, order))).html).toContain("mailto:help@shop.example.com");
});
