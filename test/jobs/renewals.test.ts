import { describe, expect, test } from "vitest";
import { queryRows } from "../hostile/query-rows.ts";
import { startGateway } from "../support/test-gateway.ts";
import { everyMonth } from "../support/test-catalogue.ts";
import { testCards, TestPayments } from "../support/test-payments.ts";
import { createWorker, runUntilIdle } from "../support/test-worker.ts";

const gateway = await startGateway({ now: "2026-01-31T03:00:00.000Z" });
const payments = await TestPayments.start(gateway);
const worker = createWorker(gateway);

/** A subscription of a month, paid by a card. */
async function subscribe(card: string, told: object = {}) {
  const first = await payments.createOrder("10000", { plan: { type: "FLAT", recurring: everyMonth }, ...told });
  await payments.payOrder(first.databaseId, card);
  const { subscriptions } = await payments.readOrder(
    first.databaseId,
    "subscriptions { databaseId status nextPaymentDate }",
  );
  return { id: subscriptions[0]!.databaseId, first };
}

const read = async (id: number) => {
  const { subscription } = await gateway.queryData(
    `query ($id: ID!) { subscription(id: $id) { status nextPaymentDate latestOrders { databaseId idKey type amount paidAmount items { status } orderLogs { type content } } } }`,
    { id: String(id) },
  );
  return subscription;
};

/** Lets days pass, one after the other, and the worker run on each. */
async function days(count: number): Promise<void> {
  for (let day = 0; day < count; day++) {
    gateway.clock.advance(86_400_000);
    await runUntilIdle(worker);
  }
}

/** The number of charges of each order of a subscription, by the gateway's books. */
const chargesOf = (id: number) =>
  queryRows<{ type: string; times: number }>(
    gateway,
    `select o.type, (select count(*)::int from simulated_charges c where c.order_reference = o.id_key and c.status = 'APPROVED') as times
      from orders o join order_subscriptions j on j.vendor_id = o.vendor_id and j.order_id = o.id where j.subscription_id = ${id} order by o.id`,
  );

describe("a monthly subscription that began on the 31st", () => {
  test("is charged once at the end of each month", async () => {
    const { id } = await subscribe(testCards.approved);
    expect((await read(id))!.nextPaymentDate).toBe("2026-02-28T03:00:00.000Z");
    await days(60);
    const { status, nextPaymentDate, latestOrders } = (await read(id))!;
    expect({ status, nextPaymentDate }).toEqual({ status: "ACTIVE", nextPaymentDate: "2026-04-30T03:00:00.000Z" });
    expect(latestOrders.map(({ type }) => type)).toEqual(["RECURRING", "RECURRING", "RECURRING_INITIAL"]);
    expect(await chargesOf(id)).toEqual([
      { type: "RECURRING_INITIAL", times: 1 },
      { type: "RECURRING", times: 1 },
      { type: "RECURRING", times: 1 },
    ]);
    for (const { databaseId } of latestOrders)
      expect(await payments.ledgerOf(databaseId)).toEqual({ CLEARING: 10_000, SALES: -10_000 });
  });
});

test("an item to add is not charged when its subscription is cancelled before the payment", async () => {
  const { id } = await subscribe(testCards.approved);
  const { subscription } = await gateway.queryData("query ($id: ID!) { subscription(id: $id) { items { code } } }", {
    id: String(id),
  });
  const change = [{ itemCode: subscription!.items[0]!.code, quantity: 3 }];
  // Without a gateway the charge is deferred.
  const configure = (enabled: boolean) =>
    payments.runMutation("configurePaymentGateway", { paymentGateway: "HOUSE", enabled }, "account { databaseId }");
  await configure(false);
  await payments.runMutation("changeSubscriptionItems", { subscriptionId: String(id), change }, "order { databaseId }");
  await payments.runMutation("cancelSubscription", { subscriptionId: String(id) }, "subscription { status }");
  await configure(true);
  await days(1);
  const { latestOrders } = (await read(id))!;
  expect(latestOrders[0]).toMatchObject({ type: "ADDITIONAL", items: [{ status: "CANCELED" }] });
  expect(await chargesOf(id)).toEqual([
    { type: "RECURRING_INITIAL", times: 1 },
    { type: "ADDITIONAL", times: 0 },
  ]);
});

