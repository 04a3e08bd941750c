import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { StripeShop } from "../support/fake-stripe/stripe-shop.ts";
import { serveTossWindow } from "../support/fake-toss/toss-browser.ts";
import { TossShop } from "../support/fake-toss/toss-shop.ts";
import { expectNoOverflow } from "../support/payer-page-checks.ts";
import { listenOnLoopback, openBrowser, phoneViewport } from "../support/test-browser.ts";

/* The page on which a payer stores another card, with gateways that take cards on a page or in a window of their own. */

const toss = await TossShop.open();
const stripe = await StripeShop.open({});
const addresses = new Map([
  [toss.gateway, await listenOnLoopback(toss.gateway)],
  [stripe.gateway, await listenOnLoopback(stripe.gateway)],
]);
const browser = await openBrowser();

/** Opens the page of a new subscription. @returns the subscription's id. */
async function openPage(page: Page, shop: TossShop | StripeShop, lang: string): Promise<number> {
  const { subscriptions } = await shop.readOrder(await shop.subscribe());
  const id = subscriptions[0]!.databaseId;
  const input = { subscriptionId: String(id), lang };
  const { link } = await shop.catalogue.runMutation("createPaymentMethodLink", input, "link { url }");
  await page.goto(addresses.get(shop.gateway)! + new URL(link.url).pathname);
  return id;
}

async function chooseCard(page: Page): Promise<void> {
  await page.getByRole("radio").first().check();
  await page.locator("button.main").click();
}

const methodOf = async ({ gateway }: TossShop | StripeShop, id: number) =>
  (
    await gateway.queryData("query ($id: ID!) { subscription(id: $id) { paymentMethod { databaseId } } }", {
      id: String(id),
    })
  ).subscription!.paymentMethod!.databaseId;

test("Toss, in Korean on a phone: the payer leaves the window, finds back, and stores a card in it", async () => {
  const page = await browser.openPayerPage(phoneViewport);
  await serveTossWindow(page, toss.toss);
  const id = await openPage(page, toss, "ko");
  const before = await methodOf(toss, id);
  await chooseCard(page);
  await page.locator("#leave").click();
  expect(await page.getByRole("status").innerText()).toContain("결제 페이지에서 카드를 입력해 주세요");
  await expectNoOverflow(page);
  await page.getByRole("link", { name: "결제 페이지 열기" }).click();
  await page.locator("#pay").click();
  await page.getByText("결제 수단이 등록되었습니다").waitFor();
  await expectNoOverflow(page);
  expect(await methodOf(toss, id)).not.toBe(before);
});

test("Toss: the payer whose window does not open goes back to the payment method", async () => {
  const page = await browser.openPayerPage();
  await page.context().route("https://js.tosspayments.com/**", (route) =>
    route.fulfill({
      contentType: "text/javascript",
      body: `window.TossPayments = () => ({ payment: () => ({ requestBillingAuth: () => Promise.reject(new Error("no")) }) });`,
    }),
  );
  await openPage(page, toss, "en");
  await chooseCard(page);
  await page.getByText("The payment window could not be opened.").waitFor();
  await expectNoOverflow(page);
  await page.getByRole("link", { name: "Back to your payment method" }).click();
  expect(await page.getByRole("status").innerText()).toContain("Please enter your card on the payment page");
});

test("Stripe, without JavaScript: the form leads to Stripe's page, which stores a card and leads back", async () => {
  const page = await browser.openPayerPage({ javaScriptEnabled: false });
  await page.context().route("https://checkout.stripe.com/**", (route) => {
    const { request } = stripe.stripe.account.pages.get(stripe.lastPage())!;
    const back = (request["success_url"] as string).replaceAll("&", "&amp;");
    return route.fulfill({ contentType: "text/html", body: `<a id="back" href="${back}">Back to the shop</a>` });
  });
  const id = await openPage(page, stripe, "en");
  const before = await methodOf(stripe, id);
  await chooseCard(page);
  await page.waitForURL(/checkout\.stripe\.com/);
  await stripe.stripe.completePage(stripe.lastPage());
  await page.locator("#back").click();
  await page.getByText("Your payment method is stored").waitFor();
  expect(await methodOf(stripe, id)).not.toBe(before);
});
