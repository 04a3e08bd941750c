import { describe, expect, test } from "vitest";
import { queryRows } from "../../hostile/query-rows.ts";
import { errorSummaries } from "../../support/cover-mutations.ts";
import { startGateway } from "../../support/test-gateway.ts";
import { cardInput, testCards, TestPayments } from "../../support/test-payments.ts";

/*
 * A key and money: it is bound in the transaction of the claim. The other effects of a key are the same for both
 * protocols, and tested over REST.
 */

const gateway = await startGateway({
  guard: { timeoutMs: 60_000, faultThreshold: 100, initialOpenMs: 10_000, maxOpenMs: 60_000 },
  connections: 10,
});
const payments = await TestPayments.start(gateway);

const keyed = (key: string) => ({ "idempotency-key": key });
const REUSED = ["IDEMPOTENCY_KEY_REUSED"];
const IN_USE = ["IDEMPOTENCY_KEY_IN_USE"];

/** The state after a process dies between the effect and the storage of its answer. */
const forgetAnswer = (key: string) =>
  queryRows(gateway, `update idempotency_keys set answered = false, status = 409 where key = '${key}'`);

/** Starts a payment whose gateway charges and never answers. */
async function silentPayment(key: string) {
  const order = await payments.createOrder();
  void payments.sendPayOrder(order.databaseId, testCards.silentAfterCharge, keyed(key));
  await expect.poll(() => payments.countApprovedCharges(order.idKey)).toBe(1);
  return order;
}

describe("the key of a payment", () => {
  test("belongs to one order: another one is refused at once, and not charged", async () => {
    const first = await silentPayment("two-orders");
    const other = await payments.createOrder();
    const answer = await payments.sendPayOrder(other.databaseId, testCards.approved, keyed("two-orders"));
    expect([answer.status, ...errorSummaries(answer)]).toEqual([422, ...REUSED]);
    const refund = await payments.sendMutation(
      "refundOrder",
      { orderId: String(first.databaseId) },
      "order { id }",
      keyed("two-orders"),
    );
    expect([refund.status, ...errorSummaries(refund)]).toEqual([422, ...REUSED]);
    expect(await payments.countApprovedCharges(other.idKey)).toBe(0);
  });

  test("is bound to one of two orders that are sent at the same moment", async () => {
    const orders = await Promise.all([
      payments.createOrder(),
      payments.createOrder(),
      payments.createOrder(),
      payments.createOrder(),
    ]);
    const answers = await Promise.all(
      orders.map(({ databaseId }) => payments.sendPayOrder(databaseId, testCards.slow, keyed("at-once"))),
    );
    const paid = answers.filter(({ data }) => data?.payOrder);
    expect(paid).toHaveLength(1);
    for (const answer of answers)
      if (!paid.includes(answer)) expect([answer.status, ...errorSummaries(answer)]).toEqual([422, ...REUSED]);
    const charged = await Promise.all(orders.map(({ idKey }) => payments.countApprovedCharges(idKey)));
    expect(charged.reduce((sum, count) => sum + count)).toBe(1);
  });

  test("continues the same payment when its process is gone, and charges once", async () => {
    const order = await silentPayment("crash");
    const early = await payments.sendPayOrder(order.databaseId, testCards.silentAfterCharge, keyed("crash"));
    expect([early.status, ...errorSummaries(early)]).toEqual([409, ...IN_USE]);
    gateway.clock.advance(46_000);
    const repeat = await payments.sendPayOrder(order.databaseId, testCards.silentAfterCharge, keyed("crash"));
    expect(repeat.data!.payOrder.payment.state).toBe("SUCCEEDED");
    expect(await payments.sendPayOrder(order.databaseId, testCards.silentAfterCharge, keyed("crash"))).toEqual(repeat);
    expect(await payments.countApprovedCharges(order.idKey)).toBe(1);
    expect(await payments.ledgerOf(order.databaseId)).toEqual({ CLEARING: 18_900, SALES: -18_900 });
  });

  test("is free again after a refusal, and after 24 hours", async () => {
    const order = await payments.createOrder();
    const refused = await payments.sendPayOrder(order.databaseId, { storedMethodId: "999999" }, keyed("refused"));
    expect(errorSummaries(refused)).toEqual(["PAYMENT_METHOD_NOT_FOUND: input.storedMethodId NOT_FOUND"]);
    const declined = await payments.sendPayOrder(order.databaseId, testCards.insufficientFunds, keyed("refused"));
    expect(declined.data!.payOrder.payment.state).toBe("FAILED");
    expect(await payments.sendPayOrder(order.databaseId, testCards.insufficientFunds, keyed("refused"))).toEqual(
      declined,
    );
    gateway.clock.advance(24 * 3_600_000);
    const later = await payments.sendPayOrder(order.databaseId, testCards.insufficientFunds, keyed("refused"));
    expect(later.data!.payOrder.payment.databaseId).not.toBe(declined.data!.payOrder.payment.databaseId);
  });

  test("still belongs to the payment when the answer is too large to be stored", async () => {
    const cheap = await payments.createOrder("10");
    const { items } = await payments.readOrder(cheap.databaseId, "items { product { code } price { code } }");
    const line = { productCode: items[0]!.product!.code, priceCode: items[0]!.price!.code };
    const input = { customerId: String(payments.customerId), items: Array.from({ length: 100 }, () => line) };
    const { order } = await payments.runMutation("createOrder", input, "order { databaseId idKey }");
    const all =
      "items { id databaseId code status type amount paidAmount returnedAmount unitPrice orderedProductName orderedPlanName orderedProductType createdAt modifiedAt currency quantity minimumQuantity selectedProductOptionLabel featuredImageUrl parentOrderItemCode }";
    const many = Array.from({ length: 28 }, (_, index) => `a${index}: ${all}`).join(" ");
    const pay = () =>
      payments.sendRawMutation(
        "payOrder",
        { orderId: String(order.databaseId), method: "CARD", card: cardInput(testCards.approved) },
        `payment { databaseId state } order { ${many} }`,
        keyed("large"),
      );
    const first = await pay();
    expect(JSON.stringify(first).length).toBeGreaterThan(1_048_576);
    expect((await pay()).data!.payOrder.payment).toEqual(first.data!.payOrder.payment);
    expect(await payments.countApprovedCharges(order.idKey)).toBe(1);
  });
});

