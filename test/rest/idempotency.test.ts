import postgres from "postgres";
import { expect, test } from "vitest";
import { startGateway } from "../support/test-gateway.ts";
import {
  uniqueName,
  minimalOrder,
  registerCoverFixture,
  registerCoverOrder,
} from "../support/fixtures/cover-fixture.ts";
import { HOUR } from "../support/test-clock.ts";

const gateway = await startGateway({ connections: 10 });
const shop = await registerCoverFixture(gateway);

const keyed = (key: string) => ({ headers: { "idempotency-key": key } });

const REGISTER = `mutation ($input: RegisterCoverProductInput!) {
  registerCoverProduct(input: $input) { product { databaseId name } }
}`;

test("a POST that is sent again with its key has one effect and one answer", async () => {
  const order = minimalOrder(shop);
  const first = await gateway.post("/cover/order", order, keyed("once"));
  const again = await gateway.post("/cover/order", order, keyed("once"));
  expect(first.status).toBe(201);
  expect(first.headers["idempotency-replayed"]).toBeUndefined();
  expect(again).toMatchObject({ status: 201, body: first.body, headers: { "idempotency-replayed": "true" } });
});

test("the stored answer is unchanged when the records change", async () => {
  const order = await registerCoverOrder(gateway, shop);
  const failure = { subscriptionId: shop.subscriptionId, orderId: order.id, errorCode: "51" };
  const first = await gateway.post("/cover/recovery", failure, keyed("stays"));
  await gateway.sendRest("PATCH", `/cover/order/success/${order.id}`);
  expect((await gateway.post("/cover/recovery", failure, keyed("stays"))).body).toEqual(first.body);
  expect((await gateway.post("/cover/recovery", failure)).body.retryDate).toBeNull();
});

test("another order of a body's fields is the same request, and another value is not", async () => {
  const product = { name: "Tea", partnerProductId: uniqueName("product") };
  await gateway.post("/cover/product", product, keyed("same"));
  const turned = await gateway.post(
    "/cover/product",
    { partnerProductId: product.partnerProductId, name: "Tea" },
    keyed("same"),
  );
  expect(turned.headers["idempotency-replayed"]).toBe("true");
  const other = await gateway.post("/cover/product", { ...product, name: "Coffee" }, keyed("same"));
  expect(other).toMatchObject({ status: 422, body: { errorCode: "IDEMPOTENCY_KEY_REUSED" } });
  const elsewhere = await gateway.post("/cover/customer", product, keyed("same"));
  expect(elsewhere.status).toBe(400);
});

test("a refusal is not stored: the same key works once the request is right", async () => {
  const body = { name: "Milk", partnerProductId: uniqueName("product") };
  expect((await gateway.post("/cover/product", { name: "Milk" }, keyed("refused"))).status).toBe(400);
  expect(
    (await gateway.post("/cover/order", minimalOrder(shop, { customerId: 999_999 }), keyed("refused"))).status,
  ).toBe(400);
  expect((await gateway.post("/cover/product", body, keyed("refused"))).status).toBe(201);
});

test("of many requests with one key at once, one runs and the others wait or get its answer", async () => {
  const product = { name: "Sugar", partnerProductId: uniqueName("product") };
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => gateway.post("/cover/product", product, keyed("crowd"))),
  );
  const created = answers.filter(({ status }) => status === 201);
  expect(new Set(created.map(({ body }) => JSON.stringify(body))).size).toBe(1);
  expect(created.filter(({ headers }) => headers["idempotency-replayed"] === undefined)).toHaveLength(1);
  for (const { status, body } of answers) {
    if (status !== 201)
      expect({ status, code: body.errorCode }).toEqual({ status: 409, code: "IDEMPOTENCY_KEY_IN_USE" });
  }
});

test("a key belongs to its vendor, and expires after 24 hours", async () => {
  const product = { name: "Salt", partnerProductId: uniqueName("product") };
  const other = await gateway.openVendor();
  const ours = await gateway.post("/cover/product", product, keyed("vendor"));
  const theirs = await gateway.post("/cover/product", product, { ...keyed("vendor"), token: other.token });
  expect(theirs.headers["idempotency-replayed"]).toBeUndefined();
  expect(theirs.body.id).not.toBe(ours.body.id);
  gateway.clock.advance(24 * HOUR);
  const late = await gateway.post("/cover/product", product, keyed("vendor"));
  expect(late.body).toMatchObject({ errorCode: "DUPLICATE_PARTNER_ID", details: { id: ours.body.id } });
});

test.each([["x".repeat(256)], [" "]])("an invalid key is refused", async (key) => {
  const answer = await gateway.post(
    "/cover/product",
    { name: "Oil", partnerProductId: uniqueName("product") },
    keyed(key),
  );
  expect(answer).toMatchObject({ status: 400, body: { details: { fields: [{ path: "Idempotency-Key" }] } } });
});

