import { expect, test } from "vitest";
import { Scenario } from "../support/scenario.ts";

const scenario = await Scenario.start("2026-02-10T03:00:00.000Z");

test("a bundle with a trial is free for two weeks and is then charged every month", async () => {
  // Reader and archive cost 7000 and 9000 separately; as a bundle 12000 a month, and 5000 more with the first payment.
  const { catalogue } = scenario;
  const members = [];
  for (const [name, price] of [
    ["Reader", "7000"],
    ["Archive", "9000"],
  ]) {
    const { databaseId } = await catalogue.createProduct({ type: "SOFTWARE", name });
    const plan = await catalogue.createPlan(databaseId, { type: "FLAT", price, recurring: { interval: "MONTH" } });
    members.push({ productId: String(databaseId), priceId: String(plan.databaseId) });
  }
  const id = await scenario.subscribe(
    await scenario.createOffer({
      product: {
        type: "BUNDLE",
        name: "All you can read",
        combinedProductIds: members.map(({ productId }) => productId),
        enabledDemo: true,
        demoPeriod: 2,
        demoPeriodUnit: "WEEK",
      },
      plan: { type: "BUNDLE", price: "12000", onetimeBundlePrice: "5000", bundlePrices: members },
    }),
  );

  // 10 February: nothing is charged; the card is stored for later.
  const { items, latestOrders, ...trial } = await scenario.readSubscription(
    id,
    `status trialEndDate nextPaymentDate renewalCount items { productName parentSubscriptionItemCode code }
      latestOrders { items { orderedProductName amount demoCycle { num type } } }`,
  );
  expect(trial).toEqual({
    status: "ACTIVE",
    trialEndDate: "2026-02-24T03:00:00.000Z",
    nextPaymentDate: "2026-02-24T03:00:00.000Z",
    renewalCount: 0,
  });
  expect(items.map(({ productName, parentSubscriptionItemCode }) => [productName, parentSubscriptionItemCode])).toEqual(
    [
      ["All you can read", null],
      ["Reader", items[0]!.code],
      ["Archive", items[0]!.code],
    ],
  );
  expect(latestOrders[0]!.items[0]).toEqual({
    orderedProductName: "All you can read",
    amount: "0",
    demoCycle: { num: 2, type: "WEEK" },
  });
  await scenario.advanceTo("2026-02-23T03:00:00.000Z");
  expect(await scenario.gatewayRecords()).toEqual([]);

  // 24 February, the trial is over: 12000 + 5000 = 17000. From then on 12000 on the 24th of each month.
  await scenario.advanceTo("2026-04-25T03:00:00.000Z");
  expect(await scenario.readSubscription(id, "status nextPaymentDate renewalCount")).toEqual({
    status: "ACTIVE",
    nextPaymentDate: "2026-05-24T03:00:00.000Z",
    renewalCount: 3,
  });
  expect(await scenario.subscriptionStates(id)).toEqual(["2026-02-10 ACTIVE"]);
  expect(await scenario.orderSummaries()).toEqual([
    "2026-02-10 RECURRING_INITIAL 0 PAID",
    "2026-02-24 RECURRING 17000 PAID",
    "2026-03-24 RECURRING 12000 PAID",
    "2026-04-24 RECURRING 12000 PAID",
  ]);
  expect(await scenario.gatewayRecords()).toEqual([
    "2026-02-24 APPROVED 17000",
    "2026-03-24 APPROVED 12000",
    "2026-04-24 APPROVED 12000",
  ]);
  expect(await scenario.ledgerByOrder()).toEqual(
    [17_000, 12_000, 12_000].map((sum) => ({ CLEARING: sum, SALES: -sum })),
  );
});
