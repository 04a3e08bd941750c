import { describe, expect, test } from "vitest";
import { openStranger } from "../support/bodies.ts";
import { startGateway } from "../support/gateway.ts";
import { changingNothing, restText } from "../support/rest.ts";
import { registerOrder, registerShop } from "../support/shop.ts";

const gateway = await startGateway();
const ours = await registerShop(gateway);
const ourOrder = await registerOrder(gateway, ours);

const stranger = await openStranger(gateway);
const asStranger = { token: stranger.token };
const theirs = {
  ...stranger.shop,
  orderId: (await registerOrder(gateway, stranger.shop, { subscriptionId: stranger.shop.subscriptionId, paymentFailed: true }, asStranger)).id as number,
};

/** An id that nobody has. */
const NOBODYS = 4_000_000;

const order = { customerId: ours.customerId, amount: 1, items: [{ quantity: 1, priceId: ours.priceId }], partnerOrderId: "x" };
const subscription = {
  customerId: ours.customerId,
  currentPeriodStart: "2026-02-01T00:00:00Z",
  currentPeriodEnd: "2026-03-01T00:00:00Z",
  recurringInterval: "MONTH",
  recurringIntervalCount: 1,
  partnerSubscriptionId: "x",
};

type Call = readonly [method: "POST" | "PUT" | "PATCH", path: string, body?: object];

/** Every place where an id can stand: the call with that id, and whose id it is. */
const places: Record<string, readonly [theirs: number, status: number, call: (id: number) => Call]> = {
  "the subscription of a recovery": [theirs.subscriptionId, 400, (id) => ["POST", "/cover/recovery", { subscriptionId: id, orderId: ourOrder.id }]],
  "the order of a recovery": [theirs.orderId, 400, (id) => ["POST", "/cover/recovery", { subscriptionId: ours.subscriptionId, orderId: id }]],
  "the product of a plan": [theirs.productId, 400, (id) => ["POST", "/cover/price", { name: "x", productId: id, price: 1, partnerPriceId: "x" }]],
  "the customer of an order": [theirs.customerId, 400, (id) => ["POST", "/cover/order", { ...order, customerId: id }]],
  "the subscription of an order": [theirs.subscriptionId, 400, (id) => ["POST", "/cover/order", { ...order, subscriptionId: id }]],
  "the subscription of a failed order": [
    theirs.subscriptionId,
    400,
    (id) => ["POST", "/cover/order", { ...order, subscriptionId: id, paymentFailed: true }],
  ],
  "the plan of a line": [
    theirs.priceId,
    400,
    (id) => ["POST", "/cover/order", { ...order, items: [...order.items, { quantity: 1, priceId: id }] }],
  ],
  "the customer of a subscription": [theirs.customerId, 400, (id) => ["POST", "/cover/subscription", { ...subscription, customerId: id }]],
  "the initial order of a subscription": [theirs.orderId, 400, (id) => ["POST", "/cover/subscription", { ...subscription, initialOrderId: id }]],
  "the path of a cancellation": [theirs.subscriptionId, 404, (id) => ["PUT", `/cover/subscription/${id}/cancel`]],
  "the path of an activation": [theirs.subscriptionId, 404, (id) => ["PUT", `/cover/subscription/${id}/active`]],
  "the path of a paid order": [theirs.orderId, 404, (id) => ["PATCH", `/cover/order/success/${id}`]],
  "the path of a cancelled order": [theirs.orderId, 404, (id) => ["PATCH", `/cover/order/cancel/${id}`]],
};

describe("another vendor's id is answered byte for byte like one that nobody has, and nothing changes", () => {
  test.each(Object.entries(places))("in %s", async (_, [theirId, status, call]) => {
    const [method, path, body] = call(theirId);
    const answer = await changingNothing(gateway, () => restText(gateway, method, path, body));
    expect(answer.status).toBe(status);
    expect(answer).toEqual(await restText(gateway, ...call(NOBODYS)));
    expect(answer.text).not.toContain(String(NOBODYS));
  });

  test.each(Object.entries(places))("though its owner reaches it: %s", async (_, [theirId, , call]) => {
    const [method, path, body] = call(theirId);
    const answer = await gateway.rest(method, path, body, asStranger);
    expect(answer.status === 404 || answer.body.details?.fields?.some(({ path: at }: { path: string }) => (body as never)?.[at] === theirId)).toBe(false);
  });
});

test("replacing a record by a partner id never reaches another vendor's", async () => {
  const partnerProductId = "shared";
  const first = await gateway.post("/cover/product", { name: "Theirs", partnerProductId }, asStranger);
  const second = await gateway.post("/cover/product", { name: "Ours", partnerProductId, replaceIfExists: true });
  expect(second.body.id).not.toBe(first.body.id);
  const again = await gateway.post("/cover/product", { name: "Theirs", partnerProductId, replaceIfExists: true }, asStranger);
  expect(again.body).toEqual(first.body);
});
