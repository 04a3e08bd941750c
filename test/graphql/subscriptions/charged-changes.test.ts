import { beforeEach, describe, expect, test } from "vitest";
import { queryRows } from "../../hostile/query-rows.ts";
import { errorSummaries } from "../../support/cover-mutations.ts";
import type { MutationName, Payload, Selected, SelectionOf } from "../../support/answers.ts";
import { startGateway, type GraphQLResponse } from "../../support/test-gateway.ts";
import { everyMonth, TestCatalogue } from "../../support/test-catalogue.ts";
import { DAY } from "../../support/test-clock.ts";
import { testCards, TestPayments } from "../../support/test-payments.ts";
import { createWorker, runUntilIdle } from "../../support/test-worker.ts";

/* Mutations of subscriptions charge in their call, and answer with the payment. The gateway is the simulated one. */

const NOW = "2026-04-01T00:00:00.000Z";
const gateway = await startGateway({
  now: NOW,
  guard: { timeoutMs: 5_000, faultThreshold: 100, initialOpenMs: 10_000, maxOpenMs: 60_000 },
  connections: 10,
});
const worker = createWorker(gateway);

let payments: TestPayments;
let vendorId: number;
beforeEach(async () => {
  gateway.clock.setTo(NOW);
  const vendor = await gateway.openVendor();
  vendorId = vendor.id;
  payments = await TestPayments.start(gateway, { token: vendor.token });
});

interface Subscribed {
  id: number;
  itemCode: string;
  planOf: (told: object) => Promise<string>;
}

/** A subscription that the customer pays by a card, and a function that creates further plans of its product. */
async function subscribe(card: string = testCards.approved, plan: object = {}): Promise<Subscribed> {
  const { databaseId } = await payments.createOrder("30000", {
    plan: { type: "FLAT", recurring: everyMonth, ...plan },
  });
  await payments.payOrder(databaseId, card);
  const read = "subscriptions { databaseId items { code } } items { product { databaseId } }";
  const { subscriptions, items } = await payments.readOrder(databaseId, read);
  const catalogue = new TestCatalogue(gateway, payments.options);
  return {
    id: subscriptions[0]!.databaseId,
    itemCode: subscriptions[0]!.items[0]!.code,
    planOf: async (told) =>
      (await catalogue.createPlan(items[0]!.product!.databaseId, { type: "FLAT", recurring: everyMonth, ...told }))
        .code,
  };
}

/** Sets the result of all later charges of the vendor's stored cards. */
const cardsAre = (behaviour: string, code: string | null = null) =>
  queryRows(
    gateway,
    `update simulated_methods set behaviour = (behaviour::jsonb || '${JSON.stringify({ behaviour, ...(code && { code }) })}')::text where vendor_id = ${vendorId}`,
  );

const CHARGED = `order { databaseId idKey type amount paidAmount } payment { databaseId state amount errorCode storedMethod { databaseId } }
  noPaymentReason subscription { status items { quantity priceCode } }`;

type Charged = Payload<"changeSubscriptionItems", typeof CHARGED>;

const send = <N extends MutationName>(
  name: N,
  { id }: Subscribed,
  input: object = {},
  key?: string,
): Promise<GraphQLResponse<Record<N, Charged>>> =>
  payments.sendRawMutation(
    name,
    { subscriptionId: String(id), ...input },
    CHARGED,
    key ? { "idempotency-key": key } : undefined,
  );

async function done(name: MutationName, subscribed: Subscribed, input: object = {}, key?: string): Promise<Charged> {
  const { data, errors } = await send(name, subscribed, input, key);
  if (errors) throw new Error(`${name} failed: ${JSON.stringify(errors)}`);
  return data![name];
}

const read = async <S extends SelectionOf<"Subscription">>(
  { id }: Subscribed,
  selection: S,
): Promise<Selected<"Subscription", S>> =>
  (
    await gateway.queryRawData(
      `query ($id: ID!) { subscription(id: $id) { ${selection} } }`,
      { id: String(id) },
      payments.options,
    )
  ).subscription;

const attemptsOf = (orderId: number) =>
  queryRows<{ state: string }>(gateway, `select state from payments where order_id = ${orderId} order by id`);

/** The state after a process dies between the effect and the storage of its answer. */
const forgetAnswer = (key: string) =>
  queryRows(gateway, `update idempotency_keys set answered = false, status = 409, body = '' where key = '${key}'`);

const postpaid = { methodType: "POST", whenToClaimType: "FIRST_PAYMENT" };
const used = { type: "USAGE_BASED_WITH_RANGE", ranges: [{ price: "10" }] };

