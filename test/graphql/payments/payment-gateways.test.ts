import { describe, expect, test } from "vitest";
import { queryRows } from "../../hostile/query-rows.ts";
import { StripeShop } from "../../support/fake-stripe/stripe-shop.ts";
import { createPayableOrder } from "../../support/fixtures/checkout-fixture.ts";
import { TestCatalogue } from "../../support/test-catalogue.ts";
import { cardInput, testCards } from "../../support/test-payments.ts";

const shop = await StripeShop.open();
const { gateway, catalogue } = shop;
const TEST_KEY = "sk_test_recoup0123456789";
const LIVE_KEY = "rk_live_recoup0123456789";
const TOSS_TEST_KEY = "test_sk_recoup0123456789";
const TOSS_LIVE_KEY = "live_sk_recoup0123456789";

const ACCOUNT =
  "account { paymentGateway adapter mode credentialsHint hasCredentials paymentMethods callbackPath }" as const;

/** The fields that a refusal names. */
const fieldsOf = (answer: { errors?: { extensions: Record<string, unknown> }[] | undefined }) => {
  const details = answer.errors?.[0]?.extensions["details"] as { fields?: { path: string }[] } | undefined;
  return details?.fields?.map(({ path }) => path.replace("input.", ""));
};

const configure = (input: object, options = catalogue) =>
  options.sendMutation("configurePaymentGateway", { adapter: "STRIPE", ...input }, ACCOUNT);

describe("an account at Stripe", () => {
  test("is bound to a gateway word, HOUSE where none is named, and shows no secret", async () => {
    const { account } = await catalogue.runMutation(
      "configurePaymentGateway",
      { adapter: "STRIPE", credentials: LIVE_KEY },
      ACCOUNT,
    );
    expect(account).toMatchObject({
      paymentGateway: "HOUSE",
      adapter: "STRIPE",
      mode: "LIVE",
      credentialsHint: "rk_live_…6789",
      hasCredentials: true,
      paymentMethods: ["CARD", "CARD_BILL"],
    });
    const { paymentGateways } = await gateway.queryData("{ paymentGateways { paymentGateway mode credentialsHint } }");
    expect(paymentGateways).toEqual([
      { paymentGateway: "PROVIDER_03", mode: "TEST", credentialsHint: "sk_test_…6789" },
      { paymentGateway: "HOUSE", mode: "LIVE", credentialsHint: "rk_live_…6789" },
    ]);
    const rows = await queryRows(gateway, "select * from gateway_accounts");
    expect(JSON.stringify(rows)).not.toContain("recoup0123456789");
  });

  test.each([
    ["no key", {}, ["credentials"]],
    ["a publishable key", { credentials: "pk_test_recoup0123456789" }, ["credentials"]],
    ["a secret that signs nothing", { credentials: TEST_KEY, callbackSecret: "secret" }, ["callbackSecret"]],
    [
      "a method that it cannot charge",
      { credentials: TEST_KEY, paymentMethods: ["CARD", "VBANK"] },
      ["paymentMethods[1]"],
    ],
  ])("is refused with %s", async (_, input, fields) => {
    expect(fieldsOf(await configure({ paymentGateway: "PROVIDER_04", ...input }))).toEqual(fields);
  });

  test("takes test keys only in a sandbox", async () => {
    const { token } = await gateway.openVendor({ sandbox: true });
    const sandbox = new TestCatalogue(gateway, { token });
    expect(fieldsOf(await configure({ credentials: LIVE_KEY }, sandbox))).toEqual(["credentials"]);
    expect((await configure({ credentials: TEST_KEY }, sandbox)).errors).toBeUndefined();
  });

  test("keeps its adapter and its mode once payments belong to it, and takes a new key of the same mode", async () => {
    await shop.subscribe();
    const paymentGateway = "PROVIDER_03";
    expect(fieldsOf(await configure({ paymentGateway, credentials: LIVE_KEY }))).toEqual(["credentials"]);
    expect(fieldsOf(await configure({ paymentGateway, adapter: "SIMULATED" }))).toEqual(["adapter"]);
    shop.stripe.keys.add("sk_test_newer0123456789");
    expect((await configure({ paymentGateway, credentials: "sk_test_newer0123456789" })).errors).toBeUndefined();
  });

  test("charges no card whose number was sent here, and no card without a page", async () => {
    const order = await createPayableOrder(gateway);
    const pay = (input: object) =>
      catalogue.sendMutation(
        "payOrder",
        { orderId: String(order.orderId), method: "CARD", ...input },
        "payment { state }",
      );
    expect(fieldsOf(await pay({ card: cardInput(testCards.approved) }))).toEqual(["card"]);
    expect(fieldsOf(await pay({}))).toEqual(["method"]);
    expect(await shop.readOrder(order)).toMatchObject({ payment: null });
  });
});

