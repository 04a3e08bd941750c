import { describe, expect, test } from "vitest";
import { createTestChild } from "../support/fixtures/child-vendors.ts";
import { startGateway } from "../support/test-gateway.ts";
import { createListing } from "../support/fixtures/child-listing.ts";
import { checkoutPathOf, CheckoutPayer, textOfPage } from "../support/fixtures/checkout-fixture.ts";
import { graphqlRefusalOf, TestCatalogue } from "../support/test-catalogue.ts";
import { testCards, TestPayments } from "../support/test-payments.ts";
import { createWorker, runUntilIdle } from "../support/test-worker.ts";

/*
 * A child vendor's part of an order follows its parent's: it costs as much, is paid with it, and reserves stock as
 * long.
 */

const gateway = await startGateway({ now: "2026-04-01T00:00:00.000Z" });
const payments = await TestPayments.start(gateway);
const child = await createTestChild(gateway);
const theirs = await TestPayments.start(gateway, child);
const [childs, catalogue] = [new TestCatalogue(gateway, child), new TestCatalogue(gateway)];
const worker = createWorker(gateway);

const DAY = 86_400_000;

const once = { type: "ONE_TIME", recurring: null };
const customerId = String(payments.customerId);

async function ordered(items: readonly object[]) {
  const shown = "order { databaseId items { databaseId } childOrders { databaseId code } }";
  const { order } = await payments.runMutation("createOrder", { customerId, items }, shown);
  return { id: order.databaseId, items: order.items, child: order.childOrders[0] };
}

/** The child's order: its amounts, and its lines by quantity and state. */
async function told(id: number) {
  const shown = "childOrders { amount paidAmount returnedAmount items { quantity status } }";
  const { items, amount, paidAmount, returnedAmount } = (await payments.readOrder(id, shown)).childOrders[0]!;
  return [amount, paidAmount, returnedAmount, ...items.map((one) => `${one.quantity} ${one.status}`)];
}

/** Days pass; orders that were not paid in time return their stock. */
async function pass(days: number): Promise<void> {
  gateway.clock.advance(days * DAY);
  await worker.runTask("orders.release-stock");
}

describe("a child order", () => {
  test("has the quantity that the payer chose, and reserves this quantity of stock", async () => {
    const cup = await createListing(childs, catalogue, once);
    const bowl = await createListing(childs, catalogue, once, { name: "Bowl" });
    const range = { minimumQuantity: 2, maximumQuantity: 12 };
    const { invoice } = await payments.runMutation(
      "createInvoice",
      { customerId, items: [cup.line, { ...bowl.line, ...range }], publishMethods: ["EMAIL"] },
      "invoice { order { databaseId code items { databaseId } } }",
    );
    const { databaseId, code, items } = invoice.order!;
    const payer = await CheckoutPayer.open(
      gateway,
      await checkoutPathOf(gateway, { orderId: databaseId, orderCode: code }),
    );
    const choose = async (quantity: number) => {
      await payer.reloadPage();
      return payer.submitForm({ action: "quantities", [`quantity${items[1]!.databaseId}`]: String(quantity) });
    };
    await choose(5);
    expect([...(await told(databaseId)), await bowl.left()]).toEqual(["24000", "0", "0", "1 CREATED", "5 CREATED", 5]);
    // The child has ten in stock.
    expect((await choose(11)).status).toBe(409);
    expect([...(await told(databaseId)), await bowl.left()]).toEqual(["24000", "0", "0", "1 CREATED", "5 CREATED", 5]);
    await choose(3);
    expect([await cup.left(), await bowl.left()]).toEqual([9, 7]);
    await payments.payOrder(databaseId);
    await payments.runMutation("refundOrder", { orderId: String(databaseId) }, "order { id }");
    expect([await cup.left(), await bowl.left()]).toEqual([10, 10]);
  });

  test("takes its stock again when the parent's order is paid after the stock was returned", async () => {
    const cup = await createListing(childs, catalogue, once);
    const { id } = await ordered([{ ...cup.line, minimumQuantity: 2 }]);
    await pass(1);
    expect(await cup.left()).toBe(10);
    await payments.payOrder(id);
    expect(await cup.left()).toBe(8);
    await pass(2);
    expect(await cup.left()).toBe(8);
    await payments.runMutation("refundOrder", { orderId: String(id) }, "order { id }");
    expect(await cup.left()).toBe(10);
  });

  test("prevents a late payment of the parent's order when the child has no stock left", async () => {
    const cup = await createListing(childs, catalogue, once, { quantity: 1 });
    const { id } = await ordered([cup.line]);
    await pass(1);
    const other = await ordered([cup.line]);
    expect(graphqlRefusalOf(await payments.sendPayOrder(id))[0]).toBe("OUT_OF_STOCK");
    await payments.runMutation("cancelOrder", { orderId: String(other.id) }, "order { id }");
    await payments.payOrder(id);
    expect(await cup.left()).toBe(0);
  });

  test("cancels only the refunded line when two lines are equal", async () => {
    const cup = await createListing(childs, catalogue, once);
    const { id, items } = await ordered([2, 5].map((minimumQuantity) => ({ ...cup.line, minimumQuantity })));
    await payments.payOrder(id);
    const back = { orderId: String(id), items: [{ itemId: String(items[1]!.databaseId) }] };
    await payments.runMutation("refundOrder", back, "order { id }");
    expect(await told(id)).toEqual(["28000", "28000", "20000", "2 PAID", "5 CANCELLATION_REFUNDED"]);
    expect(await cup.left()).toBe(8);
  });

  test("cannot be paid directly, because the payer would pay twice", async () => {
    const cup = await createListing(childs, catalogue, once);
    const { id, child: own } = await ordered([cup.line]);
    expect(graphqlRefusalOf(await theirs.sendPayOrder(own!.databaseId))[0]).toBe("ORDER_NOT_PAYABLE");
    const link = await checkoutPathOf(gateway, { orderId: 0, orderCode: own!.code }, {}, child);
    const payer = await CheckoutPayer.open(gateway, link);
    expect(textOfPage(payer.html)).not.toContain("Card number");
    await payer.payByCard(testCards.approved);
    expect(await told(id)).toEqual(["4000", "0", "0", "1 CREATED"]);
    await payments.payOrder(id);
    expect(await told(id)).toEqual(["4000", "4000", "0", "1 PAID"]);
  });

  test("is not paid and takes no stock after the child cancelled it, whatever the state of the parent's order", async () => {
    const cup = await createListing(childs, catalogue, once);
    const { id, child: own } = await ordered([cup.line]);
    await theirs.runMutation("cancelOrder", { orderId: String(own!.databaseId) }, "order { id }");
    await pass(1);
    expect(await cup.left()).toBe(10);
    await payments.payOrder(id);
    expect(await told(id)).toEqual(["4000", "0", "0", "1 CANCELED"]);
    await payments.runMutation("refundOrder", { orderId: String(id) }, "order { id }");
    expect(await told(id)).toEqual(["4000", "0", "0", "1 CANCELED"]);
    expect(await cup.left()).toBe(10);
  });
});

