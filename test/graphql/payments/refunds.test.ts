import { setTimeout } from "node:timers/promises";
import postgres from "postgres";
import { describe, expect, test } from "vitest";
import { queryRows } from "../../hostile/query-rows.ts";
import { errorSummaries } from "../../support/cover-mutations.ts";
import { createTestChild } from "../../support/fixtures/child-vendors.ts";
import { startGateway } from "../../support/test-gateway.ts";
import { TestCatalogue } from "../../support/test-catalogue.ts";
import { MINUTE } from "../../support/test-clock.ts";
import { testCards, TestPayments } from "../../support/test-payments.ts";
import { createWorker, runUntilIdle } from "../../support/test-worker.ts";

const gateway = await startGateway();
const payments = await TestPayments.start(gateway);

const REFUNDED = `order { paidAmount returnedAmount items { databaseId status returnedAmount histories { status } }
  payment { paymentReturn refunds { state amount reason } } }`;
const refund = (orderId: number, input: object = {}, headers?: Record<string, string>) =>
  payments.sendMutation("refundOrder", { orderId: String(orderId), ...input }, REFUNDED, headers);
const refunded = async (orderId: number, input: object = {}) => {
  const { data, errors } = await refund(orderId, input);
  if (errors) throw new Error(JSON.stringify(errors));
  return data!.refundOrder.order;
};
const move = (trigger: string, itemId: number) =>
  gateway.queryData("mutation ($input: MoveOrderItemsInput!) { moveOrderItems(input: $input) { items { status } } }", {
    input: { itemIds: [String(itemId)], trigger },
  });

/** An order that is paid. */
async function paidOrder(price?: string, told?: object) {
  const order = await payments.createOrder(price, told);
  await payments.payOrder(order.databaseId);
  return order;
}

describe("a service that is paid", () => {
  test("is refunded in full by its cancellation", async () => {
    const order = await paidOrder();
    const after = await refunded(order.databaseId, { reason: "Too late" });
    expect(after).toMatchObject({
      paidAmount: "18900",
      returnedAmount: "18900",
      payment: { paymentReturn: "18900", refunds: [{ state: "SUCCEEDED", amount: "18900", reason: "Too late" }] },
    });
    expect(after.items[0]!.histories!.map(({ status }) => status)).toEqual([
      "PAID",
      "CANCELLATION_REQUEST",
      "CANCELLATION_REFUNDING",
      "CANCELLATION_REFUNDED",
    ]);
    expect(await payments.ledgerOf(order.databaseId)).toEqual({ CLEARING: 0, SALES: -18_900, REFUNDS: 18_900 });
    expect(errorSummaries(await refund(order.databaseId))).toEqual([
      expect.stringMatching(/^REFUND_TOO_HIGH: input\.\S+ INVALID_VALUE$/),
    ]);
  });

  test("is refunded in parts, until the whole amount is refunded", async () => {
    const order = await paidOrder("10000");
    const first = await refunded(order.databaseId, { amount: "3000" });
    expect(first).toMatchObject({ returnedAmount: "3000", items: [{ status: "CANCELLATION_REFUNDED_PARTIALLY" }] });
    expect(errorSummaries(await refund(order.databaseId, { amount: "7001" }))).toEqual([
      expect.stringMatching(/^REFUND_TOO_HIGH: input\.\S+ INVALID_VALUE$/),
    ]);
    const last = await refunded(order.databaseId, { amount: "7000" });
    expect(last).toMatchObject({
      returnedAmount: "10000",
      items: [{ status: "CANCELLATION_REFUNDED", returnedAmount: "10000" }],
    });
    expect(await payments.ledgerOf(order.databaseId)).toEqual({ CLEARING: 0, SALES: -10_000, REFUNDS: 10_000 });
  });

  test("is refunded by its lines, with the discount of a line", async () => {
    const order = await paidOrder("10000", { plan: { firstSale: { enabled: true, price: "1000" } } });
    const [line] = order.items;
    expect(order.amount).toBe("9000");
    const after = await refunded(order.databaseId, { items: [{ itemId: String(line!.databaseId) }] });
    expect(after).toMatchObject({ paidAmount: "9000", returnedAmount: "9000" });
    expect(after.items.map(({ status }) => status)).toEqual(["CANCELLATION_REFUNDED", "CANCELLATION_REFUNDED"]);
  });

  test("is refunded by all its lines, each of them once", async () => {
    const order = await paidOrder("10000", {
      plan: {
        firstSale: { enabled: true, price: "1000" },
        setupOption: { name: "Setup", type: "INITIALLY", price: "500" },
      },
    });
    const named = order.items.map(({ databaseId }) => ({ itemId: String(databaseId) }));
    const twice = {
      items: [
        { ...named[0], amount: "600" },
        { ...named[0], amount: "600" },
      ],
    };
    expect(errorSummaries(await refund(order.databaseId, twice))).toEqual([
      "INVALID_ARGUMENT: input.items[1].itemId INVALID_VALUE",
    ]);
    const moreThanItsLine = { items: [{ ...named.at(-1), amount: "9400" }] };
    expect(errorSummaries(await refund(order.databaseId, moreThanItsLine))).toEqual([
      "REFUND_TOO_HIGH: input.items[0].amount INVALID_VALUE",
    ]);
    const after = await refunded(order.databaseId, { items: named });
    expect(after).toMatchObject({ paidAmount: "9500", returnedAmount: "9500" });
    expect(await payments.ledgerOf(order.databaseId)).toEqual({ CLEARING: 0, SALES: -9_500, REFUNDS: 9_500 });
  });
});

