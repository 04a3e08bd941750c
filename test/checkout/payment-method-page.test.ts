import { beforeAll, describe, expect, test } from "vitest";
import { encodePaymentMethodLink } from "../../src/checkout/payment-method/payment-method-link.codec.ts";
import { SecretVault } from "../../src/kernel/secrets/secret-vault.ts";
import { queryRows } from "../hostile/query-rows.ts";
import { CheckoutPayer, getPage, textOfPage } from "../support/fixtures/checkout-fixture.ts";
import { errorSummaries } from "../support/cover-mutations.ts";
import { DAY } from "../support/test-clock.ts";
import { everyMonth } from "../support/test-catalogue.ts";
import { startGateway } from "../support/test-gateway.ts";
import { testCards, TestPayments } from "../support/test-payments.ts";
import { createWorker, runUntilIdle } from "../support/test-worker.ts";

/* The page on which a payer stores another payment method, or chooses the day of the next charge. */

const START = "2026-03-01T09:30:00.000Z";
const gateway = await startGateway({ now: START });
const worker = createWorker(gateway);
let payments: TestPayments;

beforeAll(async () => {
  payments = await TestPayments.start(gateway);
});

/** A subscription of a month, and its page. */
async function subscribe(card = testCards.approved) {
  const { databaseId } = await payments.createOrder("18900", {
    plan: { type: "FLAT", recurring: everyMonth },
    product: { name: "House Blend" },
  });
  await payments.payOrder(databaseId, card);
  const { subscriptions } = await payments.readOrder(databaseId, "subscriptions { databaseId }");
  return subscriptions[0]!.databaseId;
}

const createLink = async (input: object): Promise<string> => {
  const { link } = await payments.runMutation("createPaymentMethodLink", input, "link { url }");
  return new URL(link.url, "http://here").pathname;
};

const openPage = async (subscriptionId: number) =>
  CheckoutPayer.open(gateway, await createLink({ subscriptionId: String(subscriptionId) }));

/** Stores a card on an open page. */
async function storeCard(payer: CheckoutPayer, number: string) {
  await payer.reloadPage();
  return payer.submitForm({ action: "store", method: "CARD", number, expiry: "12/31" });
}

const read = async (id: number) =>
  (
    await gateway.queryData(
      `query ($id: ID!) { subscription(id: $id) { status paymentMethod { paymentInfo }
        covers { nodes { state endReason retryDate promisedAt startedAt } } latestOrders { databaseId type paidAmount } } }`,
      { id: String(id) },
    )
  ).subscription!;

/** A subscription whose renewal was declined, at the time of its renewal. */
async function failRenewal(card = testCards.neverAgain) {
  gateway.clock.setTo(START);
  const id = await subscribe(card);
  gateway.clock.setTo("2026-04-01T09:30:00.000Z");
  await runUntilIdle(worker);
  expect((await read(id)).status).toBe("UNPAID");
  return id;
}

const changesOf = (id: number) =>
  queryRows<{ trigger: string; type: string; actor: string; facts: Record<string, unknown> }>(
    gateway,
    `select trigger, type, actor, facts from event_log where vendor_id = ${gateway.vendor.id} and subscription_id = ${id}
      and subject = 'COVER' order by id`,
  );

