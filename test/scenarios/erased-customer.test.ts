import { expect, test } from "vitest";
import { queryRows } from "../hostile/query-rows.ts";
import { findTraces, tableOf } from "../support/fixtures/database-traces.ts";
import { importRows } from "../support/imported-rows.ts";
import { createMessageDispatcher, sendMessages } from "../support/mail-server.ts";
import { TestCatalogue } from "../support/test-catalogue.ts";
import { startGateway } from "../support/test-gateway.ts";
import { cardInput, testCards, TestPayments } from "../support/test-payments.ts";
import { createWorker, runUntilIdle } from "../support/test-worker.ts";
import { createDispatcher, deliverWebhooks, WebhookReceiver } from "../support/webhook-receiver.ts";

/*
 * A customer's life leaves the customer's data in as many columns as it can: an import, orders, a renewal in recovery, mails,
 * webhooks, reasons and notes. After the erasure the whole database and the log are searched.
 */

const gateway = await startGateway({
  now: new Date().toISOString(),
  publicUrl: "https://pay.example.com",
  allowPrivateWebhooks: true,
});
// Receivers on this machine need a sandbox. Nothing leaves a sandbox by mail, but the outbox has the texts.
gateway.vendor = await gateway.openVendor({ sandbox: true });
const mails = createMessageDispatcher(gateway);
const receiver = await WebhookReceiver.start();
const webhooks = createDispatcher(gateway);
const worker = createWorker(gateway);

const PARTNER_ID = "zhanna.partner@quillfeather.example";
const PHONE = "01055512399";
const person = {
  ...{ name: "Zhanna Quillfeather", email: "zhanna@quillfeather.example", phone: PHONE },
  ...{ username: "zq-login", customFields: { nickname: "Quillette" } },
  additionalRecipients: ["office@quillfeather.example"],
  shipping: {
    ...{ name: "Quillfeather family", phone: PHONE, postcode: "04524", address1: "17 Marmalade Lane" },
    ...{ address2: "Attic", city: "Seoul", state: "", countryCode: "KR" },
  },
};
/** Something of each of the person's data, in lower case. */
const traces = ["quillfeather", "zhanna", PHONE, "zq-login", "quillette", "marmalade lane"];

const idempotencyKey = (key: string) => ({ "Idempotency-Key": key });
const NEW_ORDER = "order { databaseId customerName customer { email } items { databaseId } }";

const countMessages = async () => (await queryRows(gateway, "select from messages where vendor_id > 0")).length;