describe("a free line", () => {
  test("is returned, and its stock with it", async () => {
    const order = await payments.createOrder("0", { product: { type: "BOX", quantity: 1 } });
    await payments.runMutation("payOrder", { orderId: String(order.databaseId) }, "order { databaseId }");
    await move("REQUEST_CANCELLATION", order.items[0]!.databaseId);
    await move("ACCEPT_CANCELLATION", order.items[0]!.databaseId);
    const after = await refunded(order.databaseId);
    expect(after).toMatchObject({ returnedAmount: "0", items: [{ status: "CANCELLATION_REFUNDED" }] });
    const stock = `select p.quantity from order_items i join products p on p.id = i.product_id where i.order_id = ${order.databaseId}`;
    expect(await queryRows(gateway, stock)).toEqual([{ quantity: 1 }]);
    expect(errorSummaries(await refund(order.databaseId))).toEqual([
      expect.stringMatching(/^REFUND_TOO_HIGH: input\.\S+ INVALID_VALUE$/),
    ]);
    expect(await payments.ledgerOf(order.databaseId)).toEqual({});
  });

  test("is returned alone when it is named, and the rest is unchanged", async () => {
    const catalogue = new TestCatalogue(gateway);
    const items: object[] = [];
    for (const name of ["One gift", "Another gift"]) {
      const product = await catalogue.createProduct({ type: "SOFTWARE", name });
      const plan = await catalogue.createPlan(product.databaseId, { price: "0" });
      items.push({ productCode: product.code, priceCode: plan.code });
    }
    const order = await paidOrder("0", { order: { items } });
    const after = await refunded(order.databaseId, { items: [{ itemId: String(order.items[0]!.databaseId) }] });
    expect(after.items.map(({ status }) => status)).toEqual(["CANCELLATION_REFUNDED", "PAID"]);
  });

  test("ends the subscription that its trial started", async () => {
    const order = await payments.createOrder("9900", {
      product: { enabledDemo: true, demoPeriod: 7, demoPeriodUnit: "DAY" },
      plan: { type: "FLAT", recurring: { interval: "MONTH" } },
    });
    await payments.payOrder(order.databaseId);
    await refunded(order.databaseId);
    expect(await payments.readOrder(order.databaseId, "amount subscriptions { status }")).toEqual({
      amount: "0",
      subscriptions: [{ status: "CANCELED" }],
    });
  });

  test("is refunded together with the paid lines of its bundle", async () => {
    const catalogue = new TestCatalogue(gateway);
    const member = await catalogue.createProduct({ type: "BOX", quantity: 3 });
    const plan = await catalogue.createPlan(member.databaseId, { price: "4000" });
    const order = await paidOrder("5000", {
      product: { type: "BUNDLE", combinedProductIds: [String(member.databaseId)] },
      plan: {
        type: "BUNDLE",
        bundlePrices: [{ productId: String(member.databaseId), priceId: String(plan.databaseId) }],
      },
    });
    expect(await catalogue.readProduct(member.databaseId, "quantity")).toEqual({ quantity: 2 });
    const after = await refunded(order.databaseId);
    expect(after.items.map(({ status }) => status)).toEqual(["CANCELLATION_REFUNDED", "CANCELLATION_REFUNDED"]);
    expect(await catalogue.readProduct(member.databaseId, "quantity")).toEqual({ quantity: 3 });
  });

  test("is all that a refund of zero returns", async () => {
    const order = await paidOrder("10000", { plan: { setupOption: { name: "Setup", type: "INITIALLY", price: "1" } } });
    const { databaseId } = order.items[0]!;
    const none = { items: [{ itemId: String(databaseId), amount: "0" }] };
    expect(errorSummaries(await refund(order.databaseId, none))).toEqual([
      expect.stringMatching(/^REFUND_TOO_HIGH: input\.\S+ INVALID_VALUE$/),
    ]);
    expect(await payments.readOrder(order.databaseId, "items { status }")).toEqual({
      items: [{ status: "PAID" }, { status: "PAID" }],
    });
  });
});

