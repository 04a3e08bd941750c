import { sql } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { createServices } from "../../../src/graphql/services.ts";
import { queryRows } from "../../hostile/query-rows.ts";
import { errorSummaries } from "../../support/cover-mutations.ts";
import { createTestChild } from "../../support/fixtures/child-vendors.ts";
import { startGateway } from "../../support/test-gateway.ts";
import { createListing } from "../../support/fixtures/child-listing.ts";
import { checkoutPathOf, CheckoutPayer, textOfPage } from "../../support/fixtures/checkout-fixture.ts";
import { everyMonth, TestCatalogue } from "../../support/test-catalogue.ts";
import { DAY } from "../../support/test-clock.ts";
import { testCards, TestPayments } from "../../support/test-payments.ts";

/* A trial, a first-purchase discount and a product that allows one subscription are used up by a payment. */

const gateway = await startGateway();
const payments = await TestPayments.start(gateway);
const catalogue = new TestCatalogue(gateway);

const trial = { enabledDemo: true, demoPeriod: 7, demoPeriodUnit: "DAY" };
const flat = { type: "FLAT", recurring: everyMonth, price: "10000" };
const discounted = { type: "ONE_TIME", price: "1000", firstSale: { enabled: true, price: "300" } };

beforeEach(async () => {
  payments.customerId = await payments.createCustomer();
});

interface Ordered {
  databaseId: number;
  code: string;
  idKey: string;
  amount: string;
}

/** A product with one plan, of which any number of orders can be made. */
async function offer(product: object, plan: object = flat) {
  const { databaseId, code: productCode } = await catalogue.createProduct({ type: "SOFTWARE", ...product });
  const { code: priceCode } = await catalogue.createPlan(databaseId, plan);
  return {
    productId: databaseId,
    line: { productCode: productCode, priceCode: priceCode },
  };
}

const orderOf = async (line: object): Promise<Ordered> =>
  (
    await payments.runMutation(
      "createOrder",
      { customerId: String(payments.customerId), items: [line] },
      "order { databaseId code idKey amount }",
    )
  ).order;

const pairOf = async (line: object): Promise<[Ordered, Ordered]> => [await orderOf(line), await orderOf(line)];

const read = ({ databaseId }: Ordered) =>
  payments.readOrder(
    databaseId,
    "amount paidAmount items { type amount status demoCycle { num } } subscriptions { status trialEndDate }",
  );

/** The code of a payment's refusal; undefined if it was made. */
const refusedWith = async (...asked: Parameters<TestPayments["sendPayOrder"]>) =>
  (await payments.sendPayOrder(...asked)).errors?.[0]?.extensions["code"];

/** Makes an attempt look as if its gateway request were in progress at this moment. */
const underWay = (order: Ordered, isUnderWay: boolean) =>
  queryRows(
    gateway,
    sql`update payments set challenge_url = ${isUnderWay ? null : "http://bank.example"} where vendor_id = ${gateway.vendor.id}
      and order_id = ${order.databaseId} and state = 'PENDING'`,
  );

