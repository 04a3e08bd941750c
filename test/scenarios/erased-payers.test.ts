import { expect, test } from "vitest";
import { queryRows } from "../hostile/query-rows.ts";
import { createListing } from "../support/fixtures/child-listing.ts";
import { createTestChild } from "../support/fixtures/child-vendors.ts";
import { minimalOrder, registerCoverFixture, type CoverFixture } from "../support/fixtures/cover-fixture.ts";
import { findTraces, tableOf } from "../support/fixtures/database-traces.ts";
import { importRows } from "../support/imported-rows.ts";
import { TestCatalogue } from "../support/test-catalogue.ts";
import { startGateway, type RequestOptions } from "../support/test-gateway.ts";
import { TestPayments } from "../support/test-payments.ts";

/*
 * A customer is also a payer whom the merchant registered for recovery, and a customer of the merchant's child vendors. Export and
 * erasure reach both.
 */

const gateway = await startGateway({ now: "2026-03-01T00:00:00.000Z" });

const EXPORT = "query ($id: ID!) { exportCustomerData(customerId: $id) { records } }";
const ERASE = "mutation ($input: EraseCustomerInput!) { eraseCustomer(input: $input) { customer { erasedAt } } }";
const person = { name: "Orsolya Brackwater", email: "orsolya@brackwater.example", phone: "01077733399" };
const traces = ["brackwater", "orsolya", person.phone];

const dataOf = async (id: number, options?: RequestOptions) =>
  (await gateway.queryRawData(EXPORT, { id: String(id) }, options)).exportCustomerData;
const exportOf = async (id: number, options?: RequestOptions) => (await dataOf(id, options)).records;

async function erase(customerId: number, input: object = {}, options?: RequestOptions) {
  const { customer } = await gateway.queryRawData(`{ customer(id: "${customerId}") { code } }`, {}, options);
  const completeInput = { customerId: String(customerId), confirmCode: customer.code, ...input };
  const { data, errors } = await gateway.sendRawGraphQL(ERASE, { input: completeInput }, options);
  return errors ? `${errors[0]!.extensions.code}: ${errors[0]!.message}` : data.eraseCustomer.customer.erasedAt;
}

async function addCustomer(input: object, options?: RequestOptions): Promise<number> {
  const document =
    "mutation ($input: CreateCustomerInput!) { createCustomer(input: $input) { customer { databaseId } } }";
  const complete = { ...person, ...input };
  return (await gateway.queryRawData(document, { input: complete }, options)).createCustomer.customer.databaseId;
}

let orders = 0;

/** Registers a payer with a subscription and an order whose payment failed. @returns the order's id. */
async function registerPayer(shop: CoverFixture, payer: object, name: string, options?: RequestOptions) {
  const post = async (path: string, body: object, headers: Record<string, string> = {}) =>
    (await gateway.sendRawRest("POST", path, body, { ...options, headers })).body;
  const { id: customerId } = await post("/cover/customer", { ...payer, partnerCustomerId: `payer ${name}` });
  const period = { currentPeriodStart: "2026-02-01T00:00:00Z", currentPeriodEnd: "2026-03-01T00:00:00Z" };
  const cycle = { recurringInterval: "MONTH", recurringIntervalCount: 1 };
  const { id: subscriptionId } = await post("/cover/subscription", {
    ...{ customerId, ...period, ...cycle, partnerSubscriptionId: `subscription of ${name}` },
  });
  const order = minimalOrder({ ...shop, customerId }, { partnerOrderId: `order of ${name}`, subscriptionId });
  const failure = { paymentFailed: true, errorCode: "51", paymentInfo: `card of ${name}` };
  const { id: orderId } = await post(
    "/cover/order",
    { ...order, ...failure },
    { "idempotency-key": `key ${orders++}` },
  );
  return { customerId, orderId };
}

