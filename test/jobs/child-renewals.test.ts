import { afterEach, describe, expect, test } from "vitest";
import { DueVendorRepository } from "../../src/jobs/due-vendor.repository.ts";
import { dueWork } from "../../src/jobs/due-work.ts";
import { queryRows } from "../hostile/query-rows.ts";
import { createTestChild } from "../support/fixtures/child-vendors.ts";
import { startGateway } from "../support/test-gateway.ts";
import { createListing } from "../support/fixtures/child-listing.ts";
import { everyMonth, graphqlRefusalOf, TestCatalogue } from "../support/test-catalogue.ts";
import { testCards, TestPayments } from "../support/test-payments.ts";
import { createWorker, runUntilIdle } from "../support/test-worker.ts";

const gateway = await startGateway({ now: "2026-04-01T00:00:00.000Z" });
const payments = await TestPayments.start(gateway);
const worker = createWorker(gateway);
const child = await createTestChild(gateway);
const [childs, catalogue] = [new TestCatalogue(gateway, child), new TestCatalogue(gateway)];

const DAY = 86_400_000;

const listed = (plan?: object, product?: object) => createListing(childs, catalogue, plan, product);

/** A subscription of the parent's customer, paid by a card. */
async function subscribe(items: readonly object[], card = testCards.approved) {
  const input = { customerId: String(payments.customerId), items };
  const { order } = await payments.runMutation("createOrder", input, "order { databaseId }");
  await payments.payOrder(order.databaseId, card);
  const { subscriptions } = await payments.readOrder(order.databaseId, "subscriptions { databaseId nextPaymentDate }");
  return { id: subscriptions[0]!.databaseId, first: order.databaseId };
}

const ofOrder = `type amount items { type amount status quantity orderedProductName }
  childOrders { databaseId type amount paidAmount returnedAmount items { type amount status quantity orderedProductName usedCount } }`;

async function read(id: number) {
  const { subscription } = await gateway.queryData(
    `query ($id: ID!) { subscription(id: $id) { status items { code quantity }
      latestOrders { databaseId ${ofOrder} } timeline { nodes { trigger reason } } } }`,
    { id: String(id) },
  );
  return subscription;
}

/** Lets days pass, one after the other, and the worker run on each. */
async function days(count: number): Promise<void> {
  for (let day = 0; day < count; day++) {
    gateway.clock.advance(DAY);
    await runUntilIdle(worker);
  }
}

const refund = (orderId: number, input: object = {}) =>
  payments.runMutation("refundOrder", { orderId: String(orderId), ...input }, "order { returnedAmount }");

const change = (id: number, input: object) =>
  payments.sendMutation(
    "changeSubscriptionItems",
    { subscriptionId: String(id), ...input },
    `order { databaseId ${ofOrder} }`,
  );

async function changed(id: number, input: object) {
  const { data, errors } = await change(id, input);
  if (errors) throw new Error(JSON.stringify(errors));
  return data!.changeSubscriptionItems.order!;
}

// A subscription whose product is sold out would be retried on each day of the later tests.
afterEach(() => queryRows(gateway, "update subscriptions set status = 'CANCELED', next_payment_date = null"));

