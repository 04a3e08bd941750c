import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { queryRows } from "../hostile/query-rows.ts";
import { defaultGuardRules } from "../../src/payments/gateways/guarded-gateway.ts";
import { startGateway } from "../support/test-gateway.ts";
import {
  checkoutPathOf,
  createPayableOrder,
  getPage,
  CheckoutPayer,
  textOfPage,
  enableSimulatedGateway,
  type PayableOrder,
} from "../support/fixtures/checkout-fixture.ts";
import { TestCatalogue } from "../support/test-catalogue.ts";
import { DAY } from "../support/test-clock.ts";
import { testCards } from "../support/test-payments.ts";

const gateway = await startGateway({
  publicUrl: "https://pay.example.com",
  // One card's gateway is silent for so long.
  guard: { ...defaultGuardRules, timeoutMs: 3_000 },
});
const shop = { successUrl: "https://shop.example.com/yes", errorUrl: "https://shop.example.com/no" };

beforeAll(() => enableSimulatedGateway(gateway));

const bought = { plan: { type: "ONE_TIME", recurring: null } };

/** An order of a one-time product, and a payer who opens its page. */
async function atTheCheckout(query: Record<string, string> = {}, wanted: object = bought) {
  const order = await createPayableOrder(gateway, wanted);
  return { order, payer: await CheckoutPayer.open(gateway, await checkoutPathOf(gateway, order, query)) };
}

const read = async ({ orderId }: PayableOrder) =>
  (
    await gateway.queryData(
      `query ($id: ID!) { order(id: $id) { paidAmount leftAmount paymentMethod items { status } orderLogs { type } payment { state errorCode } } }`,
      { id: String(orderId) },
    )
  ).order;

/** All charge requests to the gateway for an order. */
const charges = ({ orderId }: PayableOrder) =>
  queryRows<{ status: string }>(
    gateway,
    sql`select c.status from simulated_charges c join orders o on o.vendor_id = c.vendor_id and o.id_key = c.order_reference
      where c.vendor_id = ${gateway.vendor.id} and o.id = ${orderId}`,
  );

/** The number of real charges of an order at the gateway. */
const charged = async (order: PayableOrder): Promise<number> =>
  (await charges(order)).filter(({ status }) => status === "APPROVED").length;

describe("a payer who tries one card after another", () => {
  test("is stopped after ten declines in a day, can still pay by another method, and by card a day later", async () => {
    const { order, payer } = await atTheCheckout();
    for (let count = 0; count < 10; count++) {
      expect((await payer.payByCard(testCards.insufficientFunds)).status).toBe(303);
      await payer.reloadPage();
    }
    const asked = (await charges(order)).length;
    const stopped = await payer.payByCard(testCards.approved);
    expect(stopped.status).toBe(429);
    expect(textOfPage(stopped.html)).toContain("Too many cards were declined");
    expect(textOfPage((await payer.payByCard("5555555555554444")).html)).toContain("accepts no more cards for one day");
    expect((await charges(order)).length).toBe(asked);
    expect(await read(order)).toMatchObject({ paidAmount: "0", payment: { state: "FAILED", errorCode: "51" } });

    const another = await payer.submitForm({ method: "SIMPLE_PAY" });
    expect(another.status).toBe(303);
    expect(await read(order)).toMatchObject({ leftAmount: "18900", paymentMethod: "SIMPLE_PAY" });
  });

  test("may pay by card again after a day, with a new link", async () => {
    const order = await createPayableOrder(gateway, bought);
    const first = await CheckoutPayer.open(gateway, await checkoutPathOf(gateway, order));
    for (let count = 0; count < 10; count++) {
      await first.payByCard(testCards.insufficientFunds);
      await first.reloadPage();
    }
    const second = await CheckoutPayer.open(gateway, await checkoutPathOf(gateway, order));
    expect((await second.payByCard(testCards.approved)).status).toBe(429);
    gateway.clock.advance(DAY + 1);
    const third = await CheckoutPayer.open(gateway, await checkoutPathOf(gateway, order));
    expect((await third.payByCard(testCards.approved)).status).toBe(303);
    expect(await read(order)).toMatchObject({ leftAmount: "18900" });
  });
});

