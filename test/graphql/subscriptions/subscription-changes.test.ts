import { expect, test } from "vitest";
import type { MutationName } from "../../support/answers.ts";
import { startGateway } from "../../support/test-gateway.ts";
import { everyMonth } from "../../support/test-catalogue.ts";
import { changeSelection, createAprilSubscription } from "../../support/test-subscriber.ts";

const gateway = await startGateway();
const postpaid = { methodType: "POST", whenToClaimType: "FIRST_PAYMENT" };
const ofApril = (plan?: object, quantity?: number) => createAprilSubscription(gateway, plan, quantity);

test("An added item is charged at once for the rest of the period, joins when it is paid, and renews in full", async () => {
  const { subscriber, id } = await ofApril();
  const extra = await subscriber.createOffer({ recurring: everyMonth, price: "6000" }, { name: "Extra" });
  gateway.clock.setTo("2026-04-11T00:00:00Z");
  const { order, refundableAmount } = await subscriber.runMutation(
    "changeSubscriptionItems",
    id,
    { add: [{ ...extra, quantity: 2 }] },
    changeSelection,
  );
  expect([refundableAmount, order!.type, order!.amount]).toEqual(["0", "ADDITIONAL", "8000"]);
  expect(order!.items).toEqual([{ type: "ADDS", amount: "8000", quantity: 2, orderedProductName: "Extra" }]);
  expect((await subscriber.readSubscription(id, "items { productName }")).items).toEqual([{ productName: "Journal" }]);
  await subscriber.payOrder(order!.databaseId);
  expect((await subscriber.readSubscription(id, "items { productName quantity isAdditional }")).items).toEqual([
    { productName: "Journal", quantity: 1, isAdditional: false },
    { productName: "Extra", quantity: 2, isAdditional: true },
  ]);
  expect(await subscriber.previewCharge(id)).toMatchObject({
    amount: "42000",
    periodStart: "2026-05-01T00:00:00.000Z",
  });
  await subscriber.advanceTo("2026-05-01T00:00:00Z");
  const { latestOrders } = await subscriber.readSubscription(id, "latestOrders { type amount }");
  expect(latestOrders.slice(0, 2)).toEqual([
    { type: "RECURRING", amount: "42000" },
    { type: "ADDITIONAL", amount: "8000" },
  ]);
});

test("An item added with keepWhenRenew false is gone from the next renewal", async () => {
  const { subscriber, id } = await ofApril();
  const extra = await subscriber.createOffer({ recurring: everyMonth, price: "6000" });
  const added = { add: [{ ...extra, keepWhenRenew: false }] };
  const { order } = await subscriber.runMutation("changeSubscriptionItems", id, added, changeSelection);
  await subscriber.payOrder(order!.databaseId);
  expect((await subscriber.readSubscription(id, "items { quantity }")).items).toHaveLength(2);
  await subscriber.advanceTo("2026-05-01T00:00:00Z");
  const { items, latestOrders } = await subscriber.readSubscription(id, "items { quantity } latestOrders { amount }");
  expect([items.length, latestOrders[0]!.amount]).toEqual([1, "30000"]);
});

test("A quantity is raised when the raise is paid; a cut and a removal take effect at once and are recorded as refundable", async () => {
  const { subscriber, id, code } = await ofApril({}, 2);
  gateway.clock.setTo("2026-04-16T00:00:00Z");
  const change = (quantity: number) => ({ change: [{ itemCode: code, quantity }] });
  const raise = await subscriber.runMutation("changeSubscriptionItems", id, change(5), changeSelection);
  expect(raise.order!.items).toEqual([{ type: "ADDS", amount: "45000", quantity: 3, orderedProductName: "Journal" }]);
  await subscriber.payOrder(raise.order!.databaseId);
  const read = "subscription { refundableAmount items { quantity } } refundableAmount order { type }";
  expect(await subscriber.runMutation("changeSubscriptionItems", id, change(1), read)).toEqual({
    subscription: { refundableAmount: "60000", items: [{ quantity: 1 }] },
    refundableAmount: "60000",
    order: null,
  });
  const extra = await subscriber.createOffer({ recurring: everyMonth, price: "6000" });
  const swap = { add: [extra], remove: [code] };
  const swapped = await subscriber.runMutation("changeSubscriptionItems", id, swap, changeSelection);
  expect([swapped.refundableAmount, swapped.order!.amount]).toEqual(["15000", "3000"]);
});

