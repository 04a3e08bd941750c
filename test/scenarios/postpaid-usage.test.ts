import { expect, test } from "vitest";
import { Scenario } from "../support/scenario.ts";

const scenario = await Scenario.start("2026-01-01T03:00:00.000Z");

/** Up to 1000 units are free; then one costs 10, from 10000 on 5, from 50000 on 2, from 100000 on 1. */
const additionalBilling = {
  type: "USAGE_BASED_WITH_RANGE",
  ranges: [
    { until: 1000, price: "0" },
    { until: 10_000, price: "10" },
    { until: 50_000, price: "5" },
    { until: 100_000, price: "2" },
    { price: "1" },
  ],
};

test("a postpaid plan charges the units used in each month, and the remaining units when it is cancelled", async () => {
  // 1 January: a base price of 9300 a month and the used units, all charged afterwards. The start costs nothing.
  const plan = {
    type: "USAGE_BASED",
    price: "9300",
    claim: { methodType: "POST", whenToClaimType: "FIRST_PAYMENT" },
    additionalBilling,
  };
  const id = await scenario.subscribe(await scenario.createOffer({ plan }));
  const { code: itemCode } = (await scenario.readSubscription(id, "items { code }")).items[0]!;
  const use = (units: string) =>
    scenario.payments.runMutation(
      "recordUsage",
      { subscriptionId: id, itemCode, units },
      "subscription { items { usedUnits } }",
    );
  expect(await scenario.gatewayRecords()).toEqual([]);
  expect(await scenario.readSubscription(id, "renewalCount nextPaymentDate")).toEqual({
    renewalCount: 0,
    nextPaymentDate: "2026-02-01T03:00:00.000Z",
  });

  // January: 900 and 600 units are 1500. 1000 are free, 500 at 10 are 5000; with the base 14300.
  await scenario.advanceTo("2026-01-10T03:00:00.000Z");
  await use("900");
  await scenario.advanceTo("2026-01-25T03:00:00.000Z");
  expect((await use("600")).subscription.items).toEqual([{ usedUnits: "1500" }]);
  await scenario.advanceTo("2026-02-01T03:00:00.000Z");

  // February begins with zero used units: 12000 units. 9000 at 10 and 2000 at 5 are 100000; with the base 109300.
  await scenario.advanceTo("2026-02-14T03:00:00.000Z");
  expect((await use("12000")).subscription.items).toEqual([{ usedUnits: "12000" }]);
  await scenario.advanceTo("2026-03-01T03:00:00.000Z");

  // March: 150000 units. 9000 × 10 + 40000 × 5 + 50000 × 2 + 50000 × 1 = 440000; with the base 449300.
  await scenario.advanceTo("2026-03-20T03:00:00.000Z");
  await use("150000");
  await scenario.advanceTo("2026-04-01T03:00:00.000Z");

  // April: nothing is used, the base of 9300 remains.
  await scenario.advanceTo("2026-05-01T03:00:00.000Z");

  // May has 31 days: after 10 of them it is cancelled, with 1200 units used. 200 at 10 are 2000, and 10 days of the base
  // are 9300 × 10 / 31 = 3000; together 5000, charged on that day.
  await scenario.advanceTo("2026-05-05T03:00:00.000Z");
  await use("1200");
  await scenario.advanceTo("2026-05-11T03:00:00.000Z");
  await scenario.payments.runMutation("cancelSubscription", { subscriptionId: id }, "subscription { status }");
  await scenario.runWorker();

  // A quarter later nothing else has been charged: 14300 + 109300 + 449300 + 9300 + 5000 = 587200.
  await scenario.advanceTo("2026-08-11T03:00:00.000Z");
  expect(await scenario.subscriptionStates(id)).toEqual(["2026-01-01 ACTIVE", "2026-05-11 CANCELED"]);
  expect(await scenario.orderSummaries()).toEqual([
    "2026-01-01 RECURRING_INITIAL 0 PAID",
    "2026-02-01 RECURRING 14300 PAID",
    "2026-03-01 RECURRING 109300 PAID",
    "2026-04-01 RECURRING 449300 PAID",
    "2026-05-01 RECURRING 9300 PAID",
    "2026-05-11 RECURRING 5000 PAID",
  ]);
  expect(await scenario.gatewayRecords()).toEqual([
    "2026-02-01 APPROVED 14300",
    "2026-03-01 APPROVED 109300",
    "2026-04-01 APPROVED 449300",
    "2026-05-01 APPROVED 9300",
    "2026-05-11 APPROVED 5000",
  ]);
  expect(await scenario.ledgerByOrder()).toEqual(
    [14_300, 109_300, 449_300, 9_300, 5_000].map((sum) => ({ CLEARING: sum, SALES: -sum })),
  );

  // The order of May was charged by the schedule, though the subscription had ended.
  const { timeline, latestOrders } = await scenario.readSubscription(
    id,
    "timeline(first: 100) { nodes { trigger } } latestOrders { amount timeline(first: 100) { nodes { trigger } } }",
  );
  expect(latestOrders[0]!.amount).toBe("5000");
  const triggers = latestOrders[0]!.timeline.nodes.map(({ trigger }) => trigger);
  expect(triggers).toEqual(["createOrder", "startPayment", "succeedPayment", "payOrder"]);
  expect(timeline.nodes.map(({ trigger }) => trigger)).not.toContain("receiveUnscheduledPayment");
});
