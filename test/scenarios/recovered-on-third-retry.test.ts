import { expect, test } from "vitest";
import { Scenario } from "../support/scenario.ts";
import { testCards } from "../support/test-payments.ts";

const scenario = await Scenario.start("2026-03-05T03:00:00.000Z");

test("a renewal is retried after 1, 3 and 5 days when its card is declined, and is paid by the third retry", async () => {
  // 5 March: the first month is paid, 19900 won.
  const id = await scenario.subscribe(
    await scenario.createOffer({ plan: { price: "19900" } }),
    testCards.recoversOnThirdRetry,
  );

  // 5 April: the card is declined. The subscription is UNPAID at once, and only its recovery is due.
  await scenario.advanceTo("2026-04-05T03:00:00.000Z");
  const unpaid = { status: "UNPAID", nextPaymentDate: null, renewalCount: 1 };
  expect(await scenario.readSubscription(id, "status nextPaymentDate renewalCount")).toEqual(unpaid);

  // 6 and 8 April: declined again. No retry on the 7th and the 9th.
  await scenario.advanceTo("2026-04-09T03:00:00.000Z");
  expect(await scenario.readSubscription(id, "status nextPaymentDate renewalCount")).toEqual(unpaid);
  expect(await scenario.gatewayRecords()).toEqual([
    "2026-03-05 APPROVED 19900",
    "2026-04-05 DECLINED 19900",
    "2026-04-06 DECLINED 19900",
    "2026-04-08 DECLINED 19900",
  ]);

  // 10 April, five days after the failure: the card is approved. The period is the one that began on the 5th, and so is
  // the next charge.
  await scenario.advanceTo("2026-04-10T03:00:00.000Z");
  expect(await scenario.readSubscription(id, "status nextPaymentDate currentPeriodStart renewalCount")).toEqual({
    status: "ACTIVE",
    nextPaymentDate: "2026-05-05T03:00:00.000Z",
    currentPeriodStart: "2026-04-05T03:00:00.000Z",
    renewalCount: 2,
  });

  // 5 May: the next month is paid as usual. Three charges of 19900.
  await scenario.advanceTo("2026-05-20T03:00:00.000Z");
  expect(await scenario.subscriptionStates(id)).toEqual([
    "2026-03-05 ACTIVE",
    "2026-04-05 UNPAID",
    "2026-04-10 ACTIVE",
  ]);
  expect(await scenario.orderSummaries()).toEqual([
    "2026-03-05 RECURRING_INITIAL 19900 PAID",
    "2026-04-05 RECURRING 19900 PAID",
    "2026-05-05 RECURRING 19900 PAID",
  ]);
  expect((await scenario.gatewayRecords()).slice(4)).toEqual([
    "2026-04-10 APPROVED 19900",
    "2026-05-05 APPROVED 19900",
  ]);
  expect(await scenario.ledgerByOrder()).toEqual(Array(3).fill({ CLEARING: 19_900, SALES: -19_900 }));
});