describe("goods", () => {
  const goods = { product: { type: "BOX", quantity: 3 } };
  const stockOf = (orderId: number) =>
    queryRows<{ quantity: number }>(
      gateway,
      `select p.quantity from order_items i join products p on p.vendor_id = i.vendor_id and p.id = i.product_id where i.order_id = ${orderId}`,
    );

  test("that are not sent yet are refunded, and their stock is returned", async () => {
    const order = await paidOrder("5000", goods);
    expect(await stockOf(order.databaseId)).toEqual([{ quantity: 2 }]);
    await move("PREPARE_DELIVERY", order.items[0]!.databaseId);
    const after = await refunded(order.databaseId);
    expect(after.items).toMatchObject([{ status: "CANCELLATION_REFUNDED" }]);
    expect(await stockOf(order.databaseId)).toEqual([{ quantity: 3 }]);
  });

  test("that are in delivery are not refunded", async () => {
    const order = await paidOrder("5000", goods);
    await move("PREPARE_DELIVERY", order.items[0]!.databaseId);
    await move("SEND_DELIVERY", order.items[0]!.databaseId);
    expect(errorSummaries(await refund(order.databaseId))).toEqual(["ILLEGAL_TRANSITION"]);
    expect(await payments.ledgerOf(order.databaseId)).toEqual({ CLEARING: 5_000, SALES: -5_000 });
  });

  test("that are sent while their refund is in progress stay sent, and the refunded amount is recorded", async () => {
    const order = await paidOrder("5000", goods);
    const { databaseId: itemId } = order.items[0]!;
    await move("PREPARE_DELIVERY", itemId);
    const sql = postgres(gateway.databaseUrl, { max: 1 });
    const bank = await sql.reserve();
    await bank`begin`;
    await bank`lock table simulated_refunds in access exclusive mode`;
    const answer = refund(order.databaseId, { amount: "2000" });
    const shown = `select state from refunds where order_id = ${order.databaseId}`;
    while ((await queryRows(gateway, shown)).length === 0) await setTimeout(10);
    await move("SEND_DELIVERY", itemId);
    await bank`commit`;
    bank.release();
    await sql.end();
    expect((await answer).data!.refundOrder.order).toMatchObject({
      returnedAmount: "2000",
      items: [{ status: "ORDER_DELIVERY_ON_THE_WAY", returnedAmount: "2000" }],
    });
    await move("COMPLETE_DELIVERY", itemId);
    for (const step of ["REQUEST_RETURN", "APPROVE_RETURN", "SEND_COLLECTION", "COMPLETE_COLLECTION", "ACCEPT_RETURN"])
      await move(step, itemId);
    const after = await refunded(order.databaseId);
    expect(after).toMatchObject({ returnedAmount: "5000", items: [{ status: "RETURN_REFUNDED" }] });
  });

  test("that came back are refunded as returned", async () => {
    const order = await paidOrder("5000", goods);
    const { databaseId: itemId } = order.items[0]!;
    for (const step of [
      "PREPARE_DELIVERY",
      "SEND_DELIVERY",
      "COMPLETE_DELIVERY",
      "REQUEST_RETURN",
      "APPROVE_RETURN",
      "SEND_COLLECTION",
      "COMPLETE_COLLECTION",
      "ACCEPT_RETURN",
    ])
      await move(step, itemId);
    const after = await refunded(order.databaseId);
    expect(after.items).toMatchObject([{ status: "RETURN_REFUNDED" }]);
    expect(await stockOf(order.databaseId)).toEqual([{ quantity: 3 }]);
  });
});

