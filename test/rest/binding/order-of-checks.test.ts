import { describe, expect, test } from "vitest";
import { startGateway } from "../../support/test-gateway.ts";
import { expectNoChanges, expectedRefusal } from "../../support/rest-assertions.ts";
import { uniqueName, registerCoverFixture } from "../../support/fixtures/cover-fixture.ts";

const gateway = await startGateway();
const shop = await registerCoverFixture(gateway);
const { server } = gateway.gateway;

interface Sent {
  method?: string;
  url?: string;
  token?: string | null;
  type?: string | null;
  body?: string | Buffer;
}

/** A request in which everything may be wrong. */
async function send({
  method = "POST",
  url = "/api/v1/cover/customer",
  token = gateway.vendor.token,
  type = "application/json",
  body,
}: Sent) {
  const headers = { ...(token !== null && { "secret-token": token }), ...(type !== null && { "content-type": type }) };
  const response = await server.inject({
    method: method as "POST",
    url,
    headers,
    ...(body !== undefined && { payload: body }),
  });
  return {
    status: response.statusCode,
    body: response.body && JSON.parse(response.body),
    allow: response.headers.allow,
  };
}

const customer = () =>
  JSON.stringify({ name: "Kim", email: "kim@example.com", phone: "1", partnerCustomerId: uniqueName("customer") });
const huge = `{${" ".repeat(1_048_576)}`;
const everythingWrong: Sent = {
  method: "PATCH",
  url: "/api/v1/cover/nothing",
  token: null,
  type: "text/plain",
  body: huge,
};

describe("of several errors the first in order is answered", () => {
  const checks: readonly (readonly [status: number, code: string, without: Sent])[] = [
    [404, "NOT_FOUND", {}],
    [405, "METHOD_NOT_ALLOWED", { url: "/api/v1/cover/customer" }],
    [403, "TOKEN_MISSING", { method: "POST" }],
    [415, "UNSUPPORTED_MEDIA_TYPE", { token: gateway.vendor.token }],
    [413, "PAYLOAD_TOO_LARGE", { type: "application/json" }],
    [400, "MALFORMED_JSON", { body: "{" }],
    [400, "INVALID_ARGUMENT", { body: "{}" }],
  ];
  test.each(checks.map(([status, code], index) => [status, code, checks.slice(0, index + 1)] as const))(
    "%d %s",
    (status, code, corrections) =>
      expectNoChanges(gateway, async () => {
        const request = Object.assign({}, everythingWrong, ...corrections.map(([, , without]) => without)) as Sent;
        expect(await send(request)).toMatchObject({ status, body: { errorCode: code } });
      }),
  );

  test("and without an error none is answered", async () => {
    expect(await send({ body: customer() })).toMatchObject({ status: 201 });
  });

  test.each([
    ["a wrong charset before the size", { type: "application/json; charset=iso-8859-1", body: huge }, 415],
    ["an unknown token before the media type", { token: "nobody", type: "text/plain", body: "x" }, 403],
    ["a wrong method before malformed JSON", { method: "PUT", body: "{" }, 405],
    ["an unknown path before malformed JSON", { url: "/api/v1/cover/nothing", body: "{" }, 404],
    ["an unknown path before the size", { url: "/api/v1/cover/nothing", body: huge }, 404],
    [
      "malformed JSON before an unknown id in the path",
      { method: "PUT", url: "/api/v1/cover/subscription/4000000/cancel", body: "{" },
      400,
    ],
  ] as const)("%s", async (_, request, status) => {
    expect((await send(request)).status).toBe(status);
  });
});

describe("paths and methods", () => {
  const routes: readonly (readonly [method: string, path: string])[] = [
    ["POST", "/cover/recovery"],
    ["POST", "/cover/order"],
    ["POST", "/cover/price"],
    ["POST", "/cover/customer"],
    ["POST", "/cover/product"],
    ["POST", "/cover/subscription"],
    ["PUT", "/cover/subscription/1/cancel"],
    ["PUT", "/cover/subscription/1/active"],
    ["PATCH", "/cover/order/success/1"],
    ["PATCH", "/cover/order/cancel/1"],
  ];
  const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"];

  test.each(routes)("%s %s refuses other methods and names the allowed ones in Allow", async (allowed, path) => {
    for (const method of methods.filter((one) => one !== allowed)) {
      const { status, body, allow } = await send({ method, url: `/api/v1${path}`, type: null });
      expect({ method, status, allow }).toEqual({ method, status: 405, allow: allowed });
      if (method !== "HEAD") expect({ status, body }).toEqual(expectedRefusal(405, "METHOD_NOT_ALLOWED"));
    }
  });

  test.each([
    "/api/v1",
    "/api/v1/",
    "/api/v1/cover",
    "/api/v1/cover/customer/",
    "/api/v1/cover/customer/1",
    "/api/v1//cover/customer",
    "/api/v1/Cover/Customer",
    "/api/v2/cover/customer",
    "/cover/customer",
    "/api/v1/cover/subscription/1",
    "/api/v1/cover/subscription//cancel",
    "/api/v1/cover/order/success/",
  ])("%s is no path", async (url) => {
    const { status, body } = await send({ url, body: customer() });
    expect({ status, body }).toEqual(expectedRefusal(404, "NOT_FOUND"));
  });
});

describe("media types", () => {
  test.each([
    "application/json",
    "application/json; charset=utf-8",
    "application/json;charset=UTF-8",
    'application/json; charset="utf8"',
    "Application/JSON",
  ])("%s is read", async (type) => expect((await send({ type, body: customer() })).status).toBe(201));

  test.each([
    null,
    "text/plain",
    "text/json",
    "application/x-www-form-urlencoded",
    "application/xml",
    "application/json; charset=euc-kr",
    "multipart/form-data; boundary=x",
    "*/*",
    "json",
  ])("%s is refused", (type) =>
    expectNoChanges(gateway, async () => {
      const { status, body } = await send({ type, body: customer() });
      expect({ status, body }).toEqual(expectedRefusal(415, "UNSUPPORTED_MEDIA_TYPE"));
    }),
  );

  const bodyless = [
    ["PUT", `/api/v1/cover/subscription/${shop.subscriptionId}/cancel`],
    ["PUT", `/api/v1/cover/subscription/${shop.subscriptionId}/active`],
    ["PATCH", "/api/v1/cover/order/success/"],
    ["PATCH", "/api/v1/cover/order/cancel/"],
  ] as const;
  test.each(bodyless)("%s %s needs no body, whether a JSON content type is sent or not", async (method, path) => {
    for (const sent of [
      { type: null },
      { type: "application/json" },
      { type: "application/json", body: "" },
      { type: "application/json", body: "{}" },
    ]) {
      const orderId = path.endsWith("/") ? await anOrder() : "";
      expect((await send({ method, url: `${path}${orderId}`, ...sent })).status).toBe(200);
    }
  });
});

describe("sizes", () => {
  const padded = (size: number) => customer().padEnd(size, " ");
  test.each([
    [1_048_576, 201],
    [1_048_577, 413],
  ])("a body of %d bytes is answered %d", async (size, status) => {
    expect((await send({ body: padded(size) })).status).toBe(status);
  });
});

async function anOrder(): Promise<number> {
  const order = {
    customerId: shop.customerId,
    amount: 1,
    items: [{ quantity: 1, priceId: shop.priceId }],
    partnerOrderId: uniqueName("order"),
  };
  return (await gateway.readRestBody("POST", "/cover/order", order)).id;
}
