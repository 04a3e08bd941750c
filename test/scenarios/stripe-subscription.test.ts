import { describe, expect, test } from "vitest";
import { queryRows } from "../hostile/query-rows.ts";
import { StripeShop, WEBHOOK_SECRET } from "../support/fake-stripe/stripe-shop.ts";
import { getPage, textOfPage } from "../support/fixtures/checkout-fixture.ts";
import { DAY } from "../support/test-clock.ts";
import { createWorker, runUntilIdle } from "../support/test-worker.ts";

const shop = await StripeShop.open();
const { gateway, stripe } = shop;
const worker = createWorker(gateway);

async function advanceDays(days: number): Promise<void> {
  for (let day = 0; day < days; day++) {
    gateway.clock.advance(DAY);
    await runUntilIdle(worker);
  }
}

/** The payments of a subscription's orders, the oldest first. */
const paymentsOf = async (subscriptionId: number) =>
  queryRows<{ state: string; error_code: string | null; advice_code: string | null; reference: string }>(
    gateway,
    `select p.state, p.error_code, p.advice_code, p.gateway_reference as reference from payments p
      join order_subscriptions s on s.vendor_id = p.vendor_id and s.order_id = p.order_id
      where s.subscription_id = ${subscriptionId} order by p.id`,
  );

const subscriptionOf = async (id: number) =>
  (await gateway.queryData(`query ($id: ID!) { subscription(id: $id) { status renewalCount } }`, { id: String(id) }))
    .subscription;

describe("a payer at the checkout of a shop with Stripe", () => {
  test("types the card on Stripe's page, and the webhook pays the order and stores the card", async () => {
    const { order, payer } = await shop.openCheckout();
    expect(payer.html).not.toContain('name="number"');
    const { headers } = await getPage(gateway, payer.path);
    expect(headers["content-security-policy"]).toContain("form-action 'self' https://checkout.stripe.com;");

    const sent = await payer.submitForm({ method: "CARD" });
    expect(sent).toMatchObject({ status: 303, location: `https://checkout.stripe.com/c/pay/${shop.lastPage()}` });
    expect(await payer.reloadPage()).toContain("enter your card on the payment page");
    expect(payer.html).toContain(`href="${sent.location!}"`);

    await stripe.completePage(shop.lastPage());
    expect(await shop.readOrder(order)).toMatchObject({
      paidAmount: "18900",
      items: [{ status: "PAID" }],
      subscriptions: [{ status: "ACTIVE" }],
      payment: {
        state: "SUCCEEDED",
        paymentGateway: "PROVIDER_03",
        gatewayReference: expect.stringMatching(/^pi_/),
        cardNumber: "************4242",
        network: "VISA",
        storedMethod: { paymentInfo: "VISA ************4242", paymentMethod: "CARD_BILL" },
      },
    });
    expect(await payer.reloadPage()).toContain("This order is paid");
  });

  test("comes back before the webhook, and finds the order paid", async () => {
    const { order, payer } = await shop.openCheckout();
    await payer.submitForm({ method: "CARD" });
    const { webhook } = stripe;
    stripe.webhook = undefined;
    await stripe.completePage(shop.lastPage());
    stripe.webhook = webhook;
    expect(await payer.reloadPage("?lang=en&returned=1")).toContain("This order is paid");
    expect(await shop.readOrder(order)).toMatchObject({ payment: { state: "SUCCEEDED" } });
  });

  test("who opens the page twice can pay on the second only", async () => {
    const { order, payer } = await shop.openCheckout();
    await payer.submitForm({ method: "CARD" });
    const first = shop.lastPage();
    await payer.reloadPage();
    await payer.submitForm({ method: "CARD" });
    expect(shop.lastPage()).not.toBe(first);
    await expect(stripe.completePage(first)).rejects.toThrow("not open");
    await stripe.completePage(shop.lastPage());
    expect(await shop.readOrder(order)).toMatchObject({ paidAmount: "18900" });
  });

  test("who leaves is not charged: the page is closed after half an hour", async () => {
    const { order, payer } = await shop.openCheckout();
    await payer.submitForm({ method: "CARD" });
    gateway.clock.advance(31 * 60_000);
    await runUntilIdle(worker);
    expect(await shop.readOrder(order)).toMatchObject({ payment: { state: "FAILED", errorCode: "NOT_CHARGED" } });
    await expect(stripe.completePage(shop.lastPage())).rejects.toThrow("not open");
  });

  test("stores a card without a charge when the first month is free", async () => {
    const { order, payer } = await shop.openCheckout({ plan: { price: "0" } });
    const charges = stripe.account.payments.size;
    await payer.submitForm({ method: "CARD" });
    await stripe.completePage(shop.lastPage());
    expect(stripe.account.payments.size).toBe(charges);
    expect(await shop.readOrder(order)).toMatchObject({
      subscriptions: [{ status: "ACTIVE" }],
      payment: { state: "SUCCEEDED", storedMethod: { paymentMethod: "CARD_BILL" } },
    });
  });
});

