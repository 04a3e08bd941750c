import postgres from "postgres";
import { beforeAll, describe, expect, test } from "vitest";
import { seedOrders } from "../../bench/support/orders-seed.ts";
import { queryRows } from "../hostile/query-rows.ts";
import { startGateway } from "../support/test-gateway.ts";
import { TestCatalogue } from "../support/test-catalogue.ts";
import {
  expectedInvalidFields,
  expectedRefusal,
  statusAndBody,
  expectedUnknownPath,
  expectedUnknownReference,
} from "../support/rest-assertions.ts";

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
  const { createCustomer } = await gateway.queryData(
    `mutation { createCustomer(input: { name: "Kim Seo-yeon", email: "seoyeon@example.com", phone: "010-1234-5678" }) { customer { databaseId } } }`,
  );
  customerId = createCustomer.customer.databaseId;
});

describe("POST /orders", () => {
  test("prices the order and answers all its fields", async () => {
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
        name: "KR",
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
    expect(body.items![0]!).toMatchObject({
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
    // Values that a new line does not have yet.
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
      expect(body.items![0]!).toHaveProperty(field, null);
  });

  test("names the customer in one of three ways, or in several that agree", async () => {
    const { customer } = await gateway.queryRawData(`{ customer(id: "${customerId}") { code uuid } }`);
    const named = { customerCode: customer.code, customerUuid: customer.uuid };
    for (const name of [
      { customerCode: customer.code },
      { customerUuid: customer.uuid },
      named,
      { customerId, ...named },
    ])
      expect((await gateway.post("/orders", { ...name, items: [item] })).body.customer!.id).toBe(customerId);
    expect(statusAndBody(await gateway.post("/orders", { items: [item] }))).toEqual(
      expectedInvalidFields(["customerId", "REQUIRED"]),
    );
    const other = { customerId: customerId - 1, customerCode: customer.code, items: [item] };
    expect(statusAndBody(await gateway.post("/orders", other))).toEqual(
      expectedInvalidFields(["customerCode", "INVALID_VALUE"]),
    );
  });

  test("accepts a quantity under both of its names, and the maximum that the payer may choose", async () => {
    const { productCode, priceCode } = item;
    const made = async (fields: object) => {
      const { status, body } = await gateway.post("/orders", {
        customerId,
        items: [{ productCode, priceCode, ...fields }],
      });
      if (status !== 201) return body.details!.fields!.map(({ path }) => path);
      const { quantity, minimumQuantity, maximumQuantity } = body.items![0]!;
      return [quantity, minimumQuantity, maximumQuantity];
    };
    expect(await made({ quantity: 3 })).toEqual([3, 3, null]);
    expect(await made({ quantity: "3", minimumQuantity: 3, maximumQuantity: 9 })).toEqual([3, 3, 9]);
    expect(await made({ quantity: 0, minimumQuantity: 2 })).toEqual([2, 2, null]);
    expect(await made({ quantity: 0 })).toEqual([1, 1, null]);
    expect(await made({ quantity: 3, minimumQuantity: 2 })).toEqual(["items[0].quantity"]);
    expect(await made({ minimumQuantity: 3, maximumQuantity: 2 })).toEqual(["items[0].maximumQuantity"]);
  });

  test("accepts the chosen options as productOption", async () => {
    const catalogue = new TestCatalogue(gateway);
    const group = {
      name: "Size",
      options: [
        { name: "S", price: "0" },
        { name: "L", price: "500" },
      ],
    };
    const {
      databaseId,
      code: productCode,
      optionGroups,
    } = await catalogue.createProduct(
      { optionGroups: [group] },
      "databaseId code optionGroups { options { databaseId } }",
    );
    const { code: priceCode } = await catalogue.createPlan(databaseId, {});
    const large = optionGroups[0]!.options[1]!.databaseId;
    const choosing = (productOption: unknown) =>
      gateway.post("/orders", { customerId, items: [{ productCode, priceCode, productOption }] });
    const { body } = await choosing([String(large)]);
    expect(body.items![0]!).toMatchObject({ selectedProductOptionIds: [large], selectedProductOptionLabel: "L" });
    const refused = (await choosing([large + 1_000])).body;
    expect(refused.details!.fields![0]!.path).toBe("items[0].productOption");
    expect(refused.errorMessage).toContain("items[0].productOption");
  });

  test("uses the currency of the order or its items; by default KRW, and by GraphQL the vendor's", async () => {
    const vendor = await gateway.openVendor({ currency: "USD" });
    const catalogue = new TestCatalogue(gateway, vendor);
    const { databaseId, code: productCode } = await catalogue.createProduct();
    const { code: priceCode } = await catalogue.createPlan(databaseId, {
      price: "10",
      currencyPrice: { KRW: "13000", JPY: "1500" },
    });
    const { customer } = await catalogue.runMutation(
      "createCustomer",
      { name: "Kim", email: "kim@example.com", phone: "1" },
      "customer { databaseId }",
    );
    const line = { productCode, priceCode };
    const make = async (order: object, ...items: object[]) => {
      const fields = { customerId: customer.databaseId, items: items.map((one) => ({ ...line, ...one })), ...order };
      const { body } = await gateway.post("/orders", fields, vendor);
      return body.currency ?? body.details!.fields!.map(({ path }) => path);
    };
    expect(await make({}, {})).toBe("KRW");
    expect(await make({ currency: null }, { currency: null })).toBe("KRW");
    expect(await make({ currency: "JPY" }, {}, { currency: "JPY" })).toBe("JPY");
    expect(await make({}, {}, { currency: "JPY" })).toBe("JPY");
    expect(await make({}, { currency: "JPY" }, { currency: "USD" })).toEqual(["items[1].currency"]);
    expect(await make({ currency: "KRW" }, { currency: "JPY" })).toEqual(["items[0].currency"]);
    const input = { customerId: String(customer.databaseId), items: [{ ...line, quantity: 2 }] };
    expect((await catalogue.runMutation("createOrder", input, "order { currency items { quantity } }")).order).toEqual({
      currency: "USD",
      items: [{ quantity: 2 }],
    });
  });

  test.each([
    [{ customerId: 4_000_000 }, "There is no customer with the id given as customerId."],
    [{ customerId: null, customerCode: "customer_x" }, "There is no customer with the code given as customerCode."],
    [{ customerId: null, customerUuid: NOBODY }, "There is no customer with the uuid given as customerUuid."],
    [{ items: [] }, "items must have 1 to 500 entries."],
  ])("refuses %j and says why", async (wrong, errorMessage) => {
    const { status, body } = await gateway.post("/orders", { customerId, items: [item], ...wrong });
    expect([status, body.errorMessage]).toEqual([400, expect.stringContaining(errorMessage)]);
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
    expect(statusAndBody(await gateway.post("/orders", { customerId, items: [item], ...wrong }))).toEqual(
      expectedUnknownReference(path, code),
    );
  });

  test("refuses a deadline that has passed", async () => {
    const over = { customerId, items: [item], purchaseDeadline: gateway.clock.now().toISOString() };
    const { status, body } = await gateway.post("/orders", over);
    expect([status, body.errorCode]).toEqual([400, "INVALID_ARGUMENT"]);
    expect(body.details!.fields).toEqual([
      expect.objectContaining({
        path: "purchaseDeadline",
        code: "INVALID_VALUE",
        message: expect.stringContaining("must be in the future"),
      }),
    ]);
  });

  test("writes no row to an order's log, nor does any other call about orders", async () => {
    const body = await gateway.readRestBody("POST", "/orders", { customerId, items: [item] });
    await gateway.post("/invoices", { customerId, items: [item], publishMethods: ["EMAIL"] });
    for (const path of [body.orderId, body.code]) {
      await gateway.sendRest("GET", `/orders/${path}/pay`);
      expect((await gateway.sendRest("GET", `/orders/${path}`)).body.orderLogs).toEqual([]);
    }
    expect(await queryRows(gateway, "select type from order_logs")).toEqual([]);
  });

  test("takes stock, refuses more than is available, and returns it when the order is cancelled", async () => {
    const scarce = { productCode: "product_000000005", priceCode: "price_000000005" };
    const left = async () => (await gateway.sendRest("GET", "/products/product_000000005")).body;
    const body = await gateway.readRestBody("POST", "/orders", {
      customerId,
      items: [{ ...scarce, minimumQuantity: 3 }],
    });
    expect(await left()).toMatchObject({ quantity: 2, status: "SALE" });
    const refused = await gateway.post("/orders", { customerId, items: [item, { ...scarce, minimumQuantity: 3 }] });
    const fields = [expect.objectContaining({ path: "items[1].minimumQuantity", code: "INVALID_VALUE" })];
    expect(statusAndBody(refused)).toEqual({
      status: 400,
      body: { ...expectedRefusal(400, "OUT_OF_STOCK").body, details: expect.objectContaining({ fields }) },
    });
    expect((await gateway.post("/orders", { customerId, items: [{ ...scarce, minimumQuantity: 2 }] })).status).toBe(
      201,
    );
    expect(await left()).toMatchObject({ quantity: 0, status: "OUT_OF_STOCK" });
    expect((await gateway.post("/orders", { customerId, items: [scarce] })).body.errorCode).toBe(
      "PRODUCT_NOT_ORDERABLE",
    );
    const { cancelOrder } = await gateway.queryData(
      "mutation ($input: CancelOrderInput!) { cancelOrder(input: $input) { order { timeline(last: 1) { nodes { statusBefore statusAfter } } items { status canceledAt histories { actor category status reason } } orderLogs { type content } } } }",
      { input: { orderId: String(body.orderId), reason: "wrong size" } },
    );
    const history = { category: "CANCELLATION", reason: "wrong size" };
    const orderLogs = [{ type: "MANAGER", content: "Product 5: CANCELLED (wrong size)" }];
    expect(cancelOrder.order).toMatchObject({
      items: [
        {
          status: "CANCELED",
          canceledAt: expect.any(String),
          histories: [{ ...history, actor: "MANAGER", status: "CANCELED" }],
        },
      ],
      timeline: { nodes: [{ statusBefore: "CREATED", statusAfter: "CANCELED" }] },
      orderLogs,
    });
    expect((await gateway.sendRest("GET", `/orders/${body.orderId}`)).body).toMatchObject({
      items: [
        {
          status: "CANCELLED",
          canceledDateTime: expect.any(String),
          histories: [{ ...history, status: "CANCELLED" }],
        },
      ],
      orderLogs,
    });
    expect(await left()).toMatchObject({ quantity: 3, status: "SALE" });
  });

  test("are cancelled in two spellings: CANCELLED as the contract has it, CANCELED in GraphQL", async () => {
    const { body } = await gateway.post("/orders", { customerId, items: [item] });
    const cancel = "mutation ($input: CancelOrderInput!) { cancelOrder(input: $input) { order { databaseId } } }";
    const input = { orderId: String(body.orderId) };
    await gateway.queryData(cancel, { input });
    const { orders } = await gateway.queryData(
      "{ orders(first: 1, filter: { status: CANCELED }) { nodes { databaseId } } }",
    );
    expect(orders.nodes).toEqual([{ databaseId: body.orderId }]);
    const listed = await gateway.sendRest("GET", "/orders?status=CANCELLED&size=1");
    expect(listed.body.content).toMatchObject([{ id: body.orderId }]);
    const wrong = await gateway.sendRest("GET", "/orders?status=CANCELED&size=1");
    expect(wrong).toMatchObject({ status: 400, body: { details: { fields: [{ path: "status" }] } } });
    expect((await gateway.sendGraphQL(cancel, { input })).errors![0]!.message).toContain(
      " is CANCELED, so cancelOrder is not",
    );
  });

  test("a repeat with the same Idempotency-Key is one order", async () => {
    const total = async () => (await gateway.sendRest("GET", "/orders?size=1")).body.totalElements as number;
    const before = await total();
    const headers = { "idempotency-key": "order-1" };
    const first = await gateway.post("/orders", { customerId, items: [item] }, { headers });
    const again = await gateway.post("/orders", { customerId, items: [item] }, { headers });
    expect(again.body).toEqual(first.body);
    expect(await total()).toBe(before + 1);
  });
});

describe("GET /orders/{idOrCode}", () => {
  test("answers the fields of the list and those of a creation, by number and by code", async () => {
    const made = await gateway.readRestBody("POST", "/orders", { customerId, items: [item] });
    const listed = await gateway.readRestBody("GET", `/orders?type=orderCode&keyword=${made.code}`);
    const { status, body } = await gateway.sendRest("GET", `/orders/${made.orderId}`);
    expect(status).toBe(200);
    expect(body).toEqual({ ...made, ...listed.content[0], items: made.items });
    expect((await gateway.sendRest("GET", `/orders/${made.code}`)).body).toEqual(body);
  });

  test.each(["order_nobodys00", "4000000", "0", "%00", "theirs"])(
    "is 404 when the vendor has no order %s",
    async (it) => {
      const stranger = await gateway.openVendor();
      const path = it === "theirs" ? "order_000000001" : it;
      expect(statusAndBody(await gateway.sendRest("GET", `/orders/${path}`, undefined, stranger))).toEqual(
        expectedUnknownPath(404, "ORDER_NOT_FOUND", "idOrCode"),
      );
    },
  );
});

describe("GET /orders", () => {
  test("lists orders in the page envelope", async () => {
    const { body } = await gateway.sendRest("GET", "/orders?size=2&page=1&endDate=2025-12-31&sortDir=ASC");
    expect(Object.keys(body.content![0]!)).toEqual([
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
    expect(body.content![0]!).toMatchObject({
      code: "order_000000003",
      price: 37_800,
      region: { code: "KR", currency: "KRW" },
    });
  });

  test("filters by the state of a product line", async () => {
    const finished = (await gateway.sendRest("GET", "/orders?status=FINISHED_SUCCESSFULLY")).body;
    expect(finished.totalElements).toBe(8);
    expect((await gateway.sendRest("GET", "/orders?status=UNKNOWN")).status).toBe(400);
  });
});
