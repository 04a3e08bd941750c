import { expect, test } from "vitest";
import { startGateway } from "../../support/test-gateway.ts";
import { everyMonth } from "../../support/test-catalogue.ts";
import { TestSubscriber } from "../../support/test-subscriber.ts";

const gateway = await startGateway({ now: "2026-01-31T09:30:00Z" });

test("A paid first order starts a subscription with its method, its items and its next date", async () => {
  const subscriber = new TestSubscriber(gateway);
  const offer = await subscriber.createOffer({ recurring: everyMonth });
  const [id, ...others] = await subscriber.subscribe([{ ...offer, minimumQuantity: 2 }]);
  expect(others).toEqual([]);
  const fields =
    "status startDate lastPaymentDate nextPaymentDate endDate trialEndDate currency paymentMethod { paymentInfo } items { productCode priceCode price quantity } latestOrders { type items { type relatedSubscriptionItemId } }";
  const { latestOrders, ...subscription } = await subscriber.readSubscription(id!, fields);
  expect(subscription).toEqual({
    status: "ACTIVE",
    startDate: "2026-01-31T09:30:00.000Z",
    lastPaymentDate: "2026-01-31T09:30:00.000Z",
    nextPaymentDate: "2026-02-28T09:30:00.000Z",
    endDate: null,
    trialEndDate: null,
    currency: "KRW",
    paymentMethod: { paymentInfo: "Card 4242" },
    items: [{ ...offer, price: "10000", quantity: 2 }],
  });
  expect(latestOrders).toEqual([
    { type: "RECURRING_INITIAL", items: [{ type: "SKU", relatedSubscriptionItemId: expect.any(Number) }] },
  ]);
});

test("One order starts a subscription for each cycle, and none for one-time items", async () => {
  const subscriber = new TestSubscriber(gateway);
  const offers = [
    await subscriber.createOffer({ recurring: everyMonth }),
    await subscriber.createOffer({ recurring: { interval: "WEEK" } }),
    await subscriber.createOffer({ recurring: everyMonth, type: "USAGE_BASED" }),
    await subscriber.createOffer({ type: "ONE_TIME" }),
  ];
  const ids = await subscriber.subscribe(offers);
  const born = await Promise.all(ids.map((one) => subscriber.readSubscription(one, "interval items { priceCode }")));
  expect(born.map(({ interval, items }) => [interval, items.map((item) => item.priceCode)])).toEqual([
    ["MONTH", [offers[0]!.priceCode, offers[2]!.priceCode]],
    ["WEEK", [offers[1]!.priceCode]],
  ]);
});

test("A payment that is reported twice starts nothing twice", async () => {
  const subscriber = new TestSubscriber(gateway);
  const { databaseId } = await subscriber.createOrder([await subscriber.createOffer({ recurring: everyMonth })]);
  await subscriber.payOrder(databaseId);
  await subscriber.withServices(async ({ orderRecords, subscriptionPayments }) =>
    subscriptionPayments.applyPayment(subscriber.vendorId, await orderRecords.byId(subscriber.vendorId, databaseId)),
  );
  const { order } = await gateway.queryData("query ($id: ID!) { order(id: $id) { subscriptions { status } } }", {
    id: String(databaseId),
  });
  expect(order!.subscriptions).toEqual([{ status: "ACTIVE" }]);
});

test("While the gateway has not confirmed the stored method it is INCOMPLETE, and is charged in its time once confirmed", async () => {
  const subscriber = new TestSubscriber(gateway);
  const { databaseId } = await subscriber.createOrder([await subscriber.createOffer({ recurring: everyMonth })]);
  await subscriber.payOrder(databaseId, { isConfirmed: false });
  const { order } = await gateway.queryData("query ($id: ID!) { order(id: $id) { subscriptions { databaseId } } }", {
    id: String(databaseId),
  });
  const { databaseId: id } = order!.subscriptions[0]!;
  expect(await subscriber.readSubscription(id, "status nextPaymentDate")).toEqual({
    status: "INCOMPLETE",
    nextPaymentDate: null,
  });
  const { order: request } = (
    await subscriber.gateway.queryData(
      `mutation ($input: RequestPaymentMethodInput!) { requestPaymentMethod(input: $input) { order { databaseId } } }`,
      { input: { subscriptionId: String(id) } },
    )
  ).requestPaymentMethod;
  await subscriber.payOrder(request.databaseId, { methodId: await subscriber.storePaymentMethod() });
  expect(await subscriber.readSubscription(id, "status nextPaymentDate")).toEqual({
    status: "ACTIVE",
    nextPaymentDate: "2026-02-28T09:30:00.000Z",
  });
});

test("A second live subscription of a product that allows only one is refused", async () => {
  const subscriber = new TestSubscriber(gateway);
  const offer = await subscriber.createOffer({ recurring: everyMonth }, { isOnetimePurchasable: true });
  await subscriber.subscribe([offer]);
  const { errors } = await gateway.sendGraphQL(
    "mutation ($input: CreateOrderInput!) { createOrder(input: $input) { order { databaseId } } }",
    { input: { customerId: String(subscriber.customerId), items: [offer] } },
  );
  expect(errors?.[0]?.extensions).toMatchObject({
    code: "ALREADY_SUBSCRIBED",
    details: { fields: [{ path: "input.items[0].productCode" }] },
  });
});

test("A trial is not charged, and its subscription is charged when it is over", async () => {
  const subscriber = new TestSubscriber(gateway);
  const trial = { enabledDemo: true, demoPeriod: 10, demoPeriodUnit: "DAY" };
  const [id] = await subscriber.subscribe([await subscriber.createOffer({ recurring: everyMonth }, trial)]);
  expect(await subscriber.readSubscription(id!, "nextPaymentDate trialEndDate latestOrders { amount }")).toEqual({
    nextPaymentDate: "2026-02-10T09:30:00.000Z",
    trialEndDate: "2026-02-10T09:30:00.000Z",
    latestOrders: [{ amount: "0" }],
  });
});
