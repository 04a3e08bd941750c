import { expect, test } from "vitest";
import { Scenario } from "../support/scenario.ts";

const scenario = await Scenario.start("2026-04-01T03:00:00.000Z");

test("a prepaid plan charges added accounts at once, records removed ones, and charges each month for the accounts at its start", async () => {
  // 1 April: ten accounts at 3000 are 30000.
  const plan = { type: "UNIT_BASED", price: "3000" };
  const id = await scenario.subscribe({ ...(await scenario.createOffer({ plan })), minimumQuantity: 10 });
  const { code: itemCode } = (await scenario.readSubscription(id, "items { code }")).items[0]!;
  const allow = (quota: number) =>
    scenario.payments.runMutation(
      "changeSubscriptionQuota",
      { subscriptionId: id, itemCode, quota },
      "refundableAmount order { type amount }",
    );

  // 16 April, half of the 30 days are left: four more cost 4 × 3000 × 15 / 30 = 6000, at once.
  await scenario.advanceTo("2026-04-16T03:00:00.000Z");
  expect((await allow(14)).order).toEqual({ type: "ADD_USAGE", amount: "6000" });
  await scenario.runWorker();
  expect((await scenario.readSubscription(id, "items { allowedUnits }")).items).toEqual([{ allowedUnits: "14" }]);

  // 21 April, ten days are left: six fewer would have cost 6 × 3000 × 10 / 30 = 6000. It is recorded, not refunded.
  await scenario.advanceTo("2026-04-21T03:00:00.000Z");
  expect(await allow(8)).toEqual({ order: null, refundableAmount: "6000" });

  // 1 May: eight accounts are 24000. On the 11th 21 of 31 days are left: three more cost 3 × 3000 × 21 / 31 = 6096.77.
  await scenario.advanceTo("2026-05-11T03:00:00.000Z");
  expect((await allow(11)).order).toEqual({ type: "ADD_USAGE", amount: "6097" });
  await scenario.runWorker();

  // 1 June: eleven accounts are 33000.
  await scenario.advanceTo("2026-06-10T03:00:00.000Z");
  expect(await scenario.readSubscription(id, "status renewalCount refundableAmount nextPaymentDate")).toEqual({
    status: "ACTIVE",
    renewalCount: 3,
    refundableAmount: "6000",
    nextPaymentDate: "2026-07-01T03:00:00.000Z",
  });
  await scenario.payments.runMutation("cancelSubscription", { subscriptionId: id }, "subscription { status }");
  await scenario.advanceTo("2026-07-02T03:00:00.000Z");
  expect(await scenario.subscriptionStates(id)).toEqual(["2026-04-01 ACTIVE", "2026-06-10 CANCELED"]);
  expect(await scenario.orderSummaries()).toEqual([
    "2026-04-01 RECURRING_INITIAL 30000 PAID",
    "2026-04-16 ADD_USAGE 6000 PAID",
    "2026-05-01 RECURRING 24000 PAID",
    "2026-05-11 ADD_USAGE 6097 PAID",
    "2026-06-01 RECURRING 33000 PAID",
  ]);
  expect(await scenario.gatewayRecords()).toEqual([
    "2026-04-01 APPROVED 30000",
    "2026-04-16 APPROVED 6000",
    "2026-05-01 APPROVED 24000",
    "2026-05-11 APPROVED 6097",
    "2026-06-01 APPROVED 33000",
  ]);
  expect(await scenario.ledgerByOrder()).toEqual(
    [30_000, 6_000, 24_000, 6_097, 33_000].map((sum) => ({ CLEARING: sum, SALES: -sum })),
  );
});