describe("a payer", () => {
  test("pays by card, and returns to the shop", async () => {
    const { order, payer } = await atTheCheckout(shop);
    expect(textOfPage(payer.html)).toContain("Pay ₩18,900");
    const { status, location } = await payer.payByCard("4242 4242 4242 4242");
    expect(status).toBe(303);
    expect(location).toBe(
      `https://shop.example.com/yes?order_id=${order.orderId}&order_code=${order.orderCode}&status=success`,
    );
    expect(await read(order)).toMatchObject({ paidAmount: "18900", leftAmount: "18900", paymentMethod: "CARD" });
    expect(await payer.reloadPage()).toContain("This order is paid");
  });

  test("stays on the page when the shop gave no address", async () => {
    const { payer } = await atTheCheckout();
    expect(await payer.payByCard(testCards.approved)).toMatchObject({ status: 303, location: "?lang=en" });
    expect(await payer.reloadPage()).toContain("This order is paid");
  });

  test.each([
    [testCards.insufficientFunds, "The account has insufficient funds."],
    ["4000000000000614", "The limit of the card is reached."],
    ["4000000000000051", "The bank declined the payment."],
    ["4000000000000911", "The bank could not be reached."],
    ["4000000000000598", "The bank declined the payment."],
    ["4000000000000622", "The card cannot be used for this payment."],
    ["4000000000000549", "The card has expired, or its details are wrong."],
    ["4000000000000556", "The payment was not confirmed."],
    [testCards.lost, "This card cannot be used."],
    ["4000000000000945", "The bank reports that this payment was made before."],
    ["4000000000009995", "The bank declined the payment."],
    [testCards.fails, "The bank could not be reached."],
  ])(
    "whose card %s is declined goes to errorUrl, reads the reason on the page, and pays by another",
    async (number, sentence) => {
      const { order, payer } = await atTheCheckout(shop);
      const away = `${shop.errorUrl}?order_id=${order.orderId}&order_code=${order.orderCode}&status=error`;
      expect(await payer.payByCard(number)).toMatchObject({ status: 303, location: away });
      const text = await payer.reloadPage();
      expect(text).toContain(`The payment failed ${sentence}`);
      expect(payer.html).toContain('role="alert"');
      expect(payer.html).toMatch(/href="https:\/\/shop\.example\.com\/no\?[^"]*status=error"/);
      expect((await payer.payByCard(testCards.approved)).location).toContain("status=success");
      expect([(await read(order))!.paidAmount, await charged(order)]).toEqual(["18900", 1]);
    },
  );

  test.each([
    [{}, "Please choose a payment method."],
    [{ method: "CMS_BILL" }, "Please choose a payment method."],
    [{ method: "CARD", number: "4242424242424241", expiry: "12/31" }, "Please check the card number"],
    [{ method: "CARD", number: "", expiry: "12/31" }, "Please enter the card number: it is empty."],
    [{ method: "CARD", number: testCards.approved, expiry: "13/31" }, "Please enter the month and the year"],
    [{ method: "CARD", number: testCards.approved, expiry: "" }, "the card expires: they are empty."],
    [{ method: "CARD", number: testCards.approved, expiry: "01/26" }, "The card has expired"],
  ])("who sends %o is shown what to correct, and no payment starts", async (typed, sentence) => {
    const { order, payer } = await atTheCheckout();
    const { status, html } = await payer.submitForm(typed);
    expect([status, textOfPage(html)]).toEqual([422, expect.stringContaining(sentence)]);
    // The typed card data is nowhere.
    expect(html).not.toContain("42424242");
    expect((await read(order))!.payment).toBeNull();
  });

  test.each(["12/31", "12/2031", "1231", " 2 / 27 ", "3/26"])(
    "may write the expiry of a card as %j",
    async (expiry) => {
      const { payer } = await atTheCheckout();
      expect((await payer.payByCard(testCards.approved, { expiry })).status).toBe(303);
    },
  );

  test("confirms with the bank, and returns after the payment", async () => {
    const { order, payer } = await atTheCheckout(shop);
    const { status, location } = await payer.payByCard(testCards.challenge);
    expect([status, location]).toEqual([303, expect.stringMatching(/^\.\.\/simulated-gateway\/charges\/sim_/)]);
    expect(await payer.reloadPage()).toContain("Please confirm the payment");
    const bank = new URL(location!, `https://pay.example.com${payer.path}`).pathname;
    const confirmed = await gateway.gateway.server.inject({ method: "POST", url: `${bank}/approve` });
    const back = new URL(confirmed.headers.location!);
    expect(back.origin + back.pathname).toBe(`https://pay.example.com${payer.path}`);
    const returned = await getPage(gateway, back.pathname + back.search);
    expect([returned.status, returned.headers["location"]]).toEqual([303, expect.stringContaining("status=success")]);
    expect(await charged(order)).toBe(1);
  });

  test("who does not confirm is informed, and pays by another card", async () => {
    const { order, payer } = await atTheCheckout(shop);
    const { location } = await payer.payByCard(testCards.challenge);
    const bank = new URL(location!, `https://pay.example.com${payer.path}`).pathname;
    await gateway.gateway.server.inject({ method: "POST", url: `${bank}/decline` });
    const returned = await getPage(gateway, `${payer.path}?lang=en&returned=1`);
    expect([returned.status, returned.headers["location"]]).toEqual([303, expect.stringContaining("status=error")]);
    expect(await payer.reloadPage()).toContain("The payment was not confirmed.");
    expect((await payer.payByCard(testCards.approved)).location).toContain("status=success");
    expect(await charged(order)).toBe(1);
  });

  test("who leaves the bank's page pays by another card, and the first is not charged any more", async () => {
    const { order, payer } = await atTheCheckout(shop);
    const { location } = await payer.payByCard(testCards.challenge);
    await payer.reloadPage();
    expect((await payer.payByCard(testCards.approved)).location).toContain("status=success");
    const bank = new URL(location!, `https://pay.example.com${payer.path}`).pathname;
    await gateway.gateway.server.inject({ method: "POST", url: `${bank}/approve` });
    expect([(await read(order))!.paidAmount, await charged(order)]).toEqual(["18900", 1]);
  });

  test("pays into an account, and the page waits for the deposit", async () => {
    const { order, payer } = await atTheCheckout();
    expect(await payer.submitForm({ method: "VBANK" })).toMatchObject({ status: 303, location: "?lang=en" });
    const text = await payer.reloadPage();
    expect(text).toContain("Waiting for your transfer");
    expect(text).toMatch(/Bank Simulated Bank Account \d{11} Holder Simulated gateway/);
    expect((await read(order))!.items[0]!.status).toBe("DEPOSIT_WAITING");
  });

  test("is charged once, and sees it, when the gateway charges and does not answer", async () => {
    const { order, payer } = await atTheCheckout(shop);
    expect((await payer.payByCard(testCards.silentAfterCharge)).location).toContain("status=success");
    expect([(await read(order))!.paidAmount, await charged(order)]).toEqual(["18900", 1]);
  });

  test("is shown an unknown outcome as unknown, and asked not to pay twice", async () => {
    const { order, payer } = await atTheCheckout(shop);
    await payer.payByCard(testCards.challenge);
    await gateway.database.handle.execute(
      sql`update payments set challenge_url = null where vendor_id = ${gateway.vendor.id} and order_id = ${order.orderId}`,
    );
    expect(await payer.reloadPage()).toContain("The payment is in progress");
    expect(payer.html).not.toMatch(/<form|shop\.example\.com/);
    expect((await payer.payByCard(testCards.approved)).location).toBe("?lang=en");
    expect(await charged(order)).toBe(0);
  });
});

