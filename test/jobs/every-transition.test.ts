import { createHmac } from "node:crypto";
import { beforeEach, expect, test } from "vitest";
import { customerStates } from "../../src/customers/customer.states.ts";
import { invoiceStates } from "../../src/invoices/invoice.states.ts";
import type { StateTable } from "../../src/kernel/state-table.ts";
import { orderItemStates } from "../../src/orders/order.states.ts";
import { paymentStates, refundStates } from "../../src/payments/payment.states.ts";
import { productStates } from "../../src/products/product.states.ts";
import { subscriptionStates } from "../../src/subscriptions/subscription.states.ts";
import { queryRows } from "../hostile/query-rows.ts";
import type { MutationName, Selected, SelectionOf } from "../support/answers.ts";
import { createTestChild } from "../support/fixtures/child-vendors.ts";
import { startGateway, type RequestOptions } from "../support/test-gateway.ts";
import { everyMonth, TestCatalogue } from "../support/test-catalogue.ts";
import { DAY, HOUR, MINUTE } from "../support/test-clock.ts";
import { testCards, TestPayments } from "../support/test-payments.ts";
import { createWorker, runUntilIdle } from "../support/test-worker.ts";

/*
 * Each row of each state table is reached from outside: by a mutation, a payment, a deposit, a callback, the worker.
 * The timeline in the database shows which rows were reached; no table is called here. A row that nothing reaches fails
 * by name. graphql/orders/order-status.test.ts covers the table of registered orders.
 */

const NOW = "2026-03-01T09:30:00.000Z";
// One fault opens the breaker: while it is open, the gateway is not called.
const gateway = await startGateway({
  now: NOW,
  guard: { timeoutMs: 5_000, faultThreshold: 1, initialOpenMs: MINUTE, maxOpenMs: MINUTE },
});
const worker = createWorker(gateway);

// Each test has a vendor of its own, so that no other subscription moves the clock.
let own: RequestOptions & { vendorId: number };
let payments: TestPayments;
let catalogue: TestCatalogue;
async function newVendor(): Promise<void> {
  const { id: vendorId, token } = await gateway.openVendor();
  own = { token: token, vendorId };
  payments = await TestPayments.start(gateway, own);
  catalogue = new TestCatalogue(gateway, own);
}
beforeEach(async () => {
  gateway.clock.setTo(NOW);
  await newVendor();
});

type AnyTable = StateTable<never, never>;

/** The rows of a table as text, creations first. */
function rowsOfTable(table: unknown): string[] {
  const { initialStates, transitions: moves } = (table as AnyTable).definition;
  const creations = Object.entries<string>(initialStates as Record<string, string>).map(
    ([trigger, to]) => `none ${trigger} ${to}`,
  );
  const transitions = Object.entries<Record<string, string>>(moves).flatMap(([from, triggers]) =>
    Object.entries(triggers).map(([trigger, to]) => `${from} ${trigger} ${to}`),
  );
  return [...creations, ...transitions];
}

/** The rows of a table that the timeline of the database does not have. */
async function unreached(table: unknown, subjects: string): Promise<string[]> {
  const reached = await queryRows<{ row: string }>(
    gateway,
    `select distinct coalesce(status_before, 'none') || ' ' || trigger || ' ' || status_after as row from event_log
      where subject in (${subjects})`,
  );
  const rows = new Set(reached.map(({ row }) => row));
  return rowsOfTable(table).filter((row) => !rows.has(row));
}

/** A paid or unpaid order of one product, whose only line goes through the transitions. */
class Line {
  private constructor(
    readonly orderId: number,
    readonly itemId: number,
  ) {}

  static async of(type: "BOX" | "SOFTWARE"): Promise<Line> {
    const order = await payments.createOrder("5000", { product: { type } });
    return new Line(order.databaseId, order.items[0]!.databaseId);
  }

