import { describe, expect, test } from "vitest";
import { queryRows } from "../hostile/query-rows.ts";
import { TossShop } from "../support/fake-toss/toss-shop.ts";
import { getPage } from "../support/fixtures/checkout-fixture.ts";
import { DAY } from "../support/test-clock.ts";
import { createWorker, runUntilIdle } from "../support/test-worker.ts";

const shop = await TossShop.open({ publicUrl: "https://pay.example.com" });
const { gateway, toss } = shop;
const worker = createWorker(gateway);
const oneTime = { plan: { type: "ONE_TIME", recurring: null } };

async function advanceDays(days: number): Promise<void> {
  for (let day = 0; day < days; day++) {
    gateway.clock.advance(DAY);
    await runUntilIdle(worker);
  }
}

/** The payments of a subscription's orders, the oldest first. */
const paymentsOf = async (subscriptionId: number) =>
  queryRows<{ state: string; error_code: string | null }>(
    gateway,
    `select p.state, p.error_code from payments p
      join order_subscriptions s on s.vendor_id = p.vendor_id and s.order_id = p.order_id
      where s.subscription_id = ${subscriptionId} order by p.id`,
  );

const subscriptionOf = async (id: number) =>
  (await gateway.queryData(`query ($id: ID!) { subscription(id: $id) { status renewalCount } }`, { id: String(id) }))
    .subscription;

const approved = () => toss.approvedOf("").length;

