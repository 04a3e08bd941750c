import { describe, expect, test } from "vitest";
import { describeBodyValidation, describeReplaceIfExists } from "../../support/body-validation.ts";
import { startGateway } from "../../support/test-gateway.ts";
import {
  expectNoChanges,
  expectedInvalidFields,
  expectedRefusal,
  statusAndBody,
  expectedUnknownReference,
} from "../../support/rest-assertions.ts";
import { uniqueName, registerCoverOrder, registerCoverFixture } from "../../support/fixtures/cover-fixture.ts";

const gateway = await startGateway();
const shop = await registerCoverFixture(gateway);
const otherShop = await registerCoverFixture(gateway);
const initialOrder = await registerCoverOrder(gateway, shop, { paymentDate: "2026-02-01T00:00:00Z" });
const foreign = await registerCoverOrder(gateway, otherShop);
const customer = initialOrder.customer;

const subscription = () => ({
  customerId: shop.customerId,
  currentPeriodStart: "2026-02-01T00:00:00Z",
  currentPeriodEnd: "2026-03-01T00:00:00Z",
  recurringInterval: "MONTH",
  recurringIntervalCount: 1,
  partnerSubscriptionId: uniqueName("subscription"),
});
const fullSubscription = () => ({
  ...subscription(),
  trialStart: "2026-01-01T00:00:00Z",
  trialEnd: "2026-01-15T00:00:00Z",
  start: "2026-01-01T09:00:00+09:00",
  cancelAtPeriodEnd: true,
  initialOrderId: initialOrder.id,
});

describe("POST /cover/subscription", () => {
  test("answers exactly the fifteen fields, with null for fields that were not given", async () => {
    const { customerId: _, ...body } = subscription();
    expect(statusAndBody(await gateway.post("/cover/subscription", { ...body, customerId: shop.customerId }))).toEqual({
      status: 201,
      body: {
        ...body,
        id: expect.any(Number),
        customer,
        trialStart: null,
        trialEnd: null,
        start: null,
        currentPeriodStart: "2026-02-01T00:00:00.000Z",
        currentPeriodEnd: "2026-03-01T00:00:00.000Z",
        canceledAt: null,
        cancelAtPeriodEnd: false,
        status: "ACTIVE",
        initialOrder: null,
        renewalOrders: [],
      },
    });
  });

  test("answers every given field, the initial order whole", async () => {
    const { status, body } = await gateway.post("/cover/subscription", fullSubscription());
    expect({ status, body }).toEqual({
      status: 201,
      body: expect.objectContaining({
        trialStart: "2026-01-01T00:00:00.000Z",
        trialEnd: "2026-01-15T00:00:00.000Z",
        start: "2026-01-01T00:00:00.000Z",
        cancelAtPeriodEnd: true,
        initialOrder,
        renewalOrders: [],
      }),
    });
  });

  test("answers its renewals newest first, without the initial order", async () => {
    const body = fullSubscription();
    const { id: subscriptionId } = (await gateway.post("/cover/subscription", body)).body;
    await registerCoverOrder(gateway, shop, {
      partnerOrderId: initialOrder.partnerOrderId,
      subscriptionId,
      paymentDate: "2026-02-01T00:00:00Z",
      replaceIfExists: true,
    });
    const renewals = [
      await registerCoverOrder(gateway, shop, { subscriptionId }),
      await registerCoverOrder(gateway, shop, { subscriptionId }),
    ];
    const { body: seen } = await gateway.post("/cover/subscription", { ...body, replaceIfExists: true });
    expect(seen.renewalOrders).toEqual([renewals[1], renewals[0]]);
    expect(seen.initialOrder).toEqual(initialOrder);
  });

  test.each([
    [
      "CANCELED when canceledAt is sent",
      { canceledAt: "2026-02-10T00:00:00Z" },
      { status: "CANCELED", canceledAt: "2026-02-10T00:00:00.000Z" },
    ],
    ["ACTIVE although its period is over", { currentPeriodEnd: "2026-02-02T00:00:00Z" }, { status: "ACTIVE" }],
    [
      "ACTIVE although it will be cancelled",
      { cancelAtPeriodEnd: true },
      { status: "ACTIVE", cancelAtPeriodEnd: true },
    ],
  ])("is %s", async (_, sent, answered) => {
    const { status, body } = await gateway.post("/cover/subscription", { ...subscription(), ...sent });
    expect({ status, body }).toMatchObject({ status: 201, body: answered });
  });

  test.each([
    ["an unknown customer", { customerId: 4_000_000 }, expectedUnknownReference("customerId", "CUSTOMER_NOT_FOUND")],
    [
      "an unknown initial order",
      { initialOrderId: 4_000_000 },
      expectedUnknownReference("initialOrderId", "ORDER_NOT_FOUND"),
    ],
    [
      "an initial order of another customer",
      { initialOrderId: foreign.id },
      expectedRefusal(400, "SUBSCRIPTION_MISMATCH"),
    ],
    [
      "a period that ends before it starts",
      { currentPeriodEnd: "2026-01-31T23:59:59Z" },
      expectedInvalidFields(["currentPeriodEnd", "INVALID_VALUE"]),
    ],
  ])("refuses %s", (_, sent, answer) =>
    expectNoChanges(gateway, async () =>
      expect(statusAndBody(await gateway.post("/cover/subscription", { ...subscription(), ...sent }))).toEqual(answer),
    ),
  );
});