describe("two forms at once charge once", () => {
  test("of two tabs", async () => {
    const { order, payer } = await atTheCheckout(shop);
    const open = () => CheckoutPayer.open(gateway, payer.path);
    const tabs = [payer, await open(), await open()] as const;
    const answers = await Promise.all(tabs.map((tab) => tab.payByCard(testCards.slow)));
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303]);
    expect(await charged(order)).toBe(1);
    for (const tab of tabs) expect(await tab.reloadPage()).toContain("This order is paid");
    // A late click of a tab that was left open.
    expect((await tabs[2].payByCard(testCards.approved)).location).toContain("status=success");
    expect(await charged(order)).toBe(1);
  });

  test("of one tab that is clicked twice, and sent again afterwards", async () => {
    const { order, payer } = await atTheCheckout(shop);
    await Promise.all([payer.payByCard(testCards.slow), payer.payByCard(testCards.slow)]);
    await payer.payByCard(testCards.slow);
    expect(await charged(order)).toBe(1);
    expect((await queryRows(gateway, sql`select from payments where order_id = ${order.orderId}`)).length).toBe(1);
  });

  test("but a payer who goes back and types another card starts another payment", async () => {
    const { order, payer } = await atTheCheckout(shop);
    await payer.payByCard(testCards.insufficientFunds);
    // The page is the one from before: its form is the same.
    expect((await payer.payByCard(testCards.approved)).location).toContain("status=success");
    expect(await charged(order)).toBe(1);
  });
});

