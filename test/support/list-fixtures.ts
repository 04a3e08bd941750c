import { runMutation, minimalInputs, createCoverOrder, createCoverFixture } from "./cover-mutations.ts";
import type { RequestOptions, TestGateway } from "./test-gateway.ts";
import { MINUTE } from "./test-clock.ts";

/** A list somewhere in the graph, and its expected rows. */
export interface ListFixture {
  name: string;
  /** The document around the list; `%` stands for the list with its arguments. */
  documentTemplate: string;
  field: string;
  /** The selected field that identifies a row. */
  key: string;
  /** The rows in the list's own order, each as the value that `key` selects. */
  expectedKeys: string[];
}

const STARTED_AT = Date.parse("2026-03-01T09:30:00.000Z");

/** Minutes at which rows are created: out of order, with ties, so that an order by id alone is wrong. */
const UNORDERED_MINUTES = [3, 1, 1, 2, 1, 3, 0];

/** Minutes for rows that can only be created in order, with ties. */
const ORDERED_MINUTES = [0, 0, 1, 2, 2, 2, 3];

/** A code of each class after which a scenario continues. */
const DECLINE_CODES = ["51", "61", "05", "91", "34", "62", "X"];

interface FixtureRow {
  at: number;
  key: string;
}

const keysOldestFirst = (rows: readonly FixtureRow[]): string[] =>
  rows.toSorted((a, b) => a.at - b.at).map(({ key }) => key);
const keysNewestFirst = (rows: readonly FixtureRow[]): string[] => keysOldestFirst(rows).reverse();
const rowsAtMinutes = (minutes: readonly number[], keyOf: (index: number) => string): FixtureRow[] =>
  minutes.map((at, index) => ({ at, key: keyOf(index) }));

/** Makes seven rows for each list of the vendor, newest first. */
export async function createListFixtures(gateway: TestGateway, options: RequestOptions): Promise<ListFixture[]> {
  const coverIds: number[] = [];
  for (const [index, minute] of UNORDERED_MINUTES.entries()) {
    gateway.clock.setTo(new Date(STARTED_AT + minute * MINUTE));
    const register = (mutation: Parameters<typeof runMutation>[1], input: object) =>
      runMutation(gateway, mutation, input, undefined, options);
    const { customer } = await register("registerCoverCustomer", {
      ...minimalInputs.customer(),
      partnerCustomerId: `c${index}`,
    });
    const { product } = await register("registerCoverProduct", {
      ...minimalInputs.product(),
      partnerProductId: `p${index}`,
    });
    const ids = { customerId: customer.databaseId, productId: product.databaseId };
    const { price } = await register("registerCoverPrice", {
      ...minimalInputs.price(ids),
      partnerPriceId: `r${index}`,
    });
    const { subscription } = await register("registerCoverSubscription", {
      ...minimalInputs.subscription(ids),
      partnerSubscriptionId: `s${index}`,
    });
    const shop = { ...ids, priceId: price.databaseId, subscriptionId: subscription.databaseId };
    const { cover } = await createCoverOrder(
      gateway,
      shop,
      { partnerOrderId: `o${index}`, paymentFailed: true },
      options,
    );
    coverIds.push(cover.databaseId);
  }
  const list = (field: string, key: string, keyOf: (index: number) => string): ListFixture => ({
    name: field,
    documentTemplate: "%",
    field,
    key,
    expectedKeys: keysNewestFirst(rowsAtMinutes(UNORDERED_MINUTES, keyOf)),
  });
  return [
    list("coverCustomers", "partnerCustomerId", (index) => `c${index}`),
    list("coverProducts", "partnerProductId", (index) => `p${index}`),
    list("coverPrices", "partnerPriceId", (index) => `r${index}`),
    list("coverSubscriptions", "partnerSubscriptionId", (index) => `s${index}`),
    list("coverOrders", "partnerOrderId", (index) => `o${index}`),
    list("covers", "databaseId", (index) => String(coverIds[index])),
  ];
}

/** Makes the nested lists of one customer, one product, one subscription, one order and one cover. */
export async function createNestedListFixtures(gateway: TestGateway): Promise<ListFixture[]> {
  const { customerId, productId, subscriptionId, ...shop } = await createCustomerWithSevenOrders(gateway);
  const around = (parent: string, id: number) => `${parent}(id: "${id}") { % }`;
  const list = (parent: string, id: number, field: string, key: string, rows: string[]): ListFixture => ({
    name: `${parent}.${field}`,
    documentTemplate: around(parent, id),
    field,
    key,
    expectedKeys: rows,
  });
  const { orderId, coverIds } = await createOrderWithSevenCovers(gateway);
  const coverRows = await createCoverWithSevenAttempts(gateway);
  return [
    list("coverCustomer", customerId, "orders", "partnerOrderId", keysNewestFirst(shop.orders)),
    list("coverCustomer", customerId, "subscriptions", "partnerSubscriptionId", keysNewestFirst(shop.subscriptions)),
    list("coverProduct", productId, "prices", "partnerPriceId", keysNewestFirst(shop.prices)),
    list("coverSubscription", subscriptionId, "orders", "partnerOrderId", keysNewestFirst(shop.orders)),
    list("coverSubscription", subscriptionId, "covers", "databaseId", keysNewestFirst(shop.covers)),
    list("coverSubscription", subscriptionId, "timeline", "occurredAt type", keysOldestFirst(shop.events)),
    list("coverOrder", orderId, "covers", "databaseId", coverIds.toReversed().map(String)),
    list("coverOrder", coverRows.orderId, "timeline", "type facts", [
      'ORDER_CREATED {"to":"CREATED"}',
      ...coverRows.events,
    ]),
    list("cover", coverRows.coverId, "attempts", "number errorCode", coverRows.attempts),
    list("cover", coverRows.coverId, "decisions", "reasonClass", coverRows.classes),
    list("cover", coverRows.coverId, "timeline", "type facts", coverRows.events.slice(1)),
  ];
}

