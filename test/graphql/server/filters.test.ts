import { describe, expect, test } from "vitest";
import { toGlobalId } from "../../../src/graphql/record-ids.ts";
import { errorSummaries, runMutation, minimalInputs, createCoverOrder } from "../../support/cover-mutations.ts";
import { startGateway } from "../../support/test-gateway.ts";

const [MONDAY, TUESDAY, WEDNESDAY] = [2, 3, 4].map((day) => `2026-03-0${day}T09:30:00.000Z`) as [
  string,
  string,
  string,
];
const gateway = await startGateway({ now: MONDAY });
const zone = { timeZone: "UTC" };

/* Monday, Tuesday and Wednesday each register a customer, a product, a plan, a subscription and an order. */
const monday = await openDay("mon", { email: "Kim@Example.com" }, {}, { paymentDate: MONDAY });
gateway.clock.setTo(TUESDAY);
const tuesday = await openDay(
  "tue",
  { email: "lee@example.com" },
  { recurringInterval: "MONTH" },
  { paymentFailed: true },
);
gateway.clock.setTo(WEDNESDAY);
const wednesday = await openDay("wed", { email: "kim@example.com" }, {}, { paymentFailed: true, errorCode: "54" });
await runMutation(gateway, "cancelCoverSubscription", { subscriptionId: wednesday.subscriptionId });

async function openDay(day: string, payer: object, plan: object, payment: object) {
  const person = { ...minimalInputs.customer(), ...zone, ...payer, partnerCustomerId: day };
  const { customer } = await runMutation(gateway, "registerCoverCustomer", person);
  const { product } = await runMutation(gateway, "registerCoverProduct", {
    ...minimalInputs.product(),
    partnerProductId: day,
  });
  const ids = { customerId: customer.databaseId, productId: product.databaseId };
  const { price } = await runMutation(gateway, "registerCoverPrice", {
    ...minimalInputs.price(ids),
    ...plan,
    partnerPriceId: day,
  });
  const cycle = { ...minimalInputs.subscription(ids), partnerSubscriptionId: day };
  const { subscription } = await runMutation(gateway, "registerCoverSubscription", cycle);
  const shop = { ...ids, priceId: price.databaseId, subscriptionId: subscription.databaseId };
  const order = await createCoverOrder(gateway, shop, { partnerOrderId: day, ...payment });
  return { ...shop, orderId: order.databaseId };
}

const NOBODYS = 4_000_000;
const days = ["mon", "tue", "wed"];
const periods: [object | null, string[]][] = [
  [{ from: TUESDAY }, ["tue", "wed"]],
  [{ until: TUESDAY }, ["mon", "tue"]],
  [{ from: TUESDAY, until: TUESDAY }, ["tue"]],
  [{ from: "2026-03-03T09:30:00.001Z", until: "2026-03-04T18:29:59.999+09:00" }, []],
  [{ from: "2026-03-03T09:30:00.001Z", until: "2026-03-04T18:30:00+09:00" }, ["wed"]],
  [{ from: null, until: null }, days],
  [null, days],
  [{}, days],
];
const within = (field: string): [object, string[]][] => periods.map(([period, found]) => [{ [field]: period }, found]);

/** The lists: the type of their filter, the field that shows a row's day, and the rows that each filter must find. */
const cases: Record<string, [type: string, key: string, finds: [filter: object | null, days: string[]][]]> = {
  coverCustomers: [
    "CoverCustomerFilterInput",
    "partnerCustomerId",
    [
      ...within("createdAt"),
      [null, days],
      [{ email: "KIM@example.COM" }, ["mon", "wed"]],
      [{ email: "kim@example.com", createdAt: { from: TUESDAY } }, ["wed"]],
      [{ email: "kim@example" }, []],
      [{ email: "%" }, []],
      [{ email: "" }, []],
      [{ email: null }, days],
    ],
  ],
  coverProducts: ["CoverProductFilterInput", "partnerProductId", [...within("createdAt"), [null, days]]],
  coverPrices: [
    "CoverPriceFilterInput",
    "partnerPriceId",
    [
      ...within("createdAt"),
      [{ productId: monday.productId }, ["mon"]],
      [{ productId: toGlobalId("CoverProduct", monday.productId) }, ["mon"]],
      [{ productId: NOBODYS }, []],
      [{ isRecurring: true }, ["tue"]],
      [{ isRecurring: false }, ["mon", "wed"]],
      [{ productId: null, isRecurring: null }, days],
      [{ productId: monday.productId, isRecurring: true }, []],
    ],
  ],
  coverSubscriptions: [
    "CoverSubscriptionFilterInput",
    "partnerSubscriptionId",
    [
      ...within("createdAt"),
      [{ customerId: tuesday.customerId }, ["tue"]],
      [{ customerId: toGlobalId("CoverCustomer", tuesday.customerId) }, ["tue"]],
      [{ statuses: ["ACTIVE"] }, ["mon"]],
      [{ statuses: ["UNPAID"] }, ["tue"]],
      [{ statuses: ["CANCELED"] }, ["wed"]],
      [{ statuses: ["ACTIVE", "CANCELED"] }, ["mon", "wed"]],
      [{ statuses: ["PAUSE", "EXPIRED"] }, []],
      [{ statuses: ["PAUSE", "UNPAID"] }, ["tue"]],
      [{ statuses: [] }, []],
      [{ statuses: null, customerId: null }, days],
    ],
  ],
  coverOrders: [
    "CoverOrderFilterInput",
    "partnerOrderId",
    [
      ...within("createdAt"),
      [{ statuses: ["PAID"] }, ["mon"]],
      [{ statuses: ["PAYMENT_FAILURE"] }, ["tue", "wed"]],
      [{ statuses: ["PAID", "PAYMENT_FAILURE"], createdAt: { until: TUESDAY } }, ["mon", "tue"]],
      [{ statuses: [] }, []],
      [{ customerId: wednesday.customerId }, ["wed"]],
      [{ subscriptionId: toGlobalId("CoverSubscription", monday.subscriptionId) }, ["mon"]],
      [{ customerId: monday.customerId, subscriptionId: tuesday.subscriptionId }, []],
      [{ customerId: null, subscriptionId: null, statuses: null }, days],
    ],
  ],
  covers: [
    "CoverFilterInput",
    "order { partnerOrderId }",
    [
      [null, ["tue", "wed"]],
      [{ startedAt: { until: TUESDAY } }, ["tue"]],
      [{ startedAt: { from: WEDNESDAY } }, ["wed"]],
      [{ states: ["IN_PROGRESS"] }, ["tue"]],
      [{ states: ["STOPPED"] }, ["wed"]],
      [{ states: ["IN_PROGRESS", "STOPPED"] }, ["tue", "wed"]],
      [{ states: [] }, []],
      [{ endReasons: ["NEEDS_NEW_METHOD"] }, ["wed"]],
      [{ endReasons: ["PAID"] }, []],
      [{ endReasons: [] }, []],
      [{ orderId: tuesday.orderId }, ["tue"]],
      [{ orderId: toGlobalId("CoverOrder", wednesday.orderId) }, ["wed"]],
      [{ subscriptionId: wednesday.subscriptionId }, ["wed"]],
      [{ orderId: NOBODYS }, []],
      [{ retryDate: { from: WEDNESDAY, until: WEDNESDAY } }, ["tue"]],
      [{ retryDate: { from: "2026-03-04T09:30:00.001Z" } }, []],
      [{ retryDate: { from: null } }, ["tue", "wed"]],
    ],
  ],
};

