import { createHmac } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { queryRows } from "../hostile/query-rows.ts";
import { startGateway } from "../support/test-gateway.ts";
import { testCards, TestPayments } from "../support/test-payments.ts";
import { createWorker, runUntilIdle } from "../support/test-worker.ts";

/*
 * every way in which a payment gateway can fail its clients. The oracle is the payment gateway's own books:
 * whatever it answered, a paid order was charged once, an unpaid order was not charged, and the ledger agrees with the
 * books.
 */

// The breaker never opens here: each fault must be seen.
const gateway = await startGateway({
  guard: { timeoutMs: 900, faultThreshold: 1_000, initialOpenMs: 1, maxOpenMs: 1 },
});
const payments = await TestPayments.start(gateway);

/** Compares an order with the books of the payment gateway. */
async function agrees(order: { databaseId: number; idKey: string }, status: "PAID" | "PAYMENT_FAILURE"): Promise<void> {
  const { items, leftAmount } = await payments.readOrder(order.databaseId, "leftAmount items { status }");
  const isPaid = status === "PAID";
  expect({ items, leftAmount }).toEqual({ items: [{ status }], leftAmount: isPaid ? "18900" : "0" });
  expect(await payments.countApprovedCharges(order.idKey)).toBe(isPaid ? 1 : 0);
  expect(await payments.ledgerOf(order.databaseId)).toEqual(isPaid ? { CLEARING: 18_900, SALES: -18_900 } : {});
  const moves = await queryRows<{ times: string }>(
    gateway,
    `select count(*)::text as times from event_log where order_id = ${order.databaseId} and trigger = 'succeedPayment'`,
  );
  expect(moves).toEqual([{ times: isPaid ? "1" : "0" }]);
}

/** Waits until an order is as expected; callbacks arrive at any time. */
async function settled(orderId: number, status: string): Promise<void> {
  await expect.poll(async () => (await payments.readOrder(orderId, "items { status }")).items[0]!.status).toBe(status);
}

describe("a gateway that charges, and", () => {
  test.each([
    ["does not answer", testCards.silentAfterCharge],
    ["answers 500", testCards.failsAfterCharge],
    ["answers garbage", testCards.garbage],
  ])("%s: the order is paid once", async (_, card) => {
    const order = await payments.createOrder();
    const { payment } = await payments.payOrder(order.databaseId, card);
    expect(payment.state).toBe("SUCCEEDED");
    await agrees(order, "PAID");
  });
});

describe("a gateway that does not charge, and", () => {
  test.each([
    ["does not answer", testCards.silent],
    ["answers 502", testCards.fails],
  ])("%s: the order failed, and can be paid at once", async (_, card) => {
    const order = await payments.createOrder();
    const { payment } = await payments.payOrder(order.databaseId, card);
    expect(payment).toMatchObject({ state: "FAILED", errorCode: "NOT_CHARGED" });
    await agrees(order, "PAYMENT_FAILURE");
    await payments.payOrder(order.databaseId);
    await agrees(order, "PAID");
  });
});

describe("callbacks", () => {
  test.each([
    ["that come before the answer", testCards.callbackFirst],
    ["that come twice", testCards.callbackTwice],
    ["that come late", testCards.callbackLate],
    ["that contradict each other", testCards.callbackDisordered],
  ])("%s change nothing more", async (_, card) => {
    const order = await payments.createOrder();
    const { payment } = await payments.payOrder(order.databaseId, card);
    expect(payment.state).toBe("SUCCEEDED");
    await wait(500);
    await agrees(order, "PAID");
  });

  test("are enough to learn of a confirmed charge, however often they come", async () => {
    const order = await payments.createOrder();
    const { payment } = await payments.payOrder(order.databaseId, testCards.challenge);
    const approve = () => gateway.gateway.server.inject({ method: "POST", url: `${payment.challengeUrl!}/approve` });
    await Promise.all([approve(), approve(), approve()]);
    await settled(order.databaseId, "PAID");
    await agrees(order, "PAID");
  });

  describe("over the network", () => {
    const secret = "a secret of the gateway and the merchant";
    const send = async (
      order: { idKey: string },
      told: { secret?: string; age?: number; vendorUuid?: string; body?: string } = {},
    ) => {
      const { vendor } = await gateway.queryData("{ vendor { uuid } }");
      await payments.runMutation(
        "configurePaymentGateway",
        { paymentGateway: "HOUSE", callbackSecret: secret },
        "account { paymentGateway }",
      );
      const [charge] = await payments.simulatedCharges(order.idKey);
      const body = told.body ?? JSON.stringify({ idempotencyKey: charge!.idempotency_key, status: "APPROVED" });
      const seconds = Math.floor(gateway.clock.now().getTime() / 1000) - (told.age ?? 0);
      const signature = createHmac("sha256", told.secret ?? secret)
        .update(`${seconds}.${body}`)
        .digest("hex");
      const { statusCode, body: answer } = await gateway.gateway.server.inject({
        method: "POST",
        url: `/callbacks/${told.vendorUuid ?? vendor.uuid}/HOUSE`,
        headers: { "x-simulated-signature": `t=${seconds},v1=${signature}`, "content-type": "application/json" },
        payload: body,
      });
      return { statusCode, answer: JSON.parse(answer) };
    };

    test("are accepted when the payment gateway signed them, and looked up: a false callback pays nothing", async () => {
      const order = await payments.createOrder();
      await payments.payOrder(order.databaseId, { method: "VBANK" });
      expect(await send(order)).toEqual({ statusCode: 200, answer: { result: true } });
      expect((await payments.readOrder(order.databaseId, "items { status }")).items).toEqual([
        { status: "DEPOSIT_WAITING" },
      ]);
      expect(await payments.ledgerOf(order.databaseId)).toEqual({});
    });

    test.each([
      ["signed by somebody else", { secret: "another secret" }],
      ["replayed after an hour", { age: 3_600 }],
      ["for an unknown vendor", { vendorUuid: "1f0c8c3e-0000-4000-8000-000000000000" }],
    ])("are refused when they are %s", async (_, told) => {
      const order = await payments.createOrder();
      await payments.payOrder(order.databaseId, { method: "VBANK" });
      expect(await send(order, told)).toMatchObject({ statusCode: 403, answer: { errorCode: "CALLBACK_REFUSED" } });
    });

    test.each([
      ["no JSON", "{", "MALFORMED_JSON"],
      ["nothing", "", "INVALID_ARGUMENT"],
      ["null", "null", "INVALID_ARGUMENT"],
      ["a list", "[1]", "INVALID_ARGUMENT"],
      ["a number for a key", '{"idempotencyKey": 1}', "INVALID_ARGUMENT"],
      ["a key that no database can store", '{"idempotencyKey": "\\u0000"}', "INVALID_ARGUMENT"],
      ["a key of excessive length", JSON.stringify({ idempotencyKey: "x".repeat(100_000) }), "INVALID_ARGUMENT"],
      ["a deeply nested body", "[".repeat(100_000), "MALFORMED_JSON"],
    ])("that the payment gateway signed and that contain %s are refused with 400", async (_, body, errorCode) => {
      const order = await payments.createOrder();
      await payments.payOrder(order.databaseId, { method: "VBANK" });
      expect(await send(order, { body })).toMatchObject({ statusCode: 400, answer: { errorCode } });
    });

    test("without a signature are refused, whatever their content", async () => {
      const { vendor } = await gateway.queryData("{ vendor { uuid } }");
      for (const payload of ["", "{", "null", '"x"', JSON.stringify({ idempotencyKey: "x" })]) {
        const { statusCode } = await gateway.gateway.server.inject({
          method: "POST",
          url: `/callbacks/${vendor.uuid}/HOUSE`,
          headers: { "content-type": "application/json" },
          payload,
        });
        expect(statusCode).toBe(403);
      }
    });
  });
});

