import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { importRows } from "../support/imported-rows.ts";
import { Scenario } from "../support/scenario.ts";

const scenario = await Scenario.start("2026-03-05T03:00:00.000Z");
const { gateway } = scenario;

const customer = (partnerId: string) => ({ partnerId, name: partnerId, email: `${partnerId}@example.com`, phone: "1" });
const method = (partnerId: string, customerId: string) => ({
  ...{ partnerId, customerId, paymentGateway: "HOUSE", paymentMethod: "CARD_BILL", network: "VISA" },
  ...{ gatewayCustomerId: `cus_${customerId}`, gatewayMethodId: `pm_${partnerId}`, paymentInfo: "VISA ****4242" },
});
const plan = (partnerId: string, more: object) => ({
  ...{ partnerId, productId: "P", type: "FLAT", price: "19900", plan: { name: partnerId } },
  ...{ recurring: { interval: "MONTH" }, ...more },
});

/** The simulated gateway has a method that another system stored there. */
const storeAtGateway = (token: string, script: object) =>
  gateway.database.handle.execute(
    sql`insert into simulated_methods (vendor_id, token, behaviour, ending, created_at)
      values (${gateway.vendor.id}, ${token}, ${JSON.stringify(script)}, '4242', now())`,
  );

async function readSubscriptions() {
  const { subscriptions } = await gateway.queryData(
    "{ subscriptions(first: 9) { nodes { databaseId status nextPaymentDate renewalCount customer { name } } } }",
  );
  const found = subscriptions.nodes.map(({ customer: { name }, ...subscription }) => [name, subscription] as const);
  return Object.fromEntries(found);
}

test("an imported subscription is charged on its dates after the switch-over and not before, and its failure is recovered", async () => {
  await storeAtGateway("cus_anna/pm_m1", { behaviour: "APPROVE", network: "VISA", fingerprint: "anna" });
  const declinesOnce = {
    behaviour: "DECLINE_LATER",
    network: "VISA",
    fingerprint: "ben",
    code: "51",
    message: "Insufficient funds.",
    times: 1,
  };
  await storeAtGateway("cus_ben/pm_m2", declinesOnce);
  const subscription = { priceId: "MONTHLY", cycleAnchor: undefined };
  const refused = await importRows(gateway, "2026-04-01T00:00:00Z", {
    CUSTOMER: [customer("anna"), customer("ben")],
    PRODUCT: [{ partnerId: "P", type: "SOFTWARE", name: "Journal" }],
    PRICE_PLAN: [plan("MONTHLY", {})],
    PAYMENT_METHOD: [method("m1", "anna"), method("m2", "ben")],
    SUBSCRIPTION: [
      // The previous system charges it on 20 March; Recoup's first charge is that of 20 April.
      {
        ...subscription,
        partnerId: "s1",
        customerId: "anna",
        paymentMethodId: "m1",
        nextPaymentDate: "2026-03-20T03:00:00Z",
      },
      // Agreed at an old price. Its cycles begin on the 31st.
      {
        ...{ ...subscription, partnerId: "s2", customerId: "ben", paymentMethodId: "m2", quantity: 2, price: "9000" },
        ...{ cycleAnchor: "2026-01-31T03:00:00Z", nextPaymentDate: "2026-04-30T03:00:00Z", chargedCount: 3 },
      },
    ],
  });
  expect(refused).toEqual([]);
  const active = { databaseId: expect.anything(), status: "ACTIVE" };
  expect(await readSubscriptions()).toEqual({
    anna: { ...active, nextPaymentDate: "2026-04-20T03:00:00.000Z", renewalCount: 2 },
    ben: { ...active, nextPaymentDate: "2026-04-30T03:00:00.000Z", renewalCount: 3 },
  });

  await scenario.advanceTo("2026-04-19T03:00:00.000Z");
  expect(await scenario.gatewayRecords()).toEqual([]);
  await scenario.advanceTo("2026-04-20T03:00:00.000Z");
  expect(await scenario.gatewayRecords()).toEqual(["2026-04-20 APPROVED 19900"]);

  // 30 April: the card is declined, and the retry on the next day is approved. The next cycle begins on the 31st again.
  await scenario.advanceTo("2026-05-19T03:00:00.000Z");
  expect(await scenario.gatewayRecords()).toEqual([
    "2026-04-20 APPROVED 19900",
    "2026-04-30 DECLINED 18000",
    "2026-05-01 APPROVED 18000",
  ]);
  expect(await readSubscriptions()).toEqual({
    anna: { ...active, nextPaymentDate: "2026-05-20T03:00:00.000Z", renewalCount: 3 },
    ben: { ...active, nextPaymentDate: "2026-05-31T03:00:00.000Z", renewalCount: 4 },
  });
});

