import postgres from "postgres";
import { beforeAll, describe, expect, test } from "vitest";
import { seedOrders } from "../../bench/orders-seed.ts";
import { startGateway } from "../support/gateway.ts";
import { refusal, said, unknownReference } from "../support/rest.ts";

const NOBODY = "1f0c8c3e-0000-4000-8000-000000000000";

const gateway = await startGateway();
let customerId: number;
const item = { productCode: "product_000000001", priceCode: "price_000000001", minimumQuantity: 2 };

beforeAll(async () => {
  const sql = postgres(gateway.databaseUrl, { max: 1 });
  const volume = { ordersEach: 40, lines: 2, customersEach: 3, productsEach: 5 };
  await seedOrders(sql, { vendorIds: [gateway.vendor.id], ...volume });
  await sql`update products set quantity = 5 where code = 'product_000000005'`;
  await sql.end();
  const { createCustomer } = await gateway.data(
    `mutation { createCustomer(input: { name: "Kim Seo-yeon", email: "seoyeon@example.com", phone: "010-1234-5678" }) { customer { databaseId } } }`,
  );
  customerId = createCustomer.customer.databaseId;
});

describe("POST /orders", () => {
  test("reckons the order and answers all of it", async () => {
    const { status, body } = await gateway.post("/orders", { customerId, items: [item] });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      orderId: expect.any(Number),
      orderCode: body.code,
      code: expect.stringMatching(/^order_[A-Za-z0-9]{9}$/),
      type: "RECURRING_INITIAL",
      paidAmount: 0,
      returnedAmount: 0,
      leftAmount: 0,
      discountedAmount: 0,
      productName: "Product 1",
      orderLogs: [],
      subscriptions: [],
      relatedOrders: [],
      currency: "KRW",
      exchangeRate: 1,
      region: {
        name: "South Korea",
        currencies: ["KRW"],
        country: "South Korea",
        countryCode: "KR",
        state: null,
        language: "ko",
      },
      baseCurrency: "KRW",
      customer: { id: customerId, name: "Kim Seo-yeon", attributes: {}, shipping: null },
      paymentDate: null,
      purchaseDeadline: null,
      payment: null,
      idKey: expect.stringMatching(/^\d{13}[A-Za-z0-9]{16}$/),
      parentSubscription: null,
      childOrders: [],
      paymentMethod: null,
      currencyPrice: {},
    });
    expect(body.items).toHaveLength(1);
    expect(body.items[0]).toMatchObject({
      code: expect.stringMatching(/^order_item_[A-Za-z0-9]{9}$/),
      type: "SKU",
      status: "CREATED",
      quantity: 2,
      minimumQuantity: 2,
      maximumQuantity: null,
      orderedProductName: "Product 1",
      orderedPlanName: "Every month",
      price: { code: "price_000000001", price: 18_900, recurring: { interval: "MONTH", intervalCount: 1 } },
      product: { code: "product_000000001", availableRegions: [], prices: [{ code: "price_000000001" }] },
    });
    // What a fresh line has none of yet.
    for (const field of [
      "canceledDateTime",
      "discountName",
      "relatedOrderItemId",
      "priceSetupType",
      "demoCycle",
      "usedCount",
      "usageFormula",
      "deliveryCode",
      "histories",
      "parentOrderItemCode",
      "unitChangeHistory",
      "unitCount",
    ])
      expect(body.items[0]).toHaveProperty(field, null);
  });

  test("names the customer in one of three ways, and only in one", async () => {
    const { customer } = await gateway.data(`{ customer(id: "${customerId}") { code uuid } }`);
    for (const name of [{ customerCode: customer.code }, { customerUuid: customer.uuid }])
      expect((await gateway.post("/orders", { ...name, items: [item] })).body.customer.id).toBe(customerId);
    for (const names of [{}, { customerId, customerCode: customer.code }])
      expect((await gateway.post("/orders", { ...names, items: [item] })).body.errorCode).toBe("INVALID_ARGUMENT");
  });

  test.each([
    [{ customerId: 4_000_000 }, "There is no customer with the id given as customerId."],
    [{ customerId: null, customerCode: "customer_x" }, "There is no customer with the code given as customerCode."],
    [{ customerId: null, customerUuid: NOBODY }, "There is no customer with the uuid given as customerUuid."],
    [{ items: [] }, "items must have 1 to 500 entries."],
  ])("says of %j what is wrong", async (wrong, errorMessage) => {
    const { status, body } = await gateway.post("/orders", { customerId, items: [item], ...wrong });
    expect([status, body.errorMessage]).toEqual([400, errorMessage]);
  });

  test.each([
    ["an unknown customer", { customerId: 4_000_000 }, "customerId", "CUSTOMER_NOT_FOUND"],
    [
      "an unknown product",
      { items: [item, { ...item, productCode: "product_x" }] },
      "items[1].productCode",
      "PRODUCT_NOT_FOUND",
    ],
    ["an unknown plan", { items: [{ ...item, priceCode: "price_x" }] }, "items[0].priceCode", "PRICE_NOT_FOUND"],
    [
      "another product's plan",
      { items: [{ ...item, priceCode: "price_000000002" }] },
      "items[0].priceCode",
      "PRICE_NOT_FOUND",
    ],
  ])("refuses %s", async (_, wrong, path, code) => {
    expect(said(await gateway.post("/orders", { customerId, items: [item], ...wrong }))).toEqual(
      unknownReference(path, code),
    );
  });

  test("refuses a deadline that has passed", async () => {
    const over = { customerId, items: [item], purchaseDeadline: gateway.clock.now().toISOString() };
    const { status, body } = await gateway.post("/orders", over);
    expect([status, body.errorCode]).toEqual([400, "INVALID_ARGUMENT"]);
    expect(body.details.fields).toEqual([
      { path: "purchaseDeadline", code: "INVALID_VALUE", message: expect.stringContaining("must be in the future") },
    ]);
  });

  test("takes stock, refuses what there is not, and gives it back when the order is cancelled", async () => {
    const scarce = { productCode: "product_000000005", priceCode: "price_000000005" };
    const left = async () => (await gateway.rest("GET", "/products/product_000000005")).body;
    const { body } = await gateway.post("/orders", { customerId, items: [{ ...scarce, minimumQuantity: 3 }] });
    expect(await left()).toMatchObject({ quantity: 2, status: "SALE" });
    const refused = await gateway.post("/orders", { customerId, items: [item, { ...scarce, minimumQuantity: 3 }] });
    const fields = [{ path: "items[1].minimumQuantity", code: "INVALID_VALUE", message: refused.body.errorMessage }];
    expect(said(refused)).toEqual({
      status: 400,
      body: { ...refusal(400, "OUT_OF_STOCK").body, details: { fields } },
    });
    expect((await gateway.post("/orders", { customerId, items: [{ ...scarce, minimumQuantity: 2 }] })).status).toBe(
      201,
    );
    expect(await left()).toMatchObject({ quantity: 0, status: "OUT_OF_STOCK" });
    expect((await gateway.post("/orders", { customerId, items: [scarce] })).body.errorCode).toBe(
      "PRODUCT_NOT_ORDERABLE",
    );
    const { cancelOrder } = await gateway.data(
      "mutation ($input: CancelOrderInput!) { cancelOrder(input: $input) { order { items { status canceledDateTime histories { actor category status reason } } orderLogs { type content } } } }",
      { input: { orderId: String(body.orderId), reason: "wrong size" } },
    );
    expect(cancelOrder.order).toMatchObject({
      items: [
        {
          status: "CANCELLED",
          canceledDateTime: expect.any(String),
          histories: [{ actor: "MANAGER", category: "CANCELLATION", status: "CANCELLED", reason: "wrong size" }],
        },
      ],
      orderLogs: [{ type: "MANAGER", content: "Product 5: CANCELLED (wrong size)" }],
    });
    expect(await left()).toMatchObject({ quantity: 3, status: "SALE" });
  });

  test("a repeat with the same Idempotency-Key is one order", async () => {
    const total = async () => (await gateway.rest("GET", "/orders?size=1")).body.totalElements as number;
    const before = await total();
    const headers = { "idempotency-key": "order-1" };
    const first = await gateway.post("/orders", { customerId, items: [item] }, { headers });
    const again = await gateway.post("/orders", { customerId, items: [item] }, { headers });
    expect(again.body).toEqual(first.body);
    expect(await total()).toBe(before + 1);
  });
});

describe("GET /orders", () => {
  test("lists orders in the page envelope", async () => {
    const { body } = await gateway.rest("GET", "/orders?size=2&page=1&endDate=2025-12-31&sortDir=ASC");
    expect(Object.keys(body.content[0])).toEqual([
      "id",
      "code",
      "customerName",
      "type",
      "productName",
      "items",
      "price",
      "paymentDate",
      "paymentMethod",
      "purchaseDeadline",
      "createdAt",
      "modifiedAt",
      "claimMethodType",
      "paidAmount",
      "returnedAmount",
      "leftAmount",
      "exchangeRate",
      "region",
      "currency",
      "baseCurrency",
    ]);
    expect(body).toMatchObject({ number: 1, size: 2, numberOfElements: 2, first: false });
    expect(body.content[0]).toMatchObject({
      code: "order_000000003",
      price: 37_800,
      region: { code: "KR", currency: "KRW" },
    });
  });

  test("filters by the state of a product line", async () => {
    const paid = (await gateway.rest("GET", "/orders?status=ORDER_DELIVERY_COMPLETED")).body;
    expect(paid.totalElements).toBe(8);
    expect((await gateway.rest("GET", "/orders?status=UNKNOWN")).status).toBe(400);
  });
});