describe("a subscription with a card at Stripe", () => {
  test("recovers from a decline, whose codes of the network reach the engine", async () => {
    const order = await shop.subscribe();
    const method = shop.lastMethod();
    const id = (await shop.readOrder(order)).subscriptions[0]!.databaseId;
    stripe.setBehaviour(method, {
      decline: {
        decline_code: "insufficient_funds",
        network_decline_code: "51",
        network_advice_code: "24",
        message: "Your card has insufficient funds.",
      },
    });
    await advanceDays(31);
    expect(await subscriptionOf(id)).toEqual({ status: "UNPAID", renewalCount: 1 });
    expect((await paymentsOf(id)).at(-1)).toMatchObject({ state: "FAILED", error_code: "51", advice_code: "24" });
    stripe.setBehaviour(method, "APPROVES");
    await advanceDays(3);
    expect(await subscriptionOf(id)).toEqual({ status: "ACTIVE", renewalCount: 2 });
    expect((await paymentsOf(id)).at(-1)).toMatchObject({ state: "SUCCEEDED" });
  });

  test("is charged once when Stripe charges and does not answer", async () => {
    const order = await shop.subscribe();
    const id = (await shop.readOrder(order)).subscriptions[0]!.databaseId;
    stripe.setBehaviour(shop.lastMethod(), "SILENT_AFTER_CHARGE");
    const approved = () => [...stripe.account.payments.values()].filter(({ status }) => status === "succeeded").length;
    await advanceDays(31);
    expect(await subscriptionOf(id)).toEqual({ status: "ACTIVE", renewalCount: 2 });
    expect((await paymentsOf(id)).map(({ state }) => state)).toEqual(["SUCCEEDED", "SUCCEEDED"]);
    // The other subscriptions of this shop renew on the same days: each approved charge is recorded once.
    const [{ count }] = (await queryRows<{ count: string }>(
      gateway,
      `select count(*)::text as count from payments where state = 'SUCCEEDED' and amount > 0`,
    )) as [{ count: string }];
    expect(Number(count)).toBe(approved());
  });

  test("waits for its payer when the bank asks for a confirmation, and the payer pays by the link", async () => {
    const order = await shop.subscribe();
    const id = (await shop.readOrder(order)).subscriptions[0]!.databaseId;
    stripe.setBehaviour(shop.lastMethod(), "NEEDS_PAYER");
    await advanceDays(31);
    expect((await paymentsOf(id)).at(-1)).toMatchObject({ state: "FAILED", error_code: "authentication_required" });
    const { subscription } = await gateway.queryData(
      `query ($id: ID!) { subscription(id: $id) { status covers(first: 5) { nodes { endReason } } } }`,
      { id: String(id) },
    );
    expect(subscription).toMatchObject({ covers: { nodes: [{ endReason: "NEEDS_CUSTOMER" }] } });
  });
});

test("refunds go back through Stripe, and not beyond what was charged", async () => {
  const { order, payer } = await shop.openCheckout({ plan: { type: "ONE_TIME", recurring: null } });
  await payer.submitForm({ method: "CARD" });
  await stripe.completePage(shop.lastPage());
  const before = stripe.account.refunds.size;
  await shop.catalogue.runMutation(
    "refundOrder",
    { orderId: String(order.orderId), amount: "8900" },
    "order { databaseId }",
  );
  await shop.catalogue.runMutation("refundOrder", { orderId: String(order.orderId) }, "order { databaseId }");
  expect([...stripe.account.refunds.values()].slice(before).map(({ amount }) => amount)).toEqual([8_900, 10_000]);
  expect(await shop.readOrder(order)).toMatchObject({ returnedAmount: "18900", leftAmount: "0" });
});

