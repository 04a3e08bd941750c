import { everyMonth, TestCatalogue } from "./test-catalogue.ts";
import type { RequestOptions, TestGateway } from "./test-gateway.ts";

/** An order whose checkout is open. */
export interface PayableOrder {
  orderId: number;
  orderCode: string;
}

/** The input of an order, except for what a test gives. */
export interface PayableOrderInput {
  product?: object;
  plan?: object;
  order?: object;
  item?: object;
}

/** Creates an order of one product, by default a month of coffee for 18,900 won. */
export async function createPayableOrder(
  gateway: TestGateway,
  { product = {}, plan = {}, order = {}, item = {} }: PayableOrderInput = {},
  options?: RequestOptions,
): Promise<PayableOrder> {
  const catalogue = new TestCatalogue(gateway, options);
  const { databaseId, code: productCode } = await catalogue.createProduct({ type: "SOFTWARE", ...product });
  const { code: priceCode } = await catalogue.createPlan(databaseId, {
    type: "FLAT",
    recurring: everyMonth,
    plan: { name: "Every month" },
    ...plan,
  });
  const { customer } = await catalogue.runMutation(
    "createCustomer",
    { name: "Kim Seo-yeon", email: "seoyeon@example.com", phone: "010-1234-5678" },
    "customer { databaseId }",
  );
  const { order: made } = await catalogue.runMutation(
    "createOrder",
    { customerId: String(customer.databaseId), items: [{ productCode, priceCode, ...item }], ...order },
    "order { databaseId code }",
  );
  return { orderId: made.databaseId, orderCode: made.code };
}

/** The path of a link to the checkout of an order. */
export async function checkoutPathOf(
  gateway: TestGateway,
  { orderCode }: PayableOrder,
  query: Record<string, string> = {},
  options?: RequestOptions,
): Promise<string> {
  const search = new URLSearchParams(query).toString();
  const answer = await gateway.sendRest("GET", `/orders/${orderCode}/pay?${search}`, undefined, options);
  if (answer.status !== 302) throw new Error(`No link: ${JSON.stringify(answer.body)}`);
  return new URL(String(answer.headers["location"]), "http://here").pathname;
}

/** A page as a browser gets it. */
export async function getPage(
  gateway: TestGateway,
  path: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; headers: Record<string, unknown>; html: string }> {
  const response = await gateway.gateway.server.inject({ method: "GET", url: path, headers });
  return { status: response.statusCode, headers: response.headers, html: response.body };
}

/** A form as a browser would send it. */
export interface FormResponse {
  status: number;
  /** The target of the redirect. */
  location: string | undefined;
  html: string;
}

/** A payer with an open page; each one is another tab. */
export class CheckoutPayer {
  html = "";

  private constructor(
    private readonly gateway: TestGateway,
    readonly path: string,
  ) {}

  /** Opens the page of an order. */
  static async open(gateway: TestGateway, path: string): Promise<CheckoutPayer> {
    const payer = new CheckoutPayer(gateway, path);
    await payer.reloadPage();
    return payer;
  }

  async reloadPage(search = "?lang=en"): Promise<string> {
    this.html = (await getPage(this.gateway, this.path + search)).html;
    return textOfPage(this.html);
  }

  /** Sends the form as it is on the page, with what the payer typed and chose. */
  async submitForm(
    formFields: Record<string, string> = {},
    headers: Record<string, string> = {},
  ): Promise<FormResponse> {
    const hidden = [...this.html.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g)];
    const fields = {
      ...Object.fromEntries(hidden.map(([, name, value]) => [name!, value!])),
      action: "pay",
      ...formFields,
    };
    const response = await this.gateway.gateway.server.inject({
      method: "POST",
      url: `${this.path}?lang=en`,
      headers: { "content-type": "application/x-www-form-urlencoded", "sec-fetch-site": "same-origin", ...headers },
      payload: new URLSearchParams(fields).toString(),
    });
    return { status: response.statusCode, location: response.headers.location, html: response.body };
  }

  /** Pays by a card. */
  payByCard(number: string, typed: Record<string, string> = {}): Promise<FormResponse> {
    return this.submitForm({ method: "CARD", number, expiry: "12/31", ...typed });
  }
}

/** A page without its tags: the text that a payer reads. */
export const textOfPage = (html: string): string =>
  html
    .replace(/<style>.*?<\/style>/s, "")
    .replace(/<[^>]+>/g, " ")
    .replace(/\s+/g, " ")
    .replaceAll("&#39;", "'");

/** Lets a vendor take payments by the simulated gateway. */
export const enableSimulatedGateway = (
  gateway: TestGateway,
  input: object = {},
  options?: RequestOptions,
): Promise<unknown> =>
  new TestCatalogue(gateway, options).runMutation(
    "configurePaymentGateway",
    { paymentGateway: "HOUSE", ...input },
    "account { databaseId }",
  );