test("mutations take the key in the header, with one store for both protocols", async () => {
  const input = { name: "Rice", partnerProductId: uniqueName("product") };
  const first = await gateway.sendGraphQL(REGISTER, { input }, keyed("header"));
  const again = await gateway.sendGraphQL(REGISTER, { input }, keyed("header"));
  expect(first.errors).toBeUndefined();
  expect(again.data).toEqual(first.data);
  const reused = await gateway.sendGraphQL(REGISTER, { input: { ...input, name: "Corn" } }, keyed("header"));
  expect(reused).toMatchObject({ status: 422, errors: [{ extensions: { code: "IDEMPOTENCY_KEY_REUSED" } }] });
  const overRest = await gateway.post("/cover/product", input, keyed("header"));
  expect(overRest.body.errorCode).toBe("IDEMPOTENCY_KEY_REUSED");
});

test("a PUT and a PATCH that are sent again with their key have one effect and one answer", async () => {
  const order = await registerCoverOrder(gateway, shop, { subscriptionId: shop.subscriptionId });
  const success = () => gateway.sendRest("PATCH", `/cover/order/success/${order.id}`, undefined, keyed("patched"));
  const cancel = () =>
    gateway.sendRest("PUT", `/cover/subscription/${shop.subscriptionId}/cancel`, undefined, keyed("put"));
  for (const send of [success, cancel]) {
    const first = await send();
    expect(first).toMatchObject({ status: 200 });
    expect(first.headers["idempotency-replayed"]).toBeUndefined();
    expect(await send()).toMatchObject({ body: first.body, headers: { "idempotency-replayed": "true" } });
  }
  const elsewhere = await gateway.sendRest("PATCH", `/cover/order/cancel/${order.id}`, undefined, keyed("patched"));
  expect(elsewhere).toMatchObject({ status: 422, body: { errorCode: "IDEMPOTENCY_KEY_REUSED" } });
  await gateway.sendRest("PUT", `/cover/subscription/${shop.subscriptionId}/active`);
});

test("another body is refused at once while the first request is still running", async () => {
  const product = { name: "Pepper", partnerProductId: uniqueName("product") };
  const rival = postgres(gateway.databaseUrl, { max: 1 });
  const holder = await rival.reserve();
  await holder`begin`;
  await holder`lock table cover_products in exclusive mode`;
  const first = gateway.post("/cover/product", product, keyed("held"));
  const waiting = () => holder`select from pg_locks where relation = 'cover_products'::regclass and not granted`;
  await expect.poll(async () => (await waiting()).length).toBe(1);
  const other = await gateway.post("/cover/product", { ...product, name: "Chili" }, keyed("held"));
  expect(other).toMatchObject({ status: 422, body: { errorCode: "IDEMPOTENCY_KEY_REUSED" } });
  const same = await gateway.post("/cover/product", product, keyed("held"));
  expect(same).toMatchObject({ status: 409, body: { errorCode: "IDEMPOTENCY_KEY_IN_USE" } });
  await holder`rollback`;
  holder.release();
  await rival.end();
  expect((await first).status).toBe(201);
});

test("a request whose answer is too large to be stored is refused and changes nothing", async () => {
  const items = Array.from({ length: 900 }, () => ({ priceId: shop.priceId, quantity: 1 }));
  const body = { ...minimalOrder(shop), partnerOrderId: uniqueName("order"), items };
  const selection = Array.from(
    { length: 8 },
    (_, index) => `a${index}: items { quantity price { id databaseId name price createdAt modifiedAt } }`,
  );
  const mutation = `mutation ($input: RegisterCoverOrderInput!) { registerCoverOrder(input: $input) { order { ${selection.join(" ")} } } }`;
  const { customerId, items: lines, ...rest } = body;
  const input = {
    ...rest,
    customerId: String(customerId),
    items: lines.map(({ priceId, quantity }) => ({ priceId: String(priceId), quantity })),
  };
  const answer = await gateway.sendRawGraphQL(mutation, { input }, keyed("large"));
  expect(answer).toMatchObject({ status: 400, errors: [{ extensions: { code: "KEYED_ANSWER_TOO_LARGE" } }] });
  const smaller = mutation.replace(selection.slice(1).join(" "), "");
  expect((await gateway.sendRawGraphQL(smaller, { input }, keyed("large"))).errors).toBeUndefined();
});

test("when one of several mutations is refused, the effects of the others are stored with the answer", async () => {
  const mixed = `mutation ($id: PartnerId!) {
    good: registerCoverProduct(input: {name: "Good", partnerProductId: $id}) { product { databaseId } }
    bad: registerCoverProduct(input: {name: "Bad", partnerProductId: $id}) { product { databaseId } }
  }`;
  const variables = { id: uniqueName("product") };
  const first = await gateway.sendGraphQL(mixed, variables, keyed("mixed"));
  expect(first.errors).toMatchObject([{ path: ["bad"], extensions: { code: "DUPLICATE_PARTNER_ID" } }]);
  const again = await gateway.sendGraphQL(mixed, variables, keyed("mixed"));
  expect(again).toEqual(first);
});