describe("a storm of faults", () => {
  test("opens a circuit breaker, which closes by itself; charges made meanwhile are found, and nothing is charged twice", async () => {
    const weak = await startGateway({
      guard: { timeoutMs: 500, faultThreshold: 4, initialOpenMs: 10_000, maxOpenMs: 60_000 },
    });
    const shop = await TestPayments.start(weak);
    const orders = [
      await shop.createOrder(),
      await shop.createOrder(),
      await shop.createOrder(),
      await shop.createOrder(),
    ];
    const [first, second, third, fourth] = orders.map(({ databaseId }) => databaseId);
    // Two calls each: the charge, and the query for its result.
    expect((await shop.payOrder(first!, testCards.down)).payment.state).toBe("UNKNOWN");
    expect((await shop.payOrder(second!, testCards.down)).payment.state).toBe("UNKNOWN");
    // The breaker is open: no call is made, nothing is charged, and the payer gets an answer at once.
    const refused = await shop.payOrder(third!, testCards.approved);
    expect(refused.payment).toMatchObject({ state: "FAILED", errorCode: "GATEWAY_UNAVAILABLE" });
    expect(await shop.countApprovedCharges(orders[2]!.idKey)).toBe(0);
    // After a while one call is let through, and closes it.
    weak.clock.advance(10_000);
    expect((await shop.payOrder(fourth!, testCards.approved)).payment.state).toBe("SUCCEEDED");
    expect((await shop.payOrder(third!, testCards.approved)).payment.state).toBe("SUCCEEDED");
    // Unknown outcomes are looked up by the worker.
    weak.clock.advance(60_000);
    await runUntilIdle(createWorker(weak));
    for (const { databaseId, idKey } of orders) {
      expect(await shop.readOrder(databaseId, "items { status } payment { state }")).toEqual({
        items: [{ status: "PAID" }],
        payment: { state: "SUCCEEDED" },
      });
      expect(await shop.countApprovedCharges(idKey)).toBe(1);
      expect(await shop.ledgerOf(databaseId)).toEqual({ CLEARING: 18_900, SALES: -18_900 });
    }
  });
});

describe("a process that dies", () => {
  test("between its claim and its record leaves a payment that is looked up, and never charged again", async () => {
    for (const wasCharged of [true, false]) {
      const order = await payments.createOrder();
      await payments.payOrder(order.databaseId, wasCharged ? testCards.approved : testCards.insufficientFunds);
      // The row as it was before the outcome was recorded.
      const claimed = await payments.createOrder();
      await queryRows(
        gateway,
        `insert into payments (vendor_id, order_id, state, idempotency_key, amount, discount, currency, payment_method, initiator,
          payment_gateway, payment_return, customer_name, customer_email, customer_phone, look_up_at, created_at)
          select vendor_id, ${claimed.databaseId}, 'PENDING', 'dead ${claimed.idKey}', amount, 0, currency, payment_method, initiator,
          payment_gateway, 0, customer_name, customer_email, customer_phone, created_at, created_at from payments where order_id = ${order.databaseId}`,
      );
      if (wasCharged)
        await queryRows(
          gateway,
          `insert into simulated_charges select vendor_id, 'dead ${claimed.idKey}', reference || 'x', '${claimed.idKey}', amount, currency,
            method, behaviour, ending, null, status, code, advice_code, message, created_at, settled_at from simulated_charges
            where order_reference = '${order.idKey}'`,
        );
      await runUntilIdle(createWorker(gateway));
      await agrees(claimed, wasCharged ? "PAID" : "PAYMENT_FAILURE");
    }
  });
});
