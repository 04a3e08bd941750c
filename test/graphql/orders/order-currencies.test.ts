import { describe, expect, test } from "vitest";
import { startGateway } from "../../support/test-gateway.ts";
import { TestCatalogue } from "../../support/test-catalogue.ts";

const gateway = await startGateway();
const catalogue = new TestCatalogue(gateway);
const { customer } = await catalogue.runMutation(
  "createCustomer",
  { name: "Kim Seo-yeon", email: "seoyeon@example.com", phone: "010-1234-5678" },
  "customer { databaseId }",
);
const customerId = customer.databaseId;

const setRate = (currency: string, rate: string) =>
  catalogue.runMutation("setExchangeRate", { currency, rate }, "exchangeRates { rate }");

async function offer(plan: object): Promise<{ productCode: string; priceCode: string }> {
  const product = await catalogue.createProduct();
  return { productCode: product.code, priceCode: (await catalogue.createPlan(product.databaseId, plan)).code };
}

/** The amounts of an order: of a new order REST shows only what was paid. */
const amountOf = async ({ orderId }: { orderId?: number }): Promise<string> =>
  (await gateway.queryData("query ($id: ID!) { order(id: $id) { amount } }", { id: String(orderId) })).order!.amount;

describe("an order in another currency", () => {
  test("is priced by all decimals of the rate, and saves the rate", async () => {
    await setRate("KWD", "0.000222717149");
    const items = [{ ...(await offer({ price: "50000000" })), minimumQuantity: 1 }];
    const { status, body } = await gateway.post("/orders", { customerId, items, currency: "KWD" });
    // 50,000,000 at 0.000223, the rate cut to six decimals, would be 11,150.
    expect([status, body.exchangeRate, await amountOf(body)]).toEqual([201, 0.000222717149, "11135.857"]);
  });

  test("shows the rate that its own prices amount to, whatever the discounts", async () => {
    const line = await offer({ price: "13000", currencyPrice: { EUR: "9" } });
    const { invoice } = await catalogue.runMutation(
      "createInvoice",
      { customerId: String(customerId), items: [line], publishMethods: ["EMAIL"], currency: "EUR", discount: "4" },
      "invoice { order { amount exchangeRate } }",
    );
    expect(invoice.order).toEqual({ amount: "5", exchangeRate: "0.000692307692" });
  });

  test("needs a price in that currency once its rate was removed", async () => {
    await setRate("JPY", "0.11");
    await catalogue.runMutation("removeExchangeRate", { currency: "JPY" }, "exchangeRates { currency }");
    const order = async (plan: object) =>
      (await gateway.post("/orders", { customerId, items: [await offer(plan)], currency: "JPY" })).body;
    expect((await order({ price: "13000" })).errorCode).toBe("NO_EXCHANGE_RATE");
    expect(await amountOf(await order({ price: "13000", currencyPrice: { JPY: "1430" } }))).toBe("1430");
  });
});
