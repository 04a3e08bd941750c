import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { queryRows } from "../hostile/query-rows.ts";
import { startGateway } from "../support/test-gateway.ts";
import {
  checkoutPathOf,
  createPayableOrder,
  CheckoutPayer,
  textOfPage,
  enableSimulatedGateway,
  type PayableOrder,
} from "../support/fixtures/checkout-fixture.ts";
import { TestCatalogue } from "../support/test-catalogue.ts";
import { testCards } from "../support/test-payments.ts";

const gateway = await startGateway();
const catalogue = new TestCatalogue(gateway);
let customerId: string;

beforeAll(async () => {
  await enableSimulatedGateway(gateway);
  const { customer } = await catalogue.runMutation(
    "createCustomer",
    { name: "Kim Seo-yeon", email: "seoyeon@example.com", phone: "010-1234-5678" },
    "customer { databaseId }",
  );
  customerId = String(customer.databaseId);
});

const line = { minimumQuantity: 2, maximumQuantity: 5 };

/** An invoice for an item whose quantity the payer may choose, and the payer. */
async function invoiced(told: { product?: object; plan?: object; item?: object; invoice?: object } = {}) {
  const { databaseId, code: productCode } = await catalogue.createProduct({ type: "SOFTWARE", ...told.product });
  const { code: priceCode } = await catalogue.createPlan(databaseId, { price: "1000", ...told.plan });
  const { invoice } = await catalogue.runMutation(
    "createInvoice",
    {
      customerId,
      items: [{ productCode, priceCode, ...line, ...told.item }],
      publishMethods: ["EMAIL"],
      ...told.invoice,
    },
    "invoice { order { databaseId code items { databaseId } } }",
  );
  const order: PayableOrder = { orderId: invoice.order!.databaseId, orderCode: invoice.order!.code };
  const payer = await CheckoutPayer.open(gateway, await checkoutPathOf(gateway, order));
  const choose = (quantity: string) =>
    payer.submitForm({ action: "quantities", [`quantity${invoice.order!.items[0]!.databaseId}`]: quantity });
  return { order, payer, choose, productId: databaseId, priceCode, productCode };
}

const read = async ({ orderId }: PayableOrder) =>
  (
    await gateway.queryData(
      `query ($id: ID!) { order(id: $id) { amount paidAmount discountedAmount items { type quantity amount unitPrice } } }`,
      { id: String(orderId) },
    )
  ).order;

