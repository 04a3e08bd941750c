import { expect, test } from "vitest";
import { startGateway } from "../../support/test-gateway.ts";
import { changeSelection, type TestSubscriber, createAprilSubscription } from "../../support/test-subscriber.ts";

const gateway = await startGateway();
const postpaid = { methodType: "POST", whenToClaimType: "FIRST_PAYMENT" };
const ofApril = (plan?: object, quantity?: number) => createAprilSubscription(gateway, plan, quantity);
const units = async (subscriber: TestSubscriber, id: number) =>
  (await subscriber.readSubscription(id, "items { usedUnits allowedUnits }")).items;

test("A prepaid quota is raised by an order of its own, and limits the used units", async () => {
  const { subscriber, id, code: itemCode } = await ofApril({ type: "UNIT_BASED", price: "3000" }, 10);
  const units = "subscription { items { usedUnits allowedUnits quantity } }";
  expect(
    (await subscriber.runMutation("setSubscriptionUnits", id, { itemCode, units: 10 }, units)).subscription.items,
  ).toEqual([{ usedUnits: "10", allowedUnits: "10", quantity: 10 }]);
  expect(await subscriber.refusalOfMutation("setSubscriptionUnits", id, { itemCode, units: 11 })).toEqual([
    "QUOTA_EXCEEDED",
  ]);
  gateway.clock.setTo("2026-04-16T00:00:00Z");
  const raise = await subscriber.runMutation("changeSubscriptionQuota", id, { itemCode, quota: 14 }, changeSelection);
  expect([raise.order!.type, raise.order!.amount, raise.order!.items[0]!.quantity]).toEqual(["ADD_USAGE", "6000", 4]);
  expect(await subscriber.refusalOfMutation("setSubscriptionUnits", id, { itemCode, units: 14 })).toEqual([
    "QUOTA_EXCEEDED",
  ]);
  expect(await subscriber.refusalOfMutation("changeSubscriptionQuota", id, { itemCode, quota: 14 })).toEqual([
    "PAYMENT_IN_PROGRESS",
  ]);
  await subscriber.payOrder(raise.order!.databaseId);
  await subscriber.runMutation("setSubscriptionUnits", id, { itemCode, units: 14 });
  expect(
    await subscriber.refusalOfMutation("changeSubscriptionQuota", id, { itemCode, quota: 13 }, changeSelection),
  ).toEqual(["QUOTA_EXCEEDED"]);
  await subscriber.runMutation("setSubscriptionUnits", id, { itemCode, units: 4 });
  const cut = await subscriber.runMutation("changeSubscriptionQuota", id, { itemCode, quota: 4 }, changeSelection);
  expect([cut.order, cut.refundableAmount]).toEqual([null, "15000"]);
  expect((await subscriber.previewCharge(id))!.amount).toBe("12000");
});

test("A prepaid usage quota is the same in each period, and its used units start from zero", async () => {
  const { subscriber, id, code: itemCode } = await ofApril({ type: "USAGE_BASED", price: "10" }, 100);
  await subscriber.runMutation("recordUsage", id, { itemCode, units: "100" });
  expect(await subscriber.refusalOfMutation("recordUsage", id, { itemCode, units: "1" })).toEqual(["QUOTA_EXCEEDED"]);
  await subscriber.advanceTo("2026-05-02T00:00:00Z");
  const read = "subscription { items { usedUnits allowedUnits } }";
  const { subscription } = await subscriber.runMutation("recordUsage", id, { itemCode, units: "40" }, read);
  expect(subscription.items).toEqual([{ usedUnits: "40", allowedUnits: "100" }]);
});