describeBodyValidation(gateway, "/cover/subscription", subscription, {
  customerId: "id!",
  currentPeriodStart: "instant!",
  currentPeriodEnd: "instant!",
  recurringInterval: "interval!",
  recurringIntervalCount: "count!",
  partnerSubscriptionId: "partnerId!",
  trialStart: "instant",
  trialEnd: "instant",
  start: "instant",
  canceledAt: "instant",
  cancelAtPeriodEnd: "boolean",
  initialOrderId: "id",
  replaceIfExists: "boolean",
});

const cancelled = { canceledAt: "2026-02-20T00:00:00.000Z" };

describeReplaceIfExists(gateway, "/cover/subscription", {
  full: fullSubscription,
  least: [
    "customerId",
    "currentPeriodStart",
    "currentPeriodEnd",
    "recurringInterval",
    "recurringIntervalCount",
    "partnerSubscriptionId",
  ],
  changes: () => ({
    currentPeriodStart: { sent: { currentPeriodStart: "2026-02-02T00:00:00.000Z" } },
    currentPeriodEnd: { sent: { currentPeriodEnd: "2026-04-01T00:00:00.000Z" } },
    recurringInterval: { sent: { recurringInterval: "DAY" } },
    recurringIntervalCount: { sent: { recurringIntervalCount: 12 } },
    trialStart: { sent: { trialStart: "2026-01-02T00:00:00.000Z" } },
    "trialStart as null": { sent: { trialStart: null } },
    trialEnd: { sent: { trialEnd: "2026-01-16T00:00:00.000Z" } },
    start: { sent: { start: "2026-01-03T00:00:00.000Z" } },
    canceledAt: { sent: cancelled, answered: { ...cancelled, status: "CANCELED" } },
    cancelAtPeriodEnd: { sent: { cancelAtPeriodEnd: false } },
    "initialOrderId as null": { sent: { initialOrderId: null }, answered: { initialOrder: null } },
  }),
});

test("a subscription without an initial order can move to another customer", async () => {
  const body = subscription();
  const first = await gateway.post("/cover/subscription", body);
  const moved = await gateway.post("/cover/subscription", {
    ...body,
    customerId: otherShop.customerId,
    replaceIfExists: true,
  });
  expect(statusAndBody(moved)).toEqual({ status: 201, body: { ...first.body, customer: foreign.customer } });
});