test("an amount that differs from the shown one must be confirmed again", async () => {
  const { order, payer } = await atTheCheckout();
  const { status, html } = await payer.payByCard(testCards.approved, { amount: "100" });
  expect([status, textOfPage(html)]).toEqual([409, expect.stringContaining("The amount has changed")]);
  expect([(await read(order))!.paidAmount, await charged(order)]).toEqual(["0", 0]);
});

test("a form that another site sends does nothing", async () => {
  const { order, payer } = await atTheCheckout();
  for (const site of ["cross-site", "same-site"]) {
    const { status, html } = await payer.submitForm(
      { method: "CARD", number: testCards.approved, expiry: "12/31" },
      { "sec-fetch-site": site },
    );
    expect([status, textOfPage(html)]).toEqual([
      403,
      expect.stringContaining("This request did not come from our page"),
    ]);
  }
  expect((await read(order))!.payment).toBeNull();
});

test.each([
  ["application/json", "{}", 415],
  ["application/x-www-form-urlencoded", "a=".padEnd(20_000, "x"), 413],
])("a form that the page did not make (%s) is refused with a page", async (type, payload, status) => {
  const { payer } = await atTheCheckout();
  const response = await gateway.gateway.server.inject({
    method: "POST",
    url: payer.path,
    headers: { "content-type": type },
    payload,
  });
  expect([response.statusCode, response.headers["content-type"]]).toEqual([status, "text/html; charset=utf-8"]);
});

test("an order is paid by those of its methods that a gateway supports", async () => {
  const { payer } = await atTheCheckout({}, { ...bought });
  expect([...payer.html.matchAll(/name="method" value="(\w+)"/g)].map(([, method]) => method)).toEqual([
    "CARD",
    "VBANK",
    "BANK_TRANSFER",
    "CELLPHONE",
    "SIMPLE_PAY",
    "CMS",
    "ONLINE_WALLET",
  ]);
});

test("a recurring charge offers only methods that can recur", async () => {
  const { order, payer } = await atTheCheckout(shop, {});
  expect(payer.html).not.toContain('value="VBANK"');
  expect((await payer.payByCard(testCards.approved)).location).toContain("status=success");
  const methods = await queryRows(
    gateway,
    sql`select m.id from payment_methods m join orders o on o.customer_id = m.customer_id
    and o.vendor_id = m.vendor_id where o.id = ${order.orderId}`,
  );
  expect(methods).toHaveLength(1);
});

test("a trial charges nothing, and stores the card", async () => {
  const { payer } = await atTheCheckout(shop, {
    product: { enabledDemo: true, demoPeriod: 2, demoPeriodUnit: "WEEK" },
  });
  expect(textOfPage(payer.html)).toContain("Nothing is charged today.");
  expect((await payer.payByCard(testCards.approved)).location).toContain("status=success");
});

