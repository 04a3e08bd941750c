import { describe, expect, test } from "vitest";
import { contractRoutes } from "../../rest-compat/contract-routes.ts";
import { createTestChild, newChildBody, readVendorUuid } from "../support/fixtures/child-vendors.ts";
import type { BodyOfCall, RestCall, RestMethod } from "../support/rest-answers.ts";
import { numberEvents } from "../support/number-events.ts";
import { startGateway } from "../support/test-gateway.ts";
import type { JsonSchema } from "../support/json-schema-check.ts";
import { TestCatalogue } from "../support/test-catalogue.ts";
import { uniqueName, minimalOrder, registerCoverFixture } from "../support/fixtures/cover-fixture.ts";
import { customerDetailTable, customerListItemTable } from "./resources/customers.ts";
import { openApiDifferences } from "./resources/openapi-differences.ts";
import { listOf, type ContractField } from "./resources/contract-field.ts";
import { invoiceTable, orderTable, orderDetailTable, orderListItemTable } from "./resources/orders.ts";
import { errorBodyTable, pageTable } from "./resources/page-table.ts";
import { pricePlanTable, productTable } from "./resources/products.ts";
import {
  resultTable,
  recoveryCoverTable,
  recoveryCustomerTable,
  recoveryOrderTable,
  recoveryPriceTable,
  recoveryProductTable,
  recoverySubscriptionTable,
} from "./resources/recovery.ts";
import { fillNewOrders, fillNewVendors, createCompleteRecords } from "./resources/complete-records.ts";
import {
  additionalBillingTypes,
  aggregateUsageTypes,
  claimActors,
  claimCategories,
  claimMethods,
  feeTypes,
  intervals,
  logTypes,
  planTypes,
  usageTypes,
  claimMoments,
} from "./resources/words.ts";
import { eventFeedTable } from "./resources/events.ts";
import { childVendorTable, vendorTable } from "./resources/vendors.ts";
import { TableComparison, type TimeFormat } from "./resources/table-comparison.ts";

/** The answers of every call of the contract, and the format of their instants. */
const answers: Readonly<Record<string, readonly [ContractField, TimeFormat]>> = {
  "POST /cover/recovery": [recoveryCoverTable, "Z"],
  "POST /cover/order": [recoveryOrderTable, "Z"],
  "POST /cover/price": [recoveryPriceTable, "Z"],
  "POST /cover/customer": [recoveryCustomerTable, "Z"],
  "PUT /cover/subscription/{subscriptionId}/cancel": [resultTable, "Z"],
  "POST /cover/product": [recoveryProductTable, "Z"],
  "POST /cover/subscription": [recoverySubscriptionTable, "Z"],
  "PUT /cover/subscription/{subscriptionId}/active": [resultTable, "Z"],
  "PATCH /cover/order/success/{orderId}": [recoveryOrderTable, "Z"],
  "PATCH /cover/order/cancel/{orderId}": [recoveryOrderTable, "Z"],
  "POST /invoices": [invoiceTable, "ZONELESS"],
  "POST /orders": [orderTable, "ZONELESS"],
  "GET /orders": [pageTable(orderListItemTable), "ZONELESS"],
  "GET /orders/{idOrCode}": [orderDetailTable, "ZONELESS"],
  "GET /customers": [pageTable(customerListItemTable), "ZONELESS"],
  "GET /customers/{id}": [customerDetailTable, "ZONELESS"],
  "GET /products/{code}": [productTable, "ZONELESS"],
  "GET /products/{id}/prices": [listOf(pricePlanTable), "ZONELESS"],
  "GET /products/{id}/prices/{priceId}": [pricePlanTable, "ZONELESS"],
  "POST /vendors/{vendorUuid}/children": [vendorTable, "ZONELESS"],
  "GET /vendors/{vendorUuid}/children": [listOf(childVendorTable), "ZONELESS"],
  "GET /events": [eventFeedTable, "Z"],
};

