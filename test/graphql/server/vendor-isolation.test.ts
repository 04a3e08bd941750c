import { describe, expect, test } from "vitest";
import { toGlobalId, type NodeType } from "../../../src/graphql/record-ids.ts";
import {
  sendMutation,
  runMutation,
  minimalInputs,
  createCoverOrder,
  createCoverFixture,
  type Mutation,
} from "../../support/cover-mutations.ts";
import { startGateway, type RequestOptions } from "../../support/test-gateway.ts";
import { removeEchoedValues } from "../../support/refusal-values.ts";
import { expectNoChanges } from "../../support/rest-assertions.ts";
import { uniqueName, type CoverFixture } from "../../support/fixtures/cover-fixture.ts";

const gateway = await startGateway();
const stranger = { token: (await gateway.openVendor({ name: "Stranger" })).token };

type Records = CoverFixture & { orderId: number; coverId: number };

async function openRecords(options?: RequestOptions): Promise<Records> {
  const shop = await createCoverFixture(gateway, {}, options);
  const { databaseId: orderId, cover } = await createCoverOrder(gateway, shop, { paymentFailed: true }, options);
  return { ...shop, orderId, coverId: cover!.databaseId };
}

/* The other vendor has one record more of each type, so that the ids differ between the vendors. */
await openRecords(stranger);
const ours = await openRecords();
const theirs = await openRecords(stranger);

/** An unused id. */
const NOBODYS = 4_000_000;

/** An answer without its unique parts. */
const told = (answer: unknown): string => removeEchoedValues(JSON.stringify(answer));

type Key = keyof Records;
const typeOf: Record<Key, NodeType> = {
  customerId: "CoverCustomer",
  productId: "CoverProduct",
  priceId: "CoverPrice",
  subscriptionId: "CoverSubscription",
  orderId: "CoverOrder",
  coverId: "Cover",
};

/** Every place of a query where an id can stand. */
const queries: [key: Key, document: string][] = [
  ["customerId", "query ($id: ID!) { coverCustomer(id: $id) { name orders { totalCount } } }"],
  ["productId", "query ($id: ID!) { coverProduct(id: $id) { name prices { totalCount } } }"],
  ["priceId", "query ($id: ID!) { coverPrice(id: $id) { name product { name } } }"],
  ["subscriptionId", "query ($id: ID!) { coverSubscription(id: $id) { status timeline { totalCount } } }"],
  ["orderId", "query ($id: ID!) { coverOrder(id: $id) { status covers { totalCount } timeline { totalCount } } }"],
  ["coverId", "query ($id: ID!) { cover(id: $id) { state attempts { totalCount } } }"],
  ["productId", "query ($id: ID!) { coverPrices(filter: { productId: $id }) { totalCount nodes { id } } }"],
  ["customerId", "query ($id: ID!) { coverSubscriptions(filter: { customerId: $id }) { totalCount nodes { id } } }"],
  ["customerId", "query ($id: ID!) { coverOrders(filter: { customerId: $id }) { totalCount nodes { id } } }"],
  ["subscriptionId", "query ($id: ID!) { coverOrders(filter: { subscriptionId: $id }) { totalCount nodes { id } } }"],
  ["orderId", "query ($id: ID!) { covers(filter: { orderId: $id }) { totalCount nodes { id } } }"],
  ["subscriptionId", "query ($id: ID!) { covers(filter: { subscriptionId: $id }) { totalCount nodes { id } } }"],
];

describe.each(queries)("the %s of %s", (key, document) => {
  const ask = (id: unknown, options?: RequestOptions) => gateway.sendRawGraphQL(document, { id }, options);

  test("finds something for its own vendor", async () => {
    const answers = [await ask(ours[key]), await ask(theirs[key], stranger)];
    for (const { errors, data } of answers) {
      expect(errors).toBeUndefined();
      const [found] = Object.values<{ totalCount?: number } | null>(data);
      expect(found?.totalCount ?? found).toBeTruthy();
    }
  });

  test("that is another vendor's is answered like an unused one", async () => {
    expect(told(await ask(theirs[key]))).toBe(told(await ask(NOBODYS)));
    const globally = await ask(toGlobalId(typeOf[key], theirs[key]));
    expect(told(globally)).toBe(told(await ask(toGlobalId(typeOf[key], NOBODYS))));
  });
});

