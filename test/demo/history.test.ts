import Big from "big.js";
import { beforeAll, expect, test } from "vitest";
import {
  InvoiceStatus,
  OrderItemStatus,
  OrderItemType,
  OrderType,
  PricePlanType,
  ProductStatus,
  ProductType,
  SubscriptionStatus,
  toOrderItemStatusName,
} from "../../schema/vocabulary.ts";
import { childTokenOf } from "../../src/demo/demo-data.ts";
import { orderItemStates } from "../../src/orders/order.states.ts";
import type { RawData } from "../support/raw-data.ts";
import { findWrongOrderTotals } from "../support/order-totals.ts";
import { DEMO_TOKEN, seed, startDemo } from "./demo-gateway.ts";

/* The results of the demo vendor's year: amounts, states, counts. */

const NOW = "2026-03-01T09:30:00.000Z";
const gateway = await startDemo(NOW);
const twin = await startDemo(NOW);

const orderFields = `code idKey type amount discountedAmount paidAmount returnedAmount leftAmount currency createdAt
  paymentDate payment { state amount paymentReturn }
  items { type status amount paidAmount returnedAmount orderedProductType createdAt histories { status createdAt } }`;

/** All rows of a list. */
async function all(root: string, fields: string, { of = gateway, token = DEMO_TOKEN } = {}): Promise<RawData[]> {
  const rows: RawData[] = [];
  for (let after: string | null = null; ;) {
    const query = `query ($after: String) { ${root}(first: 100, after: $after) { nodes { ${fields} } pageInfo { hasNextPage endCursor } } }`;
    const { nodes, pageInfo }: RawData = (await of.queryRawData(query, { after }, { token }))[root];
    rows.push(...nodes);
    if (!pageInfo.hasNextPage) return rows;
    after = pageInfo.endCursor;
  }
}

const sum = (rows: readonly RawData[], field: string): number =>
  rows.reduce<Big>((total, row) => total.plus(row[field]), new Big(0)).toNumber();

const words = (rows: readonly RawData[], field: string) => [...new Set(rows.map((row) => row[field]))].sort();

let orders: RawData[];
beforeAll(async () => {
  orders = await all("orders", orderFields);
});

test("the states and counts of orders are those of their lines, at the child vendor too", async () => {
  expect(await findWrongOrderTotals(gateway)).toEqual([]);
});

test("there are some hundred customers, and the newest twenty have bought", async () => {
  const { customers } = await gateway.queryData("{ customers(first: 20) { totalCount nodes { orderCount } } }");
  expect(customers.totalCount).toBeGreaterThan(200);
  expect(customers.nodes.filter((one) => one.orderCount > 0).length).toBeGreaterThan(5);
});

test("lines add up to each order: its price, its paid amount, its refunds", () => {
  for (const order of orders) {
    expect(sum(order.items, "amount"), order.code).toBe(Number(order.amount));
    expect(sum(order.items, "paidAmount"), order.code).toBe(Number(order.paidAmount));
    expect(sum(order.items, "returnedAmount"), order.code).toBe(Number(order.returnedAmount));
    expect(Number(order.leftAmount), order.code).toBe(new Big(order.paidAmount).minus(order.returnedAmount).toNumber());
    const discounts = order.items.filter((item: RawData) => item.type === "DISCOUNT");
    expect(sum(discounts, "amount") + Number(order.discountedAmount), order.code).toBe(0);
  }
});

test("every paid amount has a payment and ledger entries", async () => {
  for (const { code, payment, paidAmount, returnedAmount, paymentDate } of orders) {
    expect(paymentDate !== null, code).toBe(Number(paidAmount) > 0);
    if (Number(paidAmount) === 0) continue;
    expect(payment, code).toMatchObject({ state: "SUCCEEDED", amount: paidAmount, paymentReturn: returnedAmount });
  }
  const entries = await all("ledgerEntries", "account amount currency");
  for (const currency of words(orders, "currency")) {
    const own = (rows: readonly RawData[]) => rows.filter((row) => row.currency === currency);
    const account = (name: string) =>
      sum(
        own(entries).filter((entry) => entry.account === name),
        "amount",
      );
    expect(account("SALES"), currency).toBe(-sum(own(orders), "paidAmount"));
    expect(account("REFUNDS"), currency).toBe(sum(own(orders), "returnedAmount"));
  }
});