/** Calls that redirect the browser; they have no body. */
const redirects = contractRoutes.filter(({ redirect }) => redirect).map(({ method, path }) => `${method} ${path}`);

test("every call of the contract has its table", () => {
  const calls = contractRoutes.map(({ method, path }) => `${method} ${path}`);
  expect(Object.keys(answers).sort()).toEqual(calls.filter((call) => !redirects.includes(call)).sort());
});

const gateway = await startGateway();
const walk = new TableComparison();
const asked = new Set<string>();

/** Sends a request, and compares the answer with its table: every field of it, at any depth. Returns the body. */
async function ask<Call extends RestCall>(
  call: Call,
  ...[path, body]: [path: string, body?: object]
): Promise<BodyOfCall<Call>> {
  const [method] = call.split(" ") as [RestMethod];
  const { status, body: answer } = await gateway.sendRawRest(method, path, body);
  if (status >= 300) throw new Error(`${call} answered ${status}: ${JSON.stringify(answer)}`);
  const [field, times] = answers[call]!;
  expect(walk.differencesOf(field, answer, times)).toEqual([]);
  asked.add(call);
  return answer;
}

/** Values that no answer can show. A new vendor has its manager, its parent and its keys. */
const hidden: ReadonlySet<string> = new Set([
  ...["firstManagerUuid", "parentUuid", "manager", "secretKey", "paymentKey"].map((name) => `body.${name} as null`),
  "body[0].managerUsername as null",
  // A secret is stored to be used, and never answered.
  "body.cmsIntegration.consumerSecret filled",
  // A flag of the old contract that means nothing here, and a time of day to the second.
  "body.manager.choo filled",
  "body.vendorSettings.notiBeforePaymentTime.nano filled",
  // Each cycle says how its units are counted and read.
  "body.subscriptions[0].price.options[0].recurringDTO.aggregateUsageType as null",
  "body.subscriptions[0].price.options[0].recurringDTO.usageType as null",
  // Every existing fee is charged before or after its period.
  "body.items[0].product.prices[1].setupOption.claimMethodType as null",
]);

/** The enums of which the records have every value. */
const everyWordOf = {
  planType: planTypes,
  claimMethod: claimMethods,
  whenToClaim: claimMoments,
  feeType: feeTypes,
  additionalBillingType: additionalBillingTypes,
  aggregateUsage: aggregateUsageTypes,
  usage: usageTypes,
  interval: intervals,
  claimActor: claimActors,
  claimCategory: claimCategories,
  logType: logTypes,
};