describe("a change that is charged in its call", () => {
  test("answers with the payment, and takes effect", async () => {
    const april = await subscribe();
    const priceCode = await april.planOf({ price: "60000" });
    gateway.clock.setTo("2026-04-16T00:00:00.000Z");
    const { order, payment, noPaymentReason, subscription } = await done("changeSubscriptionPlan", april, {
      changes: [{ itemCode: april.itemCode, priceCode }],
    });
    expect(order).toMatchObject({ type: "ADDITIONAL", amount: "15000", paidAmount: "15000" });
    expect([payment!.state, payment!.amount, noPaymentReason]).toEqual(["SUCCEEDED", "15000", null]);
    expect(subscription.items).toEqual([{ quantity: 1, priceCode }]);
    await runUntilIdle(worker);
    expect(await payments.countApprovedCharges(order!.idKey)).toBe(1);
  });

  test("is charged once when a worker runs while its gateway works", async () => {
    const april = await subscribe();
    await cardsAre("SLOW");
    const change = { change: [{ itemCode: april.itemCode, quantity: 2 }] };
    const sent = send("changeSubscriptionItems", april, change, "slow");
    const orders = async () => (await read(april, "latestOrders { idKey }")).latestOrders.length;
    await expect.poll(orders).toBe(2);
    await runUntilIdle(worker);
    const { status, data } = await sent;
    expect([status, data!.changeSubscriptionItems.payment!.state]).toEqual([200, "SUCCEEDED"]);
    await runUntilIdle(worker);
    expect(await payments.countApprovedCharges(data!.changeSubscriptionItems.order!.idKey)).toBe(1);
  });

  test("of items and of a quota is charged too", async () => {
    const april = await subscribe();
    const added = await done("changeSubscriptionItems", april, {
      change: [{ itemCode: april.itemCode, quantity: 3 }],
    });
    expect([added.payment!.state, added.payment!.amount]).toEqual(["SUCCEEDED", "60000"]);
    expect(added.subscription.items).toMatchObject([{ quantity: 3 }]);
    const seats = await subscribe(testCards.approved, { type: "UNIT_BASED", price: "1000" });
    const raised = await done("changeSubscriptionQuota", seats, { itemCode: seats.itemCode, quota: 5 });
    expect(raised).toMatchObject({ order: { type: "ADD_USAGE" }, payment: { state: "SUCCEEDED", amount: "4000" } });
    expect(raised.subscription.items).toMatchObject([{ quantity: 5 }]);
  });

  test("shows a decline, and changes nothing until the order is paid", async () => {
    const april = await subscribe();
    await cardsAre("DECLINE", "51");
    const change = { change: [{ itemCode: april.itemCode, quantity: 2 }] };
    const { order, payment, subscription } = await done("changeSubscriptionItems", april, change);
    expect(payment).toMatchObject({ state: "FAILED", errorCode: "51" });
    expect([order!.paidAmount, subscription.status, subscription.items[0]!.quantity]).toEqual(["0", "ACTIVE", 1]);
    await runUntilIdle(worker);
    expect(await attemptsOf(order!.databaseId)).toEqual([{ state: "FAILED" }]);
    await payments.payOrder(order!.databaseId);
    expect((await read(april, "items { quantity }")).items).toEqual([{ quantity: 2 }]);
  });

  test("of a postpaid subscription that is cancelled or paused charges its use until then", async () => {
    const plan = { type: "USAGE_BASED", claim: postpaid, additionalBilling: used };
    for (const name of ["cancelSubscription", "pauseSubscription"] as const) {
      const metered = await subscribe(testCards.approved, plan);
      await payments.runMutation(
        "recordUsage",
        { subscriptionId: String(metered.id), itemCode: metered.itemCode, units: "70" },
        "subscription { status }",
      );
      gateway.clock.advance(DAY);
      const { order, payment } = await done(name, metered, { when: "NOW" });
      expect([order!.type, payment!.state, payment!.amount]).toEqual(["RECURRING", "SUCCEEDED", order!.amount]);
      await runUntilIdle(worker);
      expect(await payments.countApprovedCharges(order!.idKey)).toBe(1);
    }
  });

  test("charges the period that begins when a long pause ends", async () => {
    const paused = await subscribe();
    await done("pauseSubscription", paused, { when: "NOW" });
    gateway.clock.advance(60 * DAY);
    const { order, payment, subscription } = await done("activateSubscription", paused, {}, "resume");
    expect(order).toMatchObject({ type: "RECURRING", amount: "30000", paidAmount: "30000" });
    expect([payment!.state, subscription.status]).toEqual(["SUCCEEDED", "ACTIVE"]);
    await forgetAnswer("resume");
    expect(await done("activateSubscription", paused, {}, "resume")).toEqual({
      order,
      payment,
      noPaymentReason: null,
      subscription,
    });
    await runUntilIdle(worker);
    expect(await payments.countApprovedCharges(order!.idKey)).toBe(1);
  });

  test("starts the recovery of that period when its charge is declined", async () => {
    const paused = await subscribe();
    await done("pauseSubscription", paused, { when: "NOW" });
    gateway.clock.advance(60 * DAY);
    await cardsAre("DECLINE", "51");
    const { payment, subscription } = await done("activateSubscription", paused);
    expect([payment!.state, subscription.status]).toEqual(["FAILED", "UNPAID"]);
    expect((await read(paused, "covers { nodes { state } }")).covers.nodes).toEqual([{ state: "IN_PROGRESS" }]);
  });
});

