import fc from "fast-check";
import { expect, test } from "vitest";
import { toAmount } from "../../../src/kernel/amounts.ts";
import type { Payload } from "../../support/answers.ts";
import { startGateway } from "../../support/test-gateway.ts";
import { roundHalfUpExactly, PROPERTY_SEED } from "../../support/property-tests.ts";
import { everyMonth, graphqlRefusalOf } from "../../support/test-catalogue.ts";
import { changeSelection, createAprilSubscription } from "../../support/test-subscriber.ts";

const CHANGED = "refundableAmount order { databaseId amount items { amount } }";

const gateway = await startGateway();
const postpaid = { methodType: "POST", whenToClaimType: "FIRST_PAYMENT" };
type Case = Awaited<ReturnType<typeof ofApril>>;

/** A subscription of April at 30000, and a function that creates further plans of its product. */
async function ofApril(plan: object = {}, quantity = 1, product?: object) {
  const april = await createAprilSubscription(gateway, plan, quantity, product);
  const { products } = await gateway.queryData(
    "{ products(first: 10) { nodes { databaseId code } } }",
    {},
    april.subscriber.options,
  );
  const { databaseId } = products.nodes.find(({ code }) => code === april.offer.productCode)!;
  const planOf = async (told: object): Promise<string> =>
    (await april.subscriber.catalogue.createPlan(databaseId, { type: "FLAT", recurring: everyMonth, ...told })).code;
  return { ...april, planOf };
}

const items =
  "items { code quantity price priceCode nextPricePlan { code } } price { code } refundableAmount interval nextPaymentDate";
const lines = "lines { type name itemCode quantity unitPrice amount }";
const previewed = `query ($input: PreviewSubscriptionChangeInput!) { previewSubscriptionChange(input: $input) { amount
  discountedAmount refundableAmount currency ${lines} nextCharge { date amount currency periodStart periodEnd ${lines} } } }` as const;

const previewOf = async ({ subscriber, id }: Case, change: object) =>
  (await gateway.queryData(previewed, { input: { subscriptionId: String(id), ...change } }, subscriber.options))
    .previewSubscriptionChange;

const eventsOf = async ({ subscriber, id }: Case): Promise<[string, object][]> => {
  const { timeline } = await subscriber.readSubscription(id, "timeline(first: 50) { nodes { trigger facts } }");
  return timeline.nodes.filter(({ trigger }) => trigger.includes("lan")).map(({ trigger, facts }) => [trigger, facts]);
};

test("A dearer plan is charged for the rest of the period, takes effect when that is paid, and renews in full", async () => {
  const april = await ofApril({}, 2);
  const { subscriber, id, code: itemCode, planOf } = april;
  const before = (await subscriber.readSubscription(id, items)).price.code;
  const priceCode = await planOf({ price: "45000" });
  gateway.clock.setTo("2026-04-11T00:00:00Z");
  const change = { changes: [{ itemCode, priceCode }] };
  const { order, refundableAmount } = await subscriber.runMutation(
    "changeSubscriptionPlan",
    id,
    change,
    changeSelection,
  );
  expect([order!.type, order!.amount, refundableAmount]).toEqual(["ADDITIONAL", "20000", "0"]);
  expect(order!.items).toEqual([{ type: "ADDS", amount: "20000", quantity: 2, orderedProductName: "Journal" }]);
  expect((await subscriber.readSubscription(id, items)).price.code).toBe(before);
  expect(await subscriber.refusalOfMutation("changeSubscriptionPlan", id, change)).toEqual(["PAYMENT_IN_PROGRESS"]);
  await subscriber.payOrder(order!.databaseId);
  expect(await subscriber.readSubscription(id, items)).toMatchObject({
    items: [{ code: itemCode, quantity: 2, price: "45000", priceCode }],
    price: { code: priceCode },
  });
  await subscriber.advanceTo("2026-05-01T00:00:00Z");
  expect((await subscriber.readSubscription(id, "latestOrders { amount }")).latestOrders[0]!.amount).toBe("90000");
  expect(await eventsOf(april)).toEqual([["changePlan", { itemCode, priceCode, before }]]);
});