describe("a subscription of two months", () => {
  test("has ended when it is resumed after its end, and is not charged a third time", async () => {
    const plan = { type: "FLAT", recurring: everyMonth, expiryRecurringCount: 2 };
    const { id } = await subscribe(testCards.approved, { plan });
    await days(40);
    await payments.runMutation(
      "pauseSubscription",
      { subscriptionId: String(id), when: "NOW" },
      "subscription { status }",
    );
    await days(60);
    expect((await read(id))!.status).toBe("PAUSE");
    await payments.runMutation("activateSubscription", { subscriptionId: String(id) }, "subscription { status }");
    await days(40);
    expect((await read(id))!.status).toBe("EXPIRED");
    expect((await chargesOf(id)).map(({ times }) => times)).toEqual([1, 1]);
  });
});

describe("a renewal whose card is declined", () => {
  test("leaves the subscription UNPAID, and the third retry recovers it", async () => {
    const { id } = await subscribe(testCards.recoversOnThirdRetry);
    const due = (await read(id))!.nextPaymentDate;
    while (gateway.clock.now() < new Date(due!)) await days(1);
    expect((await read(id))!.status).toBe("UNPAID");
    const [renewal] = (await read(id))!.latestOrders;
    expect(renewal!.items).toEqual([{ status: "PAYMENT_FAILURE" }]);
    await days(1);
    await days(2);
    expect((await read(id))!.status).toBe("UNPAID");
    await days(2);
    const after = await read(id);
    expect(after!.status).toBe("ACTIVE");
    const { amount, orderLogs } = after!.latestOrders[0]!;
    expect(after!.latestOrders[0]).toMatchObject({ paidAmount: amount, items: [{ status: "PAID" }] });
    expect(orderLogs.map(({ type }: { type: string }) => type)).toEqual(["RENEW", "RENEW"]);
    expect(await payments.countApprovedCharges(renewal!.idKey)).toBe(1);
    const { covers } = await payments.readOrder(
      renewal!.databaseId,
      "covers { nodes { state endReason attempts { totalCount } } }",
    );
    expect(covers.nodes).toEqual([{ state: "RECOVERED", endReason: "PAID", attempts: { totalCount: 3 } }]);
  });

  test("expires the subscription when every retry has failed", async () => {
    const { id } = await subscribe(testCards.neverAgain);
    const due = (await read(id))!.nextPaymentDate;
    while (gateway.clock.now() < new Date(due!)) await days(1);
    await days(15);
    const { status, latestOrders } = (await read(id))!;
    expect(status).toBe("EXPIRED");
    expect(latestOrders).toHaveLength(2);
    const tries = await payments.simulatedCharges(latestOrders[0]!.idKey);
    expect(tries.map(({ status: outcome }) => outcome)).toEqual(Array(6).fill("DECLINED"));
    const moves = await queryRows<{ trigger: string }>(
      gateway,
      `select trigger from event_log where subject = 'COVER' and subscription_id = ${id} order by id`,
    );
    expect(moves.map(({ trigger }) => trigger)).toEqual([
      "startRecovery",
      ...Array(5).fill("failRetry"),
      "endRecovery",
    ]);
  });

  test("expires the subscription at once when the card must not be retried", async () => {
    const { id } = await subscribe(testCards.lostLater);
    const due = (await read(id))!.nextPaymentDate;
    while (gateway.clock.now() < new Date(due!)) await days(1);
    expect((await read(id))!.status).toBe("EXPIRED");
  });

  test("is not retried after the subscription is cancelled", async () => {
    const { id } = await subscribe(testCards.neverAgain);
    const due = (await read(id))!.nextPaymentDate;
    while (gateway.clock.now() < new Date(due!)) await days(1);
    const [renewal] = (await read(id))!.latestOrders;
    await gateway.queryData(
      "mutation ($input: CancelSubscriptionInput!) { cancelSubscription(input: $input) { subscription { status } } }",
      { input: { subscriptionId: String(id), when: "NOW" } },
    );
    await days(5);
    expect(await payments.simulatedCharges(renewal!.idKey)).toHaveLength(1);
    const { covers } = await payments.readOrder(renewal!.databaseId, "covers { nodes { state endReason } }");
    expect(covers.nodes).toEqual([{ state: "STOPPED", endReason: "CANCELED" }]);
  });
});

test("a period is charged once when the gateway charges its renewal and does not answer", async () => {
  const { id } = await subscribe(testCards.approved);
  await queryRows(
    gateway,
    `update simulated_methods set behaviour = jsonb_set(behaviour::jsonb, '{behaviour}', '"FAIL_AFTER_CHARGE"')::text
      where token = (select token from simulated_charges order by created_at desc, reference limit 1)`,
  );
  const due = (await read(id))!.nextPaymentDate;
  while (gateway.clock.now() < new Date(due!)) await days(1);
  const { status, latestOrders } = (await read(id))!;
  expect(status).toBe("ACTIVE");
  expect(await payments.countApprovedCharges(latestOrders[0]!.idKey)).toBe(1);
});