test("an imported subscription refuses changes before its switch-over, and a moved date does not charge it", async () => {
  const now = gateway.clock.now();
  const at = (days: number) => new Date(now.getTime() + days * 86_400_000).toISOString();
  const row = { partnerId: "s3", customerId: "anna", priceId: "MONTHLY", nextPaymentDate: at(40) };
  await importRows(gateway, at(30), { CUSTOMER: [customer("cleo")], SUBSCRIPTION: [{ ...row, customerId: "cleo" }] });
  const { databaseId } = (await readSubscriptions())["cleo"]!;
  const { errors } = await gateway.sendGraphQL(
    "mutation ($input: ChangeSubscriptionIntervalInput!) { changeSubscriptionInterval(input: $input) { subscription { databaseId } } }",
    { input: { subscriptionId: String(databaseId), interval: "WEEK", intervalCount: 1 } },
  );
  expect(errors?.[0]?.extensions).toMatchObject({ code: "SUBSCRIPTION_NOT_SWITCHED_OVER" });
  // Whatever made it due, the switch-over decides.
  await gateway.database.handle.execute(
    sql`update subscriptions set next_payment_date = ${at(1)}::timestamptz
      where vendor_id = ${gateway.vendor.id} and id = ${databaseId}`,
  );
  const before = (await scenario.gatewayRecords()).length;
  await scenario.advanceTo(at(29));
  const since = (await scenario.gatewayRecords()).slice(before);
  // The others are charged meanwhile.
  expect(since.every((charge) => charge.includes("APPROVED"))).toBe(true);
  expect((await readSubscriptions())["cleo"]).toMatchObject({ status: "ACTIVE" });
});

test("importing subscriptions refuses dates, plans and payment methods that do not fit", async () => {
  const row = (partnerId: string, more: object) => ({
    ...{ partnerId, customerId: "anna", priceId: "MONTHLY", nextPaymentDate: "2027-01-31T03:00:00Z", ...more },
  });
  const usage = { claim: { methodType: "POST", whenToClaimType: "FIRST_PAYMENT" } };
  expect(
    await importRows(gateway, "2026-12-01T00:00:00Z", {
      PRICE_PLAN: [plan("POSTPAID", usage), plan("TWELVE", { expiryRecurringCount: 12 })],
      PAYMENT_METHOD: [
        { ...method("x1", "anna"), paymentGateway: "UNKNOWN" },
        { ...method("x2", "anna"), paymentMethod: "VBANK" },
        { ...method("x3", "nobody"), network: "DINERS" },
        method("x4", "nobody"),
      ],
      SUBSCRIPTION: [
        row("past", { nextPaymentDate: "2026-01-31T03:00:00Z" }),
        row("anchor", { cycleAnchor: "2026-01-30T03:00:00Z" }),
        row("plan", { priceId: "POSTPAID" }),
        row("count", { priceId: "TWELVE" }),
        row("ended", { priceId: "TWELVE", chargedCount: 12 }),
        row("method", { paymentMethodId: "m2" }),
        row("currency", { currency: "USD" }),
        row("customer", { customerId: "nobody" }),
      ],
    }),
  ).toEqual([
    "x1 INVALID_ARGUMENT paymentGateway",
    "x2 INVALID_ARGUMENT paymentMethod",
    "x3 INVALID_ARGUMENT network",
    "x4 PARENT_NOT_IMPORTED customerId",
    "past INVALID_ARGUMENT nextPaymentDate",
    "anchor INVALID_ARGUMENT cycleAnchor",
    "plan INVALID_ARGUMENT priceId",
    "count INVALID_ARGUMENT chargedCount",
    "ended INVALID_ARGUMENT nextPaymentDate",
    "method PARENT_NOT_IMPORTED paymentMethodId",
    "currency NO_EXCHANGE_RATE ",
    "customer PARENT_NOT_IMPORTED customerId",
  ]);
});