describe("the key of a refund", () => {
  const refund = (orderId: number, key: string) =>
    payments.sendMutation(
      "refundOrder",
      { orderId: String(orderId) },
      "order { returnedAmount items { status } }",
      keyed(key),
    );

  test.each([
    ["of money", "18900"],
    ["of a free order", "0"],
  ])("%s refunds once, though the answer was lost", async (name, price) => {
    const order = await payments.createOrder(price);
    await payments.payOrder(order.databaseId, testCards.approved);
    const first = await refund(order.databaseId, name);
    expect(first.errors).toBeUndefined();
    await forgetAnswer(name);
    expect(await refund(order.databaseId, name)).toEqual(first);
    expect(first.data!.refundOrder.order).toEqual({
      returnedAmount: price,
      items: [{ status: "CANCELLATION_REFUNDED" }],
    });
  });

  test("is refused for another order", async () => {
    const [one, other] = [await payments.createOrder(), await payments.createOrder()];
    for (const { databaseId } of [one, other]) await payments.payOrder(databaseId);
    expect((await refund(one.databaseId, "one-refund")).errors).toBeUndefined();
    await forgetAnswer("one-refund");
    const answer = await refund(other.databaseId, "one-refund");
    expect([answer.status, ...errorSummaries(answer)]).toEqual([422, ...REUSED]);
    expect((await payments.readOrder(other.databaseId, "returnedAmount")).returnedAmount).toBe("0");
  });
});

