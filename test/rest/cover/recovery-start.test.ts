import { describe, expect, test } from "vitest";
import { describeBodyValidation } from "../../support/body-validation.ts";
import { readCover, setCoverOrderStatus, readCoverOrder, readCoverSubscription } from "../../support/cover-reads.ts";
import { startGateway } from "../../support/test-gateway.ts";
import {
  expectNoChanges,
  expectedRefusal,
  statusAndBody,
  expectedUnknownReference,
} from "../../support/rest-assertions.ts";
import {
  uniqueName,
  registerCoverOrder,
  registerCoverFixture,
  type CoverFixture,
} from "../../support/fixtures/cover-fixture.ts";

const gateway = await startGateway({ now: "2026-03-01T09:30:00.123Z" });
const shop = await registerCoverFixture(gateway);
const other = await registerCoverFixture(gateway);
const { body: sibling } = await gateway.post("/cover/subscription", {
  customerId: shop.customerId,
  currentPeriodStart: "2026-02-01T00:00:00Z",
  currentPeriodEnd: "2026-03-01T00:00:00Z",
  recurringInterval: "DAY",
  recurringIntervalCount: 1,
  partnerSubscriptionId: uniqueName("subscription"),
});
const start = (body: object) => gateway.post("/cover/recovery", body);
const dayLater = "2026-03-02T09:30:00.123Z";

describe("POST /cover/recovery", () => {
  test("answers exactly the cover's id and the next date, a day later", async () => {
    const order = await registerCoverOrder(gateway, shop, { subscriptionId: shop.subscriptionId });
    const answer = await start({
      subscriptionId: shop.subscriptionId,
      orderId: order.id,
      errorCode: "51",
      errorMessage: "잔액부족",
    });
    expect(statusAndBody(answer)).toEqual({ status: 201, body: { coverId: expect.any(Number), retryDate: dayLater } });
  });

  test("sets the order to PAYMENT_FAILURE, its subscription to UNPAID, and records both", async () => {
    const own = await registerCoverFixture(gateway);
    const order = await registerCoverOrder(gateway, own, { subscriptionId: own.subscriptionId });
    const { body } = await start({
      subscriptionId: own.subscriptionId,
      orderId: order.id,
      errorCode: "51",
      errorMessage: "잔액부족",
    });
    const cover = await readCover(gateway, body.coverId!);
    expect(cover).toMatchObject({
      state: "IN_PROGRESS",
      endReason: null,
      endedAt: null,
      order: { databaseId: order.id, status: "PAYMENT_FAILURE" },
      subscription: { databaseId: own.subscriptionId, status: "UNPAID" },
    });
    expect(cover.attempts).toEqual([
      {
        number: 1,
        kind: "FIRST_FAILURE",
        errorCode: "51",
        errorMessage: "잔액부족",
        reasonClass: "INSUFFICIENT_FUNDS",
        attemptedAt: "2026-03-01T09:30:00.123Z",
      },
    ]);
    expect((await readCoverOrder(gateway, order.id)).timeline.map(({ type }: { type: string }) => type)).toEqual(
      expect.arrayContaining(["ORDER_CREATED", "ORDER_PAYMENT_FAILED", "COVER_STARTED"]),
    );
  });

  test("binds an order without a subscription to the one given", async () => {
    const order = await registerCoverOrder(gateway, shop);
    expect((await readCoverOrder(gateway, order.id)).subscription).toBeNull();
    const { body } = await start({ subscriptionId: shop.subscriptionId, orderId: order.id });
    expect((await readCoverOrder(gateway, order.id)).subscription!.databaseId).toBe(shop.subscriptionId);
    expect((await readCover(gateway, body.coverId!)).subscription!.databaseId).toBe(shop.subscriptionId);
  });

  test("binds a running recovery without a subscription to the one given", async () => {
    const order = await registerCoverOrder(gateway, shop, { paymentFailed: true, errorCode: "51" });
    const { status, body } = await start({ subscriptionId: shop.subscriptionId, orderId: order.id, errorCode: "51" });
    expect([status, body.retryDate]).toEqual([201, order.retryDate]);
    expect((await readCover(gateway, body.coverId!)).subscription!.databaseId).toBe(shop.subscriptionId);
  });

  test("accepts a report without a code", async () => {
    const order = await registerCoverOrder(gateway, shop);
    expect(statusAndBody(await start({ subscriptionId: shop.subscriptionId, orderId: order.id }))).toEqual({
      status: 201,
      body: { coverId: expect.any(Number), retryDate: dayLater },
    });
  });
});

const paidOn = { paymentDate: "2026-02-28T00:00:00Z" };
const delivered = ["PREPARING", "SHIPPING", "FULFILLED"];