describe("later charges", () => {
  const said = async (plan: object, product: object = {}, language = "en") => {
    const order = await createPayableOrder(gateway, { plan, product });
    return textOfPage((await getPage(gateway, await checkoutPathOf(gateway, order, { lang: language }))).html);
  };
  const monthly = { recurring: { interval: "MONTH", intervalCount: 1 } };
  const trial = { enabledDemo: true, demoPeriod: 2, demoPeriodUnit: "WEEK" };

  test("are shown before the button: the price without the first discount, the next day, and how to cancel", async () => {
    const text = await said({ ...monthly, firstSale: { enabled: true, price: "900" } });
    expect(text).toMatch(
      /What will be charged later ₩18,900 will be charged every month, next on [A-Z]\w+ \d+, 2026, by the payment method that you choose here\. You can cancel at any time before the next charge: (?:ask the shop|write to \S+)\. Pay ₩18,000/,
    );
  });

  test("include the end of a free trial, also in Korean", async () => {
    expect(await said(monthly, trial)).toMatch(/The trial is free until [^.]+\. ₩18,900 will be charged every month/);
    expect(await said(monthly, trial, "ko")).toMatch(
      /까지 무료로 체험하실 수 있습니다\. .*매월 ₩18,900이 결제됩니다\./,
    );
  });

  test("have no amount if it depends on usage", async () => {
    const used = { type: "UNIT_BASED", ...monthly, claim: { methodType: "POST", whenToClaimType: "FIRST_PAYMENT" } };
    expect(await said(used)).toMatch(/After that, you pay for what you use every month, next on/);
  });

  test("do not exist for one-time items", async () => {
    expect(await said({ type: "ONE_TIME", recurring: null })).not.toContain("What will be charged later");
  });
});

/** The payer of a merchant who has terms of its own. */
async function openWithTerms(terms: object[]): Promise<CheckoutPayer> {
  const vendor = await gateway.openVendor();
  await enableSimulatedGateway(gateway, {}, vendor);
  await new TestCatalogue(gateway, vendor).runMutation(
    "updateVendorSettings",
    { vendorTerms: { useCheckBox: true, termsAgree: terms } },
    "vendor { id }",
  );
  const order = await createPayableOrder(gateway, bought, vendor);
  return CheckoutPayer.open(gateway, await checkoutPathOf(gateway, order, {}, vendor));
}

test("after a decline the method and the consents stay, and an optional consent is not required", async () => {
  const payer = await openWithTerms([
    { field: true, title: "Terms", order: 1, content: "No refunds." },
    { field: false, title: "News", order: 2, content: "Letters." },
  ]);
  expect(payer.html).toMatch(/name="term0" required/);
  expect(payer.html).not.toMatch(/name="term1" required/);
  expect(textOfPage(payer.html)).toContain("I agree: News (optional)");
  const { location } = await payer.payByCard(testCards.insufficientFunds, { term0: "on" });
  await payer.reloadPage(location);
  expect(payer.html).toMatch(/value="CARD" required checked/);
  expect(payer.html).toMatch(/name="term0" required checked/);
  expect(payer.html).not.toMatch(/name="term1"[^>]*checked/);
  expect((await payer.payByCard(testCards.approved, { term0: "on" })).status).toBe(303);
});

test("missing fields are marked: the method, the number, the expiry and the term", async () => {
  const { payer } = await atTheCheckout();
  const { html } = await payer.submitForm({ method: "CARD" });
  expect(html).toMatch(/id="number"[^>]*aria-invalid="true"/);
  expect(html).toMatch(/id="expiry"[^>]*aria-invalid="true"/);
  expect((await payer.submitForm({})).html).toMatch(/<fieldset class="ways" aria-invalid="true"/);
});

test("terms of the shop are accepted one by one", async () => {
  const payer = await openWithTerms([
    { field: true, title: "Second", order: 2, content: "<b>Be kind.</b>" },
    { field: true, title: "First", order: 1, content: "No refunds." },
  ]);
  expect(textOfPage(payer.html)).toMatch(/First No refunds\. I agree: First.*Second &lt;b&gt;Be kind/);
  const { status, html } = await payer.payByCard(testCards.approved, { term0: "on" });
  expect([status, textOfPage(html)]).toEqual([422, expect.stringContaining("Please agree to the terms of the shop.")]);
  expect((await payer.payByCard(testCards.approved, { term0: "on", term1: "on" })).status).toBe(303);
});

test("no number of a card is saved or logged", async () => {
  const { payer } = await atTheCheckout();
  await payer.payByCard("4000 0000 0000 0515");
  await payer.payByCard("4000000000000515", { expiry: "" });
  expect(gateway.logLines.join("\n")).not.toMatch(/4000 ?0000 ?0000 ?0515/);
  const kept = await queryRows(gateway, sql`select from payments p where p::text ~ '4000000000000515'`);
  expect(kept).toHaveLength(0);
});
