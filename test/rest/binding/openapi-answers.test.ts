import { describe, expect, test } from "vitest";
import { startGateway, type TestResponse } from "../../support/test-gateway.ts";
import { schemaViolations, type JsonSchema } from "../../support/json-schema-check.ts";
import {
  uniqueName,
  minimalOrder,
  registerCoverOrder,
  registerCoverFixture,
} from "../../support/fixtures/cover-fixture.ts";

const gateway = await startGateway();
const document = (await gateway.gateway.server.inject({ url: "/openapi.json" })).json();
const shop = await registerCoverFixture(gateway);

/** Live calls, with all fields and with the required ones. */
const failed = await registerCoverOrder(gateway, shop, {
  subscriptionId: shop.subscriptionId,
  paymentFailed: true,
  errorCode: "51",
});
const paid = await registerCoverOrder(gateway, shop, {
  paymentDate: "2026-03-01T00:00:00Z",
  canceledDate: null,
  idKey: "x",
  amount: 0.000001,
});
const period = {
  currentPeriodStart: "2026-02-01T00:00:00Z",
  currentPeriodEnd: "2026-03-01T00:00:00Z",
  recurringInterval: "DAY",
  recurringIntervalCount: 1,
};
const subscription = (rest: object = {}) => ({
  customerId: shop.customerId,
  partnerSubscriptionId: uniqueName("subscription"),
  ...period,
  ...rest,
});

const live: readonly (readonly [call: string, send: () => Promise<TestResponse>])[] = [
  [
    "POST /cover/recovery",
    () => gateway.post("/cover/recovery", { subscriptionId: shop.subscriptionId, orderId: failed.id, errorCode: "51" }),
  ],
  [
    "POST /cover/recovery",
    () => gateway.post("/cover/recovery", { subscriptionId: shop.subscriptionId, orderId: failed.id, errorCode: "41" }),
  ],
  ["POST /cover/order", () => gateway.post("/cover/order", minimalOrder(shop))],
  [
    "POST /cover/order",
    () =>
      gateway.post(
        "/cover/order",
        minimalOrder(shop, { paymentFailed: true, canceledDate: "2026-03-01T00:00:00Z", amountReturned: 1.5 }),
      ),
  ],
  [
    "POST /cover/price",
    () =>
      gateway.post("/cover/price", {
        name: "x",
        productId: shop.productId,
        price: 1,
        partnerPriceId: uniqueName("price"),
      }),
  ],
  [
    "POST /cover/price",
    () =>
      gateway.post("/cover/price", {
        name: "x",
        productId: shop.productId,
        price: 1,
        partnerPriceId: uniqueName("price"),
        recurringInterval: "DAY",
      }),
  ],
  [
    "POST /cover/customer",
    () =>
      gateway.post("/cover/customer", {
        name: "x",
        email: "x@example.com",
        phone: "+1",
        partnerCustomerId: uniqueName("customer"),
      }),
  ],
  ["POST /cover/product", () => gateway.post("/cover/product", { name: "x", partnerProductId: uniqueName("product") })],
  ["POST /cover/subscription", () => gateway.post("/cover/subscription", subscription())],
  [
    "POST /cover/subscription",
    () =>
      gateway.post(
        "/cover/subscription",
        subscription({
          initialOrderId: paid.id,
          trialStart: "2026-01-01T00:00:00Z",
          canceledAt: "2026-03-01T00:00:00Z",
        }),
      ),
  ],
  ["PATCH /cover/order/success/{orderId}", () => gateway.sendRest("PATCH", `/cover/order/success/${failed.id}`)],
  [
    "PATCH /cover/order/cancel/{orderId}",
    async () => gateway.sendRest("PATCH", `/cover/order/cancel/${(await registerCoverOrder(gateway, shop)).id}`),
  ],
  [
    "PUT /cover/subscription/{subscriptionId}/cancel",
    () => gateway.sendRest("PUT", `/cover/subscription/${shop.subscriptionId}/cancel`),
  ],
  [
    "PUT /cover/subscription/{subscriptionId}/active",
    () => gateway.sendRest("PUT", `/cover/subscription/${shop.subscriptionId}/active`),
  ],
];

const schemaOf = (call: string, status: number): JsonSchema => {
  const [method, path] = call.split(" ") as [string, string];
  return document.paths[`/api/v1${path}`][method.toLowerCase()].responses[status].content["application/json"].schema;
};

describe("a live answer fits its schema", () => {
  test.each(live)("%s", async (call, send) => {
    const { status, body, headers } = await send();
    expect([status, headers["content-type"]]).toEqual([
      call.startsWith("POST") ? 201 : 200,
      "application/json; charset=utf-8",
    ]);
    expect(schemaViolations(document, schemaOf(call, status), body)).toEqual([]);
  });

  test.each([
    ["POST /cover/customer", 400, () => gateway.post("/cover/customer", {})],
    ["POST /cover/customer", 403, () => gateway.post("/cover/customer", {}, { token: null })],
    [
      "PUT /cover/subscription/{subscriptionId}/cancel",
      400,
      () => gateway.sendRest("PUT", "/cover/subscription/4000000/cancel"),
    ],
    ["GET /products/{code}", 404, () => gateway.sendRest("GET", "/products/product_nobodys00")],
  ] as const)("a live refusal fits its schema: %s %d", async (call, expected, send) => {
    const { status, body } = await send();
    expect(status).toBe(expected);
    expect(schemaViolations(document, schemaOf(call, status), body)).toEqual([]);
  });

  test("and the check detects a misfit", () => {
    const schema = schemaOf("POST /cover/customer", 201);
    const customer = { id: 1, name: "x", email: "x", phone: "x", partnerCustomerId: "x" };
    expect(schemaViolations(document, schema, customer)).toEqual([]);
    expect(schemaViolations(document, schema, { ...customer, id: "1" })).toHaveLength(1);
    expect(schemaViolations(document, schema, { ...customer, name: null })).toHaveLength(1);
    expect(schemaViolations(document, schema, { ...customer, more: 1 })).toHaveLength(1);
    expect(schemaViolations(document, schema, { ...customer, phone: undefined })).toHaveLength(1);
  });
});
