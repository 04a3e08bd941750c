import { afterAll } from "vitest";
import { checkoutPathOf, CheckoutPayer, createPayableOrder, type PayableOrder } from "../fixtures/checkout-fixture.ts";
import { TestCatalogue } from "../test-catalogue.ts";
import { TestClock } from "../test-clock.ts";
import { startGateway, type TestGateway, type TestGatewayOptions } from "../test-gateway.ts";
import { FakeStripe } from "./fake-stripe.ts";

const TEST_KEY = "sk_test_recoup0123456789";
export const WEBHOOK_SECRET = "whsec_recoup0123456789";

/** A merchant whose cards are charged by a fake Stripe, which sends its webhooks to the merchant's callback address. */
export class StripeShop {
  private constructor(
    readonly gateway: TestGateway,
    readonly stripe: FakeStripe,
    readonly catalogue: TestCatalogue,
    readonly callbackPath: string,
  ) {}

  /** @param options By default the shop has a public address, which browsers cannot reach. */
  static async open(options: TestGatewayOptions = { publicUrl: "https://pay.example.com" }): Promise<StripeShop> {
    const now = "2026-03-05T03:00:00.000Z";
    let clock = new TestClock(new Date(now));
    const stripe = await FakeStripe.start(() => clock.now());
    const gateway = await startGateway({
      now,
      stripeApiUrl: stripe.url,
      guard: { timeoutMs: 1_500, faultThreshold: 1_000, initialOpenMs: 1, maxOpenMs: 1 },
      ...options,
    });
    clock = gateway.clock;
    afterAll(() => stripe.close());
    const catalogue = new TestCatalogue(gateway);
    const { account } = await catalogue.runMutation(
      "configurePaymentGateway",
      { paymentGateway: "PROVIDER_03", adapter: "STRIPE", credentials: TEST_KEY, callbackSecret: WEBHOOK_SECRET },
      "account { callbackPath }",
    );
    const shop = new StripeShop(gateway, stripe, catalogue, account.callbackPath);
    stripe.webhook = { secret: WEBHOOK_SECRET, send: (headers, body) => shop.sendCallback(headers, body) };
    return shop;
  }

  /** A callback as Stripe would send it. @returns the status of the answer. */
  async sendCallback(headers: Record<string, string>, body: string): Promise<number> {
    const url = this.callbackPath;
    const { statusCode } = await this.gateway.gateway.server.inject({ method: "POST", url, headers, payload: body });
    return statusCode;
  }

  /** An order of a month of coffee, and its payer at the checkout. */
  async openCheckout(input?: object): Promise<{ order: PayableOrder; payer: CheckoutPayer }> {
    const order = await createPayableOrder(this.gateway, input);
    return { order, payer: await CheckoutPayer.open(this.gateway, await checkoutPathOf(this.gateway, order)) };
  }

  /** The payer chooses the card and pays on Stripe's page. */
  async subscribe(): Promise<PayableOrder> {
    const { order, payer } = await this.openCheckout();
    await payer.submitForm({ method: "CARD" });
    await this.stripe.completePage(this.lastPage());
    return order;
  }

  /** The page that was opened last. */
  lastPage(): string {
    const id = [...this.stripe.account.pages.keys()].at(-1);
    if (id === undefined) throw new Error("No page was opened.");
    return id;
  }

  /** The payment method that was stored last. */
  lastMethod(): string {
    const method = [...this.stripe.account.payments.values()].at(-1)?.payment_method;
    if (typeof method !== "string") throw new Error("Nothing was paid.");
    return method;
  }

  async readOrder({ orderId }: PayableOrder) {
    const { order } = await this.gateway.queryData(
      `query ($id: ID!) { order(id: $id) { paidAmount returnedAmount leftAmount items { status } subscriptions { databaseId status }
        payment { databaseId state errorCode adviceCode challengeUrl gatewayReference cardNumber network paymentGateway storedMethod { databaseId paymentInfo paymentMethod } } } }`,
      { id: String(orderId) },
    );
    return order!;
  }
}