describe("a trial", () => {
  test("is available to the customer until an order with it was paid, however many orders are unpaid", async () => {
    const { line } = await offer(trial);
    const [one, other] = await pairOf(line);
    gateway.clock.advance(3 * DAY);
    const later = await orderOf(line);
    expect([one.amount, other.amount, later.amount]).toEqual(["0", "0", "0"]);
    await payments.payOrder(one.databaseId);
    expect((await orderOf(line)).amount).toBe("10000");
  });

  test("that another order used needs a confirmation of the new amount, which the next attempt pays", async () => {
    const [one, other] = await pairOf((await offer(trial)).line);
    await payments.payOrder(one.databaseId);
    const refused = await payments.sendPayOrder(other.databaseId);
    expect(errorSummaries(refused)).toEqual(["PRICE_CHANGED"]);
    expect(refused.errors![0]!.extensions["details"]).toMatchObject({
      oldAmount: "0",
      newAmount: "10000",
      currency: "KRW",
    });
    expect(await payments.simulatedCharges(other.idKey)).toEqual([]);
    expect(await read(other)).toMatchObject({ amount: "10000", items: [{ amount: "10000", demoCycle: null }] });
    await payments.payOrder(other.databaseId);
    expect(await read(other)).toMatchObject({ paidAmount: "10000", subscriptions: [{ trialEndDate: null }] });
    const { CAPTURED, ...accounts } = await payments.ledgerOf(other.databaseId);
    expect(Object.values(accounts).reduce((sum, amount) => sum + amount, CAPTURED ?? 0)).toBe(0);
  });

  test.each<[string, { isStored?: boolean; method?: string }]>([
    ["a card", {}],
    ["a stored method", { isStored: true }],
    ["a virtual account", { method: "VBANK" }],
    ["a deposit to the merchant", { method: "BANK" }],
  ])("is validated again when an order is paid by %s", async (_name, { isStored, ...how }) => {
    const [one, other] = await pairOf((await offer(trial)).line);
    const { payment } = await payments.payOrder(one.databaseId);
    const stored = { storedMethodId: String(payment.storedMethod!.databaseId) };
    const told = isStored ? stored : how.method ? how : testCards.approved;
    expect(await refusedWith(other.databaseId, told)).toBe("PRICE_CHANGED");
    expect(await refusedWith(other.databaseId, told)).toBeUndefined();
    expect((await read(other)).amount).toBe("10000");
  });

  test("is shown for confirmation on the page of the order", async () => {
    const [one, other] = await pairOf((await offer(trial)).line);
    const payer = await CheckoutPayer.open(
      gateway,
      await checkoutPathOf(gateway, { orderId: other.databaseId, orderCode: other.code }),
    );
    await payments.payOrder(one.databaseId);
    const { status, html } = await payer.payByCard(testCards.approved);
    expect([status, textOfPage(html)]).toEqual([409, expect.stringMatching(/The amount has changed.*₩10,000/)]);
    await payer.reloadPage();
    await payer.payByCard(testCards.approved);
    expect(await read(other)).toMatchObject({ paidAmount: "10000" });
  });

  test("is used once by orders that are paid concurrently", async () => {
    const pair = await pairOf((await offer(trial)).line);
    const codes = await Promise.all(pair.map(({ databaseId }) => refusedWith(databaseId, testCards.slow)));
    expect(codes.toSorted()).toEqual(["PRICE_CHANGED", undefined]);
    const later = pair[codes.indexOf("PRICE_CHANGED")]!;
    await payments.payOrder(later.databaseId);
    expect(await read(later)).toMatchObject({ paidAmount: "10000" });
  });

  test("is available to an order again once the attempt that reserved it was declined", async () => {
    const [one, other] = await pairOf((await offer(trial)).line);
    await payments.payOrder(one.databaseId, testCards.challenge);
    await underWay(one, true);
    expect(await refusedWith(other.databaseId)).toBe("PRICE_CHANGED");
    expect((await read(other)).amount).toBe("10000");
    await underWay(one, false);
    await payments.payOrder(one.databaseId, testCards.insufficientFunds);
    await payments.payOrder(other.databaseId);
    expect(await read(other)).toMatchObject({ amount: "0", items: [{ status: "PAID", demoCycle: { num: 7 } }] });
  });

  test("applies to the order of the child that sells the product too", async () => {
    const vendor = await gateway.openVendor();
    const own = { token: vendor.token };
    const [child, parent] = [await createTestChild(gateway, {}, own), await TestPayments.start(gateway, own)];
    const { line } = await createListing(
      new TestCatalogue(gateway, { token: child.token }),
      new TestCatalogue(gateway, own),
      {},
      trial,
    );
    const order = async () =>
      (
        await parent.runMutation(
          "createOrder",
          { customerId: String(parent.customerId), items: [line] },
          "order { databaseId amount childOrders { amount } }",
        )
      ).order;
    const [one, other] = [await order(), await order()];
    expect(other).toMatchObject({ amount: "0", childOrders: [{ amount: "0" }] });
    await parent.payOrder(one.databaseId);
    expect(errorSummaries(await parent.sendPayOrder(other.databaseId))).toEqual(["PRICE_CHANGED"]);
    await parent.payOrder(other.databaseId);
    const after = await parent.readOrder(other.databaseId, "amount childOrders { amount paidAmount }");
    expect(after).toEqual({ amount: "4000", childOrders: [{ amount: "4000", paidAmount: "4000" }] });
  });
});