test("Postpaid items that join, leave and change within a period are charged for their time at the end", async () => {
  const { subscriber, id, code } = await ofApril({ claim: postpaid });
  const extra = await subscriber.createOffer(
    { recurring: everyMonth, price: "6000", claim: postpaid },
    { name: "Extra" },
  );
  gateway.clock.setTo("2026-04-11T00:00:00Z");
  const changes = { add: [extra], change: [{ itemCode: code, quantity: 3 }] };
  expect((await subscriber.runMutation("changeSubscriptionItems", id, changes, changeSelection)).refundableAmount).toBe(
    "0",
  );
  gateway.clock.setTo("2026-04-21T00:00:00Z");
  const { items } = await subscriber.readSubscription(id, "items { code productName quantity }");
  const added = items.find(({ productName }) => productName === "Extra");
  await subscriber.runMutation("changeSubscriptionItems", id, { remove: [added!.code] });
  await subscriber.advanceTo("2026-06-01T00:00:00Z");
  const { latestOrders } = await subscriber.readSubscription(
    id,
    "latestOrders { type items { orderedProductName quantity amount } }",
  );
  const charged = latestOrders
    .filter(({ type }) => type === "RECURRING")
    .map(({ items: lines }) => lines.map((line) => `${line.quantity} ${line.orderedProductName} ${line.amount}`));
  expect(charged).toEqual([["3 Journal 90000"], ["1 Journal 10000", "3 Journal 60000", "1 Extra 2000"]]);
});

test("An item is changed once, and not again until that is paid", async () => {
  const { subscriber, id, code } = await ofApril({}, 2);
  const change = (...quantities: number[]) => ({
    change: quantities.map((quantity) => ({ itemCode: code, quantity })),
  });
  const name = "changeSubscriptionItems";
  expect(await subscriber.refusalOfMutation(name, id, change(3, 4))).toEqual([
    "INVALID_ARGUMENT",
    "change[1].itemCode INVALID_VALUE",
  ]);
  const remove = [code, code];
  expect(await subscriber.refusalOfMutation(name, id, { remove })).toEqual([
    "INVALID_ARGUMENT",
    "remove[1] INVALID_VALUE",
  ]);
  const { order } = await subscriber.runMutation(name, id, change(3), "order { databaseId }");
  for (const again of [change(3), change(1), { remove: [code] }])
    expect(await subscriber.refusalOfMutation(name, id, again)).toEqual(["PAYMENT_IN_PROGRESS"]);
  await subscriber.payOrder(order!.databaseId);
  const { subscription } = await subscriber.runMutation(
    name,
    id,
    change(3),
    "order { type } subscription { items { quantity } }",
  );
  expect(subscription.items).toEqual([{ quantity: 3 }]);
});

test("Another interval takes effect at the end of the period, with the plan of that interval", async () => {
  const { subscriber, id, offer } = await ofApril();
  expect(await subscriber.refusalOfMutation("changeSubscriptionInterval", id, { interval: "YEAR" })).toEqual([
    "INVALID_ARGUMENT",
    "interval INVALID_VALUE",
  ]);
  const product = await gateway.queryData(
    "{ products(first: 10) { nodes { databaseId code } } }",
    {},
    subscriber.options,
  );
  const { databaseId } = product.products.nodes.find(({ code }) => code === offer.productCode)!;
  await subscriber.catalogue.createPlan(databaseId, { type: "FLAT", price: "300000", recurring: { interval: "YEAR" } });
  const read = "subscription { nextPeriod { interval } interval nextPaymentDate }";
  expect(
    (await subscriber.runMutation("changeSubscriptionInterval", id, { interval: "YEAR" }, read)).subscription,
  ).toEqual({
    nextPeriod: { interval: "YEAR" },
    interval: "MONTH",
    nextPaymentDate: "2026-05-01T00:00:00.000Z",
  });
  await subscriber.advanceTo("2026-05-01T00:00:00Z");
  const changed = await subscriber.readSubscription(
    id,
    "interval nextPeriod { interval } nextPaymentDate latestOrders { amount }",
  );
  expect([changed.interval, changed.nextPeriod, changed.nextPaymentDate, changed.latestOrders[0]!.amount]).toEqual([
    "YEAR",
    null,
    "2027-05-01T00:00:00.000Z",
    "300000",
  ]);
});