describe("a payer at the checkout of a shop with Toss Payments", () => {
  test("registers the card in Toss's window, comes back, and has paid and stored it", async () => {
    const { order, payer } = await shop.openCheckout();
    expect(payer.html).not.toContain('name="number"');
    expect(await payer.submitForm({ method: "CARD" })).toMatchObject({ status: 303, location: "?lang=en&window=1" });
    expect(await shop.readWindow(payer)).toMatchObject({
      clientKey: "test_ck_recoup0123456789",
      call: "requestBillingAuth",
      parameters: { successUrl: `https://pay.example.com${payer.path}?lang=en&returned=1`, windowTarget: "self" },
    });
    expect(await payer.reloadPage(await shop.visitWindow(payer))).toContain("This order is paid");
    expect(await shop.readOrder(order)).toMatchObject({
      paidAmount: "18900",
      items: [{ status: "PAID" }],
      subscriptions: [{ status: "ACTIVE" }],
      payment: {
        state: "SUCCEEDED",
        paymentGateway: "PROVIDER_02",
        gatewayReference: expect.stringMatching(/^tpk_/),
        cardNumber: "************123*",
        network: "VISA",
        storedMethod: { paymentInfo: "VISA ************123*", paymentMethod: "CARD_BILL" },
      },
    });
  });

  test("gets the window on a page that runs Toss's script and its own starter only", async () => {
    const { payer } = await shop.openCheckout();
    await payer.submitForm({ method: "CARD" });
    const { status, headers, html } = await getPage(gateway, `${payer.path}?lang=ko&window=1`);
    expect(status).toBe(200);
    const policy = String(headers["content-security-policy"]);
    expect(policy).toMatch(
      /^default-src 'none'; script-src https:\/\/js\.tosspayments\.com https:\/\/\*\.tosspayments\.com https:\/\/\*\.toss\.im 'sha256-[^']+'; style-src 'sha256-/,
    );
    expect(policy).toContain("frame-src https://*.tosspayments.com https://*.toss.im;");
    expect(headers["cross-origin-opener-policy"]).toBe("same-origin-allow-popups");
    expect(html).toContain("결제창으로 이동합니다");
    expect(html).not.toContain("test_sk_");
    expect(String((await getPage(gateway, payer.path)).headers["content-security-policy"])).not.toContain("script-src");
  });

  test("pays once with the amount that is due when the order does not renew", async () => {
    const { order, payer } = await shop.openCheckout(oneTime);
    await payer.submitForm({ method: "CARD" });
    expect(await shop.readWindow(payer)).toMatchObject({
      call: "requestPayment",
      parameters: { amount: { currency: "KRW", value: 18_900 }, orderName: order.orderCode },
    });
    expect(await payer.reloadPage(await shop.visitWindow(payer))).toContain("This order is paid");
    expect(await shop.readOrder(order)).toMatchObject({ paidAmount: "18900", payment: { storedMethod: null } });
  });

  test("who leaves the window can open it again, or pay anew", async () => {
    const { order, payer } = await shop.openCheckout();
    await payer.submitForm({ method: "CARD" });
    const first = await shop.visitWindow(payer);
    const left = "?lang=en&returned=1&code=PAY_PROCESS_CANCELED&message=canceled";
    expect(await payer.reloadPage(left)).toContain("Open the payment page");
    await payer.submitForm({ method: "CARD" });
    const before = approved();
    expect(await payer.reloadPage(first)).toContain("Open the payment page");
    expect(approved()).toBe(before);
    expect(await payer.reloadPage(await shop.visitWindow(payer))).toContain("This order is paid");
    expect(await shop.readOrder(order)).toMatchObject({ paidAmount: "18900" });
  });

  test("who stays away is not charged: the window is closed after half an hour", async () => {
    const { order, payer } = await shop.openCheckout();
    await payer.submitForm({ method: "CARD" });
    const late = await shop.visitWindow(payer);
    gateway.clock.advance(31 * 60_000);
    await runUntilIdle(worker);
    expect(await shop.readOrder(order)).toMatchObject({ payment: { state: "FAILED", errorCode: "NOT_CHARGED" } });
    const before = approved();
    await payer.reloadPage(late);
    expect(approved()).toBe(before);
  });

  test("stores a card without a charge when the first month is free", async () => {
    const { order, payer } = await shop.openCheckout({ plan: { price: "0" } });
    const charges = toss.payments.size;
    await shop.pay(payer);
    expect(toss.payments.size).toBe(charges);
    expect(await shop.readOrder(order)).toMatchObject({
      subscriptions: [{ status: "ACTIVE" }],
      payment: { state: "SUCCEEDED", storedMethod: { paymentMethod: "CARD_BILL" } },
    });
  });

  test("is told of a decline, and pays with another card", async () => {
    const { order, payer } = await shop.openCheckout();
    toss.nextCard = { decline: { code: "INVALID_STOPPED_CARD", message: "정지된 카드 입니다." } };
    await shop.pay(payer);
    toss.nextCard = "APPROVES";
    expect(await shop.readOrder(order)).toMatchObject({
      payment: { state: "FAILED", errorCode: "INVALID_STOPPED_CARD", errorMessage: "정지된 카드 입니다." },
    });
    await payer.reloadPage();
    expect(await shop.pay(payer)).toContain("This order is paid");
  });
});

