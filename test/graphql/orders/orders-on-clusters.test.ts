import { expect, test } from "vitest";
import { markDistributed } from "../../../src/database/distributed-handles.ts";
import { readComparedRows } from "../../jobs/renewal-batches/compared-rows.ts";
import { findWrongOrderTotals } from "../../support/order-totals.ts";
import { startGateway } from "../../support/test-gateway.ts";

/*
 * A gateway writes the rows of an order to a cluster as VALUES, and to a plain server by statements with one JSON parameter. Both leave the
 * same rows: two copies of one plain database get the same orders, one of them through a handle that is marked as one of a cluster.
 */

const original = await startGateway();
const { vendor } = original;
const { createCustomer } = await original.queryData(
  `mutation { createCustomer(input: { name: "Kim Seo-yeon", email: "seoyeon@example.com", phone: "010-1234-5678" }) { customer { databaseId } } }`,
);
const customerId = createCustomer.customer.databaseId;

/** Creates a product with a plan. @returns its item of an order. */
async function createItem(recurring: boolean) {
  const { createProduct } = await original.queryData(
    `mutation { createProduct(input: { type: BOX, name: "Beans" }) { product { databaseId code } } }`,
  );
  const { databaseId, code } = createProduct.product;
  const { createPricePlan } = await original.queryData(
    `mutation ($input: CreatePricePlanInput!) { createPricePlan(input: $input) { pricePlan { code } } }`,
    {
      input: {
        ...{ productId: String(databaseId), type: recurring ? "FLAT" : "ONE_TIME", price: "18900" },
        ...{ plan: { name: "Beans" }, ...(recurring && { recurring: { interval: "MONTH" } }) },
      },
    },
  );
  return { productCode: code, priceCode: createPricePlan.pricePlan.code };
}

const [monthly, once] = [await createItem(true), await createItem(false)];
const ordered = await original.sendRawRest(
  "POST",
  "/orders",
  { customerId, items: [once, { ...monthly, minimumQuantity: 3 }], discount: 1_000 },
  { token: vendor.token },
);
const asJson = await startGateway({ copyOf: original });
const asValues = await startGateway({ copyOf: original });
markDistributed(asValues.database.handle);

test.each([
  { order: { items: [monthly] }, lines: "one line" },
  { order: { items: [once, { ...monthly, minimumQuantity: 3 }], discount: 1_000 }, lines: "a discount" },
  { order: { items: Array.from({ length: 12 }, () => once) }, lines: "more lines than are written as VALUES" },
])("an order with $lines leaves the same rows on a cluster and on a plain server", async ({ order }) => {
  for (const gateway of [asJson, asValues]) {
    const { status } = await gateway.sendRawRest("POST", "/orders", { customerId, ...order }, { token: vendor.token });
    expect(status).toBe(201);
  }
  const rows = await readComparedRows(asValues, vendor.id);
  expect(rows).toEqual(await readComparedRows(asJson, vendor.id));
  for (const table of ["orders", "order_items", "order_states", "order_count_changes", "event_log"])
    expect(rows[table]).not.toEqual([]);
  expect(rows["unnumbered_events"]).toHaveLength(rows["event_log"]!.length);
  expect(await findWrongOrderTotals(asValues)).toEqual([]);
});

test.each([`/orders/${ordered.body.orderId}`, `/customers/${customerId}`])(
  "GET %s has the same body from a cluster, whose values code writes, and from a plain server",
  async (path) => {
    const headers = { "secret-token": vendor.token };
    const [plain, cluster] = await Promise.all(
      [asJson, asValues].map(({ gateway }) => gateway.server.inject({ url: `/api/v1${path}`, headers })),
    );
    expect(plain!.statusCode).toBe(200);
    expect(cluster!.body).toBe(plain!.body);
    expect(asJson.statements.some(({ text }) => text.startsWith("select (concat("))).toBe(true);
    expect(asValues.statements.some(({ text }) => text.startsWith("select json_build_array("))).toBe(true);
  },
);

test("a new order of one line is written to a cluster as VALUES alone", async () => {
  asValues.statements.length = 0;
  const body = { customerId, items: [monthly] };
  await asValues.sendRawRest("POST", "/orders", body, { token: vendor.token });
  const inserts = asValues.statements.map(({ text }) => text).filter((text) => /\binsert into\b/i.test(text));
  const tables = inserts.map((text) => /^insert into "(\w+)" \([^)]*\) values \(/.exec(text)?.[1]);
  expect(tables.toSorted()).toEqual([
    ...["event_log", "order_count_changes", "order_items", "order_states", "orders", "unnumbered_events"],
  ]);
});