test("the immediate payment of an order that is cancelled before its rest is refunded", async () => {
  const { invoice } = await payments.runMutation(
    "createInvoice",
    {
      customerId: String(payments.customerId),
      items: [{ productName: "A piano", price: "50000" }],
      instantAmount: "10000",
      publishMethods: ["EMAIL"],
    },
    "invoice { order { databaseId } }",
  );
  const orderId = invoice.order!.databaseId;
  await payments.payOrder(orderId);
  // A card that is declined meanwhile prevents no cancellation.
  await payments.payOrder(orderId, testCards.insufficientFunds);
  await payments.runMutation("cancelOrder", { orderId: String(orderId), reason: "No room" }, "order { databaseId }");
  expect(
    await payments.readOrder(orderId, "paidAmount items { status } payment { refunds { state amount reason } }"),
  ).toEqual({
    paidAmount: "10000",
    items: [{ status: "CANCELED" }, { status: "CANCELED" }],
    payment: { refunds: [] },
  });
  const refunds = `select state, trim_scale(amount)::text as amount, reason from refunds where order_id = ${orderId}`;
  expect(await queryRows(gateway, refunds)).toEqual([{ state: "PENDING", amount: "10000", reason: "No room" }]);
});

test("the immediate amount of an invoice is charged in whole units of its currency", async () => {
  const asked = { customerId: String(payments.customerId), items: [{ productName: "A stool", price: "50000" }] };
  const atOnce = async (instantAmount: string) => {
    const input = { ...asked, instantAmount, publishMethods: ["EMAIL"] };
    const selection = "invoice { instantAmount order { databaseId amount items { type amount unitPrice } } }";
    const { invoice } = await payments.runMutation("createInvoice", input, selection);
    const { payment } = await payments.payOrder(invoice.order!.databaseId);
    expect(invoice.order!.amount).toBe("50000");
    const named = invoice.order!.items.filter(({ type }: { type: string }) => type === "INSTANT");
    return [invoice.instantAmount, payment.amount, named];
  };
  const line = { type: "INSTANT", amount: "0", unitPrice: "10001" };
  expect(await atOnce("10000.5")).toEqual(["10001", "10001", [line]]);
  expect(await atOnce("0.4")).toEqual([null, "50000", []]);
});

test("the lines that a child vendor was to send are cancelled there too, line by line", async () => {
  const child = await createTestChild(gateway);
  const [childs, catalogue] = [new TestCatalogue(gateway, child), new TestCatalogue(gateway)];
  const listed = async (name: string) => {
    const { databaseId, code } = await childs.createProduct({ type: "DRAFT", draftOf: "BOX", name, quantity: 5 });
    const { code: priceCode } = await childs.createPlan(databaseId, { price: "4000" });
    await childs.runMutation("submitProduct", { productId: String(databaseId) }, "product { id }");
    await catalogue.runMutation("approveProduct", { productId: String(databaseId) }, "product { id }");
    return { databaseId, line: { productCode: code, priceCode, minimumQuantity: 2 } };
  };
  const [cup, bowl] = [await listed("Cup"), await listed("Bowl")];
  const input = { customerId: String(payments.customerId), items: [cup.line, bowl.line] };
  const { order } = await payments.runMutation("createOrder", input, "order { databaseId items { databaseId } }");
  await payments.payOrder(order.databaseId);
  const told = async () => {
    const shown = "childOrders { paidAmount returnedAmount items { orderedProductName status } }";
    const [theirs] = (await payments.readOrder(order.databaseId, shown)).childOrders;
    const stock = await Promise.all([cup, bowl].map(({ databaseId }) => childs.readProduct(databaseId, "quantity")));
    return [
      theirs!.returnedAmount,
      ...theirs!.items.map(({ orderedProductName, status }) => `${orderedProductName} ${status}`),
      ...stock.map(({ quantity }) => quantity),
    ];
  };
  await refunded(order.databaseId, { items: [{ itemId: String(order.items[1]!.databaseId) }] });
  expect(await told()).toEqual(["8000", "Cup PAID", "Bowl CANCELLATION_REFUNDED", 3, 5]);
  await refunded(order.databaseId, { amount: "1000" });
  expect(await told()).toEqual(["8000", "Cup PAID", "Bowl CANCELLATION_REFUNDED", 3, 5]);
  await refunded(order.databaseId);
  expect(await told()).toEqual(["16000", "Cup CANCELLATION_REFUNDED", "Bowl CANCELLATION_REFUNDED", 5, 5]);
});

