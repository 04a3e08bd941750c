import { done, least, openOrder, openShop } from "./cover-mutations.ts";
import type { RequestOptions, TestGateway } from "./test-gateway.ts";
import { MINUTE } from "./test-clock.ts";

/** A list somewhere in the graph, and what it must hold. */
export interface LongList {
  name: string;
  /** The document around the list; `%` is where the list with its arguments goes. */
  around: string;
  field: string;
  /** What is selected of a row to know it by. */
  key: string;
  /** The rows in the list's own order, each as what `key` selects. */
  rows: string[];
}

const START = Date.parse("2026-03-01T09:30:00.000Z");

/** Minutes at which rows are made: out of order, with ties, so that an order by id alone is a wrong one. */
const MIXED = [3, 1, 1, 2, 1, 3, 0];

/** Minutes for what can only go on in time, with ties. */
const RISING = [0, 0, 1, 2, 2, 2, 3];

/** A code of each class that lets a scenario go on. */
const CODES = ["51", "61", "05", "91", "34", "62", "X"];

interface Row {
  at: number;
  key: string;
}

const byTime = (rows: readonly Row[]): string[] => rows.toSorted((a, b) => a.at - b.at).map(({ key }) => key);
const newestFirst = (rows: readonly Row[]): string[] => byTime(rows).reverse();
const seven = (minutes: readonly number[], keyOf: (index: number) => string): Row[] =>
  minutes.map((at, index) => ({ at, key: keyOf(index) }));

