import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import type { WindowRequest } from "../support/fake-toss/fake-toss.ts";
import { TossShop } from "../support/fake-toss/toss-shop.ts";
import { checkoutPathOf, createPayableOrder } from "../support/fixtures/checkout-fixture.ts";
import { listenOnLoopback, openBrowser, phoneViewport } from "../support/test-browser.ts";

const shop = await TossShop.open();
const address = await listenOnLoopback(shop.gateway);
const browser = await openBrowser();

/** Toss's script as far as pages use it: it sends the tab to Toss's window with what the page asked for. */
const SCRIPT = `
window.TossPayments = (clientKey) => ({
  payment: ({ customerKey }) => {
    const open = (call) => async (parameters) => {
      location.assign("https://payment-gateway.tosspayments.com/window?request=" + encodeURIComponent(JSON.stringify({ clientKey, customerKey, call, parameters })));
    };
    return { requestBillingAuth: open("requestBillingAuth"), requestPayment: open("requestPayment") };
  },
});
`;

/** Answers for Toss's hosts: its script, and a window with a card and a way out. */
async function serveToss(page: Page): Promise<void> {
  await page
    .context()
    .route("https://js.tosspayments.com/**", (route) =>
      route.fulfill({ contentType: "text/javascript", body: SCRIPT }),
    );
  await page.context().route("https://payment-gateway.tosspayments.com/**", (route) => {
    const request = JSON.parse(new URL(route.request().url()).searchParams.get("request")!) as WindowRequest;
    const back = (url: unknown, parameters: Record<string, string>) => {
      const target = new URL(String(url));
      for (const [name, value] of Object.entries(parameters)) target.searchParams.set(name, value);
      return target.href.replaceAll("&", "&amp;");
    };
    const { successUrl, failUrl } = request.parameters;
    const body = `<a id="pay" href="${back(successUrl, shop.toss.visitWindow(request))}">Pay</a>
      <a id="leave" href="${back(failUrl, { code: "PAY_PROCESS_CANCELED", message: "canceled" })}">Leave</a>`;
    return route.fulfill({ contentType: "text/html", body });
  });
}

async function openOrder(page: Page, lang: string, plan: object = {}) {
  const order = await createPayableOrder(shop.gateway, { plan });
  await page.goto(address + (await checkoutPathOf(shop.gateway, order, { lang })));
  await page.getByRole("radio").first().check();
  await page.locator("button.main").click();
  return order;
}

test("in Korean on a phone: the window opens by itself, the payer registers a card and has paid", async () => {
  const page = await browser.openPayerPage(phoneViewport);
  await serveToss(page);
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
  await serveToss(page);
  const order = await openOrder(page, "en", { type: "ONE_TIME", recurring: null });
  await page.locator("#leave").click();
  await page.getByRole("link", { name: "Open the payment page" }).click();
  await page.locator("#pay").click();
  await page.getByText("This order is paid").waitFor();
  expect(await shop.readOrder(order)).toMatchObject({ paidAmount: "18900", payment: { storedMethod: null } });
});