describe("the payer of an invoice", () => {
  test("chooses a quantity, sees the new amount, and pays it", async () => {
    const { order, payer, choose } = await invoiced();
    expect(textOfPage(payer.html)).toContain("from 2 to 5");
    expect(await choose("4")).toMatchObject({ status: 303, location: "?lang=en" });
    expect(await payer.reloadPage()).toContain("Pay ₩4,000");
    await payer.payByCard(testCards.approved);
    expect(await read(order)).toMatchObject({ amount: "4000", paidAmount: "4000", items: [{ quantity: 4 }] });
  });

  test.each(["1", "6", "0", "-3", "2.5", "many", ""])("cannot choose %j", async (quantity) => {
    const { order, payer, choose } = await invoiced();
    await choose(quantity);
    expect(await read(order)).toMatchObject({ amount: "2000", items: [{ quantity: 2 }] });
    expect(await payer.reloadPage()).toContain("Pay ₩2,000");
  });

  test("gets an error when the quantity is out of range, of another line, or of another order", async () => {
    const { choose, payer, order } = await invoiced();
    const { status, html } = await choose("6");
    expect([status, textOfPage(html)]).toEqual([409, expect.stringContaining("The quantity is not possible")]);
    const other = await invoiced();
    const others = (
      await queryRows<{ id: string }>(gateway, sql`select id from order_items where order_id = ${other.order.orderId}`)
    )[0]!;
    expect((await payer.submitForm({ action: "quantities", [`quantity${others.id}`]: "3" })).status).toBe(409);
    expect([(await read(order))!.amount, (await read(other.order))!.amount]).toEqual(["2000", "2000"]);
  });

  test("takes stock by the quantity, returns it, and gets an error when there is no more", async () => {
    const { choose, productId, payer } = await invoiced({ product: { quantity: 4 } });
    const stock = async () => (await catalogue.readProduct(productId, "quantity")).quantity;
    expect(await stock()).toBe(2);
    await choose("4");
    expect(await stock()).toBe(0);
    const { status, html } = await choose("5");
    expect([status, textOfPage(html), await stock()]).toEqual([409, expect.stringContaining("Sold out"), 0]);
    await choose("3");
    expect(await stock()).toBe(1);
    expect(await payer.reloadPage()).toContain("Pay ₩3,000");
  });

  test("pays the agreed price, also when the plan has another one today", async () => {
    const { choose, order, priceCode } = await invoiced({ item: { price: "700" } });
    const plan = (
      await gateway.queryData(`query ($id: Line!) { pricePlan(code: $id) { databaseId } }`, { id: priceCode })
    ).pricePlan;
    await catalogue.runMutation(
      "updatePricePlan",
      { id: String(plan!.databaseId), price: "9999" },
      "pricePlan { databaseId }",
    );
    await choose("3");
    expect(await read(order)).toMatchObject({ amount: "2100", items: [{ quantity: 3, unitPrice: "700" }] });
  });

  test("gets the price of the volume, its tax and its discount in the new proportion", async () => {
    const vendorSettings = { vatIncluded: false, vatRate: "10" };
    await catalogue.runMutation("updateVendorSettings", vendorSettings, "vendor { id }");
    const { choose, order } = await invoiced({
      plan: {
        type: "VOLUME_BASED",
        price: "0",
        volumes: [
          { min: 1, max: 3, price: "1000" },
          { min: 4, max: 9, price: "800" },
        ],
      },
      invoice: { discount: "200" },
    });
    expect(await read(order)).toMatchObject({ amount: "1980" });
    await choose("4");
    await catalogue.runMutation("updateVendorSettings", { vatIncluded: true }, "vendor { id }");
    const after = await read(order);
    expect(after).toMatchObject({ amount: "3300", discountedAmount: "200" });
    expect(after!.items.map(({ type, amount }) => [type, amount])).toEqual([
      ["SKU", "3200"],
      ["DISCOUNT", "-200"],
      ["TAX", "300"],
    ]);
  });

  test("cannot change it while a payment is in progress, nor once it is paid", async () => {
    const { choose, order, payer } = await invoiced();
    await payer.payByCard(testCards.challenge);
    await choose("5");
    expect((await read(order))!.amount).toBe("2000");
    await payer.payByCard(testCards.approved);
    await choose("5");
    expect(await read(order)).toMatchObject({ amount: "2000", paidAmount: "2000" });
  });

  test("pays the invoice's immediate amount first, then the rest", async () => {
    const { order, payer } = await invoiced({ invoice: { instantAmount: "500" } });
    expect(textOfPage(payer.html)).toMatch(/Total ₩2,000 Amount due ₩500/);
    const stale = await CheckoutPayer.open(gateway, payer.path);
    await payer.payByCard(testCards.approved);
    // Another tab still shows the first amount.
    const { status, html } = await stale.payByCard(testCards.approved);
    expect([status, textOfPage(html)]).toEqual([409, expect.stringContaining("The amount has changed")]);
    expect(await payer.reloadPage()).toMatch(/Total ₩2,000 Already paid ₩500 Amount due ₩1,500/);
    await payer.payByCard(testCards.approved);
    expect(await read(order)).toMatchObject({ paidAmount: "2000" });
  });
});

describe("a first-purchase discount", () => {
  const plan = { type: "ONE_TIME", price: "1000", firstSale: { enabled: true, price: "300" } };

  /** Two unpaid orders of one product: each has the discount. */
  async function twoOrders() {
    const { databaseId, code: productCode } = await catalogue.createProduct({ type: "SOFTWARE" });
    const { code: priceCode } = await catalogue.createPlan(databaseId, plan);
    const order = async () => {
      const input = { customerId, items: [{ productCode, priceCode }] };
      const { order: made } = await catalogue.runMutation("createOrder", input, "order { databaseId code amount }");
      return made;
    };
    const [first, second] = [await order(), await order()];
    expect([first.amount, second.amount]).toEqual(["700", "700"]);
    return Promise.all(
      [first, second].map(async ({ databaseId: orderId, code: orderCode }) => {
        const own: PayableOrder = { orderId, orderCode };
        return { order: own, payer: await CheckoutPayer.open(gateway, await checkoutPathOf(gateway, own)) };
      }),
    );
  }

  test("that another order has used needs a confirmation of the new amount", async () => {
    const [one, other] = await twoOrders();
    await one!.payer.payByCard(testCards.approved);
    const { status, html } = await other!.payer.payByCard(testCards.approved);
    expect([status, textOfPage(html)]).toEqual([409, expect.stringContaining("The amount has changed")]);
    expect(textOfPage(html)).toMatch(/Total ₩1,000/);
    expect(html).not.toContain("First purchase");
    expect(await read(other!.order)).toMatchObject({ amount: "1000", paidAmount: "0" });
    await other!.payer.reloadPage();
    await other!.payer.payByCard(testCards.approved);
    expect(await read(other!.order)).toMatchObject({ amount: "1000", paidAmount: "1000" });
  });

  test("is used once, however many orders are paid at once", async () => {
    const pair = await twoOrders();
    const answers = await Promise.all(pair.map(({ payer }) => payer.payByCard(testCards.slow)));
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 409]);
    const paid = await Promise.all(pair.map(async ({ order }) => (await read(order))!.paidAmount));
    expect(paid.sort()).toEqual(["0", "700"]);
  });
});

test("an order without a choice of quantity offers none", async () => {
  const payer = await CheckoutPayer.open(gateway, await checkoutPathOf(gateway, await createPayableOrder(gateway)));
  expect(payer.html).not.toContain("quantities");
});
