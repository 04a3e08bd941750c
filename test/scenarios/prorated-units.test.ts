import { expect, test } from "vitest";
import { Scenario } from "../support/scenario.ts";

const scenario = await Scenario.start("2026-09-01T03:00:00.000Z");

test("a postpaid plan charges each account for the time that it was active in the month", async () => {
  // 1 September: nothing is charged; two accounts are in use from the start.
  const claim = { methodType: "POST", whenToClaimType: "FIRST_PAYMENT" };
  const plan = { type: "UNIT_BASED", price: "3000", claim };
  const id = await scenario.subscribe(await scenario.createOffer({ plan }));
  const { code: itemCode } = (await scenario.readSubscription(id, "items { code }")).items[0]!;
  const use = (units: number) =>
    scenario.payments.runMutation(
      "setSubscriptionUnits",
      { subscriptionId: id, itemCode, units },
      "subscription { status }",
    );
  await use(2);

  // 16 September: six. 26 September: three.
  await scenario.advanceTo("2026-09-16T03:00:00.000Z");
  await use(6);
  await scenario.advanceTo("2026-09-26T03:00:00.000Z");
  await use(3);

  // 1 October: 2 for 30 days, 4 more for 15, 3 fewer for 5 are 2 × 30 + 4 × 15 − 3 × 5 = 105 days of an account; a month
  // has 30, so 105 / 30 × 3000 = 10500.
  await scenario.advanceTo("2026-10-01T03:00:00.000Z");
  const [first] = (
    await scenario.readSubscription(id, "latestOrders { items { unitCount unitChangeHistory { changedCount days } } }")
  ).latestOrders;
  expect(first!.items).toEqual([
    {
      unitCount: "3.5",
      unitChangeHistory: [
        { changedCount: 2, days: 30 },
        { changedCount: 4, days: 15 },
        { changedCount: -3, days: 5 },
      ],
    },
  ]);

  // October has 31 days and begins with three accounts: 3 × 3000 = 9000. On the 11th of November, after 10 of 30 days,
  // it is cancelled: 3 × 3000 × 10 / 30 = 3000.
  await scenario.advanceTo("2026-11-11T03:00:00.000Z");
  await scenario.payments.runMutation("cancelSubscription", { subscriptionId: id }, "subscription { status }");
  await scenario.runWorker();
  await scenario.advanceTo("2026-12-31T03:00:00.000Z");
  expect(await scenario.subscriptionStates(id)).toEqual(["2026-09-01 ACTIVE", "2026-11-11 CANCELED"]);
  expect(await scenario.orderSummaries()).toEqual([
    "2026-09-01 RECURRING_INITIAL 0 PAID",
    "2026-10-01 RECURRING 10500 PAID",
    "2026-11-01 RECURRING 9000 PAID",
    "2026-11-11 RECURRING 3000 PAID",
  ]);
  expect(await scenario.gatewayRecords()).toEqual([
    "2026-10-01 APPROVED 10500",
    "2026-11-01 APPROVED 9000",
    "2026-11-11 APPROVED 3000",
  ]);
  expect(await scenario.ledgerByOrder()).toEqual([10_500, 9_000, 3_000].map((sum) => ({ CLEARING: sum, SALES: -sum })));
});
