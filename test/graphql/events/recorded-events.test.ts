import { beforeAll, expect, test } from "vitest";
import { createServices } from "../../../src/graphql/services.ts";
import { runMutation } from "../../support/cover-mutations.ts";
import { numberEvents } from "../../support/number-events.ts";
import type { RawData } from "../../support/raw-data.ts";
import { cardInput, testCards, TestPayments } from "../../support/test-payments.ts";
import { startGateway, type TestVendor } from "../../support/test-gateway.ts";

const gateway = await startGateway();
let vendor: TestVendor;
let payments: TestPayments;

beforeAll(async () => {
  vendor = await gateway.openVendor();
  payments = await TestPayments.start(gateway, vendor);
});

/** The events since the last call. */
let after: string | null = null;
async function newEvents(): Promise<RawData[]> {
  await numberEvents(gateway);
  const { events } = await gateway.queryRawData(
    "query ($after: String) { events(first: 100, after: $after) { nodes { name data } pageInfo { endCursor } } }",
    { after },
    vendor,
  );
  after = events.pageInfo.endCursor ?? after;
  return events.nodes;
}

const ofType = async (name: string) =>
  (await newEvents()).filter((event) => event.name === name).map(({ data }) => data);

test("customers are recorded when they are created and changed, without their details", async () => {
  await newEvents();
  const customerId = await payments.createCustomer();
  expect(await ofType("customer.created")).toMatchObject([
    { subject: "CUSTOMER", customerId, change: "registerCustomer", statusAfter: "NORMAL", actor: "MANAGER" },
  ]);
  const input = { id: String(customerId), phone: "010-9999-0000", username: null };
  await payments.runRawMutation("updateCustomer", input, "customer { databaseId }");
  const updated = await ofType("customer.updated");
  expect(updated).toMatchObject([{ customerId, facts: { changedFields: ["phone", "username"] } }]);
  expect(JSON.stringify(updated)).not.toContain("9999");
  const { customer } = await gateway.queryRawData(
    `{ customer(id: "${customerId}") { timeline(first: 5) { nodes { trigger title statusAfter } } } }`,
    {},
    vendor,
  );
  expect(customer.timeline.nodes).toEqual([
    { trigger: "registerCustomer", title: "Customer registered", statusAfter: "NORMAL" },
    { trigger: "updateCustomer", title: "Customer details changed", statusAfter: "NORMAL" },
  ]);
});

test("products and price plans are recorded when they are created and changed, with the price in the vendor's currency", async () => {
  await newEvents();
  const run = (name: string, input: object, selection: string) => payments.runRawMutation(name, input, selection);
  const { product } = await run(
    "createProduct",
    { type: "BOX", name: "Tea", quantity: 1 },
    "product { databaseId code }",
  );
  const plan = { type: "ONE_TIME", price: "18900", plan: { name: "One" }, productId: String(product.databaseId) };
  const { pricePlan } = await run("createPricePlan", plan, "pricePlan { databaseId code }");
  await run("updatePricePlan", { id: String(pricePlan.databaseId), price: "19900" }, "pricePlan { databaseId }");
  await run("updateProduct", { id: String(product.databaseId), status: "UNSOLD" }, "product { databaseId }");
  const facts = { type: "BOX", productCode: product.code };
  const ofPlan = { subject: "PRICE_PLAN", pricePlanId: pricePlan.databaseId, currency: "KRW" };
  const planFacts = { type: "ONE_TIME", productId: product.databaseId, priceCode: pricePlan.code };
  expect((await newEvents()).map(({ name, data }) => ({ name, ...data }))).toMatchObject([
    { name: "product.created", productId: product.databaseId, statusBefore: null, statusAfter: "SALE", facts },
    { name: "price_plan.created", ...ofPlan, amount: "18900", facts: planFacts },
    { name: "price_plan.updated", ...ofPlan, amount: "19900", facts: planFacts },
    { name: "product.updated", change: "updateProduct", statusBefore: "SALE", statusAfter: "UNSOLD", facts },
  ]);
});

test("a stored payment method is recorded once, and the lines of a paid order have their amounts", async () => {
  await newEvents();
  const order = await payments.createOrder();
  await payments.payOrder(order.databaseId, { method: "CARD", card: cardInput(testCards.approved), storeMethod: true });
  const events = await newEvents();
  const dataOf = (name: string) => events.filter((event) => event.name === name).map(({ data }) => data);
  expect(dataOf("payment_method.added")).toMatchObject([
    { subject: "PAYMENT_METHOD", paymentMethodId: expect.any(Number), customerId: payments.customerId },
  ]);
  expect(dataOf("order.paid")).toMatchObject([{ amount: expect.stringMatching(/^\d+$/), currency: "KRW" }]);
});

test("keys are recorded when they are created and revoked, by their name and without a token", async () => {
  await newEvents();
  const { key, token } = await gateway.database.transaction((handle) =>
    createServices(handle, gateway.clock.now()).apiKeys.create(vendor.id, "back end", false),
  );
  await gateway.database.transaction((handle) =>
    createServices(handle, gateway.clock.now()).apiKeys.revoke(vendor.id, key.id),
  );
  const events = await newEvents();
  expect(events.map(({ name, data }) => ({ name, ...data }))).toMatchObject([
    { name: "key.created", keyId: key.id, statusAfter: "ACTIVE", facts: { keyName: "back end" } },
    { name: "key.revoked", keyId: key.id, statusBefore: "ACTIVE", statusAfter: "REVOKED" },
  ]);
  expect(JSON.stringify(events)).not.toContain(token.slice(-8));
});

test("the activation of a recovery policy is recorded once", async () => {
  await newEvents();
  const terms = { plan: { kind: "EVEN", maxRetries: 4, windowInDays: 28 } };
  const { policy } = await runMutation(gateway, "proposeRecoveryPolicy", { terms }, undefined, vendor);
  for (let call = 0; call < 2; call++)
    await runMutation(gateway, "activateRecoveryPolicy", { policyId: policy.databaseId }, undefined, vendor);
  expect((await newEvents()).map(({ name, data }) => ({ name, ...data }))).toMatchObject([
    { name: "policy.activated", policyId: policy.databaseId, statusBefore: "PROPOSED", statusAfter: "ACTIVE" },
  ]);
});
