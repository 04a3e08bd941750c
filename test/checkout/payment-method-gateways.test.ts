import { describe, expect, test } from "vitest";
import { StripeShop } from "../support/fake-stripe/stripe-shop.ts";
import { TossShop } from "../support/fake-toss/toss-shop.ts";
import { CheckoutPayer, getPage, textOfPage } from "../support/fixtures/checkout-fixture.ts";
import { DAY, MINUTE } from "../support/test-clock.ts";
import { createWorker, runUntilIdle } from "../support/test-worker.ts";

/* The page on which a payer stores another card, with gateways that take cards on a page or in a window of their own. */

const toss = await TossShop.open({ publicUrl: "https://pay.example.com" });
const stripe = await StripeShop.open();

/** What differs between the gateways. */
const gateways = {
  Toss: {
    shop: toss,
    worker: createWorker(toss.gateway),
    /** Where the form sends the payer. */
    target: /^\?lang=en&window=1$/,
    /** Declines the card that was stored last. */
    declineCard: () =>
      toss.toss.setBehaviour(toss.lastBillingKey(), {
        decline: { code: "REJECT_CARD_PAYMENT", message: "한도초과 혹은 잔액부족", status: 403 },
      }),
    /** The payer types a card. @returns what the browser brings back. */
    typeCard: (payer: CheckoutPayer) => toss.visitWindow(payer),
    countApproved: () => toss.toss.approvedOf("").length,
  },
  Stripe: {
    shop: stripe,
    worker: createWorker(stripe.gateway),
    target: /^https:\/\/checkout\.stripe\.com\/c\/pay\/cs_test_/,
    declineCard: () =>
      stripe.stripe.setBehaviour(stripe.lastMethod(), {
        decline: { decline_code: "insufficient_funds", network_decline_code: "51", message: "Insufficient funds." },
      }),
    typeCard: async () => {
      await stripe.stripe.completePage(stripe.lastPage());
      return "?lang=en&returned=1";
    },
    countApproved: () =>
      [...stripe.stripe.account.payments.values()].filter(({ status }) => status === "succeeded").length,
  },
};

