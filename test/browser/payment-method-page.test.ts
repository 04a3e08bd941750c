import { expect, test } from "vitest";
import { expectNoOverflow, expectRedCardFields, sendEmptyForm } from "../support/payer-page-checks.ts";
import { listenOnLoopback, openBrowser, phoneViewport } from "../support/test-browser.ts";
import { everyMonth } from "../support/test-catalogue.ts";
import { startGateway } from "../support/test-gateway.ts";
import { testCards, TestPayments } from "../support/test-payments.ts";
import { createWorker, runUntilIdle } from "../support/test-worker.ts";

const START = "2026-03-01T09:30:00.000Z";
const gateway = await startGateway({ now: START });
const address = await listenOnLoopback(gateway);
const browser = await openBrowser();
const worker = createWorker(gateway);
const payments = await TestPayments.start(gateway);

/** The link of a subscription whose renewal was declined. */
async function linkOfFailedRenewal(lang: string): Promise<string> {
  gateway.clock.setTo(START);
  const { databaseId } = await payments.createOrder("18900", {
    plan: { type: "FLAT", recurring: everyMonth },
    product: { name: "House Blend" },
  });
  await payments.payOrder(databaseId, testCards.neverAgain);
  const { subscriptions } = await payments.readOrder(databaseId, "subscriptions { databaseId }");
  gateway.clock.setTo("2026-04-01T09:30:00.000Z");
  await runUntilIdle(worker);
  const input = { subscriptionId: String(subscriptions[0]!.databaseId), lang };
  const { link } = await payments.runMutation("createPaymentMethodLink", input, "link { url }");
  return address + new URL(link.url).pathname;
}

test("without JavaScript: a payer stores another card, and confirms it with the bank", async () => {
  const page = await browser.openPayerPage({ javaScriptEnabled: false });
  await page.goto(await linkOfFailedRenewal("en"));
  expect(await page.getByRole("heading", { level: 1 }).innerText()).toBe("A payment failed");
  await page.getByRole("radio").first().check();
  await page.locator("#number").fill(testCards.challenge);
  await page.locator("#expiry").fill("12/31");
  await page.getByRole("button", { name: "Store the payment method" }).click();
  await page.waitForURL(/simulated-gateway/);
  await page.getByRole("button", { name: "Approve" }).click();
  await page.waitForURL(/payment-method/);
  expect(await page.getByRole("status").innerText()).toContain("We are charging ₩18,900 to it now.");
});

test("in Korean on a phone, by keyboard: a payer chooses the day of the charge", async () => {
  const page = await browser.openPayerPage(phoneViewport);
  await page.goto(await linkOfFailedRenewal("ko"));
  expect(await page.locator("html").getAttribute("lang")).toBe("ko");
  const small = await page.evaluate(
    `[...document.querySelectorAll("button, .way, .card input, .choices input")].filter((one) => one.getBoundingClientRect().height < 44).length`,
  );
  expect(small).toBe(0);
  await page.getByLabel("결제일", { exact: true }).fill("2026-04-25");
  await page.keyboard.press("Enter");
  await page.waitForURL(/done=promised/);
  expect(await page.getByRole("status").innerText()).toContain("2026년 4월 25일에 ₩18,900을 결제합니다.");
});

test.each(["ko", "en"])("at 280 px in %s: nothing overflows, and errors turn red", async (lang) => {
  const page = await browser.openPayerPage({ ...phoneViewport, viewport: { width: 280, height: 653 } });
  await page.goto(await linkOfFailedRenewal(lang));
  await sendEmptyForm(page);
  await expectNoOverflow(page);
  await expectRedCardFields(page);
});
