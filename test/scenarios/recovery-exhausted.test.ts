import { expect, test } from "vitest";
import { Scenario } from "../support/scenario.ts";
import { testCards } from "../support/test-payments.ts";

const scenario = await Scenario.start("2026-03-05T03:00:00.000Z");

test("a subscription expires when the last of five retries of its renewal fails, and is not charged again", async () => {
  const id = await scenario.subscribe(await scenario.createOffer({ plan: { price: "19900" } }), testCards.neverAgain);

  // 5 April: declined. 6, 8, 10, 15 April: again; recovery is still possible.
  await scenario.advanceTo("2026-04-18T03:00:00.000Z");
  expect(await scenario.readSubscription(id, "status nextPaymentDate endDate")).toEqual({
    status: "UNPAID",
    nextPaymentDate: null,
    endDate: null,
  });

  // 19 April, 14 days after the failure: the last of the five retries. The subscription ends with it.
  await scenario.advanceTo("2026-04-19T03:00:00.000Z");
  expect(await scenario.readSubscription(id, "status nextPaymentDate endDate")).toEqual({
    status: "EXPIRED",
    nextPaymentDate: null,
    endDate: "2026-04-19T03:00:00.000Z",
  });

  // A quarter later: one month was paid, 19900 won; the other was attempted six times. EXPIRED is final.
  await scenario.advanceTo("2026-07-19T03:00:00.000Z");
  const { errors } = await scenario.payments.sendMutation(
    "activateSubscription",
    { subscriptionId: id },
    "subscription { status }",
  );
  expect(errors?.[0]?.extensions["code"]).toBe("ILLEGAL_TRANSITION");
  expect(await scenario.subscriptionStates(id)).toEqual([
    "2026-03-05 ACTIVE",
    "2026-04-05 UNPAID",
    "2026-04-19 EXPIRED",
  ]);
  expect(await scenario.orderSummaries()).toEqual([
    "2026-03-05 RECURRING_INITIAL 19900 PAID",
    "2026-04-05 RECURRING 19900 PAYMENT_FAILURE",
  ]);
  expect(await scenario.gatewayRecords()).toEqual([
    "2026-03-05 APPROVED 19900",
    ...["05", "06", "08", "10", "15", "19"].map((day) => `2026-04-${day} DECLINED 19900`),
  ]);
  expect(await scenario.ledgerByOrder()).toEqual([{ CLEARING: 19_900, SALES: -19_900 }]);
});