  async lead(trigger: string): Promise<unknown> {
    const orderId = String(this.orderId);
    const age = /^age (\d+)$/.exec(trigger);
    if (age) {
      gateway.clock.advance(Number(age[1]) * HOUR);
      return runUntilIdle(worker);
    }
    switch (trigger) {
      case "payOrder":
        return payments.payOrder(this.orderId);
      case "deposit":
        return settleDeposit(this.orderId);
      case "failPayment":
        return payments.payOrder(this.orderId, testCards.insufficientFunds);
      case "awaitDeposit":
        return payments.payOrder(this.orderId, deposit);
      case "cancelOrder":
        return payments.runMutation("cancelOrder", { orderId }, "order { databaseId }");
      case "refundOrderItems":
        return payments.runMutation("refundOrder", { orderId }, "order { databaseId }");
      case "refundOrderItemsInPart":
        return payments.runMutation(
          "refundOrder",
          { orderId, items: [{ itemId: String(this.itemId), amount: "1" }] },
          "order { databaseId }",
        );
      default:
        return payments.runMutation(
          "moveOrderItems",
          { itemIds: [String(this.itemId)], trigger: trigger.replaceAll(/[A-Z]/g, (one) => `_${one}`).toUpperCase() },
          "items { status }",
        );
    }
  }
}

const delivered = "payOrder prepareDelivery sendDelivery completeDelivery";
const returned = `${delivered} requestReturn approveReturn sendCollection completeCollection`;
const exchanged = `${delivered} requestExchange approveExchange sendCollection completeCollection`;

/**
 * Sequences of transitions of goods; together they cover every row. "age 24" advances the clock by hours and runs the
 * worker.
 */
const ways = [
  "cancelOrder",
  "awaitDeposit deposit",
  "awaitDeposit failPayment awaitDeposit",
  "awaitDeposit cancelOrder",
  "failPayment payOrder",
  "failPayment cancelOrder",
  "payOrder requestCancellation withdrawCancellation requestCancellation denyCancellation refundOrderItems",
  "payOrder requestCancellation acceptCancellation refundOrderItemsInPart refundOrderItemsInPart refundOrderItems",
  "payOrder requestCancellation acceptCancellation refundOrderItems",
  "payOrder prepareDelivery refundOrderItemsInPart",
  "payOrder prepareDelivery suspendDelivery cancelDelivery",
  "payOrder prepareDelivery confirmReceipt",
  "payOrder prepareDelivery sendDelivery confirmReceipt",
  `${delivered} age 24 age 144 age 552`,
  `${delivered} age 24 requestReturn`,
  `${delivered} age 24 requestExchange`,
  `${delivered} age 168 requestReturn rejectReturn age 552`,
  `${delivered} requestReturn rejectReturn age 24`,
  `${delivered} age 24 requestReturn rejectReturn age 144`,
  `${delivered} requestExchange rejectExchange age 24`,
  `${delivered} age 24 requestExchange rejectExchange age 144`,
  `${delivered} requestExchange age 168 rejectExchange age 552`,
  ...[0, 24, 168, 720].flatMap((age) => [
    `${delivered} requestReturn age ${age} withdrawReturn`,
    `${delivered} requestExchange age ${age} withdrawExchange`,
  ]),
  `${delivered} requestReturn approveReturn rejectReturn`,
  `${delivered} requestReturn approveReturn sendCollection rejectReturn`,
  `${returned} rejectReturn prepareDelivery sendDelivery completeDelivery`,
  `${returned} postponeReturn rejectReturn`,
  `${returned} postponeReturn acceptReturn refundOrderItems`,
  `${returned} acceptReturn refundOrderItemsInPart refundOrderItemsInPart refundOrderItems`,
  `${delivered} requestExchange approveExchange rejectExchange`,
  `${delivered} requestExchange approveExchange sendCollection rejectExchange`,
  `${exchanged} rejectExchange prepareDelivery sendDelivery completeDelivery`,
  `${exchanged} postponeExchange rejectExchange`,
  `${exchanged} postponeExchange acceptExchange`,
  `${exchanged} acceptExchange sendDelivery completeDelivery age 24`,
];