describe("a change without a payment", () => {
  test("answers that nothing is due", async () => {
    const april = await subscribe();
    const priceCode = await april.planOf({ price: "10000" });
    const cheaper = await done("changeSubscriptionPlan", april, {
      changes: [{ itemCode: april.itemCode, priceCode }],
    });
    expect(cheaper).toMatchObject({ order: null, payment: null, noPaymentReason: "NOTHING_DUE" });
    const paused = await done("pauseSubscription", april, { when: "NOW" });
    expect(paused).toMatchObject({ payment: null, noPaymentReason: "NOTHING_DUE" });
    expect(await done("activateSubscription", april)).toMatchObject({ order: null, noPaymentReason: "NOTHING_DUE" });
  });

  test("answers that there is no stored method: the payer pays by the link", async () => {
    const april = await subscribe();
    await queryRows(gateway, `update subscriptions set payment_method_id = null where id = ${april.id}`);
    const change = { change: [{ itemCode: april.itemCode, quantity: 2 }] };
    const { order, ...rest } = await done("changeSubscriptionItems", april, change);
    expect(rest).toMatchObject({ payment: null, noPaymentReason: "NO_STORED_METHOD" });
    await payments.payOrder(order!.databaseId);
    expect((await read(april, "items { quantity }")).items).toEqual([{ quantity: 2 }]);
  });

  test("answers that the charge is deferred, and the worker makes it once there is a gateway again", async () => {
    const april = await subscribe();
    const configure = (enabled: boolean) =>
      payments.runMutation("configurePaymentGateway", { paymentGateway: "HOUSE", enabled }, "account { databaseId }");
    await configure(false);
    const change = { change: [{ itemCode: april.itemCode, quantity: 2 }] };
    const { order, ...rest } = await done("changeSubscriptionItems", april, change);
    expect(rest).toMatchObject({ payment: null, noPaymentReason: "DEFERRED" });
    await configure(true);
    gateway.clock.advance(2 * 3_600_000);
    await runUntilIdle(worker);
    expect(await payments.countApprovedCharges(order!.idKey)).toBe(1);
  });
});

