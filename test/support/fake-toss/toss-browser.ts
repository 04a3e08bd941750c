import type { Page } from "playwright-core";
import type { FakeToss, WindowRequest } from "./fake-toss.ts";

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

/** Answers a browser's requests to Toss's hosts: its script, and a window with a card and a way out. */
export async function serveTossWindow(page: Page, toss: FakeToss): Promise<void> {
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
    const body = `<a id="pay" href="${back(successUrl, toss.visitWindow(request))}">Pay</a>
      <a id="leave" href="${back(failUrl, { code: "PAY_PROCESS_CANCELED", message: "canceled" })}">Leave</a>`;
    return route.fulfill({ contentType: "text/html", body });
  });
}