/** The steps of a sequence; "age" takes the number after it. */
const stepsOf = (way: string): string[] =>
  way
    .replaceAll(/age (\d+)/g, "age-$1")
    .split(" ")
    .map((step) => step.replace("-", " "));

test("every transition of an order item can be made", { timeout: 300_000 }, async () => {
  for (const way of ways) {
    const line = await Line.of("BOX");
    for (const step of stepsOf(way)) await line.lead(step);
  }
  const service = await Line.of("SOFTWARE");
  for (const step of stepsOf("payOrder requestCancellation denyCancellation requestCancellation"))
    await service.lead(step);
  expect(await unreached(orderItemStates, "'ORDER_ITEM', 'ORDER'")).toEqual([]);
});

test("every transition of an invoice can be made", async () => {
  const at = (milliseconds: number) => new Date(gateway.clock.now().getTime() + milliseconds).toISOString();
  const invoice = async (input: object = {}) =>
    (
      await payments.runMutation(
        "createInvoice",
        {
          customerId: String(payments.customerId),
          items: [{ productName: "Design", price: "30000" }],
          publishMethods: ["EMAIL"],
          ...input,
        },
        "invoice { databaseId order { databaseId } }",
      )
    ).invoice;
  const invoiceAfter = async (name: string, { databaseId }: { databaseId: number }, type: string) =>
    (
      await gateway.queryRawData(
        `mutation ($input: ${type}!) { ${name}(input: $input) { invoice { status order { databaseId } } } }`,
        { input: { invoiceId: String(databaseId) } },
        own,
      )
    )[name].invoice;
  const send = (one: { databaseId: number }) => invoiceAfter("sendInvoice", one, "SendInvoiceInput");
  const reportUndelivered = (one: { databaseId: number }) =>
    invoiceAfter("reportInvoiceUndelivered", one, "ReportInvoiceUndeliveredInput");
  const later = { publishType: "RESERVATION", reservationAt: at(HOUR) };

  await send(await invoice({ temporary: true }));
  const draft = await invoice({ temporary: true, ...later });
  expect(await send(draft)).toEqual({ status: "RESERVATION", order: null });
  await send(draft);
  await invoice(later);
  await payments.payOrder((await invoice()).order!.databaseId);
  const overdue = await invoice({ purchaseDeadline: at(DAY) });

  const sentAgain = await invoice();
  expect((await reportUndelivered(sentAgain)).status).toBe("SEND_FAIL");
  expect(await send(sentAgain)).toEqual({ status: "SENT", order: sentAgain.order });
  const paid = await invoice();
  await reportUndelivered(paid);
  await payments.payOrder(paid.order!.databaseId);
  await reportUndelivered(await invoice({ purchaseDeadline: at(DAY) }));

  gateway.clock.advance(DAY);
  await worker.runTask("invoices.pass-deadline");
  await payments.payOrder(overdue.order!.databaseId);
  expect(await unreached(invoiceStates, "'INVOICE'")).toEqual([]);
});

