import { expect, test } from "vitest";
import { startGateway, type TestVendor } from "../../support/test-gateway.ts";
import { everyMonth } from "../../support/test-catalogue.ts";
import { TestSubscriber } from "../../support/test-subscriber.ts";

const gateway = await startGateway();
const postpaid = { methodType: "POST", whenToClaimType: "FIRST_PAYMENT" };
const ranges = {
  type: "USAGE_BASED_WITH_RANGE",
  ranges: [{ until: 1000, price: "0" }, { until: 10000, price: "10" }, { price: "5" }],
};

/** A subscriber of a vendor of its own, so that nothing else is due. */
async function subscriberAt(
  now: string,
  vendor: Parameters<typeof gateway.openVendor>[0] = {},
): Promise<TestSubscriber> {
  gateway.clock.setTo(now);
  const { id, token }: TestVendor = await gateway.openVendor(vendor);
  return new TestSubscriber(gateway, { token }, id);
}

const day = (text: string) => text.slice(0, 10);

test("A month that began on the 31st is charged on the last day of shorter months and returns to the 31st, for a year", async () => {
  const subscriber = await subscriberAt("2026-01-31T09:30:00Z");
  const [id] = await subscriber.subscribe([await subscriber.createOffer({ recurring: everyMonth })]);
  const days: string[] = [];
  for (let month = 0; month < 12; month++) {
    const { nextPaymentDate } = await subscriber.readSubscription(id!, "nextPaymentDate");
    days.push(day(nextPaymentDate!));
    await subscriber.advanceTo(nextPaymentDate!);
  }
  expect(days.map((one) => one.slice(5))).toEqual(
    "02-28 03-31 04-30 05-31 06-30 07-31 08-31 09-30 10-31 11-30 12-31 01-31".split(" "),
  );
  const { renewalCount, status, latestOrders } = await subscriber.readSubscription(
    id!,
    "renewalCount status latestOrders { type amount parentSubscription { databaseId } }",
  );
  expect([renewalCount, status]).toEqual([13, "ACTIVE"]);
  const renewal = { type: "RECURRING", amount: "10000", parentSubscription: { databaseId: id } };
  expect(latestOrders.slice(0, -1)).toEqual(Array.from({ length: 12 }, () => renewal));
});

test("Across daylight saving it is charged at the same local time", async () => {
  const subscriber = await subscriberAt("2026-02-15T15:00:00Z", { zoneId: "America/New_York" });
  const [id] = await subscriber.subscribe([await subscriber.createOffer({ recurring: everyMonth })]);
  await subscriber.advanceTo("2026-03-20T00:00:00Z");
  expect(await subscriber.readSubscription(id!, "lastPaymentDate nextPaymentDate")).toEqual({
    lastPaymentDate: "2026-03-15T14:00:00.000Z",
    nextPaymentDate: "2026-04-15T14:00:00.000Z",
  });
});