describe("the page of a subscription in order", () => {
  test("stores another card, which the next renewal charges", async () => {
    gateway.clock.setTo(START);
    const id = await subscribe();
    const payer = await openPage(id);
    expect(textOfPage(payer.html)).toContain(
      "Update your payment method Nothing is charged now. The payment method that you store here is used for the next payments.",
    );
    expect(textOfPage(payer.html)).toContain("House Blend Payment method VISA •••• 4242");
    expect(await storeCard(payer, "5555555555554444")).toMatchObject({ status: 303, location: "?lang=en&done=stored" });
    expect(await payer.reloadPage("?lang=en&done=stored")).toContain("Your payment method is stored");
    const stored = await read(id);
    expect(stored.paymentMethod!.paymentInfo).toContain("4444");
    expect(stored.status).toBe("ACTIVE");
    gateway.clock.setTo("2026-04-01T09:30:00.000Z");
    await runUntilIdle(worker);
    expect((await read(id)).latestOrders).toContainEqual(
      expect.objectContaining({ type: "RECURRING", paidAmount: "18900" }),
    );
  });

  test("shows why a card was not stored, and keeps the old one", async () => {
    const id = await subscribe();
    const payer = await openPage(id);
    expect(await storeCard(payer, testCards.lost)).toMatchObject({ status: 303, location: "?lang=en&method=CARD" });
    expect(await payer.reloadPage()).toContain("The payment method was not stored This card cannot be used.");
    expect((await read(id)).paymentMethod!.paymentInfo).toContain("4242");
    const wrong = await payer.submitForm({
      action: "store",
      method: "CARD",
      number: "4242424242424241",
      expiry: "12/31",
    });
    expect(wrong.status).toBe(422);
    expect(textOfPage(wrong.html)).toContain("Please check the card number");
  });

  test("asks the payer to confirm a card with the bank", async () => {
    const id = await subscribe();
    const payer = await openPage(id);
    const { status, location } = await storeCard(payer, testCards.challenge);
    expect(status).toBe(303);
    expect(location).toMatch(/^\.\.\/simulated-gateway\//);
    expect(await payer.reloadPage()).toContain("Please confirm the payment method");
    expect((await read(id)).paymentMethod!.paymentInfo).toContain("4242");
  });

  test("stores one method for a form that is sent twice", async () => {
    const id = await subscribe();
    const payer = await openPage(id);
    const form = { action: "store", method: "CARD", number: "5555555555554444", expiry: "12/31" };
    const first = await payer.submitForm(form);
    const second = await payer.submitForm(form);
    expect([first.location, second.location]).toEqual(["?lang=en&done=stored", "?lang=en&done=stored"]);
    const orders = (await read(id)).latestOrders.filter(({ type }) => type === "PAYMENT_METHOD");
    expect(orders.length).toBe(1);
  });

  test("stores five payment methods within a day", async () => {
    const id = await subscribe();
    const payer = await openPage(id);
    for (let count = 0; count < 5; count++)
      expect((await storeCard(payer, testCards.approved)).location).toBe("?lang=en&done=stored");
    const refused = await storeCard(payer, testCards.approved);
    expect(refused.status).toBe(429);
    expect(textOfPage(refused.html)).toContain("Too many payment methods today");
    gateway.clock.advance(DAY + 1);
    expect((await storeCard(payer, testCards.approved)).location).toBe("?lang=en&done=stored");
  });

  test("stops a payer after ten declined cards in a day", async () => {
    const id = await subscribe();
    const payer = await openPage(id);
    for (let count = 0; count < 10; count++) expect((await storeCard(payer, testCards.lost)).status).toBe(303);
    const refused = await storeCard(payer, testCards.approved);
    expect(refused.status).toBe(429);
    expect(textOfPage(refused.html)).toContain("Too many cards were declined");
  });

  test("is in Korean where the link says so", async () => {
    const id = await subscribe();
    const path = await createLink({ subscriptionId: String(id), lang: "ko" });
    const { html, headers } = await getPage(gateway, path);
    expect(headers["content-language"]).toBe("ko");
    expect(textOfPage(html)).toContain("결제 수단 변경");
  });

  test("says that the subscription has ended, and stores nothing", async () => {
    const id = await subscribe();
    const payer = await openPage(id);
    const form = { action: "store", method: "CARD", number: testCards.approved, expiry: "12/31" };
    await payments.runMutation(
      "cancelSubscription",
      { subscriptionId: String(id), when: "NOW" },
      "subscription { status }",
    );
    expect((await payer.submitForm(form)).location).toBe("?lang=en");
    expect(await payer.reloadPage()).toContain("This subscription has ended");
    expect(payer.html).not.toContain("<form");
  });

  test("runs no script, and is neither cached nor framed", async () => {
    const { html, headers } = await getPage(gateway, await createLink({ subscriptionId: String(await subscribe()) }));
    expect(html).not.toMatch(/<script|\son\w+=|style="|src=/);
    expect(headers).toMatchObject({
      "cache-control": "no-store",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
    });
    expect(headers["content-security-policy"]).toContain("form-action 'self'; base-uri 'none'; frame-ancestors 'none'");
  });
});

describe("the page of a failed renewal", () => {
  test("charges a new card at once, and the subscription is recovered", async () => {
    const id = await failRenewal();
    const payer = await openPage(id);
    expect(textOfPage(payer.html)).toContain(
      "A payment failed We could not charge ₩18,900. We try again on April 2, 2026.",
    );
    await storeCard(payer, testCards.approved);
    expect(await payer.reloadPage("?lang=en&done=stored")).toContain("We are charging ₩18,900 to it now.");
    await runUntilIdle(worker);
    const recovered = await read(id);
    expect(recovered.status).toBe("ACTIVE");
    expect(recovered.covers.nodes.map(({ state }) => state)).toEqual(["RECOVERED"]);
    expect((await changesOf(id)).map(({ trigger }) => trigger)).toEqual([
      "startRecovery",
      "retryWithNewMethod",
      "endRecovery",
    ]);
    expect(await payer.reloadPage("?lang=en&done=stored")).toContain(
      "Your payment method is stored Thank you. It is used for the next payments.",
    );
  });

  test("makes the day that the payer chose the date of the next charge", async () => {
    const id = await failRenewal();
    const payer = await openPage(id);
    expect(payer.html).toContain('min="2026-04-02" max="2026-05-02"');
    const sent = await payer.submitForm({ action: "promise", day: "2026-04-25" });
    expect(sent).toMatchObject({ status: 303, location: "?lang=en&done=promised" });
    expect(await payer.reloadPage("?lang=en&done=promised")).toContain("We charge ₩18,900 on April 25, 2026.");
    const [cover] = (await read(id)).covers.nodes;
    expect(cover).toMatchObject({ retryDate: "2026-04-25T01:00:00.000Z", promisedAt: "2026-04-25T01:00:00.000Z" });
    expect((await changesOf(id)).at(-1)).toMatchObject({
      trigger: "promiseRetry",
      type: "COVER_RETRY_SCHEDULED",
      actor: "CUSTOMER",
      facts: { retryDate: "2026-04-25T01:00:00.000Z" },
    });
    gateway.clock.setTo("2026-04-25T00:59:59.000Z");
    await runUntilIdle(worker);
    expect((await read(id)).covers.nodes[0]).toEqual(cover);
    gateway.clock.setTo("2026-04-25T01:00:00.000Z");
    await runUntilIdle(worker);
    // The promised charge was declined as well: the promise is over.
    expect((await read(id)).covers.nodes[0]).toMatchObject({ promisedAt: null });
    expect((await changesOf(id)).map(({ trigger }) => trigger)).toContain("failRetry");
  });

  test("keeps the chosen day when another card is stored afterwards", async () => {
    const id = await failRenewal();
    const payer = await openPage(id);
    await payer.submitForm({ action: "promise", day: "2026-04-10" });
    await storeCard(payer, testCards.approved);
    expect(await payer.reloadPage("?lang=en&done=stored")).toContain("We charge ₩18,900 to it on April 10, 2026.");
    await runUntilIdle(worker);
    expect(await read(id)).toMatchObject({
      status: "UNPAID",
      covers: { nodes: [{ retryDate: "2026-04-10T01:00:00.000Z" }] },
    });
    gateway.clock.setTo("2026-04-10T01:00:00.000Z");
    await runUntilIdle(worker);
    expect((await read(id)).status).toBe("ACTIVE");
  });

  test.each(["2026-04-01", "2026-05-03", "2026-02-30", "2026-04-31", "soon", "", "2026-04-10T00:00:00Z", "9999-12-31"])(
    "refuses the day %j",
    async (day) => {
      const id = await failRenewal();
      const payer = await openPage(id);
      const { status, html } = await payer.submitForm({ action: "promise", day });
      expect(status).toBe(422);
      expect(textOfPage(html)).toContain("This day is not possible");
      expect((await read(id)).covers.nodes[0]!.promisedAt).toBeNull();
    },
  );

  test("cannot be put off for more than 60 days", async () => {
    const id = await failRenewal();
    const payer = await openPage(id);
    await payer.submitForm({ action: "promise", day: "2026-05-01" });
    gateway.clock.setTo("2026-04-30T12:00:00Z");
    const later = await openPage(id);
    expect(later.html).toContain('min="2026-05-01" max="2026-05-31"');
  });

  test("refuses a day when no charge is open", async () => {
    gateway.clock.setTo(START);
    const payer = await openPage(await subscribe());
    const { status, html } = await payer.submitForm({ action: "promise", day: "2026-03-10" });
    expect(status).toBe(409);
    expect(textOfPage(html)).toContain("The day cannot be changed now");
  });
});

describe("the page of a renewal that is not tried any more", () => {
  beforeAll(async () => {
    const terms = { plan: { kind: "LADDER", offsetsInDays: [1] }, finalAction: "KEEP" };
    const { policy } = await payments.runMutation("proposeRecoveryPolicy", { terms }, "policy { databaseId }");
    await payments.runMutation(
      "activateRecoveryPolicy",
      { policyId: String(policy.databaseId) },
      "policy { databaseId }",
    );
  });

  test("continues by the policy when the new card is declined too", async () => {
    const id = await failRenewal();
    const payer = await openPage(id);
    await storeCard(payer, "4000000000070419");
    await runUntilIdle(worker);
    const { status, covers } = await read(id);
    // The new card is a lost one: only another one can pay.
    expect([status, covers.nodes[0]!.state]).toEqual(["UNPAID", "STOPPED"]);
    expect(await payer.reloadPage()).toContain("Please store another payment method");
    expect(payer.html).not.toContain('name="day"');
  });

  test("starts another cover with a new card when the last one has ended", async () => {
    const id = await failRenewal(testCards.lostLater);
    gateway.clock.advance(DAY);
    await runUntilIdle(worker);
    const before = await read(id);
    expect(before.covers.nodes.map(({ state, endReason }) => [state, endReason])).toEqual([
      ["STOPPED", "MUST_NOT_RETRY"],
    ]);
    const payer = await openPage(id);
    await storeCard(payer, testCards.approved);
    await runUntilIdle(worker);
    const after = await read(id);
    expect(after.status).toBe("ACTIVE");
    expect(after.covers.nodes.map(({ state }) => state)).toEqual(["RECOVERED", "STOPPED"]);
  });
});

describe("a link", () => {
  test("is that of the subscription for the order of its renewal, and the checkout for any other order", async () => {
    const id = await failRenewal();
    const renewal = (await read(id)).latestOrders.find(({ type }) => type === "RECURRING")!;
    expect(await createLink({ orderId: String(renewal.databaseId) })).toMatch(/^\/payment-method\//);
    const { databaseId } = await payments.createOrder("5000");
    const path = await createLink({ orderId: String(databaseId), lang: "en" });
    expect(path).toMatch(/^\/checkout\//);
    expect(textOfPage((await getPage(gateway, path)).html)).toContain("Pay your order");
  });

  test.each([
    [{}, "INVALID_ARGUMENT: input.subscriptionId REQUIRED"],
    [{ subscriptionId: "1", orderId: "1" }, "INVALID_ARGUMENT: input.orderId INVALID_VALUE"],
    [{ subscriptionId: "999999" }, "SUBSCRIPTION_NOT_FOUND: input.subscriptionId NOT_FOUND"],
    [{ orderId: "999999" }, "ORDER_NOT_FOUND: input.orderId NOT_FOUND"],
    [{ subscriptionId: "1", expiresInDays: 0 }, "INVALID_ARGUMENT: input.expiresInDays INVALID_VALUE"],
    [{ subscriptionId: "1", expiresInDays: 31 }, "INVALID_ARGUMENT: input.expiresInDays INVALID_VALUE"],
  ])("of %j is refused", async (input, summary) => {
    const answer = await payments.sendMutation("createPaymentMethodLink", input, "link { url }");
    expect(errorSummaries(answer)).toEqual([summary]);
  });

  test("expires after seven days, or after the requested ones", async () => {
    gateway.clock.setTo(START);
    const id = await subscribe();
    const week = await createLink({ subscriptionId: String(id) });
    const day = await createLink({ subscriptionId: String(id), expiresInDays: 1 });
    gateway.clock.advance(DAY - 1);
    expect((await getPage(gateway, day)).status).toBe(200);
    gateway.clock.advance(1);
    expect((await getPage(gateway, day)).status).toBe(410);
    gateway.clock.advance(6 * DAY - 1);
    expect((await getPage(gateway, week)).status).toBe(200);
    gateway.clock.advance(1);
    const { status, html } = await getPage(gateway, week, { "accept-language": "en" });
    expect(status).toBe(410);
    expect(textOfPage(html)).toContain("This link has expired");
    expect(html).not.toContain("House Blend");
  });

  test("shows nothing when it was changed, signed by another key, made for a checkout, or for another customer", async () => {
    gateway.clock.setTo(START);
    const id = await subscribe();
    const path = await createLink({ subscriptionId: String(id) });
    const [payload, signature] = path.slice("/payment-method/".length).split(".") as [string, string];
    const values = JSON.parse(Buffer.from(payload, "base64url").toString()) as number[];
    const changed = Buffer.from(JSON.stringify([values[0], values[1]! + 1, ...values.slice(2)])).toString("base64url");
    const content = {
      vendorId: gateway.vendor.id,
      subscriptionId: id,
      expiresAt: new Date("2027-01-01"),
      language: "en",
    };
    const foreign = encodePaymentMethodLink(
      { ...content, customerId: payments.customerId },
      new SecretVault([Buffer.alloc(32, 7)]),
    );
    const checkout = await createLink({ orderId: String((await payments.createOrder("5000")).databaseId) });
    const paths = [
      `/payment-method/${changed}.${signature}`,
      `/payment-method/${payload}.${signature.slice(1)}A`,
      `/payment-method/${foreign}`,
      checkout.replace("/checkout/", "/payment-method/"),
      path.replace("/payment-method/", "/checkout/"),
      "/payment-method/x.y",
    ];
    for (const one of paths) {
      const { status, html } = await getPage(gateway, one);
      expect(status).toBe(403);
      expect(html).not.toContain("House Blend");
    }
    await queryRows(
      gateway,
      `update subscriptions set customer_id = ${await payments.createCustomer()} where vendor_id = ${gateway.vendor.id} and id = ${id}`,
    );
    expect((await getPage(gateway, path)).status).toBe(403);
  });

  test("accepts no form of another site, nor one that is too long", async () => {
    gateway.clock.setTo(START);
    const id = await subscribe();
    const payer = await openPage(id);
    const form = { action: "store", method: "CARD", number: "5555555555554444", expiry: "12/31" };
    expect((await payer.submitForm(form, { "sec-fetch-site": "cross-site" })).status).toBe(403);
    expect((await payer.submitForm({ ...form, extra: "x".repeat(20_000) })).status).toBe(413);
    expect((await read(id)).paymentMethod!.paymentInfo).toContain("4242");
  });

  test("shows a merchant's input as text", async () => {
    const evil = `<script>alert("1")</script>`;
    const { databaseId } = await payments.createOrder("18900", {
      plan: { type: "FLAT", recurring: everyMonth },
      product: { name: evil },
    });
    await payments.payOrder(databaseId);
    const { subscriptions } = await payments.readOrder(databaseId, "subscriptions { databaseId }");
    const { html } = await getPage(gateway, await createLink({ subscriptionId: String(subscriptions[0]!.databaseId) }));
    expect(html).not.toContain("<script");
    expect(html).toContain("&lt;script&gt;");
  });
});
