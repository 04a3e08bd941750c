import { describe, expect, test } from "vitest";
import { describeReplaceIfExists } from "../../support/body-validation.ts";
import { setCoverOrderStatus, readCoverOrder } from "../../support/cover-reads.ts";
import { startGateway } from "../../support/test-gateway.ts";
import { expectNoChanges, expectedRefusal, statusAndBody } from "../../support/rest-assertions.ts";
import {
  uniqueName,
  minimalOrder,
  registerCoverOrder,
  registerCoverFixture,
} from "../../support/fixtures/cover-fixture.ts";

const gateway = await startGateway();
const shop = await registerCoverFixture(gateway);
const otherShop = await registerCoverFixture(gateway);

const paidOn = "2026-02-28T12:00:00.000Z";
const canceledOn = "2026-02-28T13:00:00.000Z";
const { items: otherItems, customer: otherCustomer } = await registerCoverOrder(gateway, otherShop, {
  items: [
    { quantity: 5, priceId: otherShop.priceId },
    { quantity: 6, priceId: shop.priceId },
  ],
});

const second = await gateway.readRestBody("POST", "/cover/subscription", {
  customerId: shop.customerId,
  currentPeriodStart: "2026-02-01T00:00:00Z",
  currentPeriodEnd: "2026-03-01T00:00:00Z",
  recurringInterval: "DAY",
  recurringIntervalCount: 1,
  partnerSubscriptionId: uniqueName("subscription"),
});

const order = () =>
  minimalOrder(shop, {
    amountReturned: 900,
    items: [
      { quantity: 2, priceId: shop.priceId },
      { quantity: 3, priceId: otherShop.priceId },
    ],
    paymentDate: paidOn,
    idKey: "1772357400123ABCdef0123456789",
  });

describeReplaceIfExists(gateway, "/cover/order", {
  full: order,
  least: ["customerId", "amount", "items", "partnerOrderId"],
  changes: () => ({
    customerId: { sent: { customerId: otherShop.customerId }, answered: { customer: otherCustomer } },
    amount: { sent: { amount: 20_000.5 } },
    amountReturned: { sent: { amountReturned: 18_900 }, answered: { amountReturned: 18_900, status: "FULL_REFUND" } },
    items: {
      sent: {
        items: [
          { quantity: 5, priceId: otherShop.priceId },
          { quantity: 6, priceId: shop.priceId },
        ],
      },
      answered: { items: otherItems },
    },
    paymentDate: { sent: { paymentDate: "2026-03-01T00:00:00.000Z" } },
    canceledDate: { sent: { canceledDate: canceledOn }, answered: { canceledDate: canceledOn, status: "CANCELED" } },
    idKey: { sent: { idKey: "another" } },
    "idKey as null": { sent: { idKey: null } },
  }),
});

/** An order in each state that a failure or a missing date must not undo, and its path there. */
const settled: Record<string, { sent: object; moves?: readonly string[] }> = {
  PAID: { sent: { paymentDate: paidOn } },
  CANCELED: { sent: { canceledDate: canceledOn } },
  PARTIAL_REFUND: { sent: { paymentDate: paidOn, amountReturned: 1 } },
  FULL_REFUND: { sent: { paymentDate: paidOn, amountReturned: 18_900 } },
  FULFILLED: { sent: { paymentDate: paidOn }, moves: ["PREPARING", "SHIPPING", "FULFILLED"] },
  RETURNED: {
    sent: { paymentDate: paidOn },
    moves: ["PREPARING", "SHIPPING", "FULFILLED", "RETURN_REQ", "RETURN_PROCESS", "RETURNED"],
  },
};

async function settle({ sent, moves = [] }: { sent: object; moves?: readonly string[] }, rest: object = {}) {
  const body = minimalOrder(shop, rest);
  const { id } = await registerCoverOrder(gateway, shop, { ...body, ...sent });
  for (const status of moves) await setCoverOrderStatus(gateway, id, status);
  return { id, body };
}

describe.each(Object.entries(settled))("an order that is %s", (status, how) => {
  test.each([
    ["no dates", {}],
    ["no dates and no failure", { paymentFailed: false }],
    ["a failure", { paymentFailed: true, errorCode: "51" }],
    ["a failure of its subscription", { paymentFailed: true, subscriptionId: shop.subscriptionId }],
  ])("stays so when it is sent again with %s", async (_, sent) => {
    const { id, body } = await settle(how);
    const before = await readCoverOrder(gateway, id);
    const again = await gateway.post("/cover/order", { ...body, ...sent, replaceIfExists: true });
    expect(again).toMatchObject({
      status: 201,
      body: { id, status, paymentDate: before.paymentDate, canceledDate: before.canceledAt, retryDate: null },
    });
    expect((await readCoverOrder(gateway, id)).covers).toEqual([]);
  });
});