test("a customer's payers are exported, keep an erasure waiting while they are in recovery, and are erased", async () => {
  const shop = await registerCoverFixture(gateway);
  const refused = await importRows(gateway, "2031-01-01T00:00:00Z", {
    CUSTOMER: [{ partnerId: "payer of an import", ...person }],
  });
  expect(refused).toEqual([]);
  const { customers } = await gateway.queryRawData(
    '{ customers(first: 9, filter: { keyword: "brackwater" }) { nodes { databaseId } } }',
  );
  const customerId = customers.nodes[0].databaseId as number;
  const byEmail = await registerPayer(shop, { ...person, email: person.email.toUpperCase() }, "Orsolya Brackwater");
  await registerPayer(shop, { name: "O. Brackwater", email: "other@brackwater.example", phone: "1" }, "of an import");
  const stranger = await registerPayer(shop, { name: "Kim", email: "kim@example.com", phone: "2" }, "stranger");

  const records = await exportOf(customerId);
  expect(
    records.coverCustomers.map(({ partnerCustomerId }: { partnerCustomerId: string }) => partnerCustomerId),
  ).toEqual(["payer Orsolya Brackwater", "payer of an import"]);
  for (const name of ["coverOrders", "coverSubscriptions", "covers", "coverDecisions"])
    expect([name, records[name].length]).toEqual([name, 2]);
  expect(records.events.map(({ type }: { type: string }) => type)).toContain("COVER_STARTED");
  expect(JSON.stringify(records)).not.toContain("kim@example.com");
  expect([...new Set((await findTraces(gateway, traces)).map(tableOf))]).toEqual([
    ...["public.cover_customers", "public.cover_orders", "public.cover_subscriptions", "public.customers"],
    "public.idempotency_keys",
  ]);

  expect(await erase(customerId)).toMatch(
    /^CUSTOMER_HAS_OPEN_RECORDS: The customer has recoveries in progress of registered orders: order of .*Wait until they end, or cancel the orders/,
  );
  const inProgress = await gateway.queryRawData(
    "{ covers(first: 9, filter: { states: [IN_PROGRESS] }) { nodes { order { databaseId customer { name } } } } }",
  );
  for (const { order } of inProgress.covers.nodes)
    if (order.databaseId !== stranger.orderId)
      await gateway.queryRawData(
        `mutation { cancelCoverOrder(input: { orderId: "${order.databaseId}" }) { order { status } } }`,
      );
  const books = () =>
    queryRows(
      gateway,
      "select (select json_agg(a order by id) from cover_attempts a) as attempts, (select json_agg(d order by id) from cover_decisions d) as decisions",
    );
  const before = await books();
  expect(await erase(customerId)).toMatch(/^\d{4}-/);
  expect(await findTraces(gateway, traces)).toEqual([]);
  expect(await books()).toEqual(before);
  const read = `query ($id: ID!) { coverCustomer(id: $id) { name email phone partnerCustomerId } }`;
  expect((await gateway.queryRawData(read, { id: String(byEmail.customerId) })).coverCustomer).toEqual({
    ...{ name: "[erased]", email: "", phone: "", partnerCustomerId: `erased-${byEmail.customerId}` },
  });
  expect((await gateway.queryRawData(read, { id: String(stranger.customerId) })).coverCustomer.name).toBe("Kim");
});

test("a payer's e-mail address decides nothing while two customers have it", async () => {
  const vendor = await gateway.openVendor();
  const shop = await registerCoverFixture(gateway, vendor);
  const [one, other] = [await addCustomer({ name: "One" }, vendor), await addCustomer({ name: "Other" }, vendor)];
  const { customerId, orderId } = await registerPayer(shop, person, "shared", vendor);
  await gateway.queryRawData(
    `mutation { cancelCoverOrder(input: { orderId: "${orderId}" }) { order { status } } }`,
    {},
    vendor,
  );
  expect((await exportOf(one, vendor)).coverCustomers).toEqual([]);
  expect(await erase(one, {}, vendor)).toMatch(/^\d{4}-/);
  const read = `{ coverCustomer(id: "${customerId}") { email } }`;
  expect((await gateway.queryRawData(read, {}, vendor)).coverCustomer.email).toBe(person.email);
  // The other customer is now the only one with the address.
  expect((await exportOf(other, vendor)).coverCustomers).toHaveLength(1);
  expect(await erase(other, {}, vendor)).toMatch(/^\d{4}-/);
  expect((await gateway.queryRawData(read, {}, vendor)).coverCustomer.email).toBe("");
});