test("A cheaper plan takes effect at once, and the rest of the dearer one is recorded as refundable", async () => {
  const april = await ofApril();
  const { subscriber, id, code: itemCode, planOf } = april;
  const priceCode = await planOf({ price: "12000" });
  gateway.clock.setTo("2026-04-16T00:00:00Z");
  const change = { changes: [{ itemCode, priceCode }] };
  const done = await subscriber.runMutation(
    "changeSubscriptionPlan",
    id,
    change,
    `${changeSelection} subscription { ${items} }`,
  );
  expect(done).toMatchObject({ order: null, refundableAmount: "9000" });
  expect(done.subscription).toMatchObject({ items: [{ price: "12000", priceCode }], refundableAmount: "9000" });
  expect((await subscriber.previewCharge(id))!.amount).toBe("12000");
});

test("A plan for the next period changes nothing before, and can be withdrawn", async () => {
  const april = await ofApril();
  const { subscriber, id, code: itemCode, planOf } = april;
  const own = (await subscriber.readSubscription(id, items)).price.code;
  const [priceCode, other] = [await planOf({ price: "45000" }), await planOf({ price: "50000" })];
  const at = (plan: string) => ({ changes: [{ itemCode, priceCode: plan }], when: "PERIOD_END" });
  const read = `order { type } subscription { ${items} }`;
  const planned = await subscriber.runMutation("changeSubscriptionPlan", id, at(priceCode), read);
  expect(planned.order).toBeNull();
  expect(planned.subscription.items).toMatchObject([{ price: "30000", nextPricePlan: { code: priceCode } }]);
  await subscriber.runMutation("changeSubscriptionPlan", id, at(other));
  expect((await subscriber.previewCharge(id))!.amount).toBe("50000");
  const { subscription } = await subscriber.runMutation("changeSubscriptionPlan", id, at(own), read);
  expect(subscription.items).toMatchObject([{ price: "30000", nextPricePlan: null }]);
  expect((await subscriber.previewCharge(id))!.amount).toBe("30000");
  await subscriber.runMutation("changeSubscriptionPlan", id, at(priceCode));
  // Its current interval is no change of interval, and leaves the plan.
  await subscriber.runMutation("changeSubscriptionInterval", id, { interval: "MONTH" });
  await subscriber.advanceTo("2026-05-01T00:00:00Z");
  expect(await subscriber.readSubscription(id, items)).toMatchObject({
    items: [{ price: "45000", nextPricePlan: null }],
  });
  expect((await eventsOf(april)).map(([trigger]) => trigger)).toEqual([
    "schedulePlanChange",
    "schedulePlanChange",
    "withdrawPlanChange",
    "schedulePlanChange",
    "changePlan",
  ]);
});

test("Postpaid, each plan is charged for its time; a start fee is charged once", async () => {
  const setupOption = { name: "Set-up", type: "INITIALLY", price: "5000", claimMethodType: "POST" };
  const { subscriber, id, code: itemCode, planOf } = await ofApril({ claim: postpaid, setupOption });
  const priceCode = await planOf({ price: "60000", claim: postpaid, setupOption });
  gateway.clock.setTo("2026-04-11T00:00:00Z");
  const change = { changes: [{ itemCode, priceCode }] };
  expect((await subscriber.runMutation("changeSubscriptionPlan", id, change, changeSelection)).order).toBeNull();
  await subscriber.advanceTo("2026-05-01T00:00:00Z");
  const { latestOrders } = await subscriber.readSubscription(id, "latestOrders { items { type amount } }");
  expect(latestOrders[0]!.items).toEqual([
    { type: "SKU", amount: "10000" },
    { type: "FEE", amount: "5000" },
    { type: "SKU", amount: "40000" },
  ]);
});

test("A plan whose charge failed is replaced by the next change", async () => {
  const { subscriber, id, code: itemCode, planOf } = await ofApril();
  const [dear, dearer] = [await planOf({ price: "40000" }), await planOf({ price: "50000" })];
  const change = async (priceCode: string) =>
    (
      await subscriber.runMutation(
        "changeSubscriptionPlan",
        id,
        { changes: [{ itemCode, priceCode }] },
        changeSelection,
      )
    ).order;
  const failed = await change(dear);
  await subscriber.withServices(({ orderItems }) =>
    orderItems.transitionOrder(subscriber.vendorId, failed!.databaseId, { trigger: "failPayment", actor: "SYSTEM" }),
  );
  await subscriber.payOrder((await change(dearer))!.databaseId);
  const { order } = await gateway.queryData(
    "query ($id: ID!) { order(id: $id) { items { status } } }",
    { id: String(failed!.databaseId) },
    subscriber.options,
  );
  expect(order!.items).toEqual([{ status: "CANCELED" }]);
});