/** Every place of a mutation's input where an id can stand: the input with that id among one's own records. */
const inputs: [mutation: Mutation, key: Key, field: string, input: () => object][] = [
  ["registerCoverPrice", "productId", "productId", () => minimalInputs.price(ours)],
  ["registerCoverSubscription", "customerId", "customerId", () => minimalInputs.subscription(ours)],
  ["registerCoverSubscription", "orderId", "initialOrderId", () => minimalInputs.subscription(ours)],
  ["registerCoverOrder", "customerId", "customerId", () => minimalInputs.order(ours)],
  ["registerCoverOrder", "subscriptionId", "subscriptionId", () => minimalInputs.order(ours)],
  ["registerCoverOrder", "priceId", "items", () => minimalInputs.order(ours)],
  ["startRecovery", "orderId", "orderId", () => ({ subscriptionId: ours.subscriptionId })],
  ["startRecovery", "subscriptionId", "subscriptionId", () => ({ orderId: ours.orderId })],
  ["reportCoverOrderPaid", "orderId", "orderId", () => ({})],
  ["cancelCoverOrder", "orderId", "orderId", () => ({})],
  ["setCoverOrderStatus", "orderId", "orderId", () => ({ status: "PREPARING" })],
  ["cancelCoverSubscription", "subscriptionId", "subscriptionId", () => ({})],
  ["activateCoverSubscription", "subscriptionId", "subscriptionId", () => ({})],
  ["reportPaymentMethodChanged", "orderId", "orderId", () => ({})],
];

test.each(inputs)(
  "%s with the %s of another vendor as its %s is answered like an unused one",
  async (mutation, key, field, input) => {
    const send = (id: unknown) => {
      const value = field === "items" ? [{ quantity: 1, priceId: id }] : id;
      return sendMutation(gateway, mutation, { ...input(), [field]: value });
    };
    await expectNoChanges(gateway, async () => {
      const foreign = await send(theirs[key]);
      expect(foreign.errors).toHaveLength(1);
      expect(told(foreign)).toBe(told(await send(NOBODYS)));
      const globally = await send(toGlobalId(typeOf[key], theirs[key]));
      expect(told(globally)).toBe(told(await send(toGlobalId(typeOf[key], NOBODYS))));
    });
  },
);

test("a list contains no rows of another vendor", async () => {
  const lists = ["coverCustomers", "coverProducts", "coverPrices", "coverSubscriptions", "coverOrders", "covers"];
  const query = `{ ${lists.map((list) => `${list} { totalCount nodes { databaseId } }`).join(" ")} }`;
  const data = await gateway.queryRawData(query);
  const own = [ours.customerId, ours.productId, ours.priceId, ours.subscriptionId, ours.orderId, ours.coverId];
  const expected = lists.map((list, index) => [list, { totalCount: 1, nodes: [{ databaseId: own[index] }] }]);
  expect(data).toEqual(Object.fromEntries(expected));
});

test("vendors may give their records the same partner ids, and each finds its own", async () => {
  const partnerProductId = uniqueName("product");
  const register = (name: string, options?: RequestOptions) =>
    runMutation(gateway, "registerCoverProduct", { name, partnerProductId }, "product { name }", options);
  expect(await register("ours")).toEqual({ product: { name: "ours" } });
  expect(await register("theirs", stranger)).toEqual({ product: { name: "theirs" } });
  const query = "query ($own: PartnerId!) { coverProduct(partnerProductId: $own) { name } }";
  expect(await gateway.queryData(query, { own: partnerProductId })).toEqual({ coverProduct: { name: "ours" } });
  expect(await gateway.queryData(query, { own: partnerProductId }, stranger)).toEqual({
    coverProduct: { name: "theirs" },
  });
});

test("a parent does not see its child's records, nor a child its parent's", async () => {
  const parent = await gateway.openVendor({ name: "Parent" });
  const child = await gateway.openVendor({ name: "Child", parentId: parent.id });
  const records = { parent: await openRecords(parent), child: await openRecords(child) };
  const ask = (id: number, options: RequestOptions) =>
    gateway.queryData("query ($id: ID!) { coverOrder(id: $id) { status } }", { id }, options);
  expect(await ask(records.child.orderId, parent)).toEqual({ coverOrder: null });
  expect(await ask(records.parent.orderId, child)).toEqual({ coverOrder: null });
  expect(await ask(records.child.orderId, child)).toEqual({ coverOrder: { status: "PAYMENT_FAILURE" } });
});
