import { expect, test } from "vitest";
import { Scenario } from "../support/scenario.ts";

// 05:00 in Seoul, where it is the 31st already, and 20:00 of the 30th in UTC.
const scenario = await Scenario.start("2026-01-30T20:00:00.000Z");

/** The last day of each month of the year that begins on 31 January. */
const days = `2026-02-28 2026-03-31 2026-04-30 2026-05-31 2026-06-30 2026-07-31
  2026-08-31 2026-09-30 2026-10-31 2026-11-30 2026-12-31 2027-01-31`.split(/\s+/);

test("a monthly subscription that began on 31 January is charged on the last day of each month, for a year", async () => {
  // 31 January: the first month is paid at once.
  const journal = await scenario.createOffer({ plan: { price: "12900" } });
  const id = await scenario.subscribe(journal);
  expect(await scenario.readSubscription(id, "status nextPaymentDate renewalCount")).toEqual({
    status: "ACTIVE",
    nextPaymentDate: "2026-02-27T20:00:00.000Z",
    renewalCount: 1,
  });

  // A day before the end of February nothing is charged yet; on the last day it is.
  await scenario.advanceTo("2026-02-26T20:00:00.000Z");
  expect(await scenario.gatewayRecords()).toEqual(["2026-01-31 APPROVED 12900"]);
  await scenario.advanceTo("2026-02-27T20:00:00.000Z");
  expect(await scenario.gatewayRecords()).toEqual(["2026-01-31 APPROVED 12900", "2026-02-28 APPROVED 12900"]);

  // A year later: 12 renewals after the first payment, 13 charges, 13 × 12900 = 167700 won.
  await scenario.advanceTo("2027-01-30T20:00:00.000Z");
  expect(await scenario.readSubscription(id, "status nextPaymentDate currentPeriodStart renewalCount")).toEqual({
    status: "ACTIVE",
    nextPaymentDate: "2027-02-27T20:00:00.000Z",
    currentPeriodStart: "2027-01-30T20:00:00.000Z",
    renewalCount: 13,
  });
  expect(await scenario.subscriptionStates(id)).toEqual(["2026-01-31 ACTIVE"]);
  expect(await scenario.orderSummaries()).toEqual([
    "2026-01-31 RECURRING_INITIAL 12900 PAID",
    ...days.map((day) => `${day} RECURRING 12900 PAID`),
  ]);
  expect(await scenario.gatewayRecords()).toEqual(["2026-01-31", ...days].map((day) => `${day} APPROVED 12900`));
  expect(await scenario.ledgerByOrder()).toEqual(Array(13).fill({ CLEARING: 12_900, SALES: -12_900 }));
});
