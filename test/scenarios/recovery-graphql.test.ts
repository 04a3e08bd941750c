import { expect, test } from "vitest";
import { runMutation, minimalInputs, createCoverOrder, createCoverFixture } from "../support/cover-mutations.ts";
import { startGateway } from "../support/test-gateway.ts";
import { uniqueName } from "../support/fixtures/cover-fixture.ts";

const gateway = await startGateway({ now: "2026-03-01T00:15:00Z" });

const COVER = "cover { databaseId state endReason retryDate subscription { status } }";

test("one customer's renewal is recovered, and another's recovery ends when the subscription is cancelled", async () => {
  // 1 February: a coffee club registers its plan and two members.
  gateway.clock.setTo("2026-02-01T00:15:00Z");
  const { product } = await runMutation(gateway, "registerCoverProduct", minimalInputs.product());
  const { price } = await runMutation(gateway, "registerCoverPrice", {
    ...minimalInputs.price({ productId: product.databaseId }),
    recurringInterval: "MONTH",
  });
  const plan = { productId: product.databaseId, priceId: price.databaseId };
  const first = { ...(await createCoverFixture(gateway, { name: "Kim Seo-yeon" })), ...plan };
  const second = {
    ...(await createCoverFixture(gateway, { name: "Ana Lima", timeZone: "America/Sao_Paulo" })),
    ...plan,
  };

  // 1 March, 09:15 in Seoul: the first renewal fails for insufficient funds.
  gateway.clock.setTo("2026-03-01T00:15:00Z");
  const renewal = {
    partnerOrderId: uniqueName("order"),
    paymentFailed: true,
    errorCode: "51",
    errorMessage: "잔액부족",
  };
  const failed = await createCoverOrder(gateway, first, renewal);
  expect(failed).toMatchObject({
    status: "PAYMENT_FAILURE",
    retryDate: "2026-03-02T00:15:00.000Z",
    cover: { state: "IN_PROGRESS" },
  });
  const report = { orderId: failed.databaseId, subscriptionId: first.subscriptionId, errorCode: "51" };

  // Five minutes later the other member's fails too; the issuer gives no reason.
  gateway.clock.setTo("2026-03-01T00:20:00Z");
  const other = await createCoverOrder(gateway, second);
  const refused = { orderId: other.databaseId, subscriptionId: second.subscriptionId, errorCode: "05" };
  const { cover: begun } = await runMutation(gateway, "startRecovery", refused, COVER);
  expect(begun).toMatchObject({
    state: "IN_PROGRESS",
    retryDate: "2026-03-02T00:20:00.000Z",
    subscription: { status: "UNPAID" },
  });

  // 2 March: both are due, the dashboard shows it; the first retry fails.
  gateway.clock.setTo("2026-03-02T00:15:00Z");
  const due = await gateway.queryData(
    `query ($until: DateTime) {
      covers(filter: { states: [IN_PROGRESS], retryDate: { until: $until } }, orderBy: { field: RETRY_DATE, direction: ASC }) {
        totalCount nodes { order { databaseId customer { name } } decision { reasonClass } }
      }
    }`,
    { until: "2026-03-02T23:59:59Z" },
  );
  expect(due.covers).toEqual({
    totalCount: 2,
    nodes: [
      {
        order: { databaseId: failed.databaseId, customer: { name: "Kim Seo-yeon" } },
        decision: { reasonClass: "INSUFFICIENT_FUNDS" },
      },
      {
        order: { databaseId: other.databaseId, customer: { name: "Ana Lima" } },
        decision: { reasonClass: "GENERIC_REFUSAL" },
      },
    ],
  });
  const { cover: retried } = await runMutation(gateway, "startRecovery", report, COVER);
  expect(retried).toMatchObject({ databaseId: failed.cover!.databaseId, retryDate: "2026-03-04T00:15:00.000Z" });

  // 3 March: the other member cancels; her order is not retried any more.
  gateway.clock.setTo("2026-03-03T12:00:00Z");
  const canceled = await runMutation(
    gateway,
    "cancelCoverSubscription",
    { subscriptionId: second.subscriptionId },
    "message subscription { status } stoppedCovers { databaseId endReason }",
  );
  expect(canceled).toEqual({
    message: "The subscription is cancelled; recovery scenarios stopped: 1.",
    subscription: { status: "CANCELED" },
    stoppedCovers: [{ databaseId: begun.databaseId, endReason: "CANCELED" }],
  });
  expect((await runMutation(gateway, "startRecovery", refused, COVER)).cover).toMatchObject({
    state: "STOPPED",
    retryDate: null,
  });

  // 4 March: the second retry of the first renewal succeeds, and the merchant requests a notification.
  gateway.clock.setTo("2026-03-04T00:15:00Z");
  const paid = await runMutation(
    gateway,
    "reportCoverOrderPaid",
    { orderId: failed.databaseId, notify: true },
    `order { status paymentDate ${COVER} timeline { nodes { type notify } } }`,
  );
  expect(paid.order).toEqual({
    status: "PAID",
    paymentDate: "2026-03-04T00:15:00.000Z",
    cover: {
      databaseId: failed.cover!.databaseId,
      state: "RECOVERED",
      endReason: "PAID",
      retryDate: null,
      subscription: { status: "ACTIVE" },
    },
    timeline: {
      nodes: [
        { type: "ORDER_CREATED", notify: true },
        { type: "COVER_STARTED", notify: true },
        { type: "COVER_ATTEMPT_FAILED", notify: true },
        { type: "ORDER_PAID", notify: true },
        { type: "COVER_RECOVERED", notify: true },
      ],
    },
  });

  // A month later the totals are: one recovered, one stopped, none open.
  gateway.clock.setTo("2026-04-04T00:00:00Z");
  const books = await gateway.queryData(`{
    recovered: covers(filter: { states: [RECOVERED] }) { nodes { databaseId } }
    stopped: covers(filter: { states: [STOPPED] }) { nodes { databaseId } }
    open: covers(filter: { states: [IN_PROGRESS] }) { totalCount }
  }`);
  expect(books).toEqual({
    recovered: { nodes: [{ databaseId: failed.cover!.databaseId }] },
    stopped: { nodes: [{ databaseId: begun.databaseId }] },
    open: { totalCount: 0 },
  });
});
