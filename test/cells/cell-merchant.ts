import { expect } from "vitest";
import type { RawData } from "../support/raw-data.ts";
import { cardInput, testCards } from "../support/test-payments.ts";

/** A merchant of a cell, whose requests go over HTTP to the gateway of all cells. */
export class CellMerchant {
  constructor(
    readonly address: string,
    readonly token: string,
    readonly uuid: string,
  ) {}

  /** Sends an operation; the answer as it came. */
  async send(query: string, variables: object = {}, headers: Record<string, string> = {}, signal?: AbortSignal) {
    const response = await fetch(`${this.address}/graphql`, {
      method: "POST",
      headers: { "content-type": "application/json", "secret-token": this.token, ...headers },
      body: JSON.stringify({ query, variables }),
      ...(signal && { signal }),
    });
    return { status: response.status, headers: response.headers, body: (await response.json()) as RawData };
  }

  /** The data of an operation that succeeds. */
  async query(query: string, variables?: object): Promise<RawData> {
    const { body } = await this.send(query, variables);
    expect(body.errors).toBeUndefined();
    return body.data;
  }

  /** The root field of a mutation that succeeds. */
  async mutate(name: string, input: object, selection: string): Promise<RawData> {
    const type = `${name[0]!.toUpperCase()}${name.slice(1)}Input`;
    const data = await this.query(`mutation ($input: ${type}!) { ${name}(input: $input) { ${selection} } }`, { input });
    return data[name];
  }

  rest(method: string, path: string, body?: object): Promise<Response> {
    return fetch(`${this.address}/api/v1${path}`, {
      method,
      redirect: "manual",
      headers: { "secret-token": this.token, ...(body && { "content-type": "application/json" }) },
      ...(body && { body: JSON.stringify(body) }),
    });
  }

  /** A monthly plan of a product, its customer, and the customer's order, unpaid. */
  async orderSubscription(): Promise<{ databaseId: number; code: string }> {
    await this.mutate("configurePaymentGateway", { paymentGateway: "HOUSE" }, "account { databaseId }");
    const { customer } = await this.mutate(
      "createCustomer",
      { name: "Kim Seo-yeon", email: "seoyeon@example.com", phone: "010-1234-5678" },
      "customer { databaseId }",
    );
    const { product } = await this.mutate(
      "createProduct",
      { type: "BOX", name: "Beans" },
      "product { databaseId code }",
    );
    const { pricePlan } = await this.mutate(
      "createPricePlan",
      {
        productId: String(product.databaseId),
        type: "FLAT",
        price: "18900",
        plan: { name: "Monthly" },
        recurring: { interval: "MONTH" },
      },
      "pricePlan { code }",
    );
    const { order } = await this.mutate(
      "createOrder",
      {
        customerId: String(customer.databaseId),
        items: [{ productCode: product.code, priceCode: pricePlan.code }],
      },
      "order { databaseId code }",
    );
    return order;
  }

  /** Pays an order by a card that is stored for its renewals. */
  async pay(orderId: number, card = testCards.approved): Promise<string> {
    const { payment } = await this.mutate(
      "payOrder",
      { orderId: String(orderId), method: "CARD", card: cardInput(card), storeMethod: true },
      "payment { state }",
    );
    return payment.state;
  }

  async countOrders(): Promise<number> {
    return (await this.query("{ orders(first: 1) { totalCount } }")).orders.totalCount;
  }
}
