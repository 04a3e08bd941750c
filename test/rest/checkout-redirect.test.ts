import { beforeAll, describe, expect, test } from "vitest";
import { startGateway } from "../support/test-gateway.ts";
import {
  checkoutPathOf,
  createPayableOrder,
  getPage,
  type PayableOrder,
} from "../support/fixtures/checkout-fixture.ts";
import { expectedRefusal, expectedUnknownPath } from "../support/rest-assertions.ts";
import { TestCatalogue } from "../support/test-catalogue.ts";

const gateway = await startGateway({ publicUrl: "https://pay.example.com/billing" });
const LINK = /^https:\/\/pay\.example\.com\/billing\/checkout\/[\w-]+\.[\w-]{43}$/;

let order: PayableOrder;

beforeAll(async () => {
  order = await createPayableOrder(gateway);
});

const pay = (idOrCode: string | number, query: "" | `?${string}` = "") =>
  gateway.sendRest("GET", `/orders/${idOrCode}/pay${query}`);
const withQuery = (query: Record<string, string>) => pay(order.orderCode, `?${new URLSearchParams(query).toString()}`);

describe("GET /orders/{idOrCode}/pay", () => {
  test("redirects to a signed link of the order's checkout", async () => {
    const { status, headers, body } = await pay(order.orderCode);
    expect(status).toBe(302);
    expect(headers["location"]).toMatch(LINK);
    expect(body).toBeUndefined();
    expect(headers).not.toHaveProperty("deprecation");
    expect(headers).not.toHaveProperty("link");
    const { html } = await getPage(
      gateway,
      await checkoutPathOf(gateway, order).then((path) => path.replace("/billing", "")),
    );
    expect(html).toContain(order.orderCode);
  });

  test("accepts the number too, and says that the code should be used", async () => {
    const { status, headers } = await pay(order.orderId, "?lang=ko");
    expect(status).toBe(302);
    expect(headers["location"]).toMatch(LINK);
    expect(headers["deprecation"]).toBe("@1767225600");
    expect(headers["link"]).toBe(`</api/v1/orders/${order.orderCode}/pay?lang=ko>; rel="alternate"`);
  });

  test("names the gateway's own address, whatever Host says", async () => {
    for (const name of ["host", "x-forwarded-host"]) {
      const headers = { [name]: "evil.example" };
      const answer = await gateway.sendRest("GET", `/orders/${order.orderCode}/pay`, undefined, { headers });
      expect(answer.headers["location"]).toMatch(LINK);
    }
  });

  test("redirects when the order cannot be paid: the page says so", async () => {
    const other = await createPayableOrder(gateway);
    await gateway.queryRawData(`mutation { cancelOrder(input: { orderId: "${other.orderId}" }) { order { id } } }`);
    expect((await pay(other.orderCode)).status).toBe(302);
  });

  test.each(["order_nobodys00", "4000000", "0", "99999999999999999999", "%00", "-1"])(
    "answers 404 to %s",
    async (idOrCode) => {
      expect(await pay(idOrCode)).toMatchObject(expectedUnknownPath(404, "ORDER_NOT_FOUND", "idOrCode"));
    },
  );

  test("answers another vendor's order like an unknown one", async () => {
    const stranger = await gateway.openVendor();
    for (const idOrCode of [order.orderId, order.orderCode]) {
      const answer = await gateway.sendRest("GET", `/orders/${idOrCode}/pay`, undefined, stranger);
      expect(answer).toMatchObject(expectedUnknownPath(404, "ORDER_NOT_FOUND", "idOrCode"));
    }
  });

  test("answers an unknown order before all other errors", async () => {
    expect(await pay("order_nobodys00", "?successUrl=javascript:alert(1)")).toMatchObject(
      expectedUnknownPath(404, "ORDER_NOT_FOUND", "idOrCode"),
    );
  });
});