test("a customer with the same e-mail address at another vendor is neither exported nor erased", async () => {
  const [vendor, stranger] = [await gateway.openVendor(), await gateway.openVendor()];
  const own = await addCustomer({}, vendor);
  const shop = await registerCoverFixture(gateway, stranger);
  await addCustomer({}, stranger);
  const { customerId } = await registerPayer(shop, person, "elsewhere", stranger);
  expect((await exportOf(own, vendor)).coverCustomers).toEqual([]);
  expect(await erase(own, {}, vendor)).toMatch(/^\d{4}-/);
  const read = `{ coverCustomer(id: "${customerId}") { email } customers(first: 1) { nodes { name } } }`;
  const { coverCustomer, customers } = await gateway.queryRawData(read, {}, stranger);
  expect([coverCustomer.email, customers.nodes[0].name]).toEqual([person.email, person.name]);
});

test("a parent exports and erases the copies of its children, and a child leaves them to its parent", async () => {
  const parent = await gateway.openVendor();
  const payments = await TestPayments.start(gateway, parent);
  const child = await createTestChild(gateway, {}, parent);
  const other = await createTestChild(gateway, { name: "Other child", email: "other@example.com" }, parent);
  const theirs = await TestPayments.start(gateway, child);
  const unusual = { name: "Ilse Thornquist", email: "ilse@thornquist.example", phone: "01066655588" };
  const customerId = await addCustomer(unusual, parent);
  const cup = await createListing(new TestCatalogue(gateway, child), new TestCatalogue(gateway, parent), {
    ...{ type: "ONE_TIME", recurring: null },
  });
  const items = [cup.line];
  const { order } = await payments.runMutation(
    "createOrder",
    { customerId: String(customerId), items },
    "order { databaseId }",
  );
  const copies = await queryRows<{ id: number }>(
    gateway,
    `select id::int as id from customers where vendor_id = ${child.id} and name = 'Ilse Thornquist'`,
  );
  const copyId = copies[0]!.id;

  const { customers, copiesAtChildVendors } = await exportOf(customerId, parent);
  expect(customers).toHaveLength(1);
  expect(copiesAtChildVendors).toMatchObject([
    {
      ...{ childVendorId: child.id, childVendorName: "Bean Corner" },
      records: { customers: [{ name: unusual.name }], orders: [{ customerName: unusual.name }] },
    },
  ]);
  expect((await exportOf(copyId, child)).copiesAtChildVendors).toEqual([]);
  expect(await dataOf(customerId, other)).toBeNull();

  expect(await erase(copyId, {}, child)).toMatch(/^CUSTOMER_OF_PARENT: /);
  expect(await erase(customerId, {}, parent)).toMatch(/^CUSTOMER_HAS_OPEN_RECORDS: .* unpaid or in progress: /);
  await payments.runMutation("cancelOrder", { orderId: String(order.databaseId) }, "order { databaseId }");
  // What is open at the child alone keeps the whole erasure waiting.
  theirs.customerId = copyId;
  const open = await theirs.createOrder("1000");
  expect(await erase(customerId, {}, parent)).toContain(
    "orders that are unpaid or in progress at the child vendor Bean Corner: ",
  );
  expect((await findTraces(gateway, ["thornquist"])).map(tableOf)).toContain("public.customers");
  await gateway.queryRawData(
    `mutation { cancelOrder(input: { orderId: "${open.databaseId}" }) { order { id } } }`,
    {},
    child,
  );
  expect(await erase(customerId, {}, parent)).toMatch(/^\d{4}-/);
  expect(await findTraces(gateway, ["thornquist", unusual.phone])).toEqual([]);
  expect(await erase(copyId, {}, child)).toMatch(/^\d{4}-/);
});
