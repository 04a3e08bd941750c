import { expect, test } from "vitest";
import { Scenario } from "../support/scenario.ts";
import { testCards } from "../support/test-payments.ts";

const scenario = await Scenario.start("2026-03-05T03:00:00.000Z");

test("a renewal in recovery is not retried after its subscription is cancelled", async () => {
  // 5 March: paid. 5 April: the card is declined, from now on always; 6 April: the first retry.
  const id = await scenario.subscribe(await scenario.createOffer({ plan: { price: "19900" } }), testCards.neverAgain);
  await scenario.advanceTo("2026-04-07T03:00:00.000Z");
  expect((await scenario.readSubscription(id, "status")).status).toBe("UNPAID");

  // 7 April, a day before the second retry: the customer cancels. The plan is prepaid, so nothing is left to charge.
  const canceled = await scenario.payments.runMutation(
    "cancelSubscription",
    { subscriptionId: id, reason: "No money" },
    "order { type } subscription { status nextPaymentDate endDate canceledAt }",
  );
  const today = "2026-04-07T03:00:00.000Z";
  expect(canceled).toEqual({
    order: null,
    subscription: { status: "CANCELED", nextPaymentDate: null, endDate: today, canceledAt: today },
  });

  // A quarter later: 8, 10, 15 and 19 April have passed without a retry, and three months without a renewal.
  await scenario.advanceTo("2026-07-07T03:00:00.000Z");
  expect(await scenario.subscriptionStates(id)).toEqual([
    "2026-03-05 ACTIVE",
    "2026-04-05 UNPAID",
    "2026-04-07 CANCELED",
  ]);
  expect(await scenario.orderSummaries()).toEqual([
    "2026-03-05 RECURRING_INITIAL 19900 PAID",
    "2026-04-05 RECURRING 19900 PAYMENT_FAILURE",
  ]);
  expect(await scenario.gatewayRecords()).toEqual([
    "2026-03-05 APPROVED 19900",
    "2026-04-05 DECLINED 19900",
    "2026-04-06 DECLINED 19900",
  ]);
  expect(await scenario.ledgerByOrder()).toEqual([{ CLEARING: 19_900, SALES: -19_900 }]);
});