describe("a first-purchase discount", () => {
  test("is available to the customer until it was paid, and stock stays reserved", async () => {
    const { line, productId } = await offer({ type: "BOX", quantity: 3 }, discounted);
    const [one, other] = await pairOf(line);
    expect([one.amount, other.amount]).toEqual(["700", "700"]);
    await payments.payOrder(one.databaseId);
    expect(await refusedWith(other.databaseId)).toBe("PRICE_CHANGED");
    expect((await catalogue.readProduct(productId, "quantity")).quantity).toBe(1);
    await payments.payOrder(other.databaseId);
    expect((await read(other)).paidAmount).toBe("1000");
    expect((await orderOf(line)).amount).toBe("1000");
  });

  test("is not reserved by an order that only waits for a deposit", async () => {
    const [one, other] = await pairOf((await offer({}, discounted)).line);
    await payments.payOrder(one.databaseId, { method: "VBANK" });
    await payments.payOrder(other.databaseId);
    expect((await read(other)).paidAmount).toBe("700");
    expect((await read(one)).items[0]!.status).toBe("PAYMENT_FAILURE");
    expect(await refusedWith(one.databaseId)).toBe("PRICE_CHANGED");
  });

  test("of an order that was paid late is refunded with it when another order used the discount", async () => {
    const [one, other] = await pairOf((await offer({}, discounted)).line);
    const { payment } = await payments.payOrder(one.databaseId, { method: "BANK" });
    await payments.payOrder(other.databaseId);
    const late = { kind: "APPROVED", reference: "late", receiptUrl: "", cardNumber: null, network: null } as const;
    await gateway.database.transaction((handle) =>
      createServices(handle, gateway.clock.now()).payments.recordOutcome(gateway.vendor.id, payment.databaseId, {
        ...late,
        token: null,
        fingerprint: null,
        expiresAt: null,
      }),
    );
    const after = await payments.readOrder(
      one.databaseId,
      "items { status } refunds: returnedAmount payment { state }",
    );
    expect(after).toMatchObject({
      items: [{ status: "CANCELED" }, { status: "CANCELED" }],
      payment: { state: "SUCCEEDED" },
    });
    expect(
      await queryRows(
        gateway,
        sql`select amount::int from refunds where vendor_id = ${gateway.vendor.id} and order_id = ${one.databaseId}`,
      ),
    ).toEqual([{ amount: 700 }]);
  });
});

describe("a product that allows one subscription", () => {
  const once = { isOnetimePurchasable: true };

  test("is refused to the second order before anything is charged, until the first subscription is over", async () => {
    const [one, other] = await pairOf((await offer(once)).line);
    await payments.payOrder(one.databaseId);
    expect(await refusedWith(other.databaseId)).toBe("ALREADY_SUBSCRIBED");
    expect(await payments.simulatedCharges(other.idKey)).toEqual([]);
    const payer = await CheckoutPayer.open(
      gateway,
      await checkoutPathOf(gateway, { orderId: other.databaseId, orderCode: other.code }),
    );
    const { status, html } = await payer.payByCard(testCards.approved);
    expect([status, textOfPage(html)]).toEqual([409, expect.stringContaining("You have this subscription already")]);
    const { subscriptions } = await payments.readOrder(one.databaseId, "subscriptions { databaseId }");
    const input = { subscriptionId: String(subscriptions[0]!.databaseId), when: "NOW" };
    await payments.runMutation("cancelSubscription", input, "subscription { status }");
    await payments.payOrder(other.databaseId);
    expect((await read(other)).subscriptions).toMatchObject([{ status: "ACTIVE" }]);
  });

  test("is charged once when two orders are paid concurrently", async () => {
    const pair = await pairOf((await offer(once)).line);
    const codes = await Promise.all(pair.map(({ databaseId }) => refusedWith(databaseId, testCards.slow)));
    expect(codes.toSorted()).toEqual(["ALREADY_SUBSCRIBED", undefined]);
    const charged = await Promise.all(pair.map(({ idKey }) => payments.countApprovedCharges(idKey)));
    expect(charged.toSorted()).toEqual([0, 1]);
  });

  test("is free for another order once the attempt that reserved it was declined", async () => {
    const [one, other] = await pairOf((await offer(once)).line);
    await payments.payOrder(one.databaseId, testCards.insufficientFunds);
    await payments.payOrder(other.databaseId);
    expect(await refusedWith(one.databaseId)).toBe("ALREADY_SUBSCRIBED");
  });
});