describe("the key of a change that charges", () => {
  const raise = ({ itemCode }: Subscribed, quantity: number) => ({ change: [{ itemCode, quantity }] });

  test("has one effect and one answer, also after a crash before the answer", async () => {
    const april = await subscribe();
    const first = await send("changeSubscriptionItems", april, raise(april, 2), "twice");
    expect(await send("changeSubscriptionItems", april, raise(april, 2), "twice")).toEqual(first);
    await forgetAnswer("twice");
    expect(await send("changeSubscriptionItems", april, raise(april, 2), "twice")).toEqual(first);
    const other = await send("changeSubscriptionItems", april, raise(april, 3), "twice");
    expect([other.status, ...errorSummaries(other)]).toEqual([422, "IDEMPOTENCY_KEY_REUSED"]);
    const { order } = first.data!.changeSubscriptionItems;
    expect(await payments.countApprovedCharges(order!.idKey)).toBe(1);
    expect((await read(april, "latestOrders { type } items { quantity }")).latestOrders).toHaveLength(2);
  });

  test("has one effect when nothing is charged, and a refusal leaves it free", async () => {
    const april = await subscribe();
    const priceCode = await april.planOf({ price: "10000" });
    const plan = { changes: [{ itemCode: april.itemCode, priceCode }] };
    expect(errorSummaries(await send("changeSubscriptionItems", april, raise(april, 0), "free"))[0]).toContain(
      "INVALID",
    );
    const first = await done("changeSubscriptionPlan", april, plan, "free");
    await forgetAnswer("free");
    expect(await done("changeSubscriptionPlan", april, plan, "free")).toEqual(first);
    expect((await read(april, "refundableAmount")).refundableAmount).toBe("20000");
  });

  test("belongs to one of several changes that are sent at the same moment", async () => {
    const april = await subscribe();
    const answers = await Promise.all(
      [2, 2, 2, 2].map((quantity) => send("changeSubscriptionItems", april, raise(april, quantity), "moment")),
    );
    for (const answer of answers.filter(({ errors }) => errors))
      expect([answer.status, ...errorSummaries(answer)]).toEqual([409, "IDEMPOTENCY_KEY_IN_USE"]);
    const repeat = await done("changeSubscriptionItems", april, raise(april, 2), "moment");
    expect(repeat.payment!.state).toBe("SUCCEEDED");
    expect(await payments.countApprovedCharges(repeat.order!.idKey)).toBe(1);
    expect((await read(april, "latestOrders { type }")).latestOrders).toHaveLength(2);
  });

  test("continues a charge whose process died: 409 while the gateway may answer, then the outcome", async () => {
    const april = await subscribe();
    await cardsAre("SILENT_AFTER_CHARGE");
    void send("changeSubscriptionItems", april, raise(april, 2), "crash");
    const charges = () =>
      queryRows(gateway, `select 1 from simulated_charges where vendor_id = ${vendorId} and status = 'APPROVED'`);
    await expect.poll(async () => (await charges()).length).toBe(2);
    const early = await send("changeSubscriptionItems", april, raise(april, 2), "crash");
    expect([early.status, ...errorSummaries(early)]).toEqual([409, "IDEMPOTENCY_KEY_IN_USE"]);
    gateway.clock.advance(46_000);
    const late = await done("changeSubscriptionItems", april, raise(april, 2), "crash");
    expect(late.payment!.state).toBe("SUCCEEDED");
    expect(late.subscription.items).toMatchObject([{ quantity: 2 }]);
    await runUntilIdle(worker);
    expect(await payments.countApprovedCharges(late.order!.idKey)).toBe(1);
  });

  test("finds the order that a crash left uncharged, and the worker charges it if there is no repeat", async () => {
    const april = await subscribe();
    // The change was committed, and the process died before it claimed the charge.
    const orphan = async (key: string) => {
      const { order } = await done("changeSubscriptionItems", april, raise(april, key === "repeated" ? 2 : 3), key);
      await forgetAnswer(key);
      return order;
    };
    await queryRows(gateway, `update gateway_accounts set enabled = false where vendor_id = ${vendorId}`);
    const order = await orphan("repeated");
    await queryRows(gateway, `update gateway_accounts set enabled = true where vendor_id = ${vendorId}`);
    await queryRows(
      gateway,
      `delete from event_log where order_id = ${order!.databaseId} and trigger = 'postponeRenewal'`,
    );
    expect((await attemptsOf(order!.databaseId)).length).toBe(0);
    const repeat = await done("changeSubscriptionItems", april, raise(april, 2), "repeated");
    expect([repeat.order!.databaseId, repeat.payment!.state]).toEqual([order!.databaseId, "SUCCEEDED"]);
    await queryRows(gateway, `update gateway_accounts set enabled = false where vendor_id = ${vendorId}`);
    const left = await orphan("left");
    await queryRows(gateway, `update gateway_accounts set enabled = true where vendor_id = ${vendorId}`);
    await queryRows(
      gateway,
      `delete from event_log where order_id = ${left!.databaseId} and trigger = 'postponeRenewal'`,
    );
    await runUntilIdle(worker);
    expect([
      await payments.countApprovedCharges(order!.idKey),
      await payments.countApprovedCharges(left!.idKey),
    ]).toEqual([1, 1]);
  });

  test("is accepted with one change only", async () => {
    const april = await subscribe();
    const query = `mutation ($input: ChangeSubscriptionItemsInput!) { a: changeSubscriptionItems(input: $input) { order { code } }
      b: changeSubscriptionItems(input: $input) { order { code } } }`;
    const input = { subscriptionId: String(april.id), ...raise(april, 2) };
    const answer = await gateway.sendGraphQL(
      query,
      { input },
      { ...payments.options, headers: { "idempotency-key": "two" } },
    );
    expect(errorSummaries(answer)).toEqual(["INVALID_ARGUMENT: Idempotency-Key INVALID_VALUE"]);
    expect((await read(april, "latestOrders { type }")).latestOrders).toHaveLength(1);
  });
});
