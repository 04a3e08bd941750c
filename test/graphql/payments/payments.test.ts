import { describe, expect, test } from "vitest";
import { startGateway } from "../../support/test-gateway.ts";
import { errorSummaries } from "../../support/cover-mutations.ts";
import { cardInput, testCards, TestPayments } from "../../support/test-payments.ts";

const gateway = await startGateway({
  guard: { timeoutMs: 800, faultThreshold: 1_000, initialOpenMs: 1, maxOpenMs: 1 },
});
const till = await TestPayments.start(gateway);

describe("a card that is approved", () => {
  test("pays the order and its lines, and leaves no amount due", async () => {
    const order = await till.createOrder("18900");
    const { order: after, payment } = await till.payOrder(order.databaseId);
    expect(after).toMatchObject({ paidAmount: "18900", leftAmount: "18900", paymentMethod: "CARD" });
    expect(after.items).toMatchObject([{ status: "PAID", paidAmount: "18900" }]);
    expect(payment).toMatchObject({ state: "SUCCEEDED", cardNumber: "************4242", network: "VISA" });
    expect(payment.storedMethod).toBeNull();
    expect(await till.ledgerOf(order.databaseId)).toEqual({ CLEARING: 18_900, SALES: -18_900 });
    expect(await till.countApprovedCharges(order.idKey)).toBe(1);
  });

  test("is recorded in the histories and the events, each change once", async () => {
    const order = await till.createOrder();
    await till.payOrder(order.databaseId);
    const { items, orderLogs } = await till.readOrder(
      order.databaseId,
      "items { histories { actor category status } } orderLogs { type content }",
    );
    expect(items[0]!.histories).toEqual([{ actor: "SYSTEM", category: "PAYMENT", status: "PAID" }]);
    expect(orderLogs).toEqual([{ type: "SYSTEM", content: expect.stringMatching(/: PAID$/) }]);
    const events = await gateway.database.handle.execute(
      `select subject, trigger, status_before, status_after from event_log where order_id = ${order.databaseId} order by id`,
    );
    expect([...(events as Iterable<object>)]).toEqual([
      { subject: "ORDER", trigger: "createOrder", status_before: null, status_after: "CREATED" },
      { subject: "PAYMENT", trigger: "startPayment", status_before: null, status_after: "PENDING" },
      { subject: "PAYMENT", trigger: "succeedPayment", status_before: "PENDING", status_after: "SUCCEEDED" },
      { subject: "ORDER_ITEM", trigger: "payOrder", status_before: "CREATED", status_after: "PAID" },
    ]);
  });

  test("is answered by REST as the contract says", async () => {
    const customer = await till.createCustomer();
    const order = await till.createOrder("18900", { order: { customerId: String(customer) } });
    await till.payOrder(order.databaseId, { method: "CARD", card: cardInput(testCards.approved), storeMethod: true });
    const { status, body } = await gateway.sendRest("GET", `/customers/${customer}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      totalPurchasedPrice: 18_900,
      paymentMethods: [{ paymentInfo: "VISA ************4242" }],
    });
    const { content } = (await gateway.sendRest("GET", "/orders?status=PAID&size=1")).body;
    expect(content).toMatchObject([
      {
        id: order.databaseId,
        paidAmount: 18_900,
        leftAmount: 18_900,
        paymentMethod: "CARD",
        paymentDate: "2026-03-01T09:30:00.000",
      },
    ]);
  });

  test("is stored when the payer wants it, and charged again by its number", async () => {
    const first = await till.createOrder();
    const { payment } = await till.payOrder(first.databaseId, {
      method: "CARD",
      card: cardInput(testCards.approved),
      storeMethod: true,
    });
    expect(payment.storedMethod).toMatchObject({ paymentMethod: "CARD_BILL", paymentInfo: "VISA ************4242" });
    const stored = await gateway.queryData(
      "query ($id: ID!) { storedPaymentMethods(customerId: $id) { nodes { databaseId network } } }",
      { id: String(till.customerId) },
    );
    expect(stored.storedPaymentMethods.nodes).toEqual([
      { databaseId: payment.storedMethod!.databaseId, network: "VISA" },
    ]);
    const second = await till.createOrder("5000");
    const storedMethodId = String(payment.storedMethod!.databaseId);
    const { order } = await till.payOrder(second.databaseId, { storedMethodId });
    expect(order).toMatchObject({ paidAmount: "5000", paymentMethod: "CARD_BILL" });
    // The same card again is the same stored method.
    const third = await till.createOrder();
    const again = await till.payOrder(third.databaseId, {
      method: "CARD",
      card: cardInput(testCards.approved),
      storeMethod: true,
    });
    expect(again.payment.storedMethod!.databaseId).toBe(payment.storedMethod!.databaseId);
  });
});

describe("a card that is declined", () => {
  test("fails the order, which another card pays", async () => {
    const order = await till.createOrder();
    const failed = await till.payOrder(order.databaseId, testCards.insufficientFunds);
    expect(failed.payment).toMatchObject({ state: "FAILED", errorCode: "51", errorMessage: "Insufficient funds." });
    expect(failed.order.items).toMatchObject([{ status: "PAYMENT_FAILURE", paidAmount: "0" }]);
    expect(await till.ledgerOf(order.databaseId)).toEqual({});
    const { order: after } = await till.payOrder(order.databaseId);
    expect(after.items).toMatchObject([{ status: "PAID" }]);
    expect(after.payment!.state).toBe("SUCCEEDED");
    const { payments } = await gateway.queryData(
      "query ($id: ID!) { payments(filter: { orderId: $id }) { nodes { state order { databaseId } } totalCount } }",
      { id: String(order.databaseId) },
    );
    expect(payments.nodes.map(({ state }) => state)).toEqual(["SUCCEEDED", "FAILED"]);
  });
});

describe("an order that cannot be paid", () => {
  test("is paid once", async () => {
    const order = await till.createOrder();
    await till.payOrder(order.databaseId);
    expect(errorSummaries(await till.sendPayOrder(order.databaseId))).toEqual(["ORDER_ALREADY_PAID"]);
    expect(await till.countApprovedCharges(order.idKey)).toBe(1);
  });

  test("was cancelled", async () => {
    const order = await till.createOrder();
    await till.runMutation("cancelOrder", { orderId: String(order.databaseId) }, "order { databaseId }");
    expect(errorSummaries(await till.sendPayOrder(order.databaseId))).toEqual(["ORDER_NOT_PAYABLE"]);
  });

  test("allows other payment methods only", async () => {
    const order = await till.createOrder("1000", { order: { allowedPaymentMethods: ["VBANK"] } });
    expect(errorSummaries(await till.sendPayOrder(order.databaseId))).toEqual(["PAYMENT_METHOD_NOT_ALLOWED"]);
  });

  test("belongs to a vendor without a gateway for it", async () => {
    const order = await till.createOrder("1000", { order: { paymentGateway: "PROVIDER_01" } });
    expect(errorSummaries(await till.sendPayOrder(order.databaseId))).toEqual(["NO_PAYMENT_GATEWAY"]);
  });

  test("gets no card, or an invalid number", async () => {
    const order = await till.createOrder();
    expect(errorSummaries(await till.sendPayOrder(order.databaseId, {}))).toEqual([
      "INVALID_ARGUMENT: input.method REQUIRED",
    ]);
    expect(errorSummaries(await till.sendPayOrder(order.databaseId, "4242424242424243"))).toEqual([
      "INVALID_ARGUMENT: input.card.number INVALID_VALUE",
    ]);
  });

  test("gets a stored method of another customer", async () => {
    const order = await till.createOrder();
    const { payment } = await till.payOrder(order.databaseId, {
      method: "CARD",
      card: cardInput("5555555555554444"),
      storeMethod: true,
    });
    const before = till.customerId;
    till.customerId = await till.createCustomer();
    const other = await till.createOrder();
    till.customerId = before;
    const storedMethodId = String(payment.storedMethod!.databaseId);
    expect(errorSummaries(await till.sendPayOrder(other.databaseId, { storedMethodId }))).toEqual([
      "PAYMENT_METHOD_NOT_FOUND: input.storedMethodId NOT_FOUND",
    ]);
  });
});

test("two payers at once cause one charge", async () => {
  const order = await till.createOrder();
  const answers = await Promise.all([1, 2, 3, 4].map(() => till.sendPayOrder(order.databaseId, testCards.slow)));
  const states = answers.map((answer) => answer.data?.payOrder.payment.state ?? errorSummaries(answer)[0]);
  expect(states.filter((state) => state === "SUCCEEDED")).toHaveLength(1);
  expect(new Set(states)).toEqual(new Set(["SUCCEEDED", "PAYMENT_IN_PROGRESS"]));
  expect(await till.countApprovedCharges(order.idKey)).toBe(1);
});

describe("a request with an idempotency key", () => {
  test("is charged once and gets the same answer", async () => {
    const order = await till.createOrder();
    const key = { "idempotency-key": `pay-${order.idKey}` };
    const first = await till.sendPayOrder(order.databaseId, testCards.approved, key);
    const second = await till.sendPayOrder(order.databaseId, testCards.approved, key);
    expect(first.data!.payOrder.payment.state).toBe("SUCCEEDED");
    expect(second).toEqual(first);
    expect(await till.countApprovedCharges(order.idKey)).toBe(1);
  });

  test("is charged once though all repeats come at once, and no transaction is open meanwhile", async () => {
    const order = await till.createOrder();
    const key = { "idempotency-key": `pay-${order.idKey}` };
    const answers = await Promise.all(
      [1, 2, 3, 4, 5, 6].map(() => till.sendPayOrder(order.databaseId, testCards.slow, key)),
    );
    const told = answers.map((answer) => answer.data?.payOrder.payment.state ?? errorSummaries(answer)[0]);
    expect(new Set(told).has("SUCCEEDED")).toBe(true);
    expect(told.every((state) => state === "SUCCEEDED" || state === "IDEMPOTENCY_KEY_IN_USE")).toBe(true);
    expect(await till.countApprovedCharges(order.idKey)).toBe(1);
    const again = await till.sendPayOrder(order.databaseId, testCards.slow, key);
    expect(again.data!.payOrder.payment.state).toBe("SUCCEEDED");
  });

  test("has no other effect", async () => {
    const order = await till.createOrder();
    const query = `mutation ($a: PayOrderInput!, $b: CancelOrderInput!) { payOrder(input: $a) { payment { state } } cancelOrder(input: $b) { order { id } } }`;
    const orderId = String(order.databaseId);
    const variables = { a: { orderId, method: "CARD", card: cardInput(testCards.approved) }, b: { orderId } };
    const answer = await gateway.sendGraphQL(query, variables, { headers: { "idempotency-key": "mixed" } });
    expect(errorSummaries(answer)).toEqual(["INVALID_ARGUMENT: Idempotency-Key INVALID_VALUE"]);
    expect(await till.countApprovedCharges(order.idKey)).toBe(0);
  });
});

describe("a deposit", () => {
  test("into a virtual account is awaited, and pays when the bank reports it", async () => {
    const order = await till.createOrder();
    const { order: waiting, payment } = await till.payOrder(order.databaseId, { method: "VBANK" });
    expect(waiting.items).toMatchObject([{ status: "DEPOSIT_WAITING" }]);
    expect(payment).toMatchObject({ state: "PENDING", vbank: { bankName: "Simulated Bank" } });
    const confirm = () =>
      till.sendMutation(
        "confirmDeposit",
        { orderId: String(order.databaseId) },
        "payment { state } order { paidAmount }",
      );
    expect(errorSummaries(await confirm())).toEqual(["DEPOSIT_NOT_ARRIVED"]);
    const { statusCode } = await gateway.gateway.server.inject({
      method: "POST",
      url: `/simulated-gateway/charges/${payment.gatewayReference!}/approve`,
    });
    expect(statusCode).toBe(200);
    expect((await till.readOrder(order.databaseId, "items { status }")).items).toEqual([{ status: "PAID" }]);
    expect(errorSummaries(await confirm())).toEqual(["NO_DEPOSIT_AWAITED"]);
    expect(await till.ledgerOf(order.databaseId)).toEqual({ CLEARING: 18_900, SALES: -18_900 });
  });

  test("into the merchant's own account is the merchant's to confirm", async () => {
    const order = await till.createOrder();
    const { order: waiting } = await till.payOrder(order.databaseId, { method: "BANK" });
    expect(waiting.items).toMatchObject([{ status: "DEPOSIT_WAITING" }]);
    const { order: after } = await till.runMutation(
      "confirmDeposit",
      { orderId: String(order.databaseId) },
      "order { paidAmount items { status } }",
    );
    expect(after).toEqual({ paidAmount: "18900", items: [{ status: "PAID" }] });
  });

  test("is awaited and found, whatever failed before", async () => {
    const order = await till.createOrder();
    await till.payOrder(order.databaseId, testCards.insufficientFunds);
    const { order: waiting } = await till.payOrder(order.databaseId, { method: "VBANK" });
    expect(waiting.items).toMatchObject([{ status: "DEPOSIT_WAITING" }]);
    await till.runMutation("cancelOrder", { orderId: String(order.databaseId) }, "order { databaseId }");
  });

  test("is replaced by a card payment, and its account is closed", async () => {
    const order = await till.createOrder();
    await till.payOrder(order.databaseId, { method: "VBANK" });
    const { order: after } = await till.payOrder(order.databaseId);
    expect(after.items).toMatchObject([{ status: "PAID" }]);
    expect((await till.simulatedCharges(order.idKey)).map(({ status }) => status).sort()).toEqual([
      "APPROVED",
      "CLOSED",
    ]);
  });
});

describe("a card that its payer must confirm", () => {
  test("waits at a redirect address, and pays when the payer has confirmed there", async () => {
    const order = await till.createOrder();
    const { payment } = await till.payOrder(order.databaseId, testCards.challenge);
    expect(payment.state).toBe("PENDING");
    const page = await gateway.gateway.server.inject({ method: "GET", url: payment.challengeUrl! });
    expect(page.statusCode).toBe(200);
    expect(page.body).toContain("18900 KRW");
    await gateway.gateway.server.inject({ method: "POST", url: `${payment.challengeUrl!}/approve` });
    const after = await till.readOrder(order.databaseId, "items { status } payment { state challengeUrl }");
    expect(after).toEqual({ items: [{ status: "PAID" }], payment: { state: "SUCCEEDED", challengeUrl: null } });
  });

  test("fails when the payer refuses", async () => {
    const order = await till.createOrder();
    const { payment } = await till.payOrder(order.databaseId, testCards.challenge);
    await gateway.gateway.server.inject({ method: "POST", url: `${payment.challengeUrl!}/decline` });
    const after = await till.readOrder(order.databaseId, "items { status } payment { state errorCode }");
    expect(after).toEqual({
      items: [{ status: "PAYMENT_FAILURE" }],
      payment: { state: "FAILED", errorCode: "1A" },
    });
  });
});