/** Makes seven rows for each list of the vendor, newest first. */
export async function fillLists(gateway: TestGateway, options: RequestOptions): Promise<LongList[]> {
  const coverIds: number[] = [];
  for (const [index, minute] of MIXED.entries()) {
    gateway.clock.set(new Date(START + minute * MINUTE));
    const register = (mutation: Parameters<typeof done>[1], input: object) =>
      done(gateway, mutation, input, undefined, options);
    const { customer } = await register("registerCoverCustomer", {
      ...least.customer(),
      partnerCustomerId: `c${index}`,
    });
    const { product } = await register("registerCoverProduct", { ...least.product(), partnerProductId: `p${index}` });
    const ids = { customerId: customer.databaseId, productId: product.databaseId };
    const { price } = await register("registerCoverPrice", { ...least.price(ids), partnerPriceId: `r${index}` });
    const { subscription } = await register("registerCoverSubscription", {
      ...least.subscription(ids),
      partnerSubscriptionId: `s${index}`,
    });
    const shop = { ...ids, priceId: price.databaseId, subscriptionId: subscription.databaseId };
    const { cover } = await openOrder(gateway, shop, { partnerOrderId: `o${index}`, paymentFailed: true }, options);
    coverIds.push(cover.databaseId);
  }
  const list = (field: string, key: string, keyOf: (index: number) => string): LongList => ({
    name: field,
    around: "%",
    field,
    key,
    rows: newestFirst(seven(MIXED, keyOf)),
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
export async function fillNestedLists(gateway: TestGateway): Promise<LongList[]> {
  const { customerId, productId, subscriptionId, ...shop } = await openFamily(gateway);
  const around = (parent: string, id: number) => `${parent}(id: "${id}") { % }`;
  const list = (parent: string, id: number, field: string, key: string, rows: string[]): LongList => ({
    name: `${parent}.${field}`,
    around: around(parent, id),
    field,
    key,
    rows,
  });
  const { orderId, coverIds } = await openOrderWithSevenCovers(gateway);
  const told = await openCoverWithSevenAttempts(gateway);
  return [
    list("coverCustomer", customerId, "orders", "partnerOrderId", newestFirst(shop.orders)),
    list("coverCustomer", customerId, "subscriptions", "partnerSubscriptionId", newestFirst(shop.subscriptions)),
    list("coverProduct", productId, "prices", "partnerPriceId", newestFirst(shop.prices)),
    list("coverSubscription", subscriptionId, "orders", "partnerOrderId", newestFirst(shop.orders)),
    list("coverSubscription", subscriptionId, "covers", "databaseId", newestFirst(shop.covers)),
    list("coverSubscription", subscriptionId, "timeline", "occurredAt type", byTime(shop.events)),
    list("coverOrder", orderId, "covers", "databaseId", coverIds.toReversed().map(String)),
    list("coverOrder", told.orderId, "timeline", "type facts", ['ORDER_REGISTERED {"to":"CREATED"}', ...told.events]),
    list("cover", told.coverId, "attempts", "number errorCode", told.attempts),
    list("cover", told.coverId, "decisions", "reasonClass", told.classes),
    list("cover", told.coverId, "timeline", "type facts", told.events.slice(1)),
  ];
}

/** A customer with seven subscriptions and orders, the orders all of the first subscription, and a product with seven plans. */
async function openFamily(gateway: TestGateway) {
  gateway.clock.set(new Date(START));
  const { customer } = await done(gateway, "registerCoverCustomer", least.customer());
  const { product } = await done(gateway, "registerCoverProduct", least.product());
  const ids = { customerId: customer.databaseId as number, productId: product.databaseId as number };
  const made = {
    prices: [] as Row[],
    subscriptions: [] as Row[],
    orders: [] as Row[],
    covers: [] as Row[],
    events: [] as Row[],
  };
  let [priceId, subscriptionId] = [0, 0];
  for (const [index, at] of MIXED.entries()) {
    const now = new Date(START + at * MINUTE);
    gateway.clock.set(now);
    const { price } = await done(gateway, "registerCoverPrice", { ...least.price(ids), partnerPriceId: `nr${index}` });
    const { subscription } = await done(gateway, "registerCoverSubscription", {
      ...least.subscription(ids),
      partnerSubscriptionId: `ns${index}`,
    });
    priceId ||= price.databaseId;
    subscriptionId ||= subscription.databaseId;
    const failed = { partnerOrderId: `no${index}`, paymentFailed: true };
    const { cover } = await openOrder(gateway, { ...ids, priceId, subscriptionId }, failed);
    made.prices.push({ at, key: `nr${index}` });
    made.subscriptions.push({ at, key: `ns${index}` });
    made.orders.push({ at, key: `no${index}` });
    made.covers.push({ at, key: String(cover.databaseId) });
    const types = [...(index === 0 ? ["SUBSCRIPTION_REGISTERED"] : []), "ORDER_REGISTERED", "RECOVERY_STARTED"];
    made.events.push(...types.map((type) => ({ at, key: `${now.toISOString()} ${type}` })));
  }
  return { ...ids, subscriptionId, ...made };
}

/** An order whose payer has renewed the payment method again and again: each cover ends, and a new one starts. */
async function openOrderWithSevenCovers(gateway: TestGateway) {
  gateway.clock.set(new Date(START));
  const shop = await openShop(gateway);
  const expired = { paymentFailed: true, errorCode: "54" };
  const { databaseId: orderId, cover } = await openOrder(gateway, shop, expired);
  const coverIds: number[] = [cover.databaseId];
  for (const minute of RISING.slice(1)) {
    gateway.clock.set(new Date(START + minute * MINUTE));
    const renewed = await done(gateway, "reportPaymentMethodChanged", { orderId });
    coverIds.push(renewed.cover.databaseId);
    await done(gateway, "startRecovery", { orderId, subscriptionId: shop.subscriptionId, errorCode: "54" });
  }
  return { orderId: orderId as number, coverIds };
}

/** A cover to which seven failures were reported, each of another class. */
async function openCoverWithSevenAttempts(gateway: TestGateway) {
  gateway.clock.set(new Date(START));
  const shop = await openShop(gateway);
  const { databaseId: orderId } = await openOrder(gateway, shop);
  let coverId = 0;
  for (const [index, minute] of RISING.entries()) {
    gateway.clock.set(new Date(START + minute * MINUTE));
    const report = { orderId, subscriptionId: shop.subscriptionId, errorCode: CODES[index] };
    coverId = (await done(gateway, "startRecovery", report)).cover.databaseId;
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
      ? `RECOVERY_STARTED ${sorted({ retryDate, reasonClass })}`
      : `RECOVERY_ATTEMPT_FAILED ${sorted({ attempt: index + 1, kind: "UNSCHEDULED", retryDate, reasonClass })}`,
  );
  const failed = 'ORDER_STATUS_CHANGED {"from":"CREATED","to":"PAYMENT_FAILURE"}';
  const attempts = CODES.map((code, index) => `${index + 1} ${code}`);
  return { orderId: orderId as number, coverId, attempts, classes, events: [failed, ...events] };
}

/** The facts of an event as text, whatever the order of their keys. */
const sorted = (facts: object): string => JSON.stringify(facts, Object.keys(facts).sort());

/** A row as the words that its list knows it by. */
export const keyOf = (row: Record<string, unknown>): string =>
  Object.values(row)
    .map((value) => (typeof value === "object" && value !== null ? sorted(value) : String(value)))
    .join(" ");