test("every transition of a payment can be made", async () => {
  const states = async () => {
    const rows = await queryRows<{ state: string }>(
      gateway,
      `select state from payments where vendor_id = ${own.vendorId} order by id`,
    );
    return rows.map(({ state }) => state);
  };
  const [approved, declined, charged, uncharged] = [
    await payments.createOrder(),
    await payments.createOrder(),
    await payments.createOrder(),
    await payments.createOrder(),
  ];
  await payments.payOrder(approved.databaseId);
  await payments.payOrder(declined.databaseId, testCards.insufficientFunds);
  await payments.payOrder(charged.databaseId, testCards.down);
  gateway.clock.advance(MINUTE);
  await payments.payOrder(uncharged.databaseId, testCards.fails);
  expect(await states()).toEqual(["SUCCEEDED", "FAILED", "UNKNOWN", "UNKNOWN"]);
  for (let look = 0; look < 4; look++) {
    gateway.clock.advance(5 * MINUTE);
    await runUntilIdle(worker);
  }
  expect(await states()).toEqual(["SUCCEEDED", "FAILED", "SUCCEEDED", "FAILED"]);

  // The bank of a declined charge pays after all; the gateway's books change, and its callback reports it.
  await queryRows(
    gateway,
    `update simulated_charges set status = 'APPROVED' where order_reference = '${declined.idKey}'`,
  );
  const callbackSecret = "a secret of the gateway and the merchant";
  await payments.runMutation(
    "configurePaymentGateway",
    { paymentGateway: "HOUSE", callbackSecret },
    "account { paymentGateway }",
  );
  const [charge] = await payments.simulatedCharges(declined.idKey);
  const payload = JSON.stringify({ idempotencyKey: charge!.idempotency_key });
  const seconds = Math.floor(gateway.clock.now().getTime() / 1000);
  const signature = createHmac("sha256", callbackSecret).update(`${seconds}.${payload}`).digest("hex");
  const { vendor } = await gateway.queryData("{ vendor { uuid } }", {}, own);
  await gateway.gateway.server.inject({
    method: "POST",
    url: `/callbacks/${vendor.uuid}/HOUSE`,
    headers: { "x-simulated-signature": `t=${seconds},v1=${signature}`, "content-type": "application/json" },
    payload,
  });
  expect(await states()).toEqual(["SUCCEEDED", "SUCCEEDED", "SUCCEEDED", "FAILED"]);
  expect(await unreached(paymentStates, "'PAYMENT'")).toEqual([]);
});

test("every transition of a refund can be made", async () => {
  const paidOrder = async () => {
    const order = await payments.createOrder();
    await payments.payOrder(order.databaseId);
    return order;
  };
  const refund = ({ databaseId }: { databaseId: number }) =>
    payments.runMutation("refundOrder", { orderId: String(databaseId) }, "order { returnedAmount }");
  /** Someone refunds the charge at the gateway itself, so that nothing is left to refund. */
  const refundElsewhere = ({ idKey }: { idKey: string }) =>
    queryRows(
      gateway,
      `insert into simulated_refunds (vendor_id, idempotency_key, reference, charge_reference, amount, created_at)
        select vendor_id, 'elsewhere ' || reference, 'elsewhere ' || reference, reference, amount, created_at
        from simulated_charges where order_reference = '${idKey}'`,
    );

  await refund(await paidOrder());
  const refused = await paidOrder();
  await refundElsewhere(refused);
  await refund(refused);

  const [completedLate, refusedLate] = [await paidOrder(), await paidOrder()];
  await payments.payOrder((await payments.createOrder()).databaseId, testCards.fails);
  for (const order of [completedLate, refusedLate]) expect((await refund(order)).order.returnedAmount).toBe("0");
  await refundElsewhere(refusedLate);
  gateway.clock.advance(2 * MINUTE);
  await runUntilIdle(worker);
  expect(await payments.readOrder(completedLate.databaseId, "returnedAmount")).toEqual({ returnedAmount: "18900" });
  expect(await payments.readOrder(refusedLate.databaseId, "returnedAmount")).toEqual({ returnedAmount: "0" });
  expect(await unreached(refundStates, "'REFUND'")).toEqual([]);
});

/** A subscription that goes through its transitions by calls and by time. */
class Subscription {
  private constructor(readonly id: number) {}

  /** Pays a first order of a monthly plan. */
  static async of(plan: object = {}, card = testCards.approved): Promise<Subscription> {
    const order = await payments.createOrder("10000", { plan: { type: "FLAT", recurring: everyMonth, ...plan } });
    await payments.payOrder(order.databaseId, card);
    const { subscriptions } = await payments.readOrder(order.databaseId, "subscriptions { databaseId }");
    return new Subscription(subscriptions[0]!.databaseId);
  }

