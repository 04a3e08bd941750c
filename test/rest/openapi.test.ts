import { describe, expect, test } from "vitest";
import { startGateway, type Answer } from "../support/gateway.ts";
import { misfits, type Schema } from "../support/schemas.ts";
import { fresh, orderOf, registerOrder, registerShop } from "../support/shop.ts";

const gateway = await startGateway();
const raw = await gateway.gateway.server.inject({ url: "/openapi.json" });
const document = raw.json();
const shop = await registerShop(gateway);

const contract = [
  "POST /api/v1/cover/recovery",
  "POST /api/v1/cover/order",
  "POST /api/v1/cover/price",
  "POST /api/v1/cover/customer",
  "PUT /api/v1/cover/subscription/{subscriptionId}/cancel",
];
const companions = [
  "POST /api/v1/cover/product",
  "POST /api/v1/cover/subscription",
  "PUT /api/v1/cover/subscription/{subscriptionId}/active",
  "PATCH /api/v1/cover/order/success/{orderId}",
  "PATCH /api/v1/cover/order/cancel/{orderId}",
];

interface Operation {
  call: string;
  [key: string]: any;
}
const operations: Operation[] = Object.entries<Record<string, object>>(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ ...operation, call: `${method.toUpperCase()} ${path}` })),
);
const operation = (call: string) => operations.find((one) => one.call === call)!;

describe("the OpenAPI document", () => {
  test("is served to everybody, as JSON, in version 1.0", () => {
    expect(raw.statusCode).toBe(200);
    expect(raw.headers["content-type"]).toMatch(/^application\/json/);
    expect([document.openapi, document.info.version]).toEqual([expect.stringMatching(/^3\.1\./), "1.0"]);
  });

  test("has every call of the recovery module exactly once, the companions marked", () => {
    const cover = operations.filter(({ call }) => call.includes("/cover/"));
    const marked = (extension: boolean) => cover.filter((one) => (one["x-extension"] ?? false) === extension).map(({ call }) => call);
    expect(marked(false).sort()).toEqual([...contract].sort());
    expect(marked(true).sort()).toEqual([...companions].sort());
    for (const path of Object.keys(document.paths)) expect(raw.body.split(`"${path}":`)).toHaveLength(2);
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
  });

  test("asks for the Secret-Token everywhere", () => {
    expect(document.components.securitySchemes).toEqual({ SecretToken: { type: "apiKey", in: "header", name: "Secret-Token" } });
    expect(document.security).toEqual([{ SecretToken: [] }]);
  });

  test("names every part that it refers to", () => {
    const references = [...raw.body.matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)].map((match) => match[1]!);
    expect(references.length).toBeGreaterThan(10);
    expect(references.filter((name) => !document.components.schemas[name])).toEqual([]);
  });

  test.each([...contract, ...companions])("tells what %s takes and answers: one success, and the refusals", (call) => {
    const [method, path] = call.split(" ") as [string, string];
    const { responses, parameters = [], requestBody } = operation(call);
    const expected = [method === "POST" ? "201" : "200", "400", "403", ...(path.includes("{") ? ["404"] : [])];
    expect(Object.keys(responses)).toEqual(expect.arrayContaining(expected));
    expect(Object.keys(responses).filter((status) => status.startsWith("2"))).toEqual([expected[0]]);
    const inPath = parameters.filter((one: { in: string }) => one.in === "path").map(({ name }: { name: string }) => name);
    expect(inPath).toEqual([...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]));
    expect(requestBody !== undefined).toBe(method === "POST");
  });

  test.each([
    ["POST /api/v1/cover/recovery", ["subscriptionId", "orderId"], ["errorCode", "errorMessage"]],
    ["POST /api/v1/cover/customer", ["name", "email", "phone", "partnerCustomerId"], ["replaceIfExists"]],
    ["POST /api/v1/cover/product", ["name", "partnerProductId"], ["featuredImageUrl", "replaceIfExists"]],
    [
      "POST /api/v1/cover/price",
      ["name", "productId", "price", "partnerPriceId"],
      ["isRecurring", "replaceIfExists", "recurringInterval", "recurringIntervalCount"],
    ],
    [
      "POST /api/v1/cover/subscription",
      ["customerId", "currentPeriodStart", "currentPeriodEnd", "recurringInterval", "recurringIntervalCount", "partnerSubscriptionId"],
      ["trialStart", "trialEnd", "start", "canceledAt", "cancelAtPeriodEnd", "initialOrderId", "replaceIfExists"],
    ],
    [
      "POST /api/v1/cover/order",
      ["customerId", "amount", "items", "partnerOrderId"],
      [
        ...["amountReturned", "replaceIfExists", "paymentDate", "idKey", "canceledDate", "subscriptionId", "paymentInfo"],
        ...["paymentFailed", "errorCode", "errorMessage", "paymentGateway"],
      ],
    ],
  ])("marks what is required of %s", (call, required, optional) => {
    const { schema } = operation(call).requestBody.content["application/json"];
    expect([...schema.required].sort()).toEqual([...required].sort());
    expect(Object.keys(schema.properties).sort()).toEqual([...required, ...optional].sort());
  });

  test("lists the 24 gateways and the 16 states of an order", () => {
    const { schema } = operation("POST /api/v1/cover/order").requestBody.content["application/json"];
    const numbered = Array.from({ length: 21 }, (_, index) => `PROVIDER_${String(index + 1).padStart(2, "0")}`);
    expect(schema.properties.paymentGateway.enum.sort()).toEqual(["EMPTY", "UNKNOWN", "HOUSE", ...numbered].sort());
    expect(document.components.schemas.RecoveryOrder.properties.status.enum).toHaveLength(16);
  });
});

