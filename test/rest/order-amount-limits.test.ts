import { describe, expect, test } from "vitest";
import { startGateway } from "../support/test-gateway.ts";
import { TestCatalogue } from "../support/test-catalogue.ts";

const gateway = await startGateway();
const catalogue = new TestCatalogue(gateway);
const { customer } = await catalogue.runMutation(
  "createCustomer",
  { name: "Kim Seo-yeon", email: "seoyeon@example.com", phone: "010-1234-5678" },
  "customer { databaseId }",
);
const customerId = customer.databaseId;
const dear = await catalogue.createProduct();
const plan = await catalogue.createPlan(dear.databaseId, { price: "999999999999999" });
const line = (minimumQuantity: number) => ({ productCode: dear.code, priceCode: plan.code, minimumQuantity });

const total = async () => (await gateway.sendRest("GET", "/orders?size=1")).body.totalElements as number;

describe("an amount beyond the limit is refused, and nothing is stored:", () => {
  test("a line, and lines together", async () => {
    for (const items of [[line(2_147_483_647)], [line(2)], [line(1), line(1)]]) {
      const { status, body } = await gateway.post("/orders", { customerId, items });
      expect([status, body.errorCode]).toEqual([400, "AMOUNT_TOO_HIGH"]);
    }
    expect(await total()).toBe(0);
  });

  test("an invoice", async () => {
    const items = [{ productName: "Machine", price: 999_999_999_999_999, minimumQuantity: 1000 }];
    const { status, body } = await gateway.post("/invoices", { customerId, items, publishMethods: ["EMAIL"] });
    expect([status, body.errorCode]).toEqual([400, "AMOUNT_TOO_HIGH"]);
    expect(await total()).toBe(0);
  });

  test("an order in another currency, and its amount there", async () => {
    await catalogue.runMutation("setExchangeRate", { currency: "USD", rate: "1000" }, "exchangeRates { rate }");
    const { status, body } = await gateway.post("/orders", { customerId, items: [line(1)], currency: "USD" });
    expect([status, body.errorCode]).toEqual([400, "AMOUNT_TOO_HIGH"]);
  });
});

describe("an invoice in another currency", () => {
  test("charges the amount of its lines, which is shown in that currency", async () => {
    const items = [{ productName: "Machine", price: 10, minimumQuantity: 2 }];
    const { status } = await gateway.post("/invoices", {
      customerId,
      items,
      publishMethods: ["EMAIL"],
      currency: "USD",
    });
    const { orders } = await gateway.queryData("{ orders(first: 1) { nodes { amount currency } } }");
    expect([status, orders.nodes]).toEqual([201, [{ amount: "20", currency: "USD" }]]);
  });
});

test("an order and an invoice have at most 500 items", async () => {
  const items = Array.from({ length: 501 }, () => line(1));
  for (const [path, rest] of [
    ["/orders", {}],
    ["/invoices", { publishMethods: ["EMAIL"] }],
  ] as const) {
    const { status, body } = await gateway.post(path, { customerId, items, ...rest });
    expect([status, body.details?.fields?.[0]?.path]).toEqual([400, "items"]);
  }
});
