import { describe, expect, test } from "vitest";
import { readCover, readCoverOrder } from "../../support/cover-reads.ts";
import { startGateway } from "../../support/test-gateway.ts";
import { expectNoChanges, expectedRefusal, statusAndBody } from "../../support/rest-assertions.ts";
import { minimalOrder, registerCoverOrder, registerCoverFixture } from "../../support/fixtures/cover-fixture.ts";
import { DAY, HOUR, MINUTE } from "../../support/test-clock.ts";

const gateway = await startGateway();
const beginning = gateway.clock.now().getTime();
const at = (after: number) => gateway.clock.setTo(new Date(beginning + after));
const dateOn = (day: number) => new Date(beginning + day * DAY).toISOString();

const shop = await registerCoverFixture(gateway);
const bound = { subscriptionId: shop.subscriptionId };
const failure = { paymentFailed: true, errorCode: "51", errorMessage: "잔액부족" };

/** The state of an order's only cover. */
const coverState = async (orderId: number) => {
  const { covers } = await readCoverOrder(gateway, orderId);
  expect(covers).toHaveLength(1);
  return [covers[0]!.state, covers[0]!.endReason];
};

describe.each([
  ["with a subscription", bound],
  ["without a subscription", {}],
])("an order %s that is registered as failed", (_, subscription) => {
  const register = async (rest: object = {}) => {
    at(0);
    const body = minimalOrder(shop, { ...subscription, ...failure, ...rest });
    return { body, order: await registerCoverOrder(gateway, shop, body) };
  };
  const again = (body: object, rest: object = {}) =>
    gateway.post("/cover/order", { ...body, replaceIfExists: true, ...rest });

  test("starts its recovery and answers the date", async () => {
    const { order } = await register();
    expect(order).toMatchObject({
      status: "PAYMENT_FAILURE",
      retryDate: dateOn(1),
      paymentDate: null,
      canceledDate: null,
    });
    expect(await coverState(order.id)).toEqual(["IN_PROGRESS", null]);
  });

  test("starts nothing for a never code, and answers no date", async () => {
    const { order } = await register({ errorCode: "41" });
    expect([order.status, order.retryDate]).toEqual(["PAYMENT_FAILURE", null]);
    expect(await coverState(order.id)).toEqual(["STOPPED", "MUST_NOT_RETRY"]);
  });

  test("is retried by being sent again: repeats, reports, attempts outside the schedule", async () => {
    const { body, order } = await register();
    const dates: (string | null)[] = [];
    for (const [after, says] of [
      [MINUTE, {}],
      [HOUR, { errorCode: "05", errorMessage: undefined }],
      [DAY - 5 * MINUTE, {}],
      [DAY, {}],
      [6 * DAY, {}],
      [14 * DAY, {}],
    ] as const) {
      at(after);
      const { status, body: told } = await again(body, says);
      expect([status, told.id, told.status]).toEqual([201, order.id, "PAYMENT_FAILURE"]);
      dates.push(told.retryDate!);
    }
    expect(dates).toEqual([dateOn(1), dateOn(1), dateOn(3), dateOn(3), dateOn(10), null]);
    expect(await coverState(order.id)).toEqual(["EXHAUSTED", "NO_TRIES_LEFT"]);
  });

  test("accepts its reports by POST /cover/recovery as well", async () => {
    const { order } = await register();
    at(DAY);
    const { paymentFailed: _none, ...words } = failure;
    const { body } = await gateway.post("/cover/recovery", { ...bound, orderId: order.id, ...words });
    expect(body.retryDate).toBe(dateOn(3));
    expect((await readCover(gateway, body.coverId!)).attempts).toHaveLength(2);
  });

  test.each([
    [
      "ends as recovered",
      "when a paymentDate is sent",
      { paymentFailed: false, paymentDate: dateOn(1) },
      "PAID",
      ["RECOVERED", "PAID"],
    ],
    [
      "ends as recovered",
      "when only a paymentDate is sent",
      { paymentFailed: undefined, paymentDate: dateOn(1) },
      "PAID",
      ["RECOVERED", "PAID"],
    ],
    [
      "stops",
      "when a canceledDate is sent",
      { paymentFailed: false, canceledDate: dateOn(1) },
      "CANCELED",
      ["STOPPED", "CANCELED"],
    ],
    [
      "stops",
      "when all of it is refunded",
      { paymentFailed: false, amountReturned: 18_900 },
      "FULL_REFUND",
      ["STOPPED", "CANCELED"],
    ],
    [
      "stops",
      "when it failed and was cancelled",
      { canceledDate: dateOn(1) },
      "PAYMENT_FAILURE",
      ["STOPPED", "CANCELED"],
    ],
    ["continues", "when nothing new is sent", { paymentFailed: undefined }, "PAYMENT_FAILURE", ["IN_PROGRESS", null]],
  ])("%s %s", async (_end, _when, says, status, state) => {
    const { body, order } = await register();
    at(HOUR);
    const { status: code, body: told } = await again(body, says);
    expect([code, told.status, told.retryDate]).toEqual([201, status, state[0] === "IN_PROGRESS" ? dateOn(1) : null]);
    expect(await coverState(order.id)).toEqual(state);
  });

  test("does not start again once it has ended", async () => {
    const { body, order } = await register({ errorCode: "41" });
    at(HOUR);
    const { body: told } = await again(body, { errorCode: "51" });
    expect([told.status, told.retryDate]).toEqual(["PAYMENT_FAILURE", null]);
    expect(await coverState(order.id)).toEqual(["STOPPED", "MUST_NOT_RETRY"]);
  });
});