/** The states that a line can reach from a state, by their names in GraphQL. */
const nextStates = (name: string): string[] =>
  Object.entries(orderItemStates.definition.transitions)
    .filter(([status]) => toOrderItemStatusName(status) === name)
    .flatMap(([, next]) => Object.values(next).map(toOrderItemStatusName));

test("lines reach their states by legal transitions, and none in the future", () => {
  for (const { code, items } of orders)
    for (const { status, histories, createdAt } of items) {
      let [at, time] = ["CREATED", createdAt as string];
      for (const step of histories ?? []) {
        expect(nextStates(at), `${code}: ${at} to ${step.status}`).toContain(step.status);
        expect(step.createdAt >= time && step.createdAt <= NOW, `${code} at ${step.createdAt}`).toBe(true);
        [at, time] = [step.status, step.createdAt];
      }
      expect(at, code).toBe(status);
    }
});

test("the counts of orders by state and by day are exact", async () => {
  const inState = (status: string) => (order: RawData) =>
    order.items.some((item: RawData) => item.type === "SKU" && item.status === status);
  for (const status of Object.keys(OrderItemStatus).map(toOrderItemStatusName)) {
    const filter = { status, createdAt: { from: "2025-09-10T05:00:00Z", until: "2026-02-20T17:00:00Z" } };
    const { all: whole, part } = await gateway.queryData(
      "query ($all: OrderFilterInput, $part: OrderFilterInput) { all: orders(filter: $all) { totalCount } part: orders(filter: $part) { totalCount } }",
      { all: { status }, part: filter },
    );
    const own = orders.filter(inState(status));
    const within = own.filter(({ createdAt: at }) => at >= filter.createdAt.from && at <= filter.createdAt.until);
    expect(own.length, status).toBeGreaterThan(0);
    expect([whole.totalCount, part.totalCount], status).toEqual([own.length, within.length]);
  }
  expect((await gateway.queryData("{ orders { totalCount } }")).orders.totalCount).toBe(orders.length);
});

test("each item of a subscription has a plan of the subscription's period", async () => {
  const asked = `code interval intervalCount
    items { parentSubscriptionItemCode pricePlan { recurring { interval intervalCount } } }`;
  for (const { code, interval, intervalCount, items } of await all("subscriptions", asked)) {
    // A member of a bundle is charged with its bundle, so its own plan may be a one-time plan.
    const charged = items.filter((item: RawData) => item.parentSubscriptionItemCode === null);
    for (const { pricePlan } of charged) expect(pricePlan.recurring, code).toEqual({ interval, intervalCount });
  }
});

test("amounts in KRW are whole", async () => {
  const whole = (amounts: readonly unknown[], at: string) => {
    for (const amount of amounts) expect(String(amount), at).toMatch(/^-?\d+$/);
  };
  const asked = `code currency amount discountedAmount paidAmount returnedAmount leftAmount currencyPrice
    payment { amount discount paymentReturn refunds { amount } }
    items { amount paidAmount returnedAmount unitPrice }`;
  for (const { code, currency, currencyPrice, payment, items, ...sums } of await all("orders", asked)) {
    whole([currencyPrice.KRW ?? "0"], code);
    if (currency !== "KRW") continue;
    const { refunds = [], ...paid } = payment ?? {};
    for (const amounts of [sums, paid, ...refunds, ...items]) whole(Object.values(amounts), code);
  }
  for (const { code, totalPurchasedPrice } of await all("customers", "code totalPurchasedPrice"))
    whole([totalPurchasedPrice], code);
  const ofSubscriptions = "code currency refundableAmount items { price selectedProductOptionPrice }";
  for (const { code, currency, refundableAmount, items } of await all("subscriptions", ofSubscriptions)) {
    if (currency !== "KRW") continue;
    whole([refundableAmount, ...items.flatMap((item: object) => Object.values(item))], code);
  }
});

test("each enum value of the billing side occurs", async () => {
  expect(words(orders, "type")).toEqual(Object.keys(OrderType).sort());
  expect(
    words(
      orders.flatMap(({ items }) => items),
      "type",
    ),
  ).toEqual(Object.keys(OrderItemType).sort());
  expect(words(await all("subscriptions", "status"), "status")).toEqual(Object.keys(SubscriptionStatus).sort());
  expect(words(await all("invoices", "status"), "status")).toEqual(Object.keys(InvoiceStatus).sort());
  expect(words(await all("pricePlans", "type"), "type")).toEqual(Object.keys(PricePlanType).sort());
  const products = await all("products", "type status");
  products.push(...(await all("products", "type status", { token: childTokenOf(DEMO_TOKEN) })));
  expect(words(products, "type")).toEqual(Object.keys(ProductType).sort());
  expect(words(products, "status")).toEqual(Object.keys(ProductStatus).sort());
});