test("an erased customer leaves no trace in the database and the log, and the books stay as they were", async () => {
  const { vendor } = gateway;
  const payments = await TestPayments.start(gateway);
  const catalogue = new TestCatalogue(gateway);
  await gateway.queryData("mutation ($url: String!) { createWebhookEndpoint(input: { url: $url }) { secret } }", {
    url: receiver.url,
  });
  const failed = { payment_id: `inv ${PARTNER_ID}`, payer_id: PARTNER_ID, amount: 19900, currency: "KRW" };
  const refusedRows = await importRows(gateway, "2031-01-01T00:00:00Z", {
    CUSTOMER: [{ partnerId: PARTNER_ID, ...person }],
    PAYMENT_METHOD: [
      {
        ...{ partnerId: `card of ${PARTNER_ID}`, customerId: PARTNER_ID, paymentGateway: "HOUSE" },
        ...{ paymentMethod: "CARD_BILL", network: "VISA", gatewayCustomerId: "cus_z", gatewayMethodId: "pm_z" },
        paymentInfo: "VISA of Zhanna",
      },
    ],
    PAST_TRY: [
      {
        ...{ ...failed, country: "KR", time_zone: "Asia/Seoul", gateway: "HOUSE", network: "VISA" },
        ...{ time: "2026-01-05T00:00:00Z", approved: false, code: "51", message: "Insufficient funds" },
      },
    ],
  });
  expect(refusedRows).toEqual([]);
  const { customers } = await gateway.queryData(
    '{ customers(first: 9, filter: { keyword: "quillfeather" }) { nodes { databaseId code } } }',
  );
  const { databaseId: customerId, code } = customers.nodes[0]!;
  payments.customerId = customerId;
  receiver.answer = ({ message }, response) => {
    if (message.data["customerId"] !== customerId) return 204;
    response.writeHead(200).end(`Noted for ${person.name}`);
    return undefined;
  };

  // A keyed order, paid with a card that is stored; its lines and its refund have reasons. A keyed change of the customer.
  const product = await catalogue.createProduct({ type: "BOX", name: "House Blend" });
  const plan = await catalogue.createPlan(product.databaseId);
  const items = [{ productCode: product.code, priceCode: plan.code }];
  const orderInput = { customerId: String(customerId), items };
  const keyed = await payments.sendMutation("createOrder", orderInput, NEW_ORDER, idempotencyKey("order"));
  const order = keyed.data!.createOrder.order;
  const card = { method: "CARD", card: cardInput(testCards.approved), storeMethod: true };
  await payments.sendPayOrder(order.databaseId, card, idempotencyKey("payment"));
  await payments.runMutation(
    "refundOrder",
    { orderId: String(order.databaseId), reason: "Zhanna changed her mind" },
    "order { leftAmount }",
  );
  await payments.sendMutation(
    "updateCustomer",
    { id: String(customerId), shipping: person.shipping },
    "customer { name email shipping { address1 } }",
    idempotencyKey("customer"),
  );
  const openOrder = (await payments.sendMutation("createOrder", orderInput, NEW_ORDER)).data!.createOrder.order;

  // A subscription whose renewal fails: covers, mails. An invoice with a memo, which is mailed to all recipients.
  const renewing = await payments.createOrder("19900", { plan: { type: "FLAT", recurring: { interval: "MONTH" } } });
  await payments.payOrder(renewing.databaseId, { ...card, card: cardInput(testCards.neverAgain) });
  const { invoice } = await payments.runMutation(
    "createInvoice",
    { customerId: String(customerId), items, publishMethods: ["EMAIL"], memoToCustomer: "Dear Zhanna" },
    "invoice { order { databaseId } }",
  );
  const start = gateway.clock.now().getTime();
  for (const day of [0, 29, 30, 31, 32, 33]) {
    gateway.clock.setTo(new Date(start + day * 86_400_000));
    await runUntilIdle(worker);
    await sendMessages(gateway, mails);
  }
  await gateway.database.handle.execute(
    `insert into subscription_units (vendor_id, item_id, series, at, change, actor, note, created_at)
      select vendor_id, id, 'RECORD', now(), 1, 'MANAGER', 'for Zhanna', now() from subscription_items where vendor_id = ${vendor.id} limit 1`,
  );
  await deliverWebhooks(gateway, webhooks);
  expect((await countMessages()) > 2).toBe(true);

  // All of it is exported, and found before the erasure.
  const exportQuery = "query ($id: ID!) { exportCustomerData(customerId: $id) { records } }";
  const { exportCustomerData } = await gateway.queryData(exportQuery, { id: String(customerId) });
  const exported = JSON.stringify(exportCustomerData!.records);
  for (const trace of traces) expect(exported.toLowerCase()).toContain(trace);
  expect([...new Set((await findTraces(gateway, traces)).map(tableOf))]).toMatchInlineSnapshot(`
    [
      "public.customers",
      "public.event_log",
      "public.idempotency_keys",
      "public.imported_records",
      "public.invoices",
      "public.messages",
      "public.order_item_histories",
      "public.order_logs",
      "public.orders",
      "public.past_payments",
      "public.payment_methods",
      "public.payments",
      "public.refunds",
      "public.shipping_addresses",
      "public.subscription_units",
      "public.webhook_attempts",
      "public.webhook_deliveries",
    ]
  `);

  const erase = (input: object) =>
    payments.sendMutation(
      "eraseCustomer",
      { customerId: String(customerId), confirmCode: code, ...input },
      "customer { erasedAt }",
    );
  const refusal = async (input: object = {}) => (await erase(input)).errors?.[0]?.message;
  expect(await refusal({ confirmCode: "customer_wrong" })).toMatch(
    /^input[.]confirmCode must be the code of the customer/,
  );
  expect(await refusal()).toMatch(/^The customer has live subscriptions: subscription_\w+[.] Cancel them/);
  expect(await refusal({ cancelSubscriptions: true })).toMatch(
    /^The customer has orders that are unpaid or in progress: /,
  );
  for (const orderId of [openOrder.databaseId, invoice.order!.databaseId])
    await payments.runMutation("cancelOrder", { orderId: String(orderId) }, "order { databaseId }");

  const books = () =>
    queryRows(
      gateway,
      `select (select json_agg(l order by id) from ledger_entries l) as ledger, (select json_agg(a order by id) from cover_attempts a) as attempts,
        (select json_agg(d order by id) from cover_decisions d) as decisions, (select sum(amount) from orders) as sold`,
    );
  const before = await books();
  const { data } = await erase({ cancelSubscriptions: true });
  const { erasedAt } = data!.eraseCustomer.customer;
  expect(erasedAt).not.toBeNull();
  expect(await findTraces(gateway, traces)).toEqual([]);
  expect(gateway.logLines.filter((line) => traces.some((trace) => line.toLowerCase().includes(trace)))).toEqual([]);
  expect(await books()).toEqual(before);

  // What was queued or recorded meanwhile brings nothing back.
  receiver.answer = () => 204;
  await deliverWebhooks(gateway, webhooks);
  await runUntilIdle(worker);
  await sendMessages(gateway, mails);
  expect(await countMessages()).toBe(0);

  // The methods are detached at their gateway, and only then their tokens are deleted.
  const countTokens = () =>
    queryRows(
      gateway,
      `select (select count(*)::int from payment_methods where vendor_id > 0 and coalesce(fingerprint, token::text) is not null) as tokens,
        (select count(*)::int from simulated_methods where vendor_id > 0) as stored`,
    );
  expect(await countTokens()).toEqual([{ tokens: 3, stored: 2 }]);
  await worker.runTask("payments.detach-methods");
  expect(await countTokens()).toEqual([{ tokens: 0, stored: 0 }]);

  // A repeat changes nothing; a repeat of the keyed order has the erased answer, and no second effect.
  gateway.clock.setTo(new Date(gateway.clock.now().getTime() + 60_000));
  expect((await erase({})).data!.eraseCustomer.customer).toEqual({ erasedAt });
  const events = await queryRows(gateway, "select from event_log where vendor_id > 0 and type = 'CUSTOMER_ERASED'");
  expect(events).toHaveLength(1);
  const repeated = await payments.sendMutation("createOrder", orderInput, NEW_ORDER);
  expect(repeated.errors?.[0]?.extensions.code).toBe("CUSTOMER_ERASED");
  expect(
    await payments.sendMutation("updateCustomer", { id: String(customerId), name: "Z" }, "customer { code }"),
  ).toMatchObject({
    errors: [{ extensions: { code: "CUSTOMER_ERASED" } }],
  });
  expect(await findTraces(gateway, traces)).toEqual([]);
});