describe("a subscription with a card at Toss Payments", () => {
  test("recovers from a decline, whose code the engine knows", async () => {
    const id = (await shop.readOrder(await shop.subscribe())).subscriptions[0]!.databaseId;
    const billingKey = shop.lastBillingKey();
    const message = "한도초과 혹은 잔액부족으로 결제에 실패했습니다.";
    toss.setBehaviour(billingKey, { decline: { code: "REJECT_CARD_PAYMENT", message, status: 403 } });
    await advanceDays(31);
    expect(await subscriptionOf(id)).toEqual({ status: "UNPAID", renewalCount: 1 });
    expect((await paymentsOf(id)).at(-1)).toMatchObject({ state: "FAILED", error_code: "REJECT_CARD_PAYMENT" });
    const { subscription } = await gateway.queryData(
      `query ($id: ID!) { subscription(id: $id) { covers(first: 5) { nodes { attempts(first: 5) { nodes { reasonClass } } } } } }`,
      { id: String(id) },
    );
    expect(subscription).toMatchObject({
      covers: { nodes: [{ attempts: { nodes: [{ reasonClass: "INSUFFICIENT_FUNDS" }] } }] },
    });
    toss.setBehaviour(billingKey, "APPROVES");
    await advanceDays(3);
    expect(await subscriptionOf(id)).toEqual({ status: "ACTIVE", renewalCount: 2 });
  });

  test.each(["SILENT_AFTER_CHARGE", "SILENT"] as const)("is charged once when Toss is %s", async (behaviour) => {
    const id = (await shop.readOrder(await shop.subscribe())).subscriptions[0]!.databaseId;
    toss.setBehaviour(shop.lastBillingKey(), behaviour);
    await advanceDays(31);
    toss.setBehaviour(shop.lastBillingKey(), "APPROVES");
    await advanceDays(1);
    expect(await subscriptionOf(id)).toEqual({ status: "ACTIVE", renewalCount: 2 });
    expect((await paymentsOf(id)).filter(({ state }) => state === "SUCCEEDED")).toHaveLength(2);
    // The other subscriptions of this shop renew on the same days: each approved charge is recorded once.
    const [{ count }] = (await queryRows<{ count: string }>(
      gateway,
      `select count(*)::text as count from payments where state = 'SUCCEEDED' and amount > 0`,
    )) as [{ count: string }];
    expect(Number(count)).toBe(approved());
  });
});

test("refunds go back through Toss, and not beyond what was charged", async () => {
  const { order, payer } = await shop.openCheckout(oneTime);
  await shop.pay(payer);
  const refund = (input: object) =>
    shop.catalogue.runMutation("refundOrder", { orderId: String(order.orderId), ...input }, "order { databaseId }");
  await refund({ amount: "8900" });
  await refund({});
  const [payment] = [...toss.payments.values()].slice(-1);
  expect(payment).toMatchObject({ status: "CANCELED", cancels: [{ cancelAmount: 8_900 }, { cancelAmount: 10_000 }] });
  expect(await shop.readOrder(order)).toMatchObject({ returnedAmount: "18900", leftAmount: "0" });
});

describe("webhooks", () => {
  test("are answered 200 and change nothing when they come twice, or concern nothing of the shop", async () => {
    const order = await shop.subscribe();
    const paid = await shop.readOrder(order);
    const payment = [...toss.payments.values()].at(-1)!;
    const foreign = { paymentKey: "tpk_1", orderId: "the-order-of-another-system", status: "DONE" as const };
    for (const body of [
      toss.toWebhook(payment),
      toss.toWebhook(foreign),
      '{"eventType":"BILLING_DELETED","data":{}}',
      "{}",
    ])
      expect(await shop.sendCallback(body)).toBe(200);
    expect(await shop.readOrder(order)).toEqual(paid);
  });

  test("that claim a payment are looked up", async () => {
    const { order, payer } = await shop.openCheckout(oneTime);
    await payer.submitForm({ method: "CARD" });
    const { parameters } = await shop.readWindow(payer);
    const forged = { paymentKey: "tpk_1", orderId: String(parameters["orderId"]), status: "DONE" as const };
    expect(await shop.sendCallback(toss.toWebhook(forged))).toBe(200);
    expect(await shop.readOrder(order)).toMatchObject({ paidAmount: "0", payment: { state: "PENDING" } });
  });

  test("record a payment whose confirmation was not answered", async () => {
    const { order, payer } = await shop.openCheckout(oneTime);
    await payer.submitForm({ method: "CARD" });
    const back = await shop.visitWindow(payer);
    const { webhook } = toss;
    toss.webhook = undefined;
    toss.answersConfirmations = false;
    await payer.reloadPage(back);
    toss.answersConfirmations = true;
    toss.webhook = webhook;
    expect(await shop.readOrder(order)).toMatchObject({ payment: { state: "PENDING" } });
    expect(await shop.sendCallback(toss.toWebhook([...toss.payments.values()].at(-1)!))).toBe(200);
    expect(await shop.readOrder(order)).toMatchObject({ paidAmount: "18900", payment: { state: "SUCCEEDED" } });
  });
});
