import { beforeAll, expect, test } from "vitest";
import { listenOnLoopback, openBrowser, phoneViewport } from "../support/test-browser.ts";
import { startGateway } from "../support/test-gateway.ts";
import { checkoutPathOf, createPayableOrder, type PayableOrder } from "../support/fixtures/checkout-fixture.ts";

const gateway = await startGateway();
const address = await listenOnLoopback(gateway);
const browser = await openBrowser();

let order: PayableOrder;

beforeAll(async () => {
  order = await createPayableOrder(gateway);
});

test("the link of the REST answer opens the page on a phone, where all of it fits", async () => {
  const { headers } = await gateway.sendRest("GET", `/orders/${order.orderCode}/pay?lang=ko`);
  expect(headers["location"]).toContain(`${address}/checkout/`);
  const page = await browser.openPayerPage(phoneViewport);
  await page.goto(String(headers["location"]));
  expect(await page.locator("html").getAttribute("lang")).toBe("ko");
  expect(await page.locator("tfoot").innerText()).toContain("₩18,900");
  expect(await page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")).toBe(true);
  // The style sheet is the one whose hash is in the policy.
  expect(await page.evaluate("getComputedStyle(document.querySelector('main')).borderRadius")).toBe("12px");
});

test("the payer changes the language and returns to the shop by keyboard only, without JavaScript", async () => {
  const page = await browser.openPayerPage({ javaScriptEnabled: false });
  await page.goto(address + (await checkoutPathOf(gateway, order, { cancelUrl: `${address}/livez?from=shop` })));
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.waitForURL(/lang=ko/);
  expect(await page.getByRole("heading", { level: 1 }).innerText()).toBe("아직 결제할 수 없습니다");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.waitForURL(/livez/);
  expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({
    from: "shop",
    order_id: String(order.orderId),
    order_code: order.orderCode,
    status: "cancel",
  });
});