describe("an account at Toss Payments", () => {
  const configureToss = (input: object, options = catalogue) => configure({ adapter: "TOSS", ...input }, options);

  test("takes a secret key, charges won, and shows no secret", async () => {
    const { account } = await catalogue.runMutation(
      "configurePaymentGateway",
      {
        paymentGateway: "PROVIDER_05",
        adapter: "TOSS",
        credentials: TOSS_LIVE_KEY,
        clientKey: "live_ck_recoup0123456789",
      },
      "account { mode credentialsHint clientKey currencies paymentMethods }",
    );
    expect(account).toEqual({
      mode: "LIVE",
      credentialsHint: "live_sk_…6789",
      clientKey: "live_ck_recoup0123456789",
      currencies: ["KRW"],
      paymentMethods: ["CARD", "CARD_BILL"],
    });
  });

  test.each([
    ["no key", {}, ["credentials"]],
    ["a client key", { credentials: "test_ck_recoup0123456789" }, ["credentials"]],
    ["a key of the payment widget", { credentials: "test_gsk_recoup0123456789" }, ["credentials"]],
    [
      "a secret of callbacks",
      { credentials: TOSS_TEST_KEY, callbackSecret: "whsec_recoup0123456789" },
      ["callbackSecret"],
    ],
    ["a secret key as client key", { credentials: TOSS_TEST_KEY, clientKey: TOSS_TEST_KEY }, ["clientKey"]],
    [
      "a client key of the other mode",
      { credentials: TOSS_TEST_KEY, clientKey: "live_ck_recoup0123456789" },
      ["clientKey"],
    ],
    [
      "a client key for Stripe",
      { adapter: "STRIPE", credentials: TEST_KEY, clientKey: "pk_test_0123456789" },
      ["clientKey"],
    ],
    ["another currency", { credentials: TOSS_TEST_KEY, currencies: ["KRW", "USD"] }, ["currencies[1]"]],
  ])("is refused with %s", async (_, input, fields) => {
    expect(fieldsOf(await configureToss({ paymentGateway: "PROVIDER_06", ...input }))).toEqual(fields);
  });

  test("loses its client key when its secret key changes to the other mode", async () => {
    const paymentGateway = "PROVIDER_07";
    await configureToss({ paymentGateway, credentials: TOSS_TEST_KEY, clientKey: "test_ck_recoup0123456789" });
    await configureToss({ paymentGateway, credentials: TOSS_LIVE_KEY });
    const { paymentGateways } = await gateway.queryData("{ paymentGateways { paymentGateway mode clientKey } }");
    expect(paymentGateways).toContainEqual({ paymentGateway, mode: "LIVE", clientKey: null });
  });

  test("takes test keys only in a sandbox", async () => {
    const { token } = await gateway.openVendor({ sandbox: true });
    const sandbox = new TestCatalogue(gateway, { token });
    expect(fieldsOf(await configureToss({ credentials: TOSS_LIVE_KEY }, sandbox))).toEqual(["credentials"]);
    expect((await configureToss({ credentials: TOSS_TEST_KEY }, sandbox)).errors).toBeUndefined();
  });
});

test("a key that Stripe refuses fails no payment for good: the charge is reported as not made", async () => {
  await configure({ paymentGateway: "PROVIDER_03", credentials: "sk_test_revoked0123456789" });
  const { order, payer } = await shop.openCheckout({ order: { paymentGateway: "PROVIDER_03" } });
  await payer.submitForm({ method: "CARD" });
  expect(await shop.readOrder(order)).toMatchObject({ payment: { state: "FAILED", errorCode: "GATEWAY_UNAVAILABLE" } });
});