  async read<S extends SelectionOf<"Subscription">>(selection: S): Promise<Selected<"Subscription", S>> {
    const query = `query ($id: ID!) { subscription(id: $id) { ${selection} } }`;
    return (await gateway.queryRawData(query, { id: String(this.id) }, own)).subscription;
  }

  done(name: MutationName, input: object = {}): Promise<unknown> {
    return payments.runRawMutation(name, { subscriptionId: String(this.id), ...input }, "subscription { status }");
  }

  /** Lets days pass, one after the other, until the status is the expected one. */
  async becomes(status: string, days = 70): Promise<void> {
    for (let day = 0; day < days && (await this.read("status")).status !== status; day++) await daysPass(1);
    expect(await this.read("status")).toEqual({ status });
  }
}

/** The payer's bank reports a deposit. */
async function settleDeposit(orderId: number): Promise<void> {
  const { payment } = await payments.readOrder(orderId, "payment { gatewayReference }");
  const url = `/simulated-gateway/charges/${payment!.gatewayReference!}/approve`;
  expect((await gateway.gateway.server.inject({ method: "POST", url })).statusCode).toBe(200);
}

async function daysPass(days: number): Promise<void> {
  for (let day = 0; day < days; day++) {
    gateway.clock.advance(DAY);
    await runUntilIdle(worker);
  }
}

/** A plan whose subscription ends after some days. */
const endingAfter = (days: number) => ({ membershipExpirationDate: days, membershipExpirationDateType: "DAY" });

const deposit = { method: "VBANK" };
const now = { when: "NOW" };
const atPeriodEnd = { when: "PERIOD_END" };