test("Goods are not sent again because their plan changes", async () => {
  const { subscriber, id, code: itemCode, planOf } = await ofApril({}, 1, { type: "BOX", quantity: 5 });
  const priceCode = await planOf({ price: "60000" });
  const { order } = await subscriber.runMutation(
    "changeSubscriptionPlan",
    id,
    { changes: [{ itemCode, priceCode }] },
    changeSelection,
  );
  await subscriber.payOrder(order!.databaseId);
  const { items: paid } = (
    await gateway.queryData(
      "query ($id: ID!) { order(id: $id) { items { status product { quantity } } } }",
      { id: String(order!.databaseId) },
      subscriber.options,
    )
  ).order!;
  expect(paid).toEqual([{ status: "PAID", product: { quantity: 4 } }]);
});

test.each<[string, object, object, string[]]>([
  ["a plan of another interval", {}, { price: "1", recurring: { interval: "YEAR" } }, ["INVALID_ARGUMENT"]],
  ["a plan that is charged afterwards", {}, { price: "1", claim: postpaid }, ["INVALID_ARGUMENT"]],
  ["a plan that meters units", {}, { type: "UNIT_BASED", price: "1" }, ["INVALID_ARGUMENT"]],
  ["a plan with a lower quantity limit", {}, { price: "1", maximumPurchaseQuantity: 1 }, ["QUANTITY_LIMIT"]],
  [
    "a plan without a price for the quantity",
    {},
    { type: "VOLUME_BASED", volumes: [{ min: 5, price: "1" }] },
    ["QUANTITY_NOT_PRICED"],
  ],
])("A change to %s is refused", async (_what, own, plan, [code]) => {
  const { subscriber, id, code: itemCode, planOf } = await ofApril(own, 2);
  const changes = [{ itemCode, priceCode: await planOf(plan) }];
  expect((await subscriber.refusalOfMutation("changeSubscriptionPlan", id, { changes }))[0]).toBe(code);
});

test("A plan of another product is refused, and a preview of no change or of two", async () => {
  const april = await ofApril();
  const { subscriber, id, code: itemCode } = april;
  const { priceCode } = await subscriber.createOffer({ recurring: everyMonth });
  const changes = [{ itemCode, priceCode }];
  const unknown = ["PRICE_NOT_FOUND", "changes[0].priceCode NOT_FOUND"];
  expect(await subscriber.refusalOfMutation("changeSubscriptionPlan", id, { changes })).toEqual(unknown);
  const refused = async (change: object) =>
    graphqlRefusalOf(
      await gateway.sendGraphQL(previewed, { input: { subscriptionId: String(id), ...change } }, subscriber.options),
    )[0];
  expect(await refused({ plan: { changes } })).toBe("PRICE_NOT_FOUND");
  expect(await refused({})).toBe("INVALID_ARGUMENT");
  expect(await refused({ plan: { changes }, interval: { interval: "MONTH" } })).toBe("INVALID_ARGUMENT");
});

test("A preview changes nothing: no order, no stock, no event", async () => {
  const april = await ofApril({}, 1, { type: "BOX", quantity: 5 });
  const { subscriber, id, code: itemCode } = april;
  const state = async () => [
    await subscriber.readSubscription(id, `${items} latestOrders { code } timeline(first: 50) { totalCount }`),
    await gateway.queryData("{ products(first: 5) { nodes { quantity } } }", {}, subscriber.options),
  ];
  const before = await state();
  expect((await previewOf(april, { items: { change: [{ itemCode, quantity: 4 }] } })).amount).toBe("90000");
  expect(await state()).toEqual(before);
});

const kinds = ["PLAN", "PLAN_LATER", "ADD", "REMOVE", "QUANTITY", "UNITS", "USAGE", "INTERVAL"] as const;
const metered: Partial<Record<(typeof kinds)[number], string>> = { UNITS: "UNIT_BASED", USAGE: "USAGE_BASED" };
const scenarios = fc.record({
  kind: fc.constantFrom(...kinds),
  isPrepaid: fc.boolean(),
  isTrial: fc.boolean(),
  price: fc.integer({ min: 100, max: 99_999 }),
  other: fc.integer({ min: 100, max: 99_999 }),
  quantity: fc.integer({ min: 1, max: 4 }),
  after: fc.integer({ min: 1, max: 4 }),
  /** Used units of a metered item before a change of its quota, which allows them afterwards too. */
  used: fc.integer({ min: 0, max: 4 }),
  /** Seconds from the start of April to the change. */
  second: fc.integer({ min: 0, max: 30 * 86_400 - 1 }),
});

type Example = typeof scenarios extends fc.Arbitrary<infer Values> ? Values : never;