describe("a dispute", () => {
  /** A paid order, its payment at Stripe, and the ledger and the events of its dispute. */
  const paidOrder = async () => {
    const order = await shop.subscribe();
    const { payment } = await shop.readOrder(order);
    const ledger = async () => {
      const { ledgerEntries } = await gateway.queryData(
        `query ($id: ID!) { ledgerEntries(first: 50, filter: { orderId: $id }) { nodes { databaseId account amount disputeDatabaseId } } }`,
        { id: String(order.orderId) },
      );
      return ledgerEntries.nodes
        .filter(({ disputeDatabaseId }) => disputeDatabaseId !== null)
        .sort((one, other) => one.databaseId - other.databaseId)
        .map(({ account, amount }) => `${account} ${amount}`);
    };
    const events = () =>
      queryRows<{ trigger: string; type: string; status_after: string }>(
        gateway,
        `select trigger, type, status_after from event_log where order_id = ${order.orderId} and trigger like '%Dispute' order by id`,
      );
    return { reference: payment!.gatewayReference!, ledger, events };
  };

  test("holds the amount, and gives it back when the merchant wins; reports that come twice count once", async () => {
    const { reference, ledger, events } = await paidOrder();
    const dispute = await stripe.dispute(reference, "warning_needs_response");
    expect(await ledger()).toEqual([]);
    await stripe.dispute(reference, "needs_response", dispute);
    await stripe.dispute(reference, "under_review", dispute);
    expect(await ledger()).toEqual(["DISPUTES 18900", "CLEARING -18900"]);
    await stripe.dispute(reference, "won", dispute);
    await stripe.dispute(reference, "won", dispute);
    expect((await ledger()).slice(2)).toEqual(["CLEARING 18900", "DISPUTES -18900"]);
    expect(await events()).toEqual([
      { trigger: "openDispute", type: "PAYMENT_DISPUTED", status_after: "OPEN" },
      { trigger: "winDispute", type: "PAYMENT_DISPUTED", status_after: "WON" },
    ]);
  });

  test("takes the amount when it is lost, also if its beginning was never reported, and an appeal gives it back", async () => {
    const { reference, ledger, events } = await paidOrder();
    const dispute = await stripe.dispute(reference, "lost");
    expect(await ledger()).toEqual(["DISPUTES 18900", "CLEARING -18900", "LOSSES 18900", "DISPUTES -18900"]);
    await stripe.dispute(reference, "appeal_under_review", dispute);
    await stripe.dispute(reference, "won", dispute);
    expect((await ledger()).slice(4)).toEqual(["CLEARING 18900", "LOSSES -18900"]);
    expect((await events()).map(({ trigger }) => trigger)).toEqual(["openDispute", "loseDispute", "winDispute"]);
  });
});

describe("webhooks", () => {
  test("are answered 200 and change nothing when they come twice, or concern nothing of the shop", async () => {
    const order = await shop.subscribe();
    const paid = await shop.readOrder(order);
    for (const event of [...stripe.events.slice(-2), stripe.toEvent("customer.created", { object: "customer" })]) {
      const { headers, body } = stripe.sign(event, WEBHOOK_SECRET);
      expect(await shop.sendCallback(headers, body)).toBe(200);
    }
    expect(await shop.readOrder(order)).toEqual(paid);
  });

  test("that claim a payment are looked up, and refused when another secret signed them", async () => {
    const { order, payer } = await shop.openCheckout();
    await payer.submitForm({ method: "CARD" });
    const page = stripe.account.pages.get(shop.lastPage())!;
    const forged = stripe.toEvent("checkout.session.completed", { ...page, status: "complete" });
    const { headers, body } = stripe.sign(forged, WEBHOOK_SECRET);
    expect(await shop.sendCallback(headers, body)).toBe(200);
    expect(await shop.readOrder(order)).toMatchObject({ paidAmount: "0", payment: { state: "PENDING" } });
    const other = stripe.sign(forged, "whsec_another0123456789");
    expect(await shop.sendCallback(other.headers, other.body)).toBe(403);
    expect(textOfPage(await payer.reloadPage())).toContain("payment page");
  });
});