test("A postpaid usage plan is charged for the used units, shows its ranges as text, and starts the next period from zero", async () => {
  const subscriber = await subscriberAt("2026-03-01T00:00:00Z");
  const usage = {
    type: "USAGE_BASED",
    price: "3000",
    claim: postpaid,
    recurring: everyMonth,
    additionalBilling: ranges,
  };
  const [id] = await subscriber.subscribe([await subscriber.createOffer(usage)]);
  const { items, latestOrders } = await subscriber.readSubscription(
    id!,
    "items { code usedUnits } latestOrders { amount }",
  );
  expect([items[0]!.usedUnits, latestOrders]).toEqual([null, [{ amount: "0" }]]);
  const itemCode = items[0]!.code;
  gateway.clock.setTo("2026-03-10T00:00:00Z");
  await subscriber.runMutation("recordUsage", id!, { itemCode, units: "1200.5" });
  await subscriber.runMutation("recordUsage", id!, { itemCode, units: "300" });
  const read = "subscription { items { usedUnits } }";
  const { subscription } = await subscriber.runMutation(
    "recordUsage",
    id!,
    { itemCode, units: "0.5", subtract: true },
    read,
  );
  expect(subscription.items).toEqual([{ usedUnits: "1500" }]);
  const preview = await subscriber.previewCharge(id!);
  await subscriber.advanceTo("2026-04-01T00:00:00Z");
  const [order] = (
    await subscriber.readSubscription(
      id!,
      "latestOrders { amount calculateStartDate calculateEndDate items { type amount usedCount usageFormula } }",
    )
  ).latestOrders;
  expect(order).toEqual({
    amount: "8000",
    calculateStartDate: "2026-03-01T00:00:00.000Z",
    calculateEndDate: "2026-04-01T00:00:00.000Z",
    items: [
      {
        type: "SKU",
        amount: "8000",
        usedCount: "1500",
        usageFormula: "up to 1000: 1000 × 0 = 0; up to 10000: 500 × 10 = 5000",
      },
    ],
  });
  expect(preview).toMatchObject({
    date: "2026-04-01T00:00:00.000Z",
    amount: "8000",
    periodStart: "2026-04-01T00:00:00.000Z",
    calculateStartDate: "2026-03-01T00:00:00.000Z",
    lines: [{ itemCode, usedCount: "1500", usageFormula: order!.items[0]!.usageFormula }],
  });
  const [item] = (await subscriber.readSubscription(id!, "items { usedUnits }")).items;
  expect(item).toEqual({ usedUnits: "0" });
});

test("Postpaid accounts are charged by the area under their curve, and carried over", async () => {
  const subscriber = await subscriberAt("2026-04-01T00:00:00Z");
  const accounts = { type: "UNIT_BASED", price: "3000", claim: postpaid, recurring: everyMonth };
  const [id] = await subscriber.subscribe([await subscriber.createOffer(accounts)]);
  const { code: itemCode } = (await subscriber.readSubscription(id!, "items { code }")).items[0]!;
  await subscriber.runMutation("setSubscriptionUnits", id!, { itemCode, units: 2 });
  gateway.clock.setTo("2026-04-16T00:00:00Z");
  await subscriber.runMutation("setSubscriptionUnits", id!, { itemCode, units: 6 });
  await subscriber.advanceTo("2026-06-01T00:00:00Z");
  const { latestOrders } = await subscriber.readSubscription(
    id!,
    "latestOrders { items { amount unitCount unitChangeHistory { changedCount days } } }",
  );
  expect(latestOrders.slice(0, 2).map(({ items }) => items[0])).toEqual([
    { amount: "18000", unitCount: "6", unitChangeHistory: [{ changedCount: 6, days: 31 }] },
    {
      amount: "12000",
      unitCount: "4",
      unitChangeHistory: [
        { changedCount: 2, days: 30 },
        { changedCount: 4, days: 15 },
      ],
    },
  ]);
});

test.each([
  ["LAST_DURING_PERIOD", ["1000", "0"], "0"],
  ["LAST_EVER", ["1000", "1000"], "100"],
])(
  "Usage by %s is charged by the last record of the period, or of an earlier one",
  async (aggregate, amounts, used) => {
    const subscriber = await subscriberAt("2026-03-01T00:00:00Z");
    const recurring = { ...everyMonth, aggregateUsageType: aggregate };
    const additionalBilling = { type: "USAGE_BASED_WITH_RANGE", ranges: [{ price: "10" }] };
    const plan = { type: "USAGE_BASED", price: "0", claim: postpaid, recurring, additionalBilling };
    const [id] = await subscriber.subscribe([await subscriber.createOffer(plan)]);
    const { code: itemCode } = (await subscriber.readSubscription(id!, "items { code }")).items[0]!;
    gateway.clock.setTo("2026-03-10T00:00:00Z");
    await subscriber.runMutation("recordUsage", id!, { itemCode, units: "300" });
    gateway.clock.setTo("2026-03-11T00:00:00Z");
    await subscriber.runMutation("recordUsage", id!, { itemCode, units: "100" });
    await subscriber.advanceTo("2026-04-01T00:00:00Z");
    await subscriber.advanceTo("2026-05-01T00:00:00Z");
    const { items, latestOrders } = await subscriber.readSubscription(
      id!,
      "items { usedUnits } latestOrders { amount }",
    );
    const [april, march] = latestOrders.map(({ amount }: { amount: string }) => amount);
    expect([march, april, items[0]!.usedUnits]).toEqual([...amounts, used]);
  },
);