test("A preview shows the exact charges and recorded amounts of the change and of the next renewal", async () => {
  const check = async (one: typeof scenarios extends fc.Arbitrary<infer T> ? T : never) => {
    const { kind, isPrepaid, isTrial, price, other, quantity, after, used, second } = one;
    const claim = isPrepaid ? { methodType: "PRE" } : postpaid;
    const trial = isTrial ? { enabledDemo: true, demoPeriod: 40, demoPeriodUnit: "DAY" } : {};
    const type = metered[kind];
    const april = await ofApril({ price: String(price), claim, ...(type && { type }) }, quantity, trial);
    const { subscriber, id, code: itemCode, planOf } = april;
    const extra = {
      ...(await subscriber.createOffer({ recurring: everyMonth, price: String(other), claim })),
      quantity: after,
    };
    const priceCode = await planOf({ price: String(other), claim });
    await planOf({ price: String(other * 11), claim, recurring: { interval: "YEAR" } });
    if (type) {
      const units = Math.min(used, quantity, after);
      if (type === "UNIT_BASED") await subscriber.runMutation("setSubscriptionUnits", id, { itemCode, units });
      else if (units > 0 && !isTrial)
        await subscriber.runMutation("recordUsage", id, { itemCode, units: String(units) });
    }
    const start = Date.parse("2026-04-01T00:00:00Z");
    gateway.clock.setTo(new Date(start + second * 1000));
    const changes = [{ itemCode, priceCode }];
    const [name, field, change] = (
      {
        PLAN: ["changeSubscriptionPlan", "plan", { changes }],
        PLAN_LATER: ["changeSubscriptionPlan", "plan", { changes, when: "PERIOD_END" }],
        ADD: ["changeSubscriptionItems", "items", { add: [extra] }],
        REMOVE: ["changeSubscriptionItems", "items", { add: [extra], remove: [itemCode] }],
        QUANTITY: ["changeSubscriptionItems", "items", { change: [{ itemCode, quantity: after }] }],
        UNITS: ["changeSubscriptionQuota", "quota", { itemCode, quota: after }],
        USAGE: ["changeSubscriptionQuota", "quota", { itemCode, quota: after }],
        INTERVAL: ["changeSubscriptionInterval", "interval", { interval: "YEAR" }],
      } as const
    )[kind];
    const preview = await previewOf(april, { [field]: change });
    const done: Partial<Payload<"changeSubscriptionPlan", typeof CHANGED>> = await subscriber.catalogue.runRawMutation(
      name,
      { subscriptionId: String(id), ...change },
      kind === "INTERVAL" ? "subscription { code }" : CHANGED,
    );
    const charged = done.order?.amount ?? "0";
    expect([preview.amount, preview.refundableAmount]).toEqual([charged, done.refundableAmount ?? "0"]);
    expect(preview.lines.map(({ amount }) => amount)).toEqual((done.order?.items ?? []).map(({ amount }) => amount));
    if (kind === "PLAN" || type) {
      const whole = isPrepaid && !isTrial ? BigInt(30 * 86_400) : 1n;
      const left = isPrepaid && !isTrial ? whole - BigInt(second) : 0n;
      const dearer = type ? BigInt(price) * BigInt(after - quantity) : BigInt(other - price) * BigInt(quantity);
      const difference = dearer * 10n ** 12n;
      const sum = roundHalfUpExactly((difference < 0n ? -difference : difference) * left, whole, 0);
      expect(preview[difference < 0n ? "refundableAmount" : "amount"]).toBe(sum.toFixed());
    }
    if (toAmount(charged).gt(0)) await subscriber.payOrder(done.order!.databaseId);
    const { date, amount, lines: next } = preview.nextCharge!;
    expect(await subscriber.previewCharge(id)).toMatchObject({ date, amount });
    await subscriber.advanceTo(date);
    const { latestOrders } = await subscriber.readSubscription(id, "latestOrders { type amount items { amount } }");
    expect(latestOrders[0]).toEqual({
      type: "RECURRING",
      amount,
      items: next.map((line) => ({ amount: line.amount })),
    });
  };
  const examples = kinds.flatMap((kind): [Example][] =>
    [true, false].map((isPrepaid) => [
      { kind, isPrepaid, isTrial: false, price: 9_999, other: 33_331, quantity: 3, after: 4, used: 2, second: 777_777 },
    ]),
  );
  await fc.assert(fc.asyncProperty(scenarios, check), { seed: PROPERTY_SEED, numRuns: 30, examples });
});
