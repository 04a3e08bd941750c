import { beforeEach, describe, expect, test } from "vitest";
import {
  sendMutation,
  errorSummaries,
  runMutation,
  createCoverOrder,
  createCoverFixture,
} from "../../support/cover-mutations.ts";
import { readCover, readCoverOrder } from "../../support/cover-reads.ts";
import { startGateway } from "../../support/test-gateway.ts";
import { expectNoChanges } from "../../support/rest-assertions.ts";

const NOW = "2026-03-01T09:30:00.000Z";
const NOON = "2026-03-01T12:00:00.000Z";
const gateway = await startGateway({ now: NOW });
beforeEach(() => gateway.clock.setTo(NOW));

const renew = (orderId: number) => runMutation(gateway, "reportPaymentMethodChanged", { orderId });

/** An order of its own shop, whose payment failed. */
async function failedOrder(failure: object = {}) {
  const shop = await createCoverFixture(gateway);
  const order = await createCoverOrder(gateway, shop, { paymentFailed: true, ...failure });
  return { ...shop, orderId: order.databaseId, coverId: order.cover!.databaseId };
}

/** The reports after which the cover of an open order has ended, each by the reason of the end. */
const endings: Record<string, object> = {
  NEEDS_NEW_METHOD: { errorCode: "54" },
  NEEDS_CUSTOMER: { errorCode: "55" },
  MUST_NOT_RETRY: { errorCode: "43" },
  ALREADY_PAID: { errorCode: "94" },
};

describe.each(Object.entries(endings))("after a cover that ended with %s", (endReason, failure) => {
  test("a new one starts, whose schedule counts from the report", async () => {
    const { orderId, subscriptionId, coverId } = await failedOrder(failure);
    expect(await readCover(gateway, coverId)).toMatchObject({ state: "STOPPED", endReason, retryDate: null });
    gateway.clock.setTo(NOON);
    const { cover } = await renew(orderId);
    expect(cover).toEqual({
      databaseId: expect.any(Number),
      state: "IN_PROGRESS",
      endReason: null,
      retryDate: "2026-03-02T12:00:00.000Z",
    });
    expect(cover.databaseId).not.toBe(coverId);
    expect(await readCoverOrder(gateway, orderId)).toMatchObject({
      status: "PAYMENT_FAILURE",
      retryDate: "2026-03-02T12:00:00.000Z",
      subscription: { databaseId: subscriptionId, status: "UNPAID" },
      covers: [
        { databaseId: cover.databaseId, state: "IN_PROGRESS" },
        { databaseId: coverId, state: "STOPPED" },
      ],
    });
  });
});

test("a new cover starts with no attempt of its own, and all its retries", async () => {
  const { orderId } = await failedOrder({ errorCode: "54" });
  const { cover } = await runMutation(
    gateway,
    "reportPaymentMethodChanged",
    { orderId },
    "cover { attempts { totalCount } decision { reasonClass retryDate alternatives budget { used limit windowEndsAt } } }",
  );
  expect(cover).toEqual({
    attempts: { totalCount: 0 },
    decision: {
      reasonClass: null,
      retryDate: "2026-03-02T09:30:00.000Z",
      alternatives: [
        "2026-03-04T09:30:00.000Z",
        "2026-03-06T09:30:00.000Z",
        "2026-03-11T09:30:00.000Z",
        "2026-03-15T09:30:00.000Z",
      ],
      budget: { used: 0, limit: 5, windowEndsAt: "2026-03-15T09:30:00.000Z" },
    },
  });
});

test("a report of a failure goes to the new cover, as its first attempt", async () => {
  const { orderId, subscriptionId } = await failedOrder({ errorCode: "54" });
  const { cover } = await renew(orderId);
  gateway.clock.setTo("2026-03-02T09:30:00Z");
  const after = await runMutation(gateway, "startRecovery", { orderId, subscriptionId, errorCode: "51" });
  expect(after.cover).toEqual({ ...cover, retryDate: "2026-03-04T09:30:00.000Z" });
  const { attempts } = await readCover(gateway, cover.databaseId);
  expect(attempts).toEqual([expect.objectContaining({ number: 1, kind: "SCHEDULED", errorCode: "51" })]);
});

test("a renewed method starts over after the last retry", async () => {
  const { orderId, subscriptionId, coverId } = await failedOrder({ errorCode: "51" });
  for (const day of [2, 4, 6, 11, 15]) {
    gateway.clock.setTo(`2026-03-${String(day).padStart(2, "0")}T09:30:00Z`);
    await runMutation(gateway, "startRecovery", { orderId, subscriptionId, errorCode: "51" });
  }
  expect(await readCover(gateway, coverId)).toMatchObject({ state: "EXHAUSTED", endReason: "NO_TRIES_LEFT" });
  expect((await renew(orderId)).cover).toMatchObject({ state: "IN_PROGRESS", retryDate: "2026-03-16T09:30:00.000Z" });
});