describe("an answer has the fields of its table, and no others:", () => {
  test("recovery, with required fields and with all fields", async () => {
    const shop = await registerCoverFixture(gateway);
    const failure = { paymentFailed: true, errorCode: "51", subscriptionId: shop.subscriptionId };
    await ask("POST /cover/customer", "/cover/customer", {
      name: "Kim",
      email: "kim@example.com",
      phone: "1",
      partnerCustomerId: uniqueName("customer"),
    });
    const product = {
      name: "Blend",
      partnerProductId: uniqueName("product"),
      featuredImageUrl: "https://example.com/1.png",
    };
    const { id: productId } = await ask("POST /cover/product", "/cover/product", product);
    const price = { name: "Once", productId, price: 1 };
    const once = await ask("POST /cover/price", "/cover/price", { ...price, partnerPriceId: uniqueName("price") });
    const cycle = { recurringInterval: "MONTH", recurringIntervalCount: 1 };
    await ask("POST /cover/price", "/cover/price", { ...price, ...cycle, partnerPriceId: uniqueName("price") });

    const registered = (rest: object) => ask("POST /cover/order", "/cover/order", minimalOrder(shop, rest));
    await registered({ items: [{ quantity: 2, priceId: once.id }] });
    const paid = await registered({ paymentDate: "2026-02-01T00:00:00Z", idKey: "key" });
    await registered({ canceledDate: "2026-02-01T00:00:00Z" });
    await registered({ amountReturned: 1, paymentDate: "2026-02-01T00:00:00Z" });
    const failed = await registered(failure);
    const recovery = { subscriptionId: shop.subscriptionId, orderId: failed.id };
    await ask("POST /cover/recovery", "/cover/recovery", { ...recovery, errorCode: "51" });
    await ask("POST /cover/recovery", "/cover/recovery", { ...recovery, errorCode: "41" });

    const period = { currentPeriodStart: "2026-02-01T00:00:00Z", currentPeriodEnd: "2026-03-01T00:00:00Z", ...cycle };
    const subscription = (rest: object = {}) => ({
      customerId: shop.customerId,
      ...period,
      partnerSubscriptionId: uniqueName("subscription"),
      ...rest,
    });
    const time = "2026-01-01T00:00:00Z";
    const whole = { trialStart: time, trialEnd: time, start: time, canceledAt: time, initialOrderId: paid.id };
    await ask("POST /cover/subscription", "/cover/subscription", subscription());
    const { partnerSubscriptionId, id } = await ask(
      "POST /cover/subscription",
      "/cover/subscription",
      subscription(whole),
    );
    await registered({ subscriptionId: id });
    const again = subscription({ ...whole, partnerSubscriptionId, replaceIfExists: true });
    const { renewalOrders } = await ask("POST /cover/subscription", "/cover/subscription", again);
    expect(renewalOrders).toHaveLength(1);

    await ask("PATCH /cover/order/success/{orderId}", `/cover/order/success/${failed.id}`);
    await ask("PATCH /cover/order/cancel/{orderId}", `/cover/order/cancel/${(await registered({})).id}`);
    await ask("PUT /cover/subscription/{subscriptionId}/cancel", `/cover/subscription/${id}/cancel`);
    await ask("PUT /cover/subscription/{subscriptionId}/active", `/cover/subscription/${id}/active`);
  });

  test("products, plans, orders, customers and invoices, with required fields and with all fields", async () => {
    const records = await createCompleteRecords(gateway);
    const { bareCustomerId, richCustomerId, remoteCustomerId, bareLine, richLine, bundleLine, feeLine, dollarLine } =
      records;
    const catalogue = new TestCatalogue(gateway);
    await catalogue.runMutation(
      "updateVendorSettings",
      {
        vatIncluded: false,
        vatRate: 10,
        deliveryCharge: { useDeliveryCharge: true, deliveryChargeType: "FIXED", defaultDeliveryCharge: "3000" },
      },
      "vendor { uuid }",
    );
    const { own } = await openListing(catalogue);
    const order = async (body: object) => {
      const { orderId } = await ask("POST /orders", "/orders", body);
      await ask("GET /orders/{idOrCode}", `/orders/${orderId}`);
    };
    const buy = (body: object) => order({ purchaseDeadline: "2027-01-01T00:00:00Z", ...body });
    await order({ customerId: bareCustomerId, items: [bareLine] });
    await buy({ customerId: remoteCustomerId, items: [bareLine], region: "AQ" });
    await fillNewOrders(gateway);
    await buy({ customerId: richCustomerId, items: [richLine, feeLine, own], region: "US_NEW_YORK" });
    await buy({ customerId: richCustomerId, items: [feeLine, bundleLine] });
    await buy({ customerId: richCustomerId, items: [feeLine] });
    await buy({ customerId: richCustomerId, items: [dollarLine] });
    await catalogue.runMutation(
      "createOrder",
      { customerId: String(richCustomerId), items: [{ ...richLine, maximumQuantity: 5 }] },
      "order { id }",
    );
    for (const page of ["", "?size=1&page=1"]) {
      await ask("GET /orders", `/orders${page}`);
      await ask("GET /customers", `/customers${page}`);
    }
    for (const id of [bareCustomerId, richCustomerId, remoteCustomerId])
      await ask("GET /customers/{id}", `/customers/${id}`);
    for (const { id, code, priceIds } of records.products) {
      await ask("GET /products/{code}", `/products/${code}`);
      await ask("GET /products/{id}/prices", `/products/${id}/prices`);
      for (const priceId of priceIds)
        await ask("GET /products/{id}/prices/{priceId}", `/products/${id}/prices/${priceId}`);
    }
    await ask("POST /invoices", "/invoices", {
      customerId: bareCustomerId,
      items: [bareLine],
      instantAmount: 5000,
      publishMethods: ["EMAIL"],
    });
  });

  test("vendors, with required fields and with all fields", async () => {
    const path = `/vendors/${await readVendorUuid(gateway)}/children`;
    const { name, email, password } = newChildBody;
    await ask("POST /vendors/{vendorUuid}/children", path, { name, email, password });
    await fillNewVendors(gateway);
    await ask("POST /vendors/{vendorUuid}/children", path, newChildBody);
    await ask("GET /vendors/{vendorUuid}/children", path);
  });

  test("events, before and after they are numbered", async () => {
    await ask("GET /events", "/events");
    await numberEvents(gateway);
    await ask("GET /events", "/events?first=100");
  });

  test("refusals", async () => {
    const { body } = await gateway.post("/cover/recovery", { subscriptionId: 4_000_000, orderId: 4_000_000 });
    const { details, ...rest } = body;
    expect([walk.differencesOf(errorBodyTable, rest, "Z"), typeof details]).toEqual([[], "object"]);
  });

  test("every call was made, and every field was seen with a value, and as null if it is nullable", () => {
    expect([...asked].sort()).toEqual(Object.keys(answers).sort());
    expect(walk.unseenFields().filter((field) => !hidden.has(field))).toEqual([]);
  });

  test.each(Object.entries(everyWordOf))("every value of %s was seen", (_, words) => {
    expect(walk.unseenValuesOf(words)).toEqual([]);
  });
});