test("A cancelled postpaid subscription is charged for the time and the units until then; a prepaid one is not", async () => {
  const subscriber = await subscriberAt("2026-04-01T00:00:00Z");
  const post = { claim: postpaid, recurring: everyMonth };
  const [id] = await subscriber.subscribe([
    await subscriber.createOffer({ ...post, price: "30000" }),
    await subscriber.createOffer({ ...post, type: "USAGE_BASED", price: "3000", additionalBilling: ranges }),
  ]);
  const { code: itemCode } = (await subscriber.readSubscription(id!, "items { code }")).items[1]!;
  await subscriber.runMutation("recordUsage", id!, { itemCode, units: "1100" });
  gateway.clock.setTo("2026-04-11T00:00:00Z");
  const order = "order { type amount paymentDueDate items { amount } parentSubscription { status } }";
  const canceled = await subscriber.runMutation(
    "cancelSubscription",
    id!,
    { reason: "Too dear" },
    `subscription { status } ${order}`,
  );
  expect(canceled).toEqual({
    subscription: { status: "CANCELED" },
    order: {
      type: "RECURRING",
      amount: "12000",
      paymentDueDate: "2026-04-11T00:00:00.000Z",
      items: [{ amount: "10000" }, { amount: "2000" }],
      parentSubscription: { status: "CANCELED" },
    },
  });
  const [prepaid] = await subscriber.subscribe([await subscriber.createOffer({ recurring: everyMonth })]);
  expect((await subscriber.runMutation("cancelSubscription", prepaid!, {}, order)).order).toBeNull();
});

test("At its end a postpaid subscription is charged once more, a prepaid one is not", async () => {
  const subscriber = await subscriberAt("2026-04-01T00:00:00Z");
  const twice = { recurring: everyMonth, expiryRecurringCount: 2 };
  const ids = await subscriber.subscribe([
    await subscriber.createOffer(twice),
    await subscriber.createOffer({ ...twice, claim: postpaid }),
  ]);
  await subscriber.advanceTo("2026-08-01T00:00:00Z");
  const ended = await Promise.all(
    ids.map((id) =>
      subscriber.readSubscription(
        id,
        "status endDate nextPaymentDate claimMethodType latestOrders { createdAt amount }",
      ),
    ),
  );
  const dates = (orders: { createdAt: string; amount: string }[]) =>
    orders.map(({ createdAt, amount }) => `${day(createdAt)} ${amount}`);
  expect(ended.map(({ latestOrders, ...rest }) => ({ ...rest, orders: dates(latestOrders) }))).toEqual([
    {
      status: "EXPIRED",
      endDate: "2026-06-01T00:00:00.000Z",
      nextPaymentDate: null,
      claimMethodType: "PRE",
      orders: ["2026-05-01 10000", "2026-04-01 10000"],
    },
    {
      status: "EXPIRED",
      endDate: "2026-06-01T00:00:00.000Z",
      nextPaymentDate: null,
      claimMethodType: "POST",
      orders: ["2026-06-01 10000", "2026-05-01 10000", "2026-04-01 10000"],
    },
  ]);
});

