import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { serveTossWindow } from "../support/fake-toss/toss-browser.ts";
import { TossShop } from "../support/fake-toss/toss-shop.ts";
import { checkoutPathOf, createPayableOrder } from "../support/fixtures/checkout-fixture.ts";
import { listenOnLoopback, openBrowser, phoneViewport } from "../support/test-browser.ts";

const shop = await TossShop.open();
const address = await listenOnLoopback(shop.gateway);
const browser = await openBrowser();

async function openOrder(page: Page, lang: string, plan: object = {}) {
  const order = await createPayableOrder(shop.gateway, { plan });
  await page.goto(address + (await checkoutPathOf(shop.gateway, order, { lang })));
  await page.getByRole("radio").first().check();
  await page.locator("button.main").click();
  return order;
}

test("in Korean on a phone: the window opens by itself, the payer registers a card and has paid", async () => {
  const page = await browser.openPayerPage(phoneViewport);
  await serveTossWindow(page, shop.toss);
  const order = await openOrder(page, "ko");
  await page.locator("#pay").click();
  await page.getByText("결제가 완료된 주문입니다").waitFor();
  expect(await shop.readOrder(order)).toMatchObject({
    paidAmount: "18900",
    subscriptions: [{ status: "ACTIVE" }],
    payment: { storedMethod: { paymentMethod: "CARD_BILL" } },
  });
});

test("in English: the payer leaves the window, opens it again from the order, and pays once", async () => {
  const page = await browser.openPayerPage();
  await serveTossWindow(page, shop.toss);
  const order = await openOrder(page, "en", { type: "ONE_TIME", recurring: null });
  await page.locator("#leave").click();
  await page.getByRole("link", { name: "Open the payment page" }).click();
  await page.locator("#pay").click();
  await page.getByText("This order is paid").waitFor();
  expect(await shop.readOrder(order)).toMatchObject({ paidAmount: "18900", payment: { storedMethod: null } });
});