test("Usage cannot be recorded in the future, in a charged period, or below zero", async () => {
  const { subscriber, id, code: itemCode } = await ofApril({ type: "USAGE_BASED", claim: postpaid });
  await subscriber.advanceTo("2026-05-10T00:00:00Z");
  const at = (time: string) => ({ itemCode, units: "1", at: time });
  expect(await subscriber.refusalOfMutation("recordUsage", id, at("2026-05-10T00:00:01Z"))).toEqual([
    "INVALID_ARGUMENT",
    "at INVALID_VALUE",
  ]);
  expect(await subscriber.refusalOfMutation("recordUsage", id, at("2026-04-30T23:59:59Z"))).toEqual([
    "INVALID_ARGUMENT",
    "at INVALID_VALUE",
  ]);
  await subscriber.runMutation("recordUsage", id, at("2026-05-01T00:00:00Z"));
  expect(await subscriber.refusalOfMutation("recordUsage", id, { itemCode, units: "2", subtract: true })).toEqual([
    "UNITS_BELOW_ZERO",
  ]);
});

test("A postpaid quota can be set within a period, above what was used by then", async () => {
  const { subscriber, id, code: itemCode } = await ofApril({ type: "USAGE_BASED", claim: postpaid });
  await subscriber.runMutation("recordUsage", id, { itemCode, units: "40" });
  gateway.clock.setTo("2026-04-10T00:00:00Z");
  expect(await subscriber.refusalOfMutation("changeSubscriptionQuota", id, { itemCode, quota: 39 })).toEqual([
    "QUOTA_EXCEEDED",
  ]);
  await subscriber.runMutation("changeSubscriptionQuota", id, { itemCode, quota: 50 });
  await subscriber.runMutation("recordUsage", id, { itemCode, units: "10" });
  expect(await subscriber.refusalOfMutation("recordUsage", id, { itemCode, units: "1" })).toEqual(["QUOTA_EXCEEDED"]);
  await subscriber.advanceTo("2026-05-01T00:00:00Z");
  expect(await units(subscriber, id)).toEqual([{ usedUnits: "0", allowedUnits: "50" }]);
});

test("A postpaid quota outlasts a pause", async () => {
  const { subscriber, id, code: itemCode } = await ofApril({ type: "USAGE_BASED", claim: postpaid });
  await subscriber.runMutation("changeSubscriptionQuota", id, { itemCode, quota: 50 });
  gateway.clock.setTo("2026-04-10T00:00:00Z");
  await subscriber.runMutation("pauseSubscription", id);
  gateway.clock.setTo("2026-04-20T00:00:00Z");
  await subscriber.runMutation("activateSubscription", id);
  expect(await units(subscriber, id)).toEqual([{ usedUnits: null, allowedUnits: "50" }]);
  await subscriber.runMutation("recordUsage", id, { itemCode, units: "50" });
  expect(await subscriber.refusalOfMutation("recordUsage", id, { itemCode, units: "1" })).toEqual(["QUOTA_EXCEEDED"]);
});

test("A postpaid quota applies in each period, also when periods are charged after the next has begun", async () => {
  const claim = { methodType: "POST", whenToClaimType: "DATE", billingDate: 20 };
  const { subscriber, id, code: itemCode } = await ofApril({ type: "USAGE_BASED", claim });
  await subscriber.runMutation("changeSubscriptionQuota", id, { itemCode, quota: 50 });
  for (const day of ["2026-05-02T00:00:00Z", "2026-05-21T00:00:00Z", "2026-06-02T00:00:00Z"]) {
    await subscriber.advanceTo(day);
    expect((await units(subscriber, id))[0]!.allowedUnits).toBe("50");
  }
});

test("A quota that is changed after its period has ended, but before that is charged, counts once", async () => {
  const post = await ofApril({ type: "USAGE_BASED", claim: postpaid });
  await post.subscriber.runMutation("changeSubscriptionQuota", post.id, { itemCode: post.code, quota: 50 });
  const pre = await ofApril({ type: "USAGE_BASED", price: "10" }, 50);
  gateway.clock.setTo("2026-05-03T00:00:00Z");
  for (const { subscriber, id, code: itemCode } of [post, pre]) {
    // Nothing is left of the ended period, so that the raise is free and takes effect at once.
    await subscriber.runMutation("changeSubscriptionQuota", id, { itemCode, quota: 70 });
    await subscriber.advanceTo("2026-05-03T00:00:00Z");
    expect((await units(subscriber, id))[0]!.allowedUnits).toBe("70");
  }
});