const walks: Record<string, () => Promise<void>> = {
  async "a renewal is paid"() {
    const one = await Subscription.of();
    await daysPass(32);
    expect((await one.read("latestOrders { type }")).latestOrders).toHaveLength(2);
  },
  async "a renewal fails and is recovered"() {
    const one = await Subscription.of({}, testCards.recoversOnThirdRetry);
    await one.becomes("UNPAID");
    await one.becomes("ACTIVE");
  },
  async "a renewal fails and is not recovered"() {
    await (await Subscription.of({}, testCards.neverAgain)).becomes("EXPIRED");
  },
  async "a renewal fails for good, and the policy pauses"() {
    await policyEndsWith("PAUSE");
    await (await Subscription.of({}, testCards.lostLater)).becomes("PAUSE");
  },
  async "a renewal fails for good, and the policy cancels"() {
    await policyEndsWith("CANCEL");
    await (await Subscription.of({}, testCards.lostLater)).becomes("CANCELED");
  },
  async "an unpaid subscription is cancelled"() {
    const one = await Subscription.of({}, testCards.neverAgain);
    await one.becomes("UNPAID");
    await one.done("cancelSubscription", now);
  },
  async "an unpaid subscription ends"() {
    const one = await Subscription.of(endingAfter(33), testCards.neverAgain);
    await one.becomes("UNPAID");
    await one.becomes("EXPIRED", 4);
  },
  async "a pause is ended by a request, and by its date"() {
    const one = await Subscription.of();
    await one.done("pauseSubscription", now);
    await one.done("activateSubscription");
    const until = new Date(gateway.clock.now().getTime() + 3 * DAY).toISOString();
    await one.done("pauseSubscription", { ...now, until });
    await one.becomes("ACTIVE", 4);
  },
  async "a paused subscription is cancelled"() {
    const one = await Subscription.of();
    await one.done("pauseSubscription", now);
    await one.done("cancelSubscription", now);
  },
  async "a paused subscription ends"() {
    const one = await Subscription.of(endingAfter(5));
    await one.done("pauseSubscription", now);
    await one.becomes("EXPIRED", 6);
  },
  async "a pause is scheduled, withdrawn, scheduled again, and begins"() {
    const one = await Subscription.of();
    await one.done("pauseSubscription", atPeriodEnd);
    await one.done("activateSubscription");
    await one.done("pauseSubscription", atPeriodEnd);
    await one.becomes("PAUSE");
  },
  async "a postpaid subscription is charged before its scheduled pause begins"() {
    const postpaid = { claim: { methodType: "POST", whenToClaimType: "FIRST_PAYMENT" } };
    const one = await Subscription.of(postpaid);
    await one.done("pauseSubscription", atPeriodEnd);
    await one.becomes("PAUSE");
  },
  async "a subscription with a scheduled pause is cancelled"() {
    const one = await Subscription.of();
    await one.done("pauseSubscription", atPeriodEnd);
    await one.done("cancelSubscription", now);
  },
  async "a subscription with a scheduled pause ends"() {
    const one = await Subscription.of(endingAfter(5));
    await one.done("pauseSubscription", atPeriodEnd);
    await one.becomes("EXPIRED", 6);
  },
  async "a cancellation is scheduled, withdrawn, scheduled again, and takes effect"() {
    const one = await Subscription.of();
    await one.done("cancelSubscription", atPeriodEnd);
    await one.done("activateSubscription");
    await one.done("cancelSubscription", atPeriodEnd);
    await one.becomes("CANCELED");
  },
  async "a subscription with a cancellation in two months renews until then"() {
    const one = await Subscription.of();
    const at = new Date(gateway.clock.now().getTime() + 45 * DAY).toISOString();
    await one.done("cancelSubscription", { when: "AT", at });
    await one.becomes("CANCELED");
    expect((await one.read("latestOrders { type }")).latestOrders).toHaveLength(2);
  },
  async "a subscription with a scheduled cancellation is cancelled at once"() {
    const one = await Subscription.of();
    await one.done("cancelSubscription", atPeriodEnd);
    await one.done("cancelSubscription", now);
  },
  async "a subscription with a scheduled cancellation ends before"() {
    const one = await Subscription.of(endingAfter(5));
    await one.done("cancelSubscription", atPeriodEnd);
    await one.becomes("EXPIRED", 6);
  },
  async "an active subscription is cancelled"() {
    await (await Subscription.of()).done("cancelSubscription", now);
  },
  async "an active subscription ends"() {
    await (await Subscription.of(endingAfter(5))).becomes("EXPIRED", 6);
  },
  async "a subscription is cancelled while its renewal waits for a gateway"() {
    const one = await Subscription.of();
    await payments.runMutation(
      "configurePaymentGateway",
      { paymentGateway: "HOUSE", enabled: false },
      "account { databaseId }",
    );
    await one.becomes("QUEUEING");
    await one.done("cancelSubscription", now);
  },
  async "the first charge stores no method, and a PAYMENT_METHOD order confirms one"() {
    const one = await Subscription.of({}, testCards.notStored);
    expect(await one.read("status nextPaymentDate paymentMethod { paymentInfo }")).toEqual({
      status: "INCOMPLETE",
      nextPaymentDate: null,
      paymentMethod: null,
    });
    const { order } = await payments.runMutation(
      "requestPaymentMethod",
      { subscriptionId: String(one.id) },
      "order { databaseId type amount }",
    );
    expect(order).toMatchObject({ type: "PAYMENT_METHOD", amount: "0" });
    await payments.payOrder(order.databaseId);
    expect(await one.read("status nextPaymentDate paymentMethod { paymentMethod }")).toEqual({
      status: "ACTIVE",
      nextPaymentDate: "2026-04-01T09:30:00.000Z",
      paymentMethod: { paymentMethod: "CARD_BILL" },
    });
    await daysPass(32);
    expect((await one.read("latestOrders { type paidAmount }")).latestOrders).toContainEqual({
      type: "RECURRING",
      paidAmount: "10000",
    });
  },
  async "an unconfirmed subscription is cancelled"() {
    await (await Subscription.of({}, testCards.notStored)).done("cancelSubscription", now);
  },
  async "an unconfirmed subscription ends"() {
    await (await Subscription.of(endingAfter(5), testCards.notStored)).becomes("EXPIRED", 6);
  },
};

