import { sql } from "drizzle-orm";
import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { queryRows } from "../hostile/query-rows.ts";
import { expectNoOverflow, expectRedCardFields, sendEmptyForm } from "../support/payer-page-checks.ts";
import { listenOnLoopback, openBrowser, phoneViewport } from "../support/test-browser.ts";
import { startGateway } from "../support/test-gateway.ts";
import {
  checkoutPathOf,
  createPayableOrder,
  enableSimulatedGateway,
  type PayableOrder,
} from "../support/fixtures/checkout-fixture.ts";
import { testCards } from "../support/test-payments.ts";

const gateway = await startGateway();
const address = await listenOnLoopback(gateway);
const browser = await openBrowser();

beforeAll(() => enableSimulatedGateway(gateway));

/** An existing page of the shop; its content does not count. */
const shop = (page: string) => `${address}/livez?from=${page}`;
const urls = { successUrl: shop("success"), errorUrl: shop("error"), cancelUrl: shop("cancel") };

async function orderAndLink(query: Record<string, string> = {}, back: Record<string, string> = urls) {
  const order = await createPayableOrder(gateway, { plan: { type: "ONE_TIME", recurring: null } });
  return { order, link: address + (await checkoutPathOf(gateway, order, { ...back, ...query })) };
}

/** The parameters that the shop's page received. */
async function backAt(page: Page, status: string) {
  await page.waitForURL(/\/livez/);
  const { searchParams } = new URL(page.url());
  expect([searchParams.get("from"), searchParams.get("status")]).toEqual([status, status]);
  return searchParams;
}

async function payByCard(page: Page, number: string) {
  const card = page.getByRole("radio").first();
  await card.check();
  await page.locator("#number").fill(number);
  await page.locator("#expiry").fill("12/31");
  await page.locator("button.main").click();
}

const charges = async ({ orderId }: PayableOrder): Promise<string[]> =>
  (
    await queryRows<{ status: string }>(
      gateway,
      sql`select status from simulated_charges c join orders o on o.vendor_id = c.vendor_id and o.id_key = c.order_reference
        where c.vendor_id = ${gateway.vendor.id} and o.id = ${orderId} order by c.created_at`,
    )
  ).map(({ status }) => status);