describe("return addresses", () => {
  test.each([
    "https://shop.example.com/thanks?cart=1#top",
    "http://localhost:3000/",
    "https://쇼핑.example/주문",
    "HTTPS://SHOP.EXAMPLE.COM",
    "",
  ])("may be %s", async (successUrl) => {
    expect((await withQuery({ successUrl })).status).toBe(302);
  });

  test.each([
    "javascript:alert(1)",
    "data:text/html,x",
    "ftp://shop.example.com/",
    "/thanks",
    "//shop.example.com",
    "shop.example.com",
    "https://",
    "https://user@shop.example.com/",
    "https://user:secret@shop.example.com/",
    "https://shop.example.com/\nx",
    "java\tscript:alert(1)",
    "\u0001https://shop.example.com/",
    "https://shop.example.com/\u0085",
    `https://shop.example.com/${"가".repeat(300)}`,
  ])("may not be %j, and the parameter is named", async (address) => {
    for (const name of ["successUrl", "errorUrl", "cancelUrl"]) {
      const { status, body } = await withQuery({ [name]: address });
      expect(status).toBe(400);
      expect(body).toMatchObject({ errorCode: "INVALID_ARGUMENT", details: { fields: [{ path: name }] } });
      expect(body!.errorMessage).not.toContain("user:secret");
    }
  });

  test("are all named when several are wrong", async () => {
    const { body } = await withQuery({ successUrl: "x", errorUrl: "https://shop.example.com", cancelUrl: "ftp://x/" });
    expect(body!.details!.fields!.map(({ path }) => path)).toEqual(["successUrl", "cancelUrl"]);
  });

  test("must be of the vendor's origins, once it has set some", async () => {
    const vendor = await gateway.openVendor();
    const own = await createPayableOrder(gateway, {}, vendor);
    await new TestCatalogue(gateway, vendor).runMutation(
      "updateVendorSettings",
      { returnOrigins: ["https://shop.example.com", "http://localhost:3000"] },
      "vendor { id }",
    );
    const statusOf = async (successUrl: string) =>
      (
        await gateway.sendRest(
          "GET",
          `/orders/${own.orderCode}/pay?${new URLSearchParams({ successUrl }).toString()}`,
          undefined,
          vendor,
        )
      ).status;
    for (const address of ["https://shop.example.com/a", "https://SHOP.example.com:443/b", "http://localhost:3000/c"])
      expect([address, await statusOf(address)]).toEqual([address, 302]);
    for (const address of [
      "http://shop.example.com/",
      "https://shop.example.com:8443/",
      "https://shop.example.com.evil.example/",
      "https://evil.example/?https://shop.example.com",
      "https://evil.example\\@shop.example.com/",
      "http://localhost:3001/",
    ])
      expect([address, await statusOf(address)]).toEqual([address, 400]);
  });

  test("get order_id, order_code and status added, replacing their own", async () => {
    const path = await checkoutPathOf(gateway, order, {
      cancelUrl: "https://shop.example.com/cart?a=%26&status=x#items",
    });
    const { html } = await getPage(gateway, path.replace("/billing", ""));
    const [, href] = /href="(https:[^"]+)"/.exec(html)!;
    const url = new URL(href!.replaceAll("&amp;", "&"));
    expect(url.origin + url.pathname + url.hash).toBe("https://shop.example.com/cart#items");
    expect([...url.searchParams]).toEqual([
      ["a", "&"],
      ["status", "cancel"],
      ["order_id", String(order.orderId)],
      ["order_code", order.orderCode],
    ]);
  });
});

test("a gateway without a key makes no link", async () => {
  const keyless = await startGateway({ secretsKeys: [] });
  const own = await createPayableOrder(keyless);
  const answer = await keyless.sendRest("GET", `/orders/${own.orderCode}/pay`);
  expect(answer).toMatchObject(expectedRefusal(400, "SECRETS_KEY_MISSING"));
});

test("GraphQL makes the same link by code, number and global id, and shows when it expires", async () => {
  const { order: known } = await gateway.queryRawData(`{ order(code: "${order.orderCode}") { id } }`);
  for (const idOrCode of [order.orderCode, String(order.orderId), known.id]) {
    const { checkoutLink } = await gateway.queryData(
      "query ($it: Line!) { checkoutLink(idOrCode: $it) { url expiresAt orderCode } }",
      { it: idOrCode },
    );
    expect(checkoutLink).toEqual({
      url: expect.stringMatching(LINK),
      expiresAt: "2026-03-02T09:30:00.000Z",
      orderCode: order.orderCode,
    });
  }
});
