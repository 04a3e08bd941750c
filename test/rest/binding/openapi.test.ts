import { describe, expect, test } from "vitest";
import type { RawData } from "../../support/raw-data.ts";
import { startGateway } from "../../support/test-gateway.ts";

const gateway = await startGateway();
const raw = await gateway.gateway.server.inject({ url: "/openapi.json" });
const document = raw.json();

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
  [key: string]: RawData;
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
    const marked = (extension: boolean) =>
      cover.filter((one) => (one["x-extension"] ?? false) === extension).map(({ call }) => call);
    expect(marked(false).sort()).toEqual([...contract].sort());
    expect(marked(true).sort()).toEqual([...companions].sort());
    for (const path of Object.keys(document.paths)) expect(raw.body.split(`"${path}":`)).toHaveLength(2);
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
  });

  test("requires the Secret-Token everywhere", () => {
    expect(document.components.securitySchemes).toEqual({
      SecretToken: { type: "apiKey", in: "header", name: "Secret-Token" },
    });
    expect(document.security).toEqual([{ SecretToken: [] }]);
  });

  test("offers an Idempotency-Key on every POST, PUT and PATCH, and nowhere else", () => {
    const keyed = operations.filter(({ parameters = [] }) =>
      parameters.some((one: { name: string; in: string }) => one.in === "header" && one.name === "Idempotency-Key"),
    );
    expect(keyed.map(({ call }) => call)).toEqual(
      operations.map(({ call }) => call).filter((call) => !call.startsWith("GET ")),
    );
  });

  test("defines every part that it refers to", () => {
    const references = [...raw.body.matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)].map((match) => match[1]!);
    expect(references.length).toBeGreaterThan(10);
    expect(references.filter((name) => !document.components.schemas[name])).toEqual([]);
  });

  test.each([...contract, ...companions])(
    "documents the input and the answers of %s: one success, and the refusals",
    (call) => {
      const [method, path] = call.split(" ") as [string, string];
      const { responses, parameters = [], requestBody } = operation(call);
      const expected = [
        method === "POST" ? "201" : "200",
        "400",
        "403",
        ...(/^\/api\/v1\/(?!cover|customers).*\{/.test(path) ? ["404"] : []),
      ];
      expect(Object.keys(responses)).toEqual(expect.arrayContaining(expected));
      expect(Object.keys(responses).filter((status) => status.startsWith("2"))).toEqual([expected[0]]);
      const inPath = parameters
        .filter((one: { in: string }) => one.in === "path")
        .map(({ name }: { name: string }) => name);
      expect(inPath).toEqual([...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]));
      expect(requestBody !== undefined).toBe(method === "POST");
    },
  );

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
      [
        "customerId",
        "currentPeriodStart",
        "currentPeriodEnd",
        "recurringInterval",
        "recurringIntervalCount",
        "partnerSubscriptionId",
      ],
      ["trialStart", "trialEnd", "start", "canceledAt", "cancelAtPeriodEnd", "initialOrderId", "replaceIfExists"],
    ],
    [
      "POST /api/v1/cover/order",
      ["customerId", "amount", "items", "partnerOrderId"],
      [
        ...[
          "amountReturned",
          "replaceIfExists",
          "paymentDate",
          "idKey",
          "canceledDate",
          "subscriptionId",
          "paymentInfo",
        ],
        ...["paymentFailed", "errorCode", "errorMessage", "paymentGateway"],
      ],
    ],
  ])("marks the required fields of %s", (call, required, optional) => {
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