describe("a renewal", () => {
  test("is ordered from the child again at its original price, takes stock, and is paid and refunded with the parent's order", async () => {
    const cup = await listed();
    await catalogue.runMutation("updatePricePlan", { id: String(cup.listedPlanId), price: "5000" }, "pricePlan { id }");
    const { id } = await subscribe([{ ...cup.line, minimumQuantity: 2 }]);
    expect(await cup.left()).toBe(8);
    await childs.runMutation("updatePricePlan", { id: String(cup.planId), price: "9000" }, "pricePlan { id }");
    await days(31);
    const { latestOrders } = (await read(id))!;
    expect(latestOrders).toHaveLength(2);
    const [renewal] = latestOrders;
    const line = { type: "SKU", quantity: 2, orderedProductName: "Cup", status: "PAID" };
    expect(renewal).toMatchObject({ type: "RECURRING", amount: "10000", items: [{ ...line, amount: "10000" }] });
    expect(renewal!.childOrders).toMatchObject([
      { type: "RECURRING", amount: "8000", paidAmount: "8000", items: [{ ...line, amount: "8000" }] },
    ]);
    expect(await cup.left()).toBe(6);
    await refund(renewal!.databaseId);
    expect((await payments.readOrder(renewal!.databaseId, ofOrder)).childOrders).toMatchObject([
      { returnedAmount: "8000", items: [{ status: "CANCELLATION_REFUNDED" }] },
    ]);
    expect(await cup.left()).toBe(8);
    await days(31);
    expect((await read(id))!.latestOrders[0]!.childOrders).toMatchObject([{ amount: "8000" }]);
    expect(await cup.left()).toBe(6);
  });

  test("creates an order for the child's own customer, starts no subscription at the child, and is hidden from the parent", async () => {
    const cup = await listed();
    const { id } = await subscribe([cup.line]);
    await days(31);
    const { databaseId } = (await read(id))!.latestOrders[0]!.childOrders[0]!;
    const query =
      "query ($id: ID!) { order(id: $id) { type customer { name } subscriptions { id } childOrders { id } } }";
    expect((await gateway.queryData(query, { id: String(databaseId) }, child)).order).toEqual({
      type: "RECURRING",
      customer: { name: "Kim Seo-yeon" },
      subscriptions: [],
      childOrders: [],
    });
    expect((await gateway.queryData(query, { id: String(databaseId) })).order).toBeNull();
    const cancel = await payments.sendMutation("cancelOrder", { orderId: String(databaseId) }, "order { id }");
    expect(graphqlRefusalOf(cancel)[0]).toBe("ORDER_NOT_FOUND");
    const { subscriptions, customers } = await gateway.queryData(
      "{ subscriptions { totalCount } customers { totalCount } }",
      {},
      child,
    );
    expect([subscriptions.totalCount, customers.totalCount]).toEqual([0, 1]);
  });

  test("has no first-purchase discount and no setup fee, but all recurring amounts", async () => {
    const fee = (type: string) => ({ setupOption: { name: "Packing", type, price: "700" } });
    const cup = await listed({ firstSale: { enabled: true, price: "1000" }, ...fee("INITIALLY") }, { name: "Once" });
    const bowl = await listed(fee("PERIODIC"), { name: "Each" });
    const { id, first } = await subscribe([cup.line, bowl.line]);
    const amounts = ({ childOrders: [of] }: { childOrders: { items: { type: string; amount: string }[] }[] }) =>
      of!.items.map(({ type, amount }) => `${type} ${amount}`).join(", ");
    expect(amounts(await payments.readOrder(first, ofOrder))).toBe(
      "SKU 4000, FEE 700, DISCOUNT -1000, SKU 4000, FEE 700",
    );
    await days(31);
    expect(amounts((await read(id))!.latestOrders[0]!)).toBe("SKU 4000, SKU 4000, FEE 700");
  });

  test("is the child's first charge after a trial, with the setup fee", async () => {
    const trial = { enabledDemo: true, demoPeriod: 7, demoPeriodUnit: "DAY" };
    const cup = await listed({ setupOption: { name: "Packing", type: "INITIALLY", price: "700" } }, trial);
    const { id, first } = await subscribe([cup.line]);
    expect((await payments.readOrder(first, ofOrder)).childOrders).toMatchObject([
      { amount: "0", items: [{ status: "PAID" }] },
    ]);
    await days(7);
    const [charge] = (await read(id))!.latestOrders;
    expect(charge).toMatchObject({ type: "RECURRING", amount: "4700", childOrders: [{ paidAmount: "4700" }] });
  });

  test("is deferred while the child has no stock, records the reason, and is charged once when there is stock again", async () => {
    const cup = await listed({}, { quantity: 3 });
    const { id } = await subscribe([{ ...cup.line, minimumQuantity: 2 }]);
    await days(33);
    const waiting = await read(id);
    expect([waiting!.status, waiting!.latestOrders.length, await cup.left()]).toEqual(["ACTIVE", 1, 1]);
    expect(waiting!.timeline.nodes.find(({ trigger }) => trigger === "postponeRenewal")!.reason).toMatch(
      /Only 1 of Cup are in stock/,
    );
    await childs.updateProduct(cup.id, { quantity: 5 });
    await days(1);
    const { status, latestOrders } = (await read(id))!;
    expect([status, latestOrders.length, latestOrders[0]!.childOrders.length]).toEqual(["ACTIVE", 2, 1]);
    expect(await cup.left()).toBe(3);
  });

  test("is charged when the child no longer sells the product or is disabled", async () => {
    const cup = await listed();
    const { id } = await subscribe([cup.line]);
    await childs.updateProduct(cup.id, { status: "UNSOLD" });
    const letIn = (enabled: boolean) =>
      payments.runMutation("setChildVendorEnabled", { vendorUuid: child.uuid, enabled }, "child { enabled }");
    await letIn(false);
    await days(31);
    expect((await read(id))!.latestOrders[0]!.childOrders).toMatchObject([{ paidAmount: "4000" }]);
    await letIn(true);
    expect(await cup.left()).toBe(8);
  });

  test("keeps its price when the child no longer has a price for the quantity", async () => {
    const volumes = { type: "VOLUME_BASED", volumes: [{ min: 1, max: 9, price: "3000" }] };
    const cup = await listed(volumes);
    const { id } = await subscribe([{ ...cup.line, minimumQuantity: 2 }]);
    const priced = (min: number, price: string) =>
      childs.runMutation("updatePricePlan", { id: String(cup.planId), volumes: [{ min, price }] }, "pricePlan { id }");
    await priced(5, "2000");
    await days(31);
    expect((await read(id))!.latestOrders[0]!.childOrders).toMatchObject([{ amount: "6000" }]);
    await priced(2, "2500");
    await days(31);
    expect((await read(id))!.latestOrders[0]!.childOrders).toMatchObject([{ amount: "5000" }]);
  });

  test("is paid at the child when it costs nothing at the parent", async () => {
    const cup = await listed();
    await catalogue.runMutation("updatePricePlan", { id: String(cup.listedPlanId), price: "0" }, "pricePlan { id }");
    const { id } = await subscribe([cup.line]);
    await days(31);
    const [renewal] = (await read(id))!.latestOrders;
    expect([renewal!.type, renewal!.amount]).toEqual(["RECURRING", "0"]);
    expect(renewal!.childOrders).toMatchObject([{ amount: "4000", paidAmount: "4000", items: [{ status: "PAID" }] }]);
  });

  test("leaves the child order unpaid when the card is declined, without due work for the child, until it is recovered", async () => {
    const cup = await listed();
    const { id } = await subscribe([cup.line], testCards.recoversOnThirdRetry);
    await days(31);
    const unpaid = await read(id);
    expect(unpaid!.status).toBe("UNPAID");
    expect(unpaid!.latestOrders[0]!.childOrders).toMatchObject([{ paidAmount: "0", items: [{ status: "CREATED" }] }]);
    const work = new DueVendorRepository(gateway.database.handle);
    expect(await work.vendorsWithDueWork(gateway.clock.now(), Object.values(dueWork))).not.toContain(child.id);
    await days(7);
    const [renewal, ...others] = (await read(id))!.latestOrders;
    expect([others.length, renewal!.childOrders.length]).toEqual([1, 1]);
    expect(renewal!.childOrders).toMatchObject([{ paidAmount: "4000", items: [{ status: "PAID" }] }]);
  });

  test("of a bundle costs nothing at the child, and takes the child's stock", async () => {
    const cup = await listed({ setupOption: { name: "Packing", type: "PERIODIC", price: "700" } });
    const set = await catalogue.createProduct({
      type: "BUNDLE",
      name: "Set",
      combinedProductIds: [String(cup.listingId)],
    });
    const { code: priceCode } = await catalogue.createPlan(set.databaseId, {
      type: "BUNDLE",
      recurring: everyMonth,
      price: "5000",
      bundlePrices: [{ productId: String(cup.listingId), priceId: String(cup.listedPlanId) }],
    });
    const { id } = await subscribe([{ productCode: set.code, priceCode, minimumQuantity: 2 }]);
    await days(31);
    expect((await read(id))!.latestOrders[0]!.childOrders).toMatchObject([
      { amount: "0", items: [{ quantity: 2, status: "PAID" }] },
    ]);
    expect(await cup.left()).toBe(6);
    const { code } = (await read(id))!.items[0]!;
    const raise = await changed(id, { change: [{ itemCode: code, quantity: 3 }] });
    expect(raise.childOrders).toMatchObject([{ amount: "0", items: [{ type: "ADDS", quantity: 1 }] }]);
    expect(await cup.left()).toBe(5);
  });

  test("shows the child the used units and the added units", async () => {
    const claim = { methodType: "POST", whenToClaimType: "FIRST_PAYMENT" };
    const additionalBilling = { type: "USAGE_BASED_WITH_RANGE", ranges: [{ until: 100, price: "0" }, { price: "10" }] };
    const meter = { type: "USAGE_BASED", price: "500", additionalBilling };
    const software = { draftOf: "SOFTWARE", quantity: null };
    const used = await listed({ ...meter, claim }, software);
    const { id } = await subscribe([used.line]);
    const { code: itemCode } = (await read(id))!.items[0]!;
    await payments.runMutation(
      "recordUsage",
      { subscriptionId: String(id), itemCode, units: "150" },
      "subscription { id }",
    );
    await days(31);
    const [renewal] = (await read(id))!.latestOrders;
    expect(renewal!.amount).toBe("1000");
    expect(renewal!.childOrders).toMatchObject([{ amount: "1000", items: [{ usedCount: "150", amount: "1000" }] }]);

    const allowed = await listed(meter, software);
    await catalogue.runMutation(
      "updatePricePlan",
      { id: String(allowed.listedPlanId), price: "900" },
      "pricePlan { id }",
    );
    const { id: other } = await subscribe([{ ...allowed.line, minimumQuantity: 100 }]);
    const { code } = (await read(other))!.items[0]!;
    const input = { subscriptionId: String(other), itemCode: code, quota: 300 };
    const { order } = await payments.runMutation("changeSubscriptionQuota", input, `order { databaseId ${ofOrder} }`);
    expect(order).toMatchObject({ type: "ADD_USAGE", amount: "2000" });
    expect(order!.childOrders).toMatchObject([
      {
        type: "ADD_USAGE",
        amount: "2000",
        paidAmount: "2000",
        items: [{ type: "ADDS", quantity: 200, status: "PAID" }],
      },
    ]);
    await days(31);
    expect((await read(other))!.latestOrders[0]!.childOrders).toMatchObject([{ type: "RECURRING", amount: "2500" }]);
  });
});

