import { expect, test } from "vitest";
import { startGateway } from "../../support/test-gateway.ts";
import { createAprilSubscription } from "../../support/test-subscriber.ts";

const gateway = await startGateway();
const postpaid = { methodType: "POST", whenToClaimType: "FIRST_PAYMENT" };
const ofApril = (plan?: object, quantity?: number) => createAprilSubscription(gateway, plan, quantity);

test("A pause charges nothing; within its period it changes nothing, after it a new period begins", async () => {
  const { subscriber, id } = await ofApril();
  gateway.clock.setTo("2026-04-10T00:00:00Z");
  await subscriber.runMutation("pauseSubscription", id, { reason: "Holiday" });
  expect(await subscriber.readSubscription(id, "status nextPaymentDate pausedAt")).toEqual({
    status: "PAUSE",
    nextPaymentDate: null,
    pausedAt: "2026-04-10T00:00:00.000Z",
  });
  gateway.clock.setTo("2026-04-12T00:00:00Z");
  await subscriber.runMutation("activateSubscription", id);
  expect((await subscriber.readSubscription(id, "nextPaymentDate")).nextPaymentDate).toBe("2026-05-01T00:00:00.000Z");
  await subscriber.runMutation("pauseSubscription", id, { when: "PERIOD_END", until: "2026-06-15T00:00:00Z" });
  await subscriber.advanceTo("2026-06-20T00:00:00Z");
  const { status, nextPaymentDate, latestOrders } = await subscriber.readSubscription(
    id,
    "status nextPaymentDate latestOrders { createdAt }",
  );
  expect([status, nextPaymentDate]).toEqual(["ACTIVE", "2026-07-15T00:00:00.000Z"]);
  expect(latestOrders.map(({ createdAt }) => createdAt.slice(0, 10))).toEqual(["2026-06-15", "2026-04-01"]);
  expect(await subscriber.refusalOfMutation("activateSubscription", id)).toEqual(["ILLEGAL_TRANSITION"]);
});

test("A cancellation at a date renews until then, can be withdrawn, and is final once executed", async () => {
  const { subscriber, id } = await ofApril();
  const at = { when: "AT", at: "2026-05-20T00:00:00Z" };
  await subscriber.runMutation("cancelSubscription", id, at);
  await subscriber.runMutation("activateSubscription", id);
  await subscriber.runMutation("cancelSubscription", id, at);
  await subscriber.advanceTo("2026-05-10T00:00:00Z");
  expect(await subscriber.readSubscription(id, "status renewalCount nextPaymentDate cancelAt")).toEqual({
    status: "PENDING_CANCEL",
    renewalCount: 2,
    nextPaymentDate: null,
    cancelAt: "2026-05-20T00:00:00.000Z",
  });
  await subscriber.advanceTo("2026-07-01T00:00:00Z");
  expect(await subscriber.readSubscription(id, "status canceledAt renewalCount")).toEqual({
    status: "CANCELED",
    canceledAt: "2026-05-20T00:00:00.000Z",
    renewalCount: 2,
  });
  expect(await subscriber.refusalOfMutation("cancelSubscription", id)).toEqual(["ILLEGAL_TRANSITION"]);
  // A permanent refusal comes before the errors of the input.
  const past = "2020-01-01T00:00:00Z";
  expect(await subscriber.refusalOfMutation("cancelSubscription", id, { when: "AT", at: past })).toEqual([
    "ILLEGAL_TRANSITION",
  ]);
  expect(await subscriber.refusalOfMutation("pauseSubscription", id, { when: "NOW", until: past })).toEqual([
    "ILLEGAL_TRANSITION",
  ]);
  expect(await subscriber.previewCharge(id)).toBeNull();
});

test("An end at a date is shown as that date, however late a worker runs", async () => {
  const { subscriber, id } = await ofApril();
  await subscriber.runMutation("cancelSubscription", id, { when: "AT", at: "2026-04-20T00:00:00Z" });
  gateway.clock.setTo("2026-04-25T00:00:00Z");
  await subscriber.advanceTo("2026-04-25T00:00:01Z");
  expect(await subscriber.readSubscription(id, "status canceledAt endDate")).toEqual({
    status: "CANCELED",
    canceledAt: "2026-04-20T00:00:00.000Z",
    endDate: "2026-04-20T00:00:00.000Z",
  });
});