/** A product of a child vendor that the vendor lists, as an order names it. */
async function openListing(catalogue: TestCatalogue) {
  const child = await createTestChild(gateway);
  const childs = new TestCatalogue(gateway, child);
  const draft = await childs.createProduct({ type: "DRAFT", draftOf: "BOX" });
  await childs.createPlan(draft.databaseId);
  await childs.runMutation("submitProduct", { productId: String(draft.databaseId) }, "product { id }");
  const selection = "product { code prices { code } }";
  const { product: listing } = await catalogue.runMutation(
    "approveProduct",
    { productId: String(draft.databaseId) },
    selection,
  );
  return { own: { productCode: listing.code, priceCode: listing.prices[0]!.code } };
}

describe("the interface description matches the tables for", async () => {
  const document = (await gateway.gateway.server.inject({ url: "/openapi.json" })).json();
  const schemas = document.components.schemas as Record<string, JsonSchema>;

  test.each(Object.entries(answers))("%s", (call, [field, times]) => {
    const [method, path] = call.split(" ") as [string, string];
    const operation = document.paths[`/api/v1${path}`][method.toLowerCase()];
    const { content } = operation.responses[method === "POST" ? 201 : 200];
    expect(openApiDifferences(schemas, field, content["application/json"].schema, times)).toEqual([]);
  });
});

test("every difference from a table is reported, at any depth", () => {
  const table = { id: "id", name: "text?", lines: listOf({ count: "integer", at: "time" }) } as const;
  const sound = { id: 1, name: null, lines: [{ count: 1, at: "2026-03-01T09:30:00.000" }] };
  const faults = (value: unknown) => new TableComparison().differencesOf(table, value, "ZONELESS");
  expect(faults(sound)).toEqual([]);
  expect(faults({ ...sound, id: "1" })).toEqual(["body.id is no id"]);
  expect(faults({ ...sound, id: null })).toEqual(["body.id is null"]);
  expect(faults({ id: 1, lines: [] })).toEqual(["body.name is missing"]);
  expect(faults({ ...sound, lines: [{ count: 1, at: "2026-03-01T09:30:00.000Z", more: 1 }] })).toEqual([
    "body.lines[0].more is not in the table",
    "body.lines[0].at is no time",
  ]);
});