/** Live calls, with all fields and with the least. */
const failed = await registerOrder(gateway, shop, { subscriptionId: shop.subscriptionId, paymentFailed: true, errorCode: "51" });
const paid = await registerOrder(gateway, shop, { paymentDate: "2026-03-01T00:00:00Z", canceledDate: null, idKey: "x", amount: 0.000001 });
const period = { currentPeriodStart: "2026-02-01T00:00:00Z", currentPeriodEnd: "2026-03-01T00:00:00Z", recurringInterval: "DAY", recurringIntervalCount: 1 };
const subscription = (rest: object = {}) => ({ customerId: shop.customerId, partnerSubscriptionId: fresh("subscription"), ...period, ...rest });

const live: readonly (readonly [call: string, send: () => Promise<Answer>])[] = [
  [contract[0]!, () => gateway.post("/cover/recovery", { subscriptionId: shop.subscriptionId, orderId: failed.id, errorCode: "51" })],
  [contract[0]!, () => gateway.post("/cover/recovery", { subscriptionId: shop.subscriptionId, orderId: failed.id, errorCode: "41" })],
  [contract[1]!, () => gateway.post("/cover/order", orderOf(shop))],
  [contract[1]!, () => gateway.post("/cover/order", orderOf(shop, { paymentFailed: true, canceledDate: "2026-03-01T00:00:00Z", amountReturned: 1.5 }))],
  [contract[2]!, () => gateway.post("/cover/price", { name: "x", productId: shop.productId, price: 1, partnerPriceId: fresh("price") })],
  [contract[2]!, () => gateway.post("/cover/price", { name: "x", productId: shop.productId, price: 1, partnerPriceId: fresh("price"), recurringInterval: "DAY" })],
  [contract[3]!, () => gateway.post("/cover/customer", { name: "x", email: "x@example.com", phone: "+1", partnerCustomerId: fresh("customer") })],
  [companions[0]!, () => gateway.post("/cover/product", { name: "x", partnerProductId: fresh("product") })],
  [companions[1]!, () => gateway.post("/cover/subscription", subscription())],
  [companions[1]!, () => gateway.post("/cover/subscription", subscription({ initialOrderId: paid.id, trialStart: "2026-01-01T00:00:00Z", canceledAt: "2026-03-01T00:00:00Z" }))],
  [companions[3]!, () => gateway.rest("PATCH", `/cover/order/success/${failed.id}`)],
  [companions[4]!, async () => gateway.rest("PATCH", `/cover/order/cancel/${(await registerOrder(gateway, shop)).id}`)],
  [contract[4]!, () => gateway.rest("PUT", `/cover/subscription/${shop.subscriptionId}/cancel`)],
  [companions[2]!, () => gateway.rest("PUT", `/cover/subscription/${shop.subscriptionId}/active`)],
];

const schemaOf = (call: string, status: number): Schema => operation(call).responses[status]?.content["application/json"].schema;

describe("a live answer fits its schema", () => {
  test.each(live)("%s", async (call, send) => {
    const { status, body, headers } = await send();
    expect([status, headers["content-type"]]).toEqual([call.startsWith("POST") ? 201 : 200, "application/json; charset=utf-8"]);
    expect(misfits(document, schemaOf(call, status), body)).toEqual([]);
  });

  test.each([
    [contract[3]!, 400, () => gateway.post("/cover/customer", {})],
    [contract[3]!, 403, () => gateway.post("/cover/customer", {}, { token: null })],
    [contract[4]!, 404, () => gateway.rest("PUT", "/cover/subscription/4000000/cancel")],
  ] as const)("a refusal as well: %s %d", async (call, expected, send) => {
    const { status, body } = await send();
    expect(status).toBe(expected);
    expect(misfits(document, schemaOf(call, status), body)).toEqual([]);
  });

  test("and what does not fit is seen", () => {
    const schema = schemaOf(contract[3]!, 201);
    const customer = { id: 1, name: "x", email: "x", phone: "x", partnerCustomerId: "x" };
    expect(misfits(document, schema, customer)).toEqual([]);
    expect(misfits(document, schema, { ...customer, id: "1" })).toHaveLength(1);
    expect(misfits(document, schema, { ...customer, name: null })).toHaveLength(1);
    expect(misfits(document, schema, { ...customer, more: 1 })).toHaveLength(1);
    expect(misfits(document, schema, { ...customer, phone: undefined })).toHaveLength(1);
  });
});