describe("a request that cannot start a recovery", () => {
  test.each<[status: string, sent: object, moves?: string[]]>([
    ["PAID", paidOn],
    ["CANCELED", { canceledDate: "2026-02-28T00:00:00Z" }],
    ["PARTIAL_REFUND", { ...paidOn, amountReturned: 1 }],
    ["FULL_REFUND", { ...paidOn, amountReturned: 18_900 }],
    ["PREPARING", paidOn, ["PREPARING"]],
    ["SHIPPING", paidOn, ["PREPARING", "SHIPPING"]],
    ["CANCEL_REQ", paidOn, ["CANCEL_REQ"]],
    ["FULFILLED", paidOn, delivered],
    ["CHANGE_REQ", paidOn, [...delivered, "CHANGE_REQ"]],
    ["CHANGE_PROCESS", paidOn, [...delivered, "CHANGE_REQ", "CHANGE_PROCESS"]],
    ["CHANGED", paidOn, [...delivered, "CHANGE_REQ", "CHANGE_PROCESS", "CHANGED"]],
    ["RETURN_REQ", paidOn, [...delivered, "RETURN_REQ"]],
    ["RETURN_PROCESS", paidOn, [...delivered, "RETURN_REQ", "RETURN_PROCESS"]],
    ["RETURNED", paidOn, [...delivered, "RETURN_REQ", "RETURN_PROCESS", "RETURNED"]],
  ])("an order that is %s", async (status, sent, moves = []) => {
    const order = await registerCoverOrder(gateway, shop, { subscriptionId: shop.subscriptionId, ...sent });
    for (const move of moves) await setCoverOrderStatus(gateway, order.id, move);
    await expectNoChanges(gateway, async () =>
      expect(statusAndBody(await start({ subscriptionId: shop.subscriptionId, orderId: order.id }))).toEqual(
        expectedRefusal(400, "ORDER_NOT_RECOVERABLE"),
      ),
    );
    expect((await readCoverOrder(gateway, order.id)).status).toBe(status);
  });

  test("an order of a cancelled subscription, bound before or by this request", async () => {
    const own = await registerCoverFixture(gateway);
    const bound = await registerCoverOrder(gateway, own, { subscriptionId: own.subscriptionId });
    const free = await registerCoverOrder(gateway, own);
    await gateway.sendRest("PUT", `/cover/subscription/${own.subscriptionId}/cancel`);
    await expectNoChanges(gateway, async () => {
      for (const { id } of [bound, free]) {
        const answer = await start({ subscriptionId: own.subscriptionId, orderId: id, errorCode: "51" });
        expect(statusAndBody(answer)).toEqual(expectedRefusal(400, "SUBSCRIPTION_CANCELED"));
      }
    });
  });

  test("a running recovery by a subscription that is cancelled: no date is answered", async () => {
    const own = await registerCoverFixture(gateway);
    const order = await registerCoverOrder(gateway, own, { paymentFailed: true, errorCode: "51" });
    await gateway.sendRest("PUT", `/cover/subscription/${own.subscriptionId}/cancel`);
    const { body } = await start({ subscriptionId: own.subscriptionId, orderId: order.id, errorCode: "51" });
    expect(body.retryDate ?? null).toBeNull();
    expect(
      (await readCoverSubscription(gateway, own.subscriptionId)).covers.filter(
        ({ state }: { state: string }) => state === "IN_PROGRESS",
      ),
    ).toEqual([]);
  });

  describe("an order of another subscription or customer", () => {
    test.each<[string, object, (order: { id: number }) => object]>([
      ["another customer's subscription", {}, ({ id }) => ({ orderId: id, subscriptionId: other.subscriptionId })],
      [
        "another subscription of the customer",
        { subscriptionId: shop.subscriptionId },
        ({ id }) => ({ orderId: id, subscriptionId: sibling.id }),
      ],
      [
        "another subscription, while its recovery runs",
        { subscriptionId: shop.subscriptionId, paymentFailed: true },
        ({ id }) => ({ orderId: id, subscriptionId: sibling.id }),
      ],
    ])("is refused with %s", async (_, sent, body) => {
      const order = await registerCoverOrder(gateway, shop, sent);
      await expectNoChanges(gateway, async () =>
        expect(statusAndBody(await start(body(order)))).toEqual(expectedRefusal(400, "SUBSCRIPTION_MISMATCH")),
      );
    });
  });

  test.each<[string, (shop: CoverFixture, order: { id: number }) => object, object]>([
    [
      "an unknown subscription",
      (_, { id }) => ({ subscriptionId: 4_000_000, orderId: id }),
      expectedUnknownReference("subscriptionId", "SUBSCRIPTION_NOT_FOUND"),
    ],
    [
      "an unknown order",
      ({ subscriptionId }) => ({ subscriptionId, orderId: 4_000_000 }),
      expectedUnknownReference("orderId", "ORDER_NOT_FOUND"),
    ],
  ])("%s", async (_, body, answer) => {
    const order = await registerCoverOrder(gateway, shop);
    await expectNoChanges(gateway, async () => expect(statusAndBody(await start(body(shop, order)))).toEqual(answer));
  });
});

const failed = await registerCoverOrder(gateway, shop, { subscriptionId: shop.subscriptionId });

describeBodyValidation(
  gateway,
  "/cover/recovery",
  () => ({ subscriptionId: shop.subscriptionId, orderId: failed.id }),
  {
    subscriptionId: "id!",
    orderId: "id!",
    errorCode: "line",
    errorMessage: "text",
  },
);