describe("a refund", () => {
  test("of an unpaid order is refused", async () => {
    const order = await payments.createOrder();
    expect(errorSummaries(await refund(order.databaseId))).toEqual([
      expect.stringMatching(/^REFUND_TOO_HIGH: input\.\S+ INVALID_VALUE$/),
    ]);
  });

  test("that is requested twice at once refunds once", async () => {
    const order = await paidOrder("10000");
    const key = { "idempotency-key": `refund-${order.idKey}` };
    const answers = await Promise.all([1, 2, 3].map(() => refund(order.databaseId, { amount: "4000" }, key)));
    expect(answers.some(({ data }) => data?.refundOrder.order.returnedAmount === "4000")).toBe(true);
    const { returnedAmount } = await payments.readOrder(order.databaseId, "returnedAmount");
    expect(returnedAmount).toBe("4000");
    const books = await queryRows<{ sum: string }>(
      gateway,
      `select trim_scale(sum(r.amount))::text as sum from simulated_refunds r join payments p on p.gateway_reference = r.charge_reference where p.order_id = ${order.databaseId}`,
    );
    expect(books).toEqual([{ sum: "4000" }]);
  });

  test("of an amount finer than the currency allows is refused", async () => {
    const order = await paidOrder("10000");
    const { databaseId } = order.items[0]!;
    for (const [wish, path] of [
      [{ amount: "99.5" }, "amount"],
      [{ items: [{ itemId: String(databaseId), amount: "0.1" }] }, "items[0].amount"],
    ] as const)
      expect(errorSummaries(await refund(order.databaseId, wish))).toEqual([
        `INVALID_ARGUMENT: input.${path} INVALID_VALUE`,
      ]);
    expect(await payments.ledgerOf(order.databaseId)).toEqual({ CLEARING: 10_000, SALES: -10_000 });
  });

  test("of an amount that no line has is refused", async () => {
    const [one, other] = [await paidOrder(), await paidOrder()];
    const items = [{ itemId: String(other.items[0]!.databaseId) }];
    expect(errorSummaries(await refund(one.databaseId, { items }))).toEqual([
      "ORDER_ITEM_NOT_FOUND: input.items[0].itemId NOT_FOUND",
    ]);
  });
});

describe("the ledger", () => {
  test("refuses entries that do not sum to zero, and changes of entries", async () => {
    const order = await paidOrder();
    const write = (statement: string) => gateway.database.transaction((handle) => handle.execute(statement));
    const one = `insert into ledger_entries (vendor_id, order_id, payment_id, refund_id, account, amount, currency, created_at)
      select vendor_id, order_id, payment_id, null, 'REFUNDS', 1, currency, created_at from ledger_entries where order_id = ${order.databaseId} limit 1`;
    await expect(write(one)).rejects.toThrow();
    await expect(write(`update ledger_entries set amount = 0 where order_id = ${order.databaseId}`)).rejects.toThrow();
    await expect(write(`delete from ledger_entries where order_id = ${order.databaseId}`)).rejects.toThrow();
    expect(await payments.ledgerOf(order.databaseId)).toEqual({ CLEARING: 18_900, SALES: -18_900 });
  });

  test("is read entry by entry", async () => {
    const order = await paidOrder();
    await refunded(order.databaseId, { amount: "900" });
    const { ledgerEntries } = await gateway.queryData(
      "query ($id: ID!) { ledgerEntries(filter: { orderId: $id }) { totalCount nodes { account amount currency } } }",
      { id: String(order.databaseId) },
    );
    expect(ledgerEntries.nodes.map(({ account, amount }) => `${account} ${amount}`).sort()).toEqual([
      "CLEARING -900",
      "CLEARING 18900",
      "REFUNDS 900",
      "SALES -18900",
    ]);
  });
});

test("a second refund is refused until the outcome of the first is known", async () => {
  const guard = { timeoutMs: 500, faultThreshold: 1, initialOpenMs: MINUTE, maxOpenMs: MINUTE };
  const weak = await startGateway({ guard });
  const shop = await TestPayments.start(weak);
  const { databaseId } = await shop.createOrder("10000");
  await shop.payOrder(databaseId);
  // One fault opens the breaker, so that no refund is sent.
  await shop.payOrder((await shop.createOrder()).databaseId, testCards.fails);
  const refundPart = () =>
    shop.sendMutation("refundOrder", { orderId: String(databaseId), amount: "3000" }, "order { returnedAmount }");
  expect((await refundPart()).data!.refundOrder.order.returnedAmount).toBe("0");
  expect(errorSummaries(await refundPart())).toEqual(["REFUND_IN_PROGRESS"]);
  weak.clock.advance(2 * MINUTE);
  await runUntilIdle(createWorker(weak));
  expect((await refundPart()).data!.refundOrder.order.returnedAmount).toBe("6000");
});