test("the key of a deposit repeats the answer of its confirmation, though the answer was lost", async () => {
  const order = await payments.createOrder();
  await payments.payOrder(order.databaseId, { method: "BANK" });
  const confirm = () =>
    payments.sendMutation(
      "confirmDeposit",
      { orderId: String(order.databaseId) },
      "payment { databaseId state }",
      keyed("deposit"),
    );
  const first = await confirm();
  expect(first.data!.confirmDeposit.payment.state).toBe("SUCCEEDED");
  await forgetAnswer("deposit");
  expect(await confirm()).toEqual(first);
});

describe("with a key, a mutation that moves money", () => {
  const pay = (orderId: number) => `payOrder(input: { orderId: "${orderId}", method: BANK }) { payment { state } }`;
  const cancel = (orderId: number) => `cancelOrder(input: { orderId: "${orderId}" }) { order { id } }`;
  const send = (document: string, key: string, variables = {}) =>
    gateway.sendRawGraphQL(document, variables, { headers: keyed(key) });

  test.each([
    ["beside another", (id: number) => `mutation { a: ${pay(id)} b: ${cancel(id)} }`],
    ["in a fragment", (id: number) => `mutation { ...A b: ${cancel(id)} } fragment A on Mutation { ${pay(id)} }`],
    ["twice", (id: number) => `mutation { a: ${pay(id)} ... on Mutation { b: ${pay(id)} } }`],
  ])("is refused %s", async (name, document) => {
    const { databaseId } = await payments.createOrder();
    expect(errorSummaries(await send(document(databaseId), name))).toEqual([
      "INVALID_ARGUMENT: Idempotency-Key INVALID_VALUE",
    ]);
    expect((await payments.readOrder(databaseId, "payment { state }")).payment).toBeNull();
  });

  test("may stand beside one that is skipped", async () => {
    const { databaseId } = await payments.createOrder();
    const skipped = `b: ${cancel(databaseId)}`.replace(") {", ") @include(if: $if) {");
    const document = `mutation ($if: Boolean! = false) { __typename a: ${pay(databaseId)} ${skipped} }`;
    expect((await send(document, "skipped")).data).toEqual({
      __typename: "Mutation",
      a: { payment: { state: "PENDING" } },
    });
  });

  test("does not count when it is skipped itself: the others are one transaction", async () => {
    const { databaseId } = await payments.createOrder();
    const document = `mutation ($skip: Boolean!) { a: ${pay(databaseId).replace(") {", ") @skip(if: $skip) {")} b: ${cancel(databaseId)} }`;
    const first = await send(document, "money-skipped", { skip: true });
    expect(first.errors).toBeUndefined();
    expect(await send(document, "money-skipped", { skip: true })).toEqual(first);
  });

  test.each([
    [
      "fragments that spread each other",
      "mutation { ...A } fragment A on Mutation { ...B } fragment B on Mutation { ...A }",
    ],
    ["an unknown fragment", "mutation { ...A }"],
    ["an invalid document", "mutation {"],
  ])("is not searched for in %s", async (_fault, document) => {
    const { errors } = await send(`${document} # payOrder`, "no-document");
    expect(errors![0]!.extensions["code"]).toMatch(/^GRAPHQL_(?:PARSE|VALIDATION)_FAILED$/);
  });
});

test("no mutation has an argument for the key", async () => {
  const { __schema } = await gateway.queryData("{ __schema { mutationType { fields { args { name } } } } }");
  const names = __schema.mutationType!.fields!.flatMap(({ args }: { args: { name: string }[] }) =>
    args.map(({ name }) => name),
  );
  expect(new Set(names)).toEqual(new Set(["input"]));
});

test("a sandbox that moves its clock does not expire its keys", async () => {
  const { token } = await gateway.openVendor({ sandbox: true });
  const move = () =>
    gateway.sendGraphQL(
      `mutation { advanceTestClock(input: { by: "P2D" }) { now } }`,
      {},
      { token, headers: keyed("clock") },
    );
  const first = await move();
  expect(first.errors).toBeUndefined();
  expect(await move()).toEqual(first);
});