test("A failed renewal makes it UNPAID at once; after recovery it is ACTIVE, and missed periods are not charged", async () => {
  const subscriber = await subscriberAt("2026-04-01T00:00:00Z");
  const [id] = await subscriber.subscribe([await subscriber.createOffer({ recurring: { interval: "WEEK" } })]);
  await subscriber.advanceTo("2026-04-08T00:00:00Z", "failed");
  expect(await subscriber.readSubscription(id!, "status nextPaymentDate")).toEqual({
    status: "UNPAID",
    nextPaymentDate: null,
  });
  await subscriber.advanceTo("2026-04-24T00:00:00Z");
  const [order] = (await subscriber.readSubscription(id!, "latestOrders { databaseId }")).latestOrders;
  await subscriber.payOrder(order!.databaseId);
  const { latestOrders, ...recovered } = await subscriber.readSubscription(
    id!,
    "status nextPaymentDate currentPeriodStart renewalCount latestOrders { databaseId }",
  );
  expect(recovered).toEqual({
    status: "ACTIVE",
    nextPaymentDate: "2026-04-29T00:00:00.000Z",
    currentPeriodStart: "2026-04-22T00:00:00.000Z",
    renewalCount: 2,
  });
  expect(latestOrders).toHaveLength(2);
});

test("The policy's final action runs after the last retry, and an earlier cancellation stays", async () => {
  const subscriber = await subscriberAt("2026-04-01T00:00:00Z");
  const offer = await subscriber.createOffer({ recurring: everyMonth });
  const ids = [];
  for (let one = 0; one < 3; one++) ids.push((await subscriber.subscribe([offer]))[0]!);
  await subscriber.advanceTo("2026-05-01T00:00:00Z", "failed");
  await subscriber.runMutation("cancelSubscription", ids[2]!);
  const actions = ["EXPIRE", "PAUSE", "EXPIRE"] as const;
  for (const [index, id] of ids.entries()) {
    const [order] = (await subscriber.readSubscription(id, "latestOrders { databaseId }")).latestOrders;
    await subscriber.withServices(({ subscriptionRenewals }) =>
      subscriptionRenewals.applyFinalAction(subscriber.vendorId, id, order!.databaseId, actions[index]!),
    );
  }
  const states = await Promise.all(ids.map((id) => subscriber.readSubscription(id, "status")));
  expect(states.map(({ status }) => status)).toEqual(["EXPIRED", "PAUSE", "CANCELED"]);
});

test.each([
  { payer: "the worker", actor: "SYSTEM" as const, recorded: [] },
  { payer: "the payer, outside the schedule", actor: "CUSTOMER" as const, recorded: ["receiveUnscheduledPayment"] },
])(
  "A cancellation during the charge of a renewal wins over a payment by $payer: it stays cancelled",
  async ({ actor, recorded }) => {
    const subscriber = await subscriberAt("2026-04-01T00:00:00Z");
    const [id] = await subscriber.subscribe([await subscriber.createOffer({ recurring: everyMonth })]);
    gateway.clock.setTo("2026-05-01T00:00:00Z");
    const orderId = await subscriber.withServices(async ({ subscriptionRenewals, renewalOrders }) => {
      const [record] = await subscriptionRenewals.lockDue(subscriber.vendorId, 1);
      const claimed = await subscriptionRenewals.claimRenewal(
        subscriber.vendorId,
        record!,
        new Date("2026-05-01T00:01:00Z"),
      );
      return (await renewalOrders.createRenewalOrder(subscriber.vendorId, claimed)).id;
    });
    expect(await subscriber.readSubscription(id!, "status")).toEqual({ status: "QUEUEING" });
    await subscriber.runMutation("cancelSubscription", id!);
    await subscriber.payOrder(orderId, { actor });
    expect(await subscriber.readSubscription(id!, "status renewalCount")).toEqual({
      status: "CANCELED",
      renewalCount: 1,
    });
    const { timeline } = await subscriber.readSubscription(id!, "timeline(first: 50) { nodes { trigger actor } }");
    const unscheduled = timeline.nodes.filter(({ trigger }) => trigger === "receiveUnscheduledPayment");
    expect(unscheduled).toEqual(recorded.map((trigger) => ({ trigger, actor: "CUSTOMER" })));
  },
);