describe("an order that is CANCELED", () => {
  test.each([
    ["a refund", { amountReturned: 1 }],
    ["a paymentDate", { paymentDate: paidOn }],
  ])("stays so when it is sent again with %s, because its canceledDate remains", async (_, sent) => {
    const { id, body } = await settle(settled["CANCELED"]!);
    const again = await gateway.post("/cover/order", { ...body, ...sent, replaceIfExists: true });
    expect(again).toMatchObject({ status: 201, body: { id, status: "CANCELED", canceledDate: canceledOn, ...sent } });
  });
});

describe("an order that is open", () => {
  test.each([
    ["PAID", { paymentDate: paidOn }],
    ["CANCELED", { canceledDate: canceledOn }],
    ["PARTIAL_REFUND", { amountReturned: 1 }],
    ["FULL_REFUND", { amountReturned: 18_900 }],
    ["PAYMENT_FAILURE", { paymentFailed: true }],
    ["CREATED", {}],
  ])("becomes %s when it is sent again with %j", async (status, sent) => {
    const body = minimalOrder(shop);
    const { id } = await registerCoverOrder(gateway, shop, body);
    const { status: code, body: told } = await gateway.post("/cover/order", {
      ...body,
      ...sent,
      replaceIfExists: true,
    });
    expect([code, told.id, told.status]).toEqual([201, id, status]);
  });

  test("retains its dates, its refund and its gateway when they are not sent again", async () => {
    const body = minimalOrder(shop, {
      paymentGateway: "PROVIDER_03",
      paymentInfo: "BC",
      subscriptionId: shop.subscriptionId,
    });
    const { id } = await registerCoverOrder(gateway, shop, body);
    await registerCoverOrder(gateway, shop, { partnerOrderId: body.partnerOrderId, replaceIfExists: true });
    const { paymentGateway, paymentInfo, subscription } = await readCoverOrder(gateway, id);
    expect([paymentGateway, paymentInfo, subscription!.databaseId]).toEqual(["PROVIDER_03", "BC", shop.subscriptionId]);
  });

  test("cannot shrink below its returned amount", async () => {
    const { body } = await settle(settled["FULL_REFUND"]!);
    await expectNoChanges(gateway, async () => {
      const { status, body: told } = await gateway.post("/cover/order", { ...body, amount: 5, replaceIfExists: true });
      expect([status, told.details!.fields![0]!.path]).toEqual([400, "amountReturned"]);
    });
  });
});

describe("an order in recovery", () => {
  const running = async (rest: object = {}) => {
    const body = minimalOrder(shop, {
      paymentFailed: true,
      errorCode: "51",
      subscriptionId: shop.subscriptionId,
      ...rest,
    });
    return { body, order: await registerCoverOrder(gateway, shop, body) };
  };

  test.each([
    ["another customer", { customerId: otherShop.customerId, subscriptionId: undefined }],
    [
      "another customer with its subscription",
      { customerId: otherShop.customerId, subscriptionId: otherShop.subscriptionId },
    ],
    ["another subscription", { subscriptionId: second.id }],
  ])("refuses to move to %s", async (_, sent) => {
    const { body } = await running();
    await expectNoChanges(gateway, async () => {
      const { status } = await gateway.post("/cover/order", {
        ...body,
        ...sent,
        paymentFailed: false,
        replaceIfExists: true,
      });
      expect(status).toBe(400);
    });
  });

  test("refuses to move to another customer with a code of its own", async () => {
    const { body } = await running({ subscriptionId: undefined });
    const moved = await gateway.post("/cover/order", {
      ...body,
      customerId: otherShop.customerId,
      replaceIfExists: true,
    });
    expect(statusAndBody(moved)).toEqual(expectedRefusal(400, "COVER_IN_PROGRESS"));
  });

  test("accepts another amount, other lines and the same subscription, and retains its date", async () => {
    const { body, order: before } = await running();
    const sent = {
      amount: 5,
      items: [{ quantity: 9, priceId: shop.priceId }],
      paymentFailed: undefined,
      errorCode: undefined,
    };
    const { status, body: told } = await gateway.post("/cover/order", { ...body, ...sent, replaceIfExists: true });
    const items = [{ ...before.items[0], quantity: 9 }];
    expect({ status, body: told }).toEqual({ status: 201, body: { ...before, amount: 5, items } });
  });

  test("may move once its recovery has ended", async () => {
    const { body } = await running({ errorCode: "41" });
    const sent = {
      customerId: otherShop.customerId,
      subscriptionId: otherShop.subscriptionId,
      paymentFailed: undefined,
    };
    const { status, body: told } = await gateway.post("/cover/order", { ...body, ...sent, replaceIfExists: true });
    expect([status, told.customer!.id]).toEqual([201, otherShop.customerId]);
  });
});