/** Activates a policy of one retry. */
async function policyEndsWith(finalAction: string): Promise<void> {
  const terms = { plan: { kind: "LADDER", offsetsInDays: [1] }, finalAction };
  const { policy } = await payments.runMutation("proposeRecoveryPolicy", { terms }, "policy { databaseId }");
  await payments.runMutation(
    "activateRecoveryPolicy",
    { policyId: String(policy.databaseId) },
    "policy { databaseId }",
  );
}

test.each(Object.entries(walks))("a subscription makes its transitions when %s", async (_, walk) => walk());

test("these sequences make every transition of a subscription", async () => {
  expect(await unreached(subscriptionStates, "'SUBSCRIPTION'")).toEqual([]);
});

test("every transition of a product can be made", async () => {
  const seen: string[] = [];
  const status = async (id: number) => (await catalogue.readProduct(id, "status")).status as string;
  const step = async (id: number, trigger: string, act: () => Promise<unknown>) => {
    const before = await status(id);
    await act();
    seen.push(`${before} ${trigger} ${await status(id)}`);
  };
  const { databaseId: id, code: productCode } = await catalogue.createProduct({ quantity: 1 });
  seen.push(`none createProduct ${await status(id)}`);
  const { code: priceCode } = await catalogue.createPlan(id);
  const order = { customerId: String(payments.customerId), items: [{ productCode, priceCode }] };
  await step(id, "sellOut", () => payments.runMutation("createOrder", order, "order { databaseId }"));
  await step(id, "restockProduct", () => catalogue.updateProduct(id, { quantity: 3 }));
  await step(id, "unpublishProduct", () => catalogue.updateProduct(id, { status: "UNSOLD" }));
  await step(id, "publishProduct", () => catalogue.updateProduct(id, { status: "SALE" }));

  const parents = catalogue;
  catalogue = new TestCatalogue(gateway, { token: (await createTestChild(gateway, {}, own)).token });
  const draft = (await catalogue.createProduct({ type: "DRAFT", draftOf: "BOX" })).databaseId;
  seen.push(`none draftProduct ${await status(draft)}`);
  await catalogue.createPlan(draft);
  const productId = String(draft);
  const submit = () => catalogue.runMutation("submitProduct", { productId }, "product { id }");
  const decide = (name: MutationName, input: object = {}) =>
    parents.runRawMutation(name, { productId, ...input }, "__typename");
  await step(draft, "submitProduct", submit);
  await step(draft, "rejectProduct", () => decide("rejectProduct", { reason: "No picture." }));
  await step(draft, "submitProduct", submit);
  await step(draft, "approveProduct", () => decide("approveProduct"));
  expect(rowsOfTable(productStates).filter((row) => !seen.includes(row))).toEqual([]);
});

test("every transition of a customer can be made", async () => {
  await catalogue.runMutation("updateVendorSettings", { useDormantCustomer: true }, "vendor { id }");
  const query = "query ($id: ID!) { customer(id: $id) { status dormantAt } }";
  const read = async () => (await gateway.queryData(query, { id: String(payments.customerId) }, own)).customer;
  expect(await read()).toEqual({ status: "NORMAL", dormantAt: null });
  gateway.clock.advance(366 * DAY);
  await worker.runTask("customers.fall-asleep");
  expect(await read()).toEqual({ status: "DORMANT", dormantAt: gateway.clock.now().toISOString() });
  await payments.createOrder();
  expect(await read()).toEqual({ status: "NORMAL", dormantAt: null });
  expect(await unreached(customerStates, "'CUSTOMER'")).toEqual([]);
});