test("in Korean on a phone: pays by card and returns to the shop", async () => {
  const { order, link } = await orderAndLink({ lang: "ko" });
  const page = await browser.openPayerPage(phoneViewport);
  await page.goto(link);
  expect(await page.getByRole("heading", { level: 1 }).innerText()).toBe("주문 결제");
  expect(await page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")).toBe(true);
  // Every control is large enough for a finger.
  const small = await page.evaluate(
    `[...document.querySelectorAll("button, .way, .card input")].filter((one) => one.getBoundingClientRect().height < 44).length`,
  );
  expect(small).toBe(0);
  await page.getByLabel("카드", { exact: true }).check();
  await page.getByLabel("카드 번호").fill("4242 4242 4242 4242");
  await page.getByLabel("유효기간").fill("12/31");
  await page.getByRole("button", { name: "₩18,900 결제하기" }).click();
  const told = await backAt(page, "success");
  expect(told.get("order_code")).toBe(order.orderCode);
  expect(await charges(order)).toEqual(["APPROVED"]);
});

test("in English: card fields are shown only when a card is chosen", async () => {
  const { link } = await orderAndLink({ lang: "en" });
  const page = await browser.openPayerPage();
  await page.goto(link);
  await page.getByLabel("Virtual account").check();
  expect(await page.locator("#number").isVisible()).toBe(false);
  await page.getByLabel("Card", { exact: true }).check();
  expect(await page.locator("#number").isVisible()).toBe(true);
  await page.getByLabel("Virtual account").check();
  await page.getByRole("button", { name: "Pay ₩18,900" }).click();
  await page.getByText("Waiting for your transfer").waitFor();
});

test("without JavaScript: a decline shows its reason, then another card pays; the link survives reloads", async () => {
  const { errorUrl: _none, ...others } = urls;
  const { order, link } = await orderAndLink({ lang: "en" }, others);
  const page = await browser.openPayerPage({ javaScriptEnabled: false });
  await page.goto(link);
  await page.reload();
  await payByCard(page, testCards.insufficientFunds);
  const alert = page.getByRole("alert");
  await alert.waitFor();
  expect(await alert.innerText()).toContain("The account has insufficient funds. Nothing was charged.");
  await page.reload();
  expect(await alert.innerText()).toContain("The account has insufficient funds.");
  await payByCard(page, testCards.approved);
  await backAt(page, "success");
  expect(await charges(order)).toEqual(["DECLINED", "APPROVED"]);
  await page.goto(link);
  expect(await page.getByRole("heading", { level: 1 }).innerText()).toBe("This order is paid");
  expect(await page.locator("form").count()).toBe(0);
});

test("declined: the browser is at errorUrl at once, and the link still pays", async () => {
  const { order, link } = await orderAndLink({ lang: "en" });
  const page = await browser.openPayerPage();
  await page.goto(link);
  await payByCard(page, testCards.insufficientFunds);
  await backAt(page, "error");
  await page.goto(link);
  await payByCard(page, testCards.approved);
  await backAt(page, "success");
  expect(await charges(order)).toEqual(["DECLINED", "APPROVED"]);
});

test.each(["ko", "en"])("at 280 px in %s: nothing overlaps or overflows, and errors turn red", async (lang) => {
  const { errorUrl: _none, ...others } = urls;
  const { link } = await orderAndLink({ lang }, others);
  const page = await browser.openPayerPage({ ...phoneViewport, viewport: { width: 280, height: 653 } });
  await page.goto(link);
  await sendEmptyForm(page);
  const apart = `(() => {
    const boxes = [...document.querySelectorAll("header, main > *, .pay > *, .card > *, tbody tr > *, tfoot tr > *")]
      .filter((one) => one.type !== "hidden" && one.getClientRects().length > 0)
      .map((one) => [one, one.getBoundingClientRect()]);
    return boxes.flatMap(([one, a], index) => boxes.slice(index + 1).flatMap(([other, b]) =>
      !one.contains(other) && !other.contains(one) && a.left < b.right - 1 && b.left < a.right - 1 &&
      a.top < b.bottom - 1 && b.top < a.bottom - 1 ? [one.outerHTML.slice(0, 60) + " / " + other.outerHTML.slice(0, 60)] : []));
  })()`;
  expect(await page.evaluate(apart)).toEqual([]);
  await expectNoOverflow(page);
  await expectRedCardFields(page);
});

test("confirms on the bank's page, and returns to the shop", async () => {
  const { order, link } = await orderAndLink({ lang: "en" });
  const page = await browser.openPayerPage();
  await page.goto(link);
  await payByCard(page, testCards.challenge);
  await page.waitForURL(/simulated-gateway/);
  // A payer who goes back can still continue.
  await page.goBack();
  await page.getByRole("link", { name: "Continue to confirm" }).click();
  await page.getByRole("button", { name: "Approve" }).click();
  await backAt(page, "success");
  expect(await charges(order)).toEqual(["APPROVED"]);
});

test("two tabs that pay at once charge once, and both show that it is paid", async () => {
  const { order, link } = await orderAndLink({ lang: "en" });
  const tabs = await Promise.all([browser.openPayerPage(), browser.openPayerPage()]);
  for (const tab of tabs) {
    await tab.goto(link);
    await tab.getByRole("radio").first().check();
    await tab.locator("#number").fill(testCards.slow);
    await tab.locator("#expiry").fill("12/31");
  }
  await Promise.all(tabs.map((tab) => tab.locator("button.main").click()));
  await expect.poll(() => charges(order)).toEqual(["APPROVED"]);
  for (const tab of tabs) {
    await tab.goto(link);
    await tab.getByText("This order is paid").waitFor();
  }
  expect(await charges(order)).toEqual(["APPROVED"]);
});

test("by keyboard only, and with a form error that is shown", async () => {
  const { order, link } = await orderAndLink({ lang: "en" });
  const page = await browser.openPayerPage();
  await page.goto(link);
  const focused = () => page.evaluate("document.activeElement.name || document.activeElement.textContent.trim()");
  const tabTo = async (name: string) => {
    for (let presses = 0; presses < 20 && (await focused()) !== name; presses++) await page.keyboard.press("Tab");
    expect(await focused()).toBe(name);
  };
  await tabTo("method");
  await page.keyboard.press("Space");
  await tabTo("number");
  await page.keyboard.type("4242424242424241");
  await tabTo("expiry");
  await page.keyboard.type("12/31");
  await page.keyboard.press("Enter");
  await page.getByRole("alert").waitFor();
  expect(await page.locator("#number").getAttribute("aria-invalid")).toBe("true");
  expect(await page.locator("#number").inputValue()).toBe("");
  await tabTo("number");
  await page.keyboard.type(testCards.approved);
  await tabTo("expiry");
  await page.keyboard.type("12/31");
  await tabTo("action");
  await page.keyboard.press("Enter");
  await backAt(page, "success");
  expect(await charges(order)).toEqual(["APPROVED"]);
});

test("cancels: nothing is charged, and the shop is informed", async () => {
  const { order, link } = await orderAndLink({ lang: "en" });
  const page = await browser.openPayerPage();
  await page.goto(link);
  await page.getByRole("link", { name: "Cancel and go back to the shop" }).click();
  await backAt(page, "cancel");
  await page.goto(link);
  await payByCard(page, testCards.lost);
  await backAt(page, "error");
  await page.goto(link);
  await page.getByRole("link", { name: "Go back to the shop without paying" }).click();
  await backAt(page, "error");
  expect(await charges(order)).toEqual(["DECLINED"]);
});

test("returns to the shop of another origin too, and nowhere else", async () => {
  const other = address.replace("127.0.0.1", "localhost");
  const { link } = await orderAndLink({ lang: "en", successUrl: `${other}/livez?from=success` });
  const page = await browser.openPayerPage();
  await page.goto(link);
  await payByCard(page, testCards.approved);
  await backAt(page, "success");
  expect(new URL(page.url()).hostname).toBe("localhost");
});