test("A cancellation at the period's end is refused as an illegal transition when a pause outlasts the period", async () => {
  const { subscriber, id } = await ofApril();
  await subscriber.runMutation("pauseSubscription", id);
  gateway.clock.setTo("2026-05-10T00:00:00Z");
  expect(await subscriber.refusalOfMutation("cancelSubscription", id, { when: "PERIOD_END" })).toEqual([
    "ILLEGAL_TRANSITION",
  ]);
});

test("A cancellation at the end of a period that has ended, but is not charged yet, is executed at once", async () => {
  const { subscriber, id } = await ofApril();
  gateway.clock.setTo("2026-05-01T00:00:01Z");
  await subscriber.runMutation("cancelSubscription", id, { when: "PERIOD_END" });
  await subscriber.advanceTo("2026-05-01T00:00:02Z");
  const { status, latestOrders } = await subscriber.readSubscription(id, "status latestOrders { type }");
  expect([status, latestOrders]).toEqual(["CANCELED", [{ type: "RECURRING_INITIAL" }]]);
});

test("A postpaid period that a pause ends is charged once, and none after it, however late that is", async () => {
  const { subscriber, id } = await ofApril({ claim: postpaid });
  await subscriber.runMutation("pauseSubscription", id, { when: "PERIOD_END" });
  gateway.clock.setTo("2026-07-10T00:00:00Z");
  expect([(await subscriber.renewDue()).length, await subscriber.renewDue()]).toEqual([1, []]);
  await subscriber.advanceTo("2026-07-11T00:00:00Z");
  const { status, latestOrders } = await subscriber.readSubscription(id, "status latestOrders { amount }");
  expect([status, latestOrders]).toEqual(["PAUSE", [{ amount: "30000" }, { amount: "0" }]]);
});

test("Timelines show each event with its actor and its reason", async () => {
  const { subscriber, id } = await ofApril();
  await subscriber.runMutation("cancelSubscription", id, { when: "PERIOD_END", reason: "Too dear" });
  await subscriber.advanceTo("2026-05-02T00:00:00Z");
  const { timeline, customer, latestOrders } = await subscriber.readSubscription(
    id,
    "timeline(first: 20) { nodes { type trigger statusBefore statusAfter actor reason } } customer { timeline(first: 20) { nodes { trigger } } } latestOrders { timeline(first: 20) { nodes { type trigger actor } } }",
  );
  expect(timeline.nodes.filter(({ statusBefore, statusAfter }) => statusBefore !== statusAfter)).toEqual([
    {
      type: "SUBSCRIPTION_ACTIVATED",
      trigger: "startSubscription",
      statusBefore: null,
      statusAfter: "ACTIVE",
      actor: "CUSTOMER",
      reason: null,
    },
    {
      type: "SUBSCRIPTION_CHANGED",
      trigger: "scheduleCancellation",
      statusBefore: "ACTIVE",
      statusAfter: "PENDING_CANCEL",
      actor: "MANAGER",
      reason: "Too dear",
    },
    {
      type: "SUBSCRIPTION_CANCELED",
      trigger: "completeCancellation",
      statusBefore: "PENDING_CANCEL",
      statusAfter: "CANCELED",
      actor: "SYSTEM",
      reason: null,
    },
  ]);
  const happened = ({ nodes }: { nodes: { trigger: string }[] }) => nodes.map(({ trigger }) => trigger);
  expect(latestOrders[0]!.timeline.nodes.map(({ type }) => type)).toEqual([
    "ORDER_CREATED",
    "ORDER_PAID",
    "SUBSCRIPTION_ACTIVATED",
  ]);
  expect(happened(latestOrders[0]!.timeline)).toEqual(["createOrder", "payOrder", "startSubscription"]);
  expect(happened(customer.timeline)).toEqual([
    "registerCustomer",
    "createOrder",
    "payOrder",
    "startSubscription",
    "scheduleCancellation",
    "completeCancellation",
  ]);
});
