import { afterAll } from "vitest";
import {
  checkoutPathOf,
  CheckoutPayer,
  createPayableOrder,
  getPage,
  type PayableOrder,
  type PayableOrderInput,
} from "../fixtures/checkout-fixture.ts";
import { TestCatalogue } from "../test-catalogue.ts";
import { startGateway, type TestGateway, type TestGatewayOptions } from "../test-gateway.ts";
import { FakeToss, type WindowRequest } from "./fake-toss.ts";

const WINDOW = "?lang=en&window=1";

/** What the page of a window asks of Toss's script. */
function readWindowRequest(html: string): WindowRequest {
  const [, escaped = ""] = /data-request="([^"]*)"/.exec(html) ?? [];
  if (escaped === "") throw new Error("The page opens no window.");
  const json = escaped
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&lt;", "<")
    .replaceAll("&amp;", "&");
  return JSON.parse(json) as WindowRequest;
}

/** A merchant whose cards are charged by a fake Toss, which sends its webhooks to the merchant's callback address. */
export class TossShop {
  private constructor(
    readonly gateway: TestGateway,
    readonly toss: FakeToss,
    readonly catalogue: TestCatalogue,
    readonly callbackPath: string,
  ) {}

  static async open(options: TestGatewayOptions = {}): Promise<TossShop> {
    const toss = await FakeToss.start();
    const gateway = await startGateway({
      now: "2026-03-05T03:00:00.000Z",
      tossApiUrl: toss.url,
      guard: { timeoutMs: 3_000, faultThreshold: 1_000, initialOpenMs: 1, maxOpenMs: 1 },
      ...options,
    });
    afterAll(() => toss.close());
    const catalogue = new TestCatalogue(gateway);
    const { account } = await catalogue.runMutation(
      "configurePaymentGateway",
      {
        paymentGateway: "PROVIDER_02",
        adapter: "TOSS",
        credentials: [...toss.keys][0]!,
        clientKey: [...toss.clientKeys][0]!,
      },
      "account { callbackPath }",
    );
    const shop = new TossShop(gateway, toss, catalogue, account.callbackPath);
    toss.webhook = (body) => shop.sendCallback(body);
    return shop;
  }

  /** A callback as Toss would send it. @returns the status of the answer. */
  async sendCallback(payload: string): Promise<number> {
    const headers = { "content-type": "application/json", "tosspayments-webhook-transmission-id": "wh_1" };
    const { statusCode } = await this.gateway.gateway.server.inject({
      ...{ method: "POST", url: this.callbackPath, headers, payload },
    });
    return statusCode;
  }

  /** An order of a month of coffee, and its payer at the checkout. */
  async openCheckout(input?: PayableOrderInput): Promise<{ order: PayableOrder; payer: CheckoutPayer }> {
    const order = await createPayableOrder(this.gateway, input);
    return { order, payer: await CheckoutPayer.open(this.gateway, await checkoutPathOf(this.gateway, order)) };
  }

  /** The request of the window that is open for a payer. */
  async readWindow({ path }: CheckoutPayer): Promise<WindowRequest> {
    return readWindowRequest((await getPage(this.gateway, path + WINDOW)).html);
  }

  /** The payer does in the window what it asks for. @returns what the payer's browser brings back. */
  async visitWindow(payer: CheckoutPayer): Promise<string> {
    const parameters = this.toss.visitWindow(await this.readWindow(payer));
    return `?lang=en&returned=1&${new URLSearchParams(parameters).toString()}`;
  }

  /** The payer chooses the card, types it in the window, and comes back. @returns the text of the page then. */
  async pay(payer: CheckoutPayer): Promise<string> {
    await payer.submitForm({ method: "CARD" });
    return payer.reloadPage(await this.visitWindow(payer));
  }

  async subscribe(): Promise<PayableOrder> {
    const { order, payer } = await this.openCheckout();
    await this.pay(payer);
    return order;
  }

  /** The billing key that was issued last. */
  lastBillingKey(): string {
    const key = [...this.toss.billingKeys.keys()].at(-1);
    if (key === undefined) throw new Error("No billing key was issued.");
    return key;
  }

  async readOrder({ orderId }: PayableOrder) {
    const { order } = await this.gateway.queryData(
      `query ($id: ID!) { order(id: $id) { paidAmount returnedAmount leftAmount items { status } subscriptions { databaseId status }
        payment { databaseId state errorCode errorMessage challengeUrl gatewayReference cardNumber network paymentGateway storedMethod { databaseId paymentInfo paymentMethod } } } }`,
      { id: String(orderId) },
    );
    return order!;
  }
}
