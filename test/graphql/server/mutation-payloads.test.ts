import { describe, expect, test } from "vitest";
import { runMutation, createCoverOrder, createCoverFixture } from "../../support/cover-mutations.ts";
import { startGateway } from "../../support/test-gateway.ts";
import { expectNoChanges } from "../../support/rest-assertions.ts";

const NOW = "2026-03-01T09:30:00.000Z";
const TOMORROW = "2026-03-02T09:30:00.000Z";
const gateway = await startGateway({ now: NOW });

describe("of a failed order", async () => {
  const own = await createCoverFixture(gateway);
  const order = await createCoverOrder(gateway, own, { paymentFailed: true, errorCode: "51" });
  const orderId = order.databaseId;
  const coverId = order.cover!.databaseId;

  test("registerCoverOrder answers its cover and its date", () => {
    expect(order).toEqual({
      databaseId: orderId,
      status: "PAYMENT_FAILURE",
      retryDate: TOMORROW,
      cover: { databaseId: coverId, state: "IN_PROGRESS", endReason: null },
    });
  });

  test("startRecovery answers the cover, and the reason of its date", async () => {
    const report = { orderId, subscriptionId: own.subscriptionId, errorCode: "51" };
    const decision =
      "reasonClass retryDate endReason earliestAllowedAt ruleId alternatives budget { used limit windowEndsAt } policyVersion rulebookVersion decidedAt";
    const selection = `cover { databaseId state endReason retryDate startedAt endedAt order { databaseId } subscription { status } decision { ${decision} } }`;
    expect((await runMutation(gateway, "startRecovery", report, selection)).cover).toEqual({
      databaseId: coverId,
      state: "IN_PROGRESS",
      endReason: null,
      retryDate: TOMORROW,
      startedAt: NOW,
      endedAt: null,
      order: { databaseId: orderId },
      subscription: { status: "UNPAID" },
      decision: {
        reasonClass: "INSUFFICIENT_FUNDS",
        retryDate: TOMORROW,
        endReason: null,
        earliestAllowedAt: null,
        ruleId: null,
        alternatives: [4, 6, 11, 15].map((day) => `2026-03-${String(day).padStart(2, "0")}T09:30:00.000Z`),
        budget: { used: 0, limit: 5, windowEndsAt: "2026-03-15T09:30:00.000Z" },
        policyVersion: "ladder-1-3-5-10-14",
        rulebookVersion: "2026-11-21.2",
        decidedAt: NOW,
      },
    });
  });

  test("cancelCoverSubscription answers the covers that it stopped, once", async () => {
    const selection =
      "message subscription { databaseId status canceledAt } stoppedCovers { databaseId state endReason }";
    const cancel = () =>
      runMutation(gateway, "cancelCoverSubscription", { subscriptionId: own.subscriptionId }, selection);
    const subscription = { databaseId: own.subscriptionId, status: "CANCELED", canceledAt: NOW };
    expect(await cancel()).toEqual({
      message: "The subscription is cancelled; recovery scenarios stopped: 1.",
      subscription,
      stoppedCovers: [{ databaseId: coverId, state: "STOPPED", endReason: "CANCELED" }],
    });
    const message = "The subscription is cancelled; recovery scenarios stopped: 0.";
    expect(await expectNoChanges(gateway, cancel)).toEqual({ message, subscription, stoppedCovers: [] });
  });

  test("activateCoverSubscription answers the subscription, and its covers stay stopped", async () => {
    const selection = "message subscription { status canceledAt covers { nodes { state } } }";
    expect(
      await runMutation(gateway, "activateCoverSubscription", { subscriptionId: own.subscriptionId }, selection),
    ).toEqual({
      message: "The subscription is active; stopped recovery scenarios stay stopped.",
      subscription: { status: "ACTIVE", canceledAt: null, covers: { nodes: [{ state: "STOPPED" }] } },
    });
  });

  test("reportCoverOrderPaid answers the paid order, at each repeat", async () => {
    const report = () =>
      runMutation(gateway, "reportCoverOrderPaid", { orderId }, "order { databaseId status paymentDate retryDate }");
    const paid = { order: { databaseId: orderId, status: "PAID", paymentDate: NOW, retryDate: null } };
    expect(await report()).toEqual(paid);
    expect(await expectNoChanges(gateway, report)).toEqual(paid);
  });

  test("setCoverOrderStatus answers the order in its new state", async () => {
    expect(await runMutation(gateway, "setCoverOrderStatus", { orderId, status: "PREPARING" })).toEqual({
      order: { status: "PREPARING" },
    });
  });
});

test("cancelCoverOrder answers the cancelled order and its stopped cover, at each repeat", async () => {
  const { databaseId: orderId } = await createCoverOrder(gateway, await createCoverFixture(gateway), {
    paymentFailed: true,
  });
  const cancel = () =>
    runMutation(
      gateway,
      "cancelCoverOrder",
      { orderId },
      "order { status canceledAt retryDate cover { state endReason endedAt } }",
    );
  const cover = { state: "STOPPED", endReason: "CANCELED", endedAt: NOW };
  const canceled = { order: { status: "CANCELED", canceledAt: NOW, retryDate: null, cover } };
  expect(await cancel()).toEqual(canceled);
  expect(await expectNoChanges(gateway, cancel)).toEqual(canceled);
});
