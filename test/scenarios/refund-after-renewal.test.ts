import { expect, test } from "vitest";
import { Scenario } from "../support/scenario.ts";

const scenario = await Scenario.start("2026-05-20T03:00:00.000Z");

test("a subscription keeps running when a renewal is refunded, and the next month is charged", async () => {
  // 20 May and 20 June: 24000 won each.
  const id = await scenario.subscribe(await scenario.createOffer({ plan: { price: "24000" } }));
  await scenario.advanceTo("2026-06-22T03:00:00.000Z");
  const [renewal] = (await scenario.readSubscription(id, "latestOrders { databaseId }")).latestOrders;
  const refund = async (input: object) =>
    (
      await scenario.payments.runMutation(
        "refundOrder",
        { orderId: String(renewal!.databaseId), ...input },
        "order { amount paidAmount returnedAmount }",
      )
    ).order;

  // 22 June: a refund for a third of the month without service: 24000 / 3 = 8000.
  const paid = { amount: "24000", paidAmount: "24000" };
  expect(await refund({ amount: "8000", reason: "An outage" })).toEqual({ ...paid, returnedAmount: "8000" });

  // 25 June: the merchant refunds the rest, 24000 − 8000 = 16000. More cannot be refunded.
  await scenario.advanceTo("2026-06-25T03:00:00.000Z");
  expect(await refund({})).toEqual({ ...paid, returnedAmount: "24000" });
  const { errors } = await scenario.payments.sendMutation(
    "refundOrder",
    { orderId: String(renewal!.databaseId) },
    "order { databaseId }",
  );
  expect(errors?.[0]?.extensions["code"]).toBe("REFUND_TOO_HIGH");

  // 20 July: the subscription continues. Charged 3 × 24000 = 72000, refunded 24000: 48000 remain.
  await scenario.advanceTo("2026-07-21T03:00:00.000Z");
  expect(await scenario.readSubscription(id, "status nextPaymentDate renewalCount")).toEqual({
    status: "ACTIVE",
    nextPaymentDate: "2026-08-20T03:00:00.000Z",
    renewalCount: 3,
  });
  expect(await scenario.subscriptionStates(id)).toEqual(["2026-05-20 ACTIVE"]);
  expect(await scenario.orderSummaries()).toEqual([
    "2026-05-20 RECURRING_INITIAL 24000 PAID",
    "2026-06-20 RECURRING 24000 CANCELLATION_REFUNDED",
    "2026-07-20 RECURRING 24000 PAID",
  ]);
  expect(await scenario.gatewayRecords()).toEqual([
    "2026-05-20 APPROVED 24000",
    "2026-06-20 APPROVED 24000",
    "2026-06-22 REFUNDED 8000",
    "2026-06-25 REFUNDED 16000",
    "2026-07-20 APPROVED 24000",
  ]);
  expect(await scenario.ledgerByOrder()).toEqual([
    { CLEARING: 24_000, SALES: -24_000 },
    { CLEARING: 0, SALES: -24_000, REFUNDS: 24_000 },
    { CLEARING: 24_000, SALES: -24_000 },
  ]);
});
