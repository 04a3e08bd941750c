import { monthly, Shelf } from "./shelf.ts";
import type { RequestOptions, TestGateway } from "./gateway.ts";

/** An order that waits for its payer. */
export interface Payable {
  orderId: number;
  orderCode: string;
}

/** What an order is made of, less what a test tells. */
export interface Wanted {
  product?: object;
  plan?: object;
  order?: object;
  item?: object;
}

/** Makes an order of one product, which is a month of coffee for 18,900 won unless told. */
export async function makePayable(
  gateway: TestGateway,
  { product = {}, plan = {}, order = {}, item = {} }: Wanted = {},
  options?: RequestOptions,
): Promise<Payable> {
  const shelf = new Shelf(gateway, options);
  const { databaseId, code: productCode } = await shelf.product({ type: "SOFTWARE", ...product });
  const { code: priceCode } = await shelf.plan(databaseId, {
    type: "FLAT",
    recurring: monthly,
    plan: { name: "Every month" },
    ...plan,
  });
  const { customer } = await shelf.done(
    "createCustomer",
    { name: "Kim Seo-yeon", email: "seoyeon@example.com", phone: "010-1234-5678" },
    "customer { databaseId }",
  );
  const { order: made } = await shelf.done(
    "createOrder",
    { customerId: String(customer.databaseId), items: [{ productCode, priceCode, ...item }], ...order },
    "order { databaseId code }",
  );
  return { orderId: made.databaseId, orderCode: made.code };
}

/** The path of a link to the checkout of an order. */
export async function linkTo(
  gateway: TestGateway,
  { orderCode }: Payable,
  query: Record<string, string> = {},
  options?: RequestOptions,
): Promise<string> {
  const search = new URLSearchParams(query).toString();
  const answer = await gateway.rest("GET", `/orders/${orderCode}/pay?${search}`, undefined, options);
  if (answer.status !== 302) throw new Error(`No link: ${JSON.stringify(answer.body)}`);
  return new URL(String(answer.headers["location"]), "http://here").pathname;
}

/** A page as a browser gets it. */
export async function openPage(
  gateway: TestGateway,
  path: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; headers: Record<string, unknown>; html: string }> {
  const response = await gateway.gateway.server.inject({ method: "GET", url: path, headers });
  return { status: response.statusCode, headers: response.headers, html: response.body };
}