describe("an order that is sent again as failed", () => {
  test("starts its recovery when it was registered without one", async () => {
    at(0);
    const body = minimalOrder(shop, bound);
    const { id } = await registerCoverOrder(gateway, shop, body);
    at(HOUR);
    const told = await registerCoverOrder(gateway, shop, { ...body, ...failure, replaceIfExists: true });
    expect([told.id, told.status, told.retryDate]).toEqual([
      id,
      "PAYMENT_FAILURE",
      new Date(beginning + HOUR + DAY).toISOString(),
    ]);
  });

  test("belongs to the subscription that is named later, which stops its recovery when it is cancelled", async () => {
    at(0);
    const own = await registerCoverFixture(gateway);
    const body = minimalOrder(own, failure);
    const { id } = await registerCoverOrder(gateway, own, body);
    const told = await registerCoverOrder(gateway, own, {
      ...body,
      subscriptionId: own.subscriptionId,
      replaceIfExists: true,
    });
    expect(told.retryDate).toBe(dateOn(1));
    await gateway.sendRest("PUT", `/cover/subscription/${own.subscriptionId}/cancel`);
    expect(await coverState(id)).toEqual(["STOPPED", "CANCELED"]);
  });

  test("does so also when it is named without a new failure", async () => {
    at(0);
    const own = await registerCoverFixture(gateway);
    const { paymentFailed: _none, ...body } = minimalOrder(own, failure) as Record<string, unknown>;
    const { id } = await registerCoverOrder(gateway, own, { ...body, paymentFailed: true });
    await registerCoverOrder(gateway, own, { ...body, subscriptionId: own.subscriptionId, replaceIfExists: true });
    expect((await readCoverOrder(gateway, id)).subscription).toEqual({
      databaseId: own.subscriptionId,
      status: "UNPAID",
    });
    await gateway.sendRest("PUT", `/cover/subscription/${own.subscriptionId}/cancel`);
    expect(await coverState(id)).toEqual(["STOPPED", "CANCELED"]);
  });
});

describe("an order of another customer than its subscription", () => {
  test("is not recovered when it moved and was sent as failed without its subscription", async () => {
    at(0);
    const other = await registerCoverFixture(gateway);
    const body = minimalOrder(shop, bound);
    await registerCoverOrder(gateway, shop, body);
    const { subscriptionId: _none, ...moved } = {
      ...body,
      ...failure,
      customerId: other.customerId,
      replaceIfExists: true,
    } as Record<string, unknown>;
    await expectNoChanges(gateway, async () =>
      expect(statusAndBody(await gateway.post("/cover/order", moved))).toEqual(
        expectedRefusal(400, "SUBSCRIPTION_MISMATCH"),
      ),
    );
  });
});

describe("an order of a cancelled subscription", () => {
  test("is not registered as failed", async () => {
    at(0);
    const own = await registerCoverFixture(gateway);
    await gateway.sendRest("PUT", `/cover/subscription/${own.subscriptionId}/cancel`);
    await expectNoChanges(gateway, async () => {
      const answer = await gateway.post(
        "/cover/order",
        minimalOrder(own, { subscriptionId: own.subscriptionId, ...failure }),
      );
      expect(statusAndBody(answer)).toEqual(expectedRefusal(400, "SUBSCRIPTION_CANCELED"));
    });
  });

  test("is registered when it has not failed", async () => {
    const own = await registerCoverFixture(gateway);
    await gateway.sendRest("PUT", `/cover/subscription/${own.subscriptionId}/cancel`);
    const told = await registerCoverOrder(gateway, own, { subscriptionId: own.subscriptionId });
    expect([told.status, told.retryDate]).toEqual(["CREATED", null]);
  });

  test("that joins it during its recovery gets no retry date", async () => {
    at(0);
    const own = await registerCoverFixture(gateway);
    const body = minimalOrder(own, failure);
    await registerCoverOrder(gateway, own, body);
    await gateway.sendRest("PUT", `/cover/subscription/${own.subscriptionId}/cancel`);
    const { body: told } = await gateway.post("/cover/order", {
      ...body,
      subscriptionId: own.subscriptionId,
      replaceIfExists: true,
    });
    expect(told.retryDate ?? null).toBeNull();
  });
});