test("failed renewals have covers: some are open, others have each of the end reasons", async () => {
  const asked = `state endReason retryDate renewalSubscription { status } renewalOrder { databaseId amount paidAmount }
    attempts { totalCount } timeline { nodes { type } }`;
  const payments = await all("payments", "order { databaseId } state");
  const covers = (await all("covers", asked)).filter(({ renewalOrder }) => renewalOrder !== null);
  expect(new Set(covers.map(({ state }) => state))).toEqual(
    new Set(["IN_PROGRESS", "RECOVERED", "EXHAUSTED", "STOPPED"]),
  );
  const after: Record<string, string> = {
    IN_PROGRESS: "UNPAID",
    RECOVERED: "ACTIVE",
    EXHAUSTED: "EXPIRED",
    STOPPED: "UNPAID",
  };
  for (const { state, retryDate, renewalSubscription, renewalOrder, attempts } of covers) {
    expect(renewalSubscription.status).toBe(after[state]);
    expect(renewalOrder.paidAmount === renewalOrder.amount).toBe(state === "RECOVERED");
    expect(state === "IN_PROGRESS" ? retryDate > NOW : retryDate === null).toBe(true);
    const declined = payments.filter(
      (one) => one.order.databaseId === renewalOrder.databaseId && one.state === "FAILED",
    );
    expect(attempts.totalCount).toBe(declined.length);
  }
});

test("a subscription that has ended has its date, and no other has an end in the past", async () => {
  const rows = await all("subscriptions", "status startDate endDate canceledAt");
  const over = rows.filter(({ status }) => status === "CANCELED" || status === "EXPIRED");
  expect(words(over, "status")).toEqual(["CANCELED", "EXPIRED"]);
  for (const { status, startDate, endDate, canceledAt } of over) {
    expect(endDate > startDate && endDate <= NOW, `${status} at ${endDate}`).toBe(true);
    if (status === "CANCELED") expect(endDate).toBe(canceledAt);
  }
  for (const { status, endDate } of rows.filter((row) => !over.includes(row)))
    expect(endDate === null || endDate > NOW, `${status} at ${endDate}`).toBe(true);
});

test("phones are digits with an optional plus, the managers' of children too", async () => {
  const rows = await all("childVendors", "managerPhone");
  for (const { managerPhone } of rows) expect(managerPhone).toMatch(/^\+?\d+$/);
  for (const { phone } of await all("customers", "phone")) expect(phone).toMatch(/^\+?\d+$/);
  expect(rows.length).toBeGreaterThan(2);
});

test("a second start finds the vendor and adds nothing", async () => {
  const asked = "{ vendor { uuid } customers { totalCount } orders { totalCount } products { totalCount } }";
  const before = await gateway.queryData(asked);
  const found = await seed(gateway);
  expect(found.token).toBe(DEMO_TOKEN);
  expect(await gateway.queryData(asked)).toEqual(before);
});

test("two vendors of the same hour have the same year", async () => {
  expect(await all("orders", orderFields, { of: twin })).toEqual(orders);
  for (const [root, fields] of [
    ["customers", "code uuid name email status totalPurchasedPrice createdAt"],
    ["products", "code name status createdAt prices { code price }"],
    ["subscriptions", "code status nextPaymentDate items { code price quantity }"],
    ["invoices", "databaseId status customer { code } order { code }"],
    ["covers", "databaseId state endReason startedAt retryDate attempts { nodes { errorCode attemptedAt } }"],
  ] as const)
    expect(await all(root, fields, { of: twin }), root).toEqual(await all(root, fields));
});

test("the outbox has a message that waits for a worker, and a decline code without a meaning has lost value", async () => {
  const read = `{
    outbox(first: 9) { nodes { kind channel state } }
    unmappedDeclines { errorCode lost lostAmount }
  }`;
  const { outbox, unmappedDeclines } = await gateway.queryRawData(read, {}, { token: DEMO_TOKEN });
  expect(outbox.nodes.map(({ kind, state }: { kind: string; state: string }) => [kind, state])).toContainEqual([
    "INVOICE",
    "QUEUED",
  ]);
  expect(unmappedDeclines).toEqual([{ errorCode: "R77", lost: 1, lostAmount: "18900" }]);
});
