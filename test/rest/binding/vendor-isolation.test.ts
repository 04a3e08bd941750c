import { describe, expect, test } from "vitest";
import { startGateway, type RequestOptions } from "../../support/test-gateway.ts";
import { expectNoChanges, sendRestForText, type RawResponse } from "../../support/rest-assertions.ts";
import {
  uniqueName,
  registerCoverOrder,
  registerCoverFixture,
  type CoverFixture,
} from "../../support/fixtures/cover-fixture.ts";

const gateway = await startGateway();
const stranger = { token: (await gateway.openVendor({ name: "Stranger" })).token };

type Records = CoverFixture & { orderId: number };

async function openShop(options?: RequestOptions): Promise<Records> {
  const shop = await registerCoverFixture(gateway, options);
  return {
    ...shop,
    orderId: (await registerCoverOrder(gateway, shop, { subscriptionId: shop.subscriptionId }, options)).id,
  };
}

const ours = await openShop();
const theirs = await openShop(stranger);

/** An unused id. */
const NOBODYS = 4_000_000;

type Call = readonly [method: "POST" | "PUT" | "PATCH", path: string, body?: object];

const order = ({ customerId, priceId }: Records, rest: object): Call => [
  "POST",
  "/cover/order",
  { customerId, amount: 1, items: [{ quantity: 1, priceId }], partnerOrderId: uniqueName("order"), ...rest },
];
const subscription = ({ customerId }: Records, rest: object): Call => [
  "POST",
  "/cover/subscription",
  {
    customerId,
    currentPeriodStart: "2026-02-01T00:00:00Z",
    currentPeriodEnd: "2026-03-01T00:00:00Z",
    recurringInterval: "MONTH",
    recurringIntervalCount: 1,
    partnerSubscriptionId: uniqueName("subscription"),
    ...rest,
  },
];

/** Every place where an id can stand: its type of record, and the call with that id among one's own records. */
const places: Record<string, readonly [key: keyof Records, status: number, call: (own: Records, id: number) => Call]> =
  {
    "the subscription of a recovery": [
      "subscriptionId",
      400,
      ({ orderId }, id) => ["POST", "/cover/recovery", { subscriptionId: id, orderId }],
    ],
    "the order of a recovery": [
      "orderId",
      400,
      ({ subscriptionId }, id) => ["POST", "/cover/recovery", { subscriptionId, orderId: id }],
    ],
    "the product of a plan": [
      "productId",
      400,
      (_, id) => ["POST", "/cover/price", { name: "x", productId: id, price: 1, partnerPriceId: uniqueName("price") }],
    ],
    "the customer of an order": ["customerId", 400, (own, id) => order(own, { customerId: id })],
    "the subscription of an order": ["subscriptionId", 400, (own, id) => order(own, { subscriptionId: id })],
    "the subscription of a failed order": [
      "subscriptionId",
      400,
      (own, id) => order(own, { subscriptionId: id, paymentFailed: true }),
    ],
    "the plan of a line": [
      "priceId",
      400,
      (own, id) => order(own, { items: [own.priceId, id].map((priceId) => ({ quantity: 1, priceId })) }),
    ],
    "the customer of a subscription": ["customerId", 400, (own, id) => subscription(own, { customerId: id })],
    "the initial order of a subscription": ["orderId", 400, (own, id) => subscription(own, { initialOrderId: id })],
    "the path of a cancellation": ["subscriptionId", 400, (_, id) => ["PUT", `/cover/subscription/${id}/cancel`]],
    "the path of an activation": ["subscriptionId", 400, (_, id) => ["PUT", `/cover/subscription/${id}/active`]],
    "the path of a cancelled order": ["orderId", 400, (_, id) => ["PATCH", `/cover/order/cancel/${id}`]],
    "the path of a paid order": ["orderId", 400, (_, id) => ["PATCH", `/cover/order/success/${id}`]],
  };

/** An answer without the sent id, which refusals repeat. */
const without = ({ status, text }: RawResponse, id: number) => ({
  status,
  text: text.replace(new RegExp(`\\b${id}\\b`, "g"), "ID"),
});

describe("another vendor's id is answered byte for byte like an unused one, and changes nothing", () => {
  test.each(Object.entries(places))("in %s", async (_, [key, status, call]) => {
    const answer = await expectNoChanges(gateway, () => sendRestForText(gateway, ...call(ours, theirs[key])));
    expect(answer.status).toBe(status);
    expect(without(answer, theirs[key])).toEqual(
      without(await sendRestForText(gateway, ...call(ours, NOBODYS)), NOBODYS),
    );
  });
});

describe("the owner may use it", () => {
  test.each(Object.entries(places))("in %s", async (_, [key, , call]) => {
    const [method, path, body] = call(theirs, theirs[key]);
    expect((await gateway.sendRawRest(method, path, body, stranger)).status).toBe(method === "POST" ? 201 : 200);
  });
});

test("a partner id that is replaced is never another vendor's", async () => {
  const product = (name: string) => ({ name, partnerProductId: "shared", replaceIfExists: true });
  const first = await gateway.post("/cover/product", product("Theirs"), stranger);
  const second = await gateway.post("/cover/product", product("Ours"));
  expect(second.body.id).not.toBe(first.body.id);
  expect((await gateway.post("/cover/product", product("Theirs"), stranger)).body).toEqual(first.body);
});