describe("a change of a subscription", () => {
  /** A subscription of the parent's own, on the first of a month of 30 days. */
  async function ofApril() {
    gateway.clock.setTo("2027-04-01T00:00:00.000Z");
    const own = await catalogue.createProduct({ type: "SOFTWARE", name: "Journal" });
    const { code: priceCode } = await catalogue.createPlan(own.databaseId, {
      type: "FLAT",
      recurring: everyMonth,
      price: "30000",
    });
    return subscribe([{ productCode: own.code, priceCode }]);
  }

  test("orders an added product from the child for the rest of the period, and refunds it with the order", async () => {
    const { id } = await ofApril();
    const [cup, bowl] = [await listed({ price: "6000" }), await listed({ price: "3000" }, { name: "Bowl" })];
    gateway.clock.setTo("2027-04-11T00:00:00.000Z");
    const order = await changed(id, { add: [{ ...cup.line, quantity: 2 }, bowl.line] });
    expect([order.type, order.amount]).toEqual(["ADDITIONAL", "10000"]);
    const lines = [
      { type: "ADDS", amount: "8000", quantity: 2, orderedProductName: "Cup" },
      { type: "ADDS", amount: "2000", quantity: 1, orderedProductName: "Bowl" },
    ];
    expect(order.childOrders).toMatchObject([{ type: "ADDITIONAL", amount: "10000", items: lines }]);
    expect([await cup.left(), await bowl.left()]).toEqual([8, 9]);
    expect((await payments.readOrder(order.databaseId, ofOrder)).childOrders).toMatchObject([{ paidAmount: "10000" }]);

    const itemCode = (await read(id))!.items[1]!.code;
    // Without a gateway the charge is deferred.
    const configure = (enabled: boolean) =>
      payments.runMutation("configurePaymentGateway", { paymentGateway: "HOUSE", enabled }, "account { databaseId }");
    await configure(false);
    const raise = await changed(id, { change: [{ itemCode, quantity: 5 }] });
    await configure(true);
    expect(raise.childOrders).toMatchObject([{ amount: "12000", items: [{ type: "ADDS", quantity: 3 }] }]);
    expect(await cup.left()).toBe(5);
    await payments.runMutation("cancelOrder", { orderId: String(raise.databaseId) }, "order { id }");
    expect((await payments.readOrder(raise.databaseId, ofOrder)).childOrders).toMatchObject([
      { items: [{ status: "CANCELED" }] },
    ]);
    expect(await cup.left()).toBe(8);

    const { items } = await payments.readOrder(order.databaseId, "items { databaseId orderedProductName }");
    const { databaseId } = items.find(({ orderedProductName }) => orderedProductName === "Bowl")!;
    await refund(order.databaseId, { items: [{ itemId: String(databaseId) }] });
    const states = (await payments.readOrder(order.databaseId, ofOrder)).childOrders[0]!.items.map(
      ({ status }) => status,
    );
    expect(states).toEqual(["PAID", "CANCELLATION_REFUNDED"]);
    expect([await cup.left(), await bowl.left()]).toEqual([8, 10]);
  });

  test("is refused and changes nothing when the child does not sell the added product", async () => {
    const { id } = await ofApril();
    const [cup, bowl] = [await listed(), await listed({}, { quantity: 1 })];
    await childs.updateProduct(cup.id, { status: "UNSOLD" });
    const unsold = await change(id, { add: [{ ...bowl.line }, cup.line] });
    expect(graphqlRefusalOf(unsold)).toEqual(["PRODUCT_NOT_ORDERABLE", "add[1].productCode INVALID_VALUE"]);
    const few = await change(id, { add: [{ ...bowl.line, quantity: 2 }] });
    expect(graphqlRefusalOf(few)).toEqual(["OUT_OF_STOCK", "add[0].minimumQuantity INVALID_VALUE"]);
    expect([await bowl.left(), (await read(id))!.latestOrders.length]).toEqual([1, 1]);
  });
});

test("an order of the parent has at most one order of the child, which has the same type", async () => {
  const rows = await queryRows<{ times: number; same: boolean }>(
    gateway,
    `select count(*)::int as times, bool_and(o.type = p.type) as same from orders o join orders p on p.vendor_id = o.parent_vendor_id and p.id = o.parent_order_id
      where o.vendor_id = ${child.id} group by o.parent_order_id`,
  );
  expect(rows.length).toBeGreaterThan(20);
  expect(rows.filter(({ times, same }) => times !== 1 || !same)).toEqual([]);
});