test("A claim is not claimed again before its lease is over", async () => {
  const subscriber = await subscriberAt("2026-04-01T00:00:00Z");
  await subscriber.subscribe([await subscriber.createOffer({ recurring: everyMonth })]);
  gateway.clock.setTo("2026-05-01T00:00:00Z");
  const claim = () =>
    subscriber.withServices(async ({ subscriptionRenewals }) => {
      const due = await subscriptionRenewals.lockDue(subscriber.vendorId, 5);
      for (const record of due)
        await subscriptionRenewals.claimRenewal(
          subscriber.vendorId,
          record,
          new Date(gateway.clock.now().getTime() + 60_000),
        );
      return due.length;
    });
  expect([await claim(), await claim()]).toEqual([1, 0]);
  gateway.clock.advance(60_000);
  expect(await claim()).toBe(1);
});

test("A bundle is charged as one, its members are listed below it, and one-time items are charged once", async () => {
  const subscriber = await subscriberAt("2026-04-01T00:00:00Z");
  const { catalogue } = subscriber;
  const fee = { name: "Set-up", type: "INITIALLY", price: "500" };
  const member = await catalogue.createProduct({ type: "SOFTWARE", name: "Reader" });
  const plan = await catalogue.createPlan(member.databaseId, { type: "FLAT", recurring: everyMonth });
  const bundle = await catalogue.createProduct({
    type: "BUNDLE",
    name: "All",
    combinedProductIds: [String(member.databaseId)],
  });
  const bundlePlan = await catalogue.createPlan(bundle.databaseId, {
    type: "BUNDLE",
    price: "20000",
    onetimeBundlePrice: "1000",
    setupOption: fee,
    recurring: everyMonth,
    bundlePrices: [{ productId: String(member.databaseId), priceId: String(plan.databaseId) }],
  });
  const [id] = await subscriber.subscribe([{ productCode: bundle.code, priceCode: bundlePlan.code }]);
  await subscriber.advanceTo("2026-05-01T00:00:00Z");
  const { items, latestOrders } = await subscriber.readSubscription(
    id!,
    "items { code productName parentSubscriptionItemCode } latestOrders { items { type amount orderedProductName code parentOrderItemCode } }",
  );
  expect(items[1]).toMatchObject({ productName: "Reader", parentSubscriptionItemCode: items[0]!.code });
  const lines = latestOrders.map((order) =>
    order.items.map(({ type, amount, orderedProductName }) => `${type} ${orderedProductName} ${amount}`),
  );
  expect(lines).toEqual([
    ["SKU All 20000", "SKU Reader 0"],
    ["SKU All 21000", "FEE Set-up 500", "SKU Reader 0"],
  ]);
  expect(latestOrders[0]!.items[1]!.parentOrderItemCode).toBe(latestOrders[0]!.items[0]!.code);
});

test("Each renewal takes stock again; without stock the order is refused", async () => {
  const subscriber = await subscriberAt("2026-04-01T00:00:00Z");
  const offer = await subscriber.createOffer({ recurring: everyMonth }, { type: "BOX", name: "Beans", quantity: 3 });
  const [id] = await subscriber.subscribe([{ ...offer, minimumQuantity: 1 }]);
  await subscriber.advanceTo("2026-06-01T00:00:00Z");
  const { items } = await subscriber.readSubscription(id!, "items { product { quantity status } }");
  expect(items[0]!.product).toEqual({ quantity: 0, status: "OUT_OF_STOCK" });
  gateway.clock.setTo("2026-07-01T00:00:00Z");
  await expect(subscriber.renewDue()).rejects.toMatchObject({ code: "OUT_OF_STOCK" });
  await subscriber.withServices(async ({ subscriptionRenewals }) => {
    const [record] = await subscriptionRenewals.lockDue(subscriber.vendorId, 1);
    await subscriptionRenewals.deferRenewal(
      subscriber.vendorId,
      record!,
      new Date("2026-07-02T00:00:00Z"),
      "OUT_OF_STOCK",
    );
  });
  expect(await subscriber.renewDue()).toEqual([]);
});