describe.each(["Toss", "Stripe"] as const)("the page of a payment method with %s", (name) => {
  const { shop, worker, target, declineCard, typeCard, countApproved } = gateways[name];
  const { gateway, catalogue } = shop;

  async function subscribe(): Promise<number> {
    return (await shop.readOrder(await shop.subscribe())).subscriptions[0]!.databaseId;
  }

  async function openPage(id: number): Promise<CheckoutPayer> {
    const input = { subscriptionId: String(id) };
    const { link } = await catalogue.runMutation("createPaymentMethodLink", input, "link { url }");
    return CheckoutPayer.open(gateway, new URL(link.url).pathname);
  }

  /** A subscription whose renewal was declined. */
  async function failRenewal(): Promise<number> {
    const id = await subscribe();
    declineCard();
    for (let day = 0; day < 31; day++) {
      gateway.clock.advance(DAY);
      await runUntilIdle(worker);
    }
    expect((await read(id)).status).toBe("UNPAID");
    return id;
  }

  const read = async (id: number) =>
    (
      await gateway.queryData(
        `query ($id: ID!) { subscription(id: $id) { status paymentMethod { databaseId paymentGateway }
          latestOrders { type paidAmount } covers { nodes { state } } } }`,
        { id: String(id) },
      )
    ).subscription!;

  const chooseCard = (payer: CheckoutPayer) => payer.submitForm({ action: "store", method: "CARD" });

  test("stores a card that is typed there, without a charge", async () => {
    const id = await subscribe();
    const before = await read(id);
    const payer = await openPage(id);
    expect(payer.html).not.toContain('name="number"');
    const sent = await chooseCard(payer);
    expect(sent.status).toBe(303);
    expect(sent.location).toMatch(target);
    expect(await payer.reloadPage()).toContain("Please enter your card on the payment page");
    const approved = countApproved();
    expect(await payer.reloadPage(await typeCard(payer))).toContain("Nothing was charged.");
    const after = await read(id);
    expect(after.paymentMethod!.databaseId).not.toBe(before.paymentMethod!.databaseId);
    expect(after.paymentMethod!.paymentGateway).toBe(before.paymentMethod!.paymentGateway);
    expect(countApproved()).toBe(approved);
  });

  test("recovers a failed renewal by the new card, once", async () => {
    const id = await failRenewal();
    const payer = await openPage(id);
    await chooseCard(payer);
    const back = await typeCard(payer);
    expect(await payer.reloadPage(back)).toContain("We are charging ₩18,900 to it now.");
    const approved = countApproved();
    await payer.reloadPage(back);
    await runUntilIdle(worker);
    expect(countApproved()).toBe(approved + 1);
    const recovered = await read(id);
    expect([recovered.status, recovered.covers.nodes[0]!.state]).toEqual(["ACTIVE", "RECOVERED"]);
    expect(recovered.latestOrders.filter(({ type }) => type === "PAYMENT_METHOD")).toEqual([
      { type: "PAYMENT_METHOD", paidAmount: "0" },
    ]);
  });

  test("lets a payer who came back without a card open it again, or choose again", async () => {
    const id = await subscribe();
    const before = await read(id);
    const payer = await openPage(id);
    await chooseCard(payer);
    const left = "?lang=en&returned=1&code=PAY_PROCESS_CANCELED&message=canceled";
    expect(await payer.reloadPage(left)).toContain("Open the payment page");
    expect((await read(id)).paymentMethod).toEqual(before.paymentMethod);
    expect((await chooseCard(payer)).status).toBe(303);
    expect(await payer.reloadPage(await typeCard(payer))).toContain("Your payment method is stored");
    expect((await read(id)).latestOrders.filter(({ type }) => type === "PAYMENT_METHOD").length).toBe(1);
  });

  test("forgets a payer who stayed away, and says so no longer than an hour", async () => {
    const id = await subscribe();
    const before = await read(id);
    const payer = await openPage(id);
    await chooseCard(payer);
    gateway.clock.advance(31 * MINUTE);
    await runUntilIdle(worker);
    expect(await payer.reloadPage()).toContain("The payment method was not stored");
    gateway.clock.advance(61 * MINUTE);
    expect(await payer.reloadPage()).toContain("Update your payment method");
    expect((await read(id)).paymentMethod).toEqual(before.paymentMethod);
    await chooseCard(payer);
    expect(await payer.reloadPage(await typeCard(payer))).toContain("Your payment method is stored");
  });
});

test("Toss's window opens on a page of its own, from which the payer finds back", async () => {
  const { shop } = gateways.Toss;
  const { subscriptions } = await shop.readOrder(await shop.subscribe());
  const input = { subscriptionId: String(subscriptions[0]!.databaseId), lang: "en" };
  const { link } = await shop.catalogue.runMutation("createPaymentMethodLink", input, "link { url }");
  const payer = await CheckoutPayer.open(shop.gateway, new URL(link.url).pathname);
  // Toss masks the last digit as well.
  expect(textOfPage(payer.html)).toMatch(/Payment method VISA •••• 123• /);
  await payer.submitForm({ action: "store", method: "CARD" });
  expect(await shop.readWindow(payer)).toMatchObject({
    call: "requestBillingAuth",
    parameters: { successUrl: `https://pay.example.com${payer.path}?lang=en&returned=1` },
  });
  const { headers, html } = await getPage(shop.gateway, `${payer.path}?lang=en&window=1`);
  expect(String(headers["content-security-policy"])).toContain("script-src https://js.tosspayments.com");
  expect(textOfPage(html)).toContain("Back to your payment method");
  expect(textOfPage(html)).not.toContain("order");
});

test("the form may be sent on to Stripe's page only", async () => {
  const { shop } = gateways.Stripe;
  const { subscriptions } = await shop.readOrder(await shop.subscribe());
  const input = { subscriptionId: String(subscriptions[0]!.databaseId) };
  const { link } = await shop.catalogue.runMutation("createPaymentMethodLink", input, "link { url }");
  const { headers } = await getPage(shop.gateway, new URL(link.url).pathname);
  expect(headers["content-security-policy"]).toContain("form-action 'self' https://checkout.stripe.com;");
});