test("a cover in progress continues unchanged, and the timeline shows the payer's renewal", async () => {
  const { orderId, coverId } = await failedOrder({ errorCode: "51" });
  gateway.clock.setTo(NOON);
  const { cover } = await renew(orderId);
  expect(cover).toEqual({
    databaseId: coverId,
    state: "IN_PROGRESS",
    endReason: null,
    retryDate: "2026-03-02T09:30:00.000Z",
  });
  const { timeline, covers } = await readCoverOrder(gateway, orderId);
  expect(covers).toHaveLength(1);
  expect(timeline.at(-1)).toEqual({ type: "PAYMENT_METHOD_UPDATED", actor: "CUSTOMER", facts: {}, notify: true });
});

test("the old card's declines in a cover in progress do not restrict the new card", async () => {
  const own = { token: (await gateway.openVendor()).token };
  const terms = { plan: { kind: "EVEN", maxRetries: 8, windowInDays: 28 } };
  const { policy } = await runMutation(gateway, "proposeRecoveryPolicy", { terms }, undefined, own);
  await runMutation(gateway, "activateRecoveryPolicy", { policyId: String(policy.databaseId) }, undefined, own);
  const shop = await createCoverFixture(gateway, {}, own);
  const suspected = async (day: string, orderId: number) => {
    gateway.clock.setTo(day);
    const report = { orderId, subscriptionId: shop.subscriptionId, errorCode: "59" };
    const selection = "cover { state endReason retryDate decision { databaseId explanation } }";
    return (await runMutation(gateway, "startRecovery", report, selection, own)).cover;
  };
  const order = () => createCoverOrder(gateway, shop, { paymentFailed: true, errorCode: "59" }, own);
  const [renewed, kept] = [await order(), await order()];
  for (const { databaseId } of [renewed, kept]) await suspected("2026-03-04T21:30:00Z", databaseId);
  gateway.clock.setTo("2026-03-06T12:00:00Z");
  await runMutation(gateway, "reportPaymentMethodChanged", { orderId: renewed.databaseId }, undefined, own);
  // The issuer suspected fraud three times: twice of the old card, and once of the new one.
  const after = await suspected("2026-03-08T09:30:00Z", renewed.databaseId);
  expect(after).toMatchObject({ state: "IN_PROGRESS", retryDate: "2026-03-11T21:30:00.000Z" });
  expect(await suspected("2026-03-08T09:30:00Z", kept.databaseId)).toMatchObject({ endReason: "NO_TRIES_LEFT" });
  const replay = "query ($id: ID!) { replayDecision(id: $id) { isReproduced } }";
  expect(await gateway.queryData(replay, { id: String(after.decision!.databaseId) }, own)).toEqual({
    replayDecision: { isReproduced: true },
  });
});

test("one of two concurrent reports starts a cover, and the other finds it", async () => {
  const { orderId } = await failedOrder({ errorCode: "54" });
  const [first, second] = await Promise.all([renew(orderId), renew(orderId)]);
  expect(first).toEqual(second);
  expect((await readCoverOrder(gateway, orderId)).covers).toHaveLength(2);
});

describe("it is refused", () => {
  const refused = async (orderId: number) =>
    errorSummaries(
      await expectNoChanges(gateway, () => sendMutation(gateway, "reportPaymentMethodChanged", { orderId })),
    );

  test("for an order that was paid", async () => {
    const { orderId } = await failedOrder();
    await runMutation(gateway, "reportCoverOrderPaid", { orderId });
    expect(await refused(orderId)).toEqual(["ORDER_NOT_RECOVERABLE"]);
  });

  test("for a cancelled order", async () => {
    const { orderId } = await failedOrder();
    await runMutation(gateway, "cancelCoverOrder", { orderId });
    expect(await refused(orderId)).toEqual(["ORDER_NOT_RECOVERABLE"]);
  });

  test("for an order that was refunded", async () => {
    const { orderId } = await failedOrder();
    await runMutation(gateway, "reportCoverOrderPaid", { orderId });
    await runMutation(gateway, "setCoverOrderStatus", { orderId, status: "FULL_REFUND" });
    expect(await refused(orderId)).toEqual(["ORDER_NOT_RECOVERABLE"]);
  });

  test("for a cancelled subscription, until it is activated", async () => {
    const { orderId, subscriptionId } = await failedOrder();
    await runMutation(gateway, "cancelCoverSubscription", { subscriptionId });
    expect(await refused(orderId)).toEqual(["SUBSCRIPTION_CANCELED"]);
    await runMutation(gateway, "activateCoverSubscription", { subscriptionId });
    expect((await renew(orderId)).cover.state).toBe("IN_PROGRESS");
  });

  test("for an order whose payment never failed", async () => {
    const { databaseId } = await createCoverOrder(gateway, await createCoverFixture(gateway));
    expect(await refused(databaseId)).toEqual(["ORDER_NOT_RECOVERABLE"]);
  });
});