describe("a deposit that arrives after the stock was returned", () => {
  async function awaited(quantity: number) {
    const cup = await createListing(childs, catalogue, once, { quantity });
    const tray = await catalogue.createProduct({ type: "BOX", name: "Tray", quantity: 1 });
    const { code: priceCode } = await catalogue.createPlan(tray.databaseId, { price: "100" });
    const { id } = await ordered([cup.line, { productCode: tray.code, priceCode }]);
    await payments.payOrder(id, { method: "VBANK" });
    await pass(1);
    const left = async () => [await cup.left(), (await catalogue.readProduct(tray.databaseId, "quantity")).quantity];
    const arrives = async () => {
      const { payment } = await payments.readOrder(id, "payment { gatewayReference }");
      const url = `/simulated-gateway/charges/${payment!.gatewayReference!}/approve`;
      await gateway.gateway.server.inject({ method: "POST", url });
    };
    return { id, cup, left, arrives };
  }

  test("takes the stock again", async () => {
    const { id, left, arrives } = await awaited(3);
    expect(await left()).toEqual([3, 1]);
    await arrives();
    expect(await left()).toEqual([2, 0]);
    await payments.runMutation("refundOrder", { orderId: String(id) }, "order { id }");
    expect(await left()).toEqual([3, 1]);
  });

  test("pays the order even when the stock is sold, and the order's log records it", async () => {
    const { id, cup, left, arrives } = await awaited(1);
    await ordered([cup.line]);
    await arrives();
    expect(await left()).toEqual([0, 0]);
    expect(await told(id)).toEqual(["4000", "4000", "0", "1 PAID"]);
    await payments.runMutation("refundOrder", { orderId: String(id) }, "order { id }");
    expect(await left()).toEqual([0, 1]);
  });
});

describe("a subscription that has ended", () => {
  async function subscribed(card: string) {
    const cup = await createListing(childs, catalogue);
    const { id } = await ordered([{ ...cup.line, minimumQuantity: 2 }]);
    await payments.payOrder(id, card);
    const shown = "subscriptions { databaseId items { code } }";
    const { databaseId, items } = (await payments.readOrder(id, shown)).subscriptions[0]!;
    return { cup, subscriptionId: String(databaseId), itemCode: items[0]!.code };
  }

  test("is not charged for its failed renewals, and reserves no stock", async () => {
    const { cup, subscriptionId, itemCode } = await subscribed(testCards.recoversOnThirdRetry);
    const change = [{ itemCode, quantity: 5 }];
    const raise = await payments.runMutation(
      "changeSubscriptionItems",
      { subscriptionId, change },
      "order { databaseId }",
    );
    await runUntilIdle(worker);
    const { databaseId } = raise.order!;
    expect((await payments.readOrder(databaseId, "items { status }")).items).toEqual([{ status: "PAYMENT_FAILURE" }]);
    expect(await cup.left()).toBe(5);
    await payments.runMutation("cancelSubscription", { subscriptionId, when: "NOW" }, "subscription { status }");
    expect(await cup.left()).toBe(8);
    expect(graphqlRefusalOf(await payments.sendPayOrder(databaseId))[0]).toBe("ORDER_NOT_PAYABLE");
    expect(await told(databaseId)).toEqual(["12000", "0", "0", "3 CANCELED"]);
  });

  test("returns the stock of an unpaid renewal, and takes it again when the renewal is paid late", async () => {
    const { cup, subscriptionId } = await subscribed(testCards.lostLater);
    gateway.clock.advance(30 * DAY);
    await runUntilIdle(worker);
    const query = "query ($id: ID!) { subscription(id: $id) { status latestOrders { databaseId type } } }";
    const read = async () => (await gateway.queryData(query, { id: subscriptionId })).subscription;
    expect(await read()).toMatchObject({ status: "EXPIRED", latestOrders: [{ type: "RECURRING" }, {}] });
    expect(await cup.left()).toBe(6);
    await pass(1);
    expect(await cup.left()).toBe(8);
    await payments.payOrder((await read())!.latestOrders[0]!.databaseId);
    expect(await cup.left()).toBe(6);
  });
});