/** A customer with seven subscriptions and orders, the orders all of the first subscription, and a product with seven plans. */
async function createCustomerWithSevenOrders(gateway: TestGateway) {
  gateway.clock.setTo(new Date(STARTED_AT));
  const { customer } = await runMutation(gateway, "registerCoverCustomer", minimalInputs.customer());
  const { product } = await runMutation(gateway, "registerCoverProduct", minimalInputs.product());
  const ids = { customerId: customer.databaseId as number, productId: product.databaseId as number };
  const made = {
    prices: [] as FixtureRow[],
    subscriptions: [] as FixtureRow[],
    orders: [] as FixtureRow[],
    covers: [] as FixtureRow[],
    events: [] as FixtureRow[],
  };
  let [priceId, subscriptionId] = [0, 0];
  for (const [index, at] of UNORDERED_MINUTES.entries()) {
    const now = new Date(STARTED_AT + at * MINUTE);
    gateway.clock.setTo(now);
    const { price } = await runMutation(gateway, "registerCoverPrice", {
      ...minimalInputs.price(ids),
      partnerPriceId: `nr${index}`,
    });
    const { subscription } = await runMutation(gateway, "registerCoverSubscription", {
      ...minimalInputs.subscription(ids),
      partnerSubscriptionId: `ns${index}`,
    });
    priceId ||= price.databaseId;
    subscriptionId ||= subscription.databaseId;
    const failed = { partnerOrderId: `no${index}`, paymentFailed: true };
    const { cover } = await createCoverOrder(gateway, { ...ids, priceId, subscriptionId }, failed);
    made.prices.push({ at, key: `nr${index}` });
    made.subscriptions.push({ at, key: `ns${index}` });
    made.orders.push({ at, key: `no${index}` });
    made.covers.push({ at, key: String(cover.databaseId) });
    const types = [...(index === 0 ? ["SUBSCRIPTION_CREATED"] : []), "ORDER_CREATED", "COVER_STARTED"];
    made.events.push(...types.map((type) => ({ at, key: `${now.toISOString()} ${type}` })));
  }
  return { ...ids, subscriptionId, ...made };
}

/** An order whose payer has renewed the payment method again and again: each cover ends, and a new one starts. */
async function createOrderWithSevenCovers(gateway: TestGateway) {
  gateway.clock.setTo(new Date(STARTED_AT));
  const shop = await createCoverFixture(gateway);
  const expired = { paymentFailed: true, errorCode: "54" };
  const { databaseId: orderId, cover } = await createCoverOrder(gateway, shop, expired);
  const coverIds: number[] = [cover.databaseId];
  for (const minute of ORDERED_MINUTES.slice(1)) {
    gateway.clock.setTo(new Date(STARTED_AT + minute * MINUTE));
    const renewed = await runMutation(gateway, "reportPaymentMethodChanged", { orderId });
    coverIds.push(renewed.cover.databaseId);
    await runMutation(gateway, "startRecovery", { orderId, subscriptionId: shop.subscriptionId, errorCode: "54" });
  }
  return { orderId: orderId as number, coverIds };
}

/** A cover to which seven failures were reported, each of another class. */
async function createCoverWithSevenAttempts(gateway: TestGateway) {
  gateway.clock.setTo(new Date(STARTED_AT));
  const shop = await createCoverFixture(gateway);
  const { databaseId: orderId } = await createCoverOrder(gateway, shop);
  let coverId = 0;
  for (const [index, minute] of ORDERED_MINUTES.entries()) {
    gateway.clock.setTo(new Date(STARTED_AT + minute * MINUTE));
    const report = { orderId, subscriptionId: shop.subscriptionId, errorCode: DECLINE_CODES[index] };
    coverId = (await runMutation(gateway, "startRecovery", report)).cover.databaseId;
  }
  const retryDate = "2026-03-02T09:30:00.000Z";
  const classes = [
    "INSUFFICIENT_FUNDS",
    "LIMIT_EXCEEDED",
    "GENERIC_REFUSAL",
    "TECHNICAL",
    "SUSPECTED_FRAUD",
    "RESTRICTED",
    "UNKNOWN",
  ];
  const events = classes.map((reasonClass, index) =>
    index === 0
      ? `COVER_STARTED ${stableJson({ retryDate, reasonClass })}`
      : `COVER_ATTEMPT_FAILED ${stableJson({ attempt: index + 1, kind: "UNSCHEDULED", retryDate, reasonClass })}`,
  );
  const failed = 'ORDER_PAYMENT_FAILED {"from":"CREATED","to":"PAYMENT_FAILURE"}';
  const attempts = DECLINE_CODES.map((code, index) => `${index + 1} ${code}`);
  return { orderId: orderId as number, coverId, attempts, classes, events: [failed, ...events] };
}

/** The facts of an event as text, independent of the order of their keys. */
const stableJson = (facts: object): string => JSON.stringify(facts, Object.keys(facts).sort());

/** A row as the text that its list identifies it by. */
export const rowKeyOf = (row: Record<string, unknown>): string =>
  Object.values(row)
    .map((value) => (typeof value === "object" && value !== null ? stableJson(value) : String(value)))
    .join(" ");