test("A paid order for a payment method replaces the method; one that adds a method does not", async () => {
  const { subscriber, id } = await ofApril();
  const order = "order { databaseId type amount items { type amount } }";
  const make = async (useForRenewals: boolean) =>
    (await subscriber.runMutation("requestPaymentMethod", id, { useForRenewals }, order)).order;
  const [replacing, adding] = [await make(true), await make(false)];
  expect([replacing.type, adding.type, replacing.amount]).toEqual(["PAYMENT_METHOD", "ADD_PAYMENT_METHOD", "0"]);
  const method = () =>
    gateway.database.handle.execute(
      `select payment_method_id as id from subscriptions where id = ${id}`,
    ) as unknown as Promise<{ id: string }[]>;
  const [before] = [...(await method())];
  await subscriber.payOrder(adding.databaseId, { methodId: await subscriber.storePaymentMethod() });
  expect([...(await method())]).toEqual([before]);
  const next = await subscriber.storePaymentMethod();
  await subscriber.payOrder(replacing.databaseId, { methodId: next });
  expect(Number([...(await method())][0]!.id)).toBe(next);
});

test.each<[string, MutationName, object, string[]]>([
  ["nothing", "changeSubscriptionItems", {}, ["INVALID_ARGUMENT", "add INVALID_VALUE"]],
  [
    "an unknown item",
    "changeSubscriptionItems",
    { remove: ["subscription_item_000000000"] },
    ["SUBSCRIPTION_ITEM_NOT_FOUND", "remove[0] NOT_FOUND"],
  ],
  [
    "the quota of an unmetered item",
    "changeSubscriptionQuota",
    { itemCode: "own", quota: 5 },
    ["INVALID_ARGUMENT", "itemCode INVALID_VALUE"],
  ],
  ["all items", "changeSubscriptionItems", { remove: ["own"] }, ["INVALID_ARGUMENT", "remove INVALID_VALUE"]],
])("A change of %s is refused", async (_what, name, input, refused) => {
  const { subscriber, id, code } = await ofApril();
  const told = JSON.parse(JSON.stringify(input).replaceAll("own", code)) as object;
  expect(await subscriber.refusalOfMutation(name, id, told)).toEqual(refused);
});

test("An item that does not fit a subscription, or is subscribed already, cannot join it", async () => {
  const { subscriber, id } = await ofApril();
  const add = async (plan: object, product: object = {}) => ({ add: [await subscriber.createOffer(plan, product)] });
  const weekly = await add({ recurring: { interval: "WEEK" } });
  const wrong = ["INVALID_ARGUMENT", "add[0].priceCode INVALID_VALUE"];
  expect(await subscriber.refusalOfMutation("changeSubscriptionItems", id, weekly)).toEqual(wrong);
  expect(
    await subscriber.refusalOfMutation(
      "changeSubscriptionItems",
      id,
      await add({ recurring: everyMonth, claim: postpaid }),
    ),
  ).toEqual(wrong);
  const once = await add({ recurring: everyMonth }, { isOnetimePurchasable: true });
  await subscriber.subscribe(once.add);
  expect(await subscriber.refusalOfMutation("changeSubscriptionItems", id, once)).toEqual([
    "ALREADY_SUBSCRIBED",
    "add[0].productCode INVALID_VALUE",
  ]);
  await subscriber.runMutation("pauseSubscription", id);
  expect(await subscriber.refusalOfMutation("changeSubscriptionItems", id, weekly)).toEqual([
    "SUBSCRIPTION_NOT_RUNNING",
  ]);
});