const dayOf = (row: unknown): string => (typeof row === "string" ? row : dayOf(Object.values(row as object)[0]));

describe.each(Object.entries(cases))("%s", (list, [type, key, finds]) => {
  test.each(finds)("filtered by %j are those of %j, with the same count", async (filter, found) => {
    const data = await gateway.queryRawData(
      `query ($filter: ${type}) { ${list}(filter: $filter) { totalCount nodes { ${key} } } }`,
      { filter },
    );
    const { totalCount, nodes } = data[list];
    expect({ totalCount, found: nodes.map(dayOf).sort() }).toEqual({ totalCount: found.length, found });
  });
});

test("a next slice of a filtered list has the same filter", async () => {
  const document = `query ($after: String) {
    coverCustomers(first: 1, after: $after, filter: { email: "kim@example.com" }) {
      totalCount nodes { partnerCustomerId } pageInfo { endCursor hasNextPage }
    }
  }`;
  const { coverCustomers: first } = await gateway.queryData(document);
  const { coverCustomers: second } = await gateway.queryData(document, { after: first.pageInfo.endCursor });
  expect(first).toMatchObject({
    totalCount: 2,
    nodes: [{ partnerCustomerId: "wed" }],
    pageInfo: { hasNextPage: true },
  });
  expect(second).toMatchObject({
    totalCount: 2,
    nodes: [{ partnerCustomerId: "mon" }],
    pageInfo: { hasNextPage: false },
  });
});

test("the longest address that can be registered can be used in a filter", async () => {
  const { token } = await gateway.openVendor();
  const email = `${"x".repeat(313)}@a.b.kr`;
  await runMutation(gateway, "registerCoverCustomer", { ...minimalInputs.customer(), email }, undefined, { token });
  const document = "query ($filter: CoverCustomerFilterInput) { coverCustomers(filter: $filter) { nodes { email } } }";
  const found = await gateway.sendGraphQL(document, { filter: { email } }, { token });
  expect([email.length, found]).toEqual([320, { status: 200, data: { coverCustomers: { nodes: [{ email }] } } }]);
});

const wrong: [list: string, type: string, filter: object, path: string][] = [
  ["coverPrices", "CoverPriceFilterInput", { productId: toGlobalId("CoverPrice", 1) }, "filter.productId"],
  ["coverSubscriptions", "CoverSubscriptionFilterInput", { customerId: "0" }, "filter.customerId"],
  ["coverOrders", "CoverOrderFilterInput", { customerId: toGlobalId("CoverOrder", 1) }, "filter.customerId"],
  ["coverOrders", "CoverOrderFilterInput", { subscriptionId: "x" }, "filter.subscriptionId"],
  ["covers", "CoverFilterInput", { orderId: "-1" }, "filter.orderId"],
  ["covers", "CoverFilterInput", { subscriptionId: toGlobalId("Cover", 1) }, "filter.subscriptionId"],
  ["coverCustomers", "CoverCustomerFilterInput", { email: "nul\0byte" }, "filter.email"],
  ["coverCustomers", "CoverCustomerFilterInput", { createdAt: { from: "yesterday" } }, "filter.createdAt.from"],
];

test.each(wrong)("%s(filter: %s) refuses %j and names it", async (list, type, filter, path) => {
  const document = `query ($filter: ${type}) { ${list}(filter: $filter) { nodes { id } } }`;
  expect(errorSummaries(await gateway.sendRawGraphQL(document, { filter }))).toEqual([
    `INVALID_ARGUMENT: ${path} INVALID_VALUE`,
  ]);
});
